#!/usr/bin/env python3
"""Code that pages show is code that is compiled: docs/cookbook.md and docs/networking.md hold the parts of files
in examples/ that stand between `// --- NAME` and `// ---` (`#` in scripts), and the README's first C++ block is
examples/readme.cpp.

Usage: cookbook_test.py SOURCE_DIR [--update]
"""

import pathlib
import re
import sys
import textwrap

root = pathlib.Path(sys.argv[1])
update = "--update" in sys.argv
failures = []

# A page, and the files whose parts it shows.
PAGES = {
    "docs/cookbook.md": ["examples/cookbook.cpp", "examples/edit_save.cpp"],
    "docs/networking.md": ["examples/networking.cpp", "examples/echo.cpp", "examples/lobby/lobby.cpp",
                           "examples/lobby/CMakeLists.txt", "examples/lobby/client4.gd", "examples/echo4.gd"],
}
LANGUAGES = {".cpp": "cpp", ".gd": "gdscript", ".txt": "cmake"}
PART = re.compile(r"^[ \t]*(?://|#) --- (\S.*?)\n(.*?)^[ \t]*(?://|#) ---$", re.M | re.S)
SHOWN = re.compile(r"^```(cpp|gdscript|cmake) (\S.*?)\n.*?^```$", re.M | re.S)


def check_page(name, sources):
    parts = {}
    for source in sources:
        language = LANGUAGES[pathlib.Path(source).suffix]
        for part, code in PART.findall((root / source).read_text()):
            if parts.setdefault((language, part), code) is not code:
                failures.append(f"{source}: there are two parts '{part}'")
    text = (root / name).read_text()
    shown = set()

    def block(match):
        key = match.groups()
        if key not in parts:
            failures.append(f"{name}: there is no part '{key[1]}' in {', '.join(sources)}")
            return match.group(0)
        shown.add(key)
        return f"```{key[0]} {key[1]}\n{textwrap.dedent(parts[key]).rstrip()}\n```"

    wanted = SHOWN.sub(block, text)
    failures.extend(f"{name} does not show the part '{part}'" for _, part in parts.keys() - shown)
    for language, opening in re.findall(r"^```(cpp|cmake)([^\n]*)$", text, re.M):
        if not opening.strip():
            failures.append(f"{name} shows {language} that is compiled nowhere")
    if update:
        (root / name).write_text(wanted)
    elif wanted != text:
        failures.append(f"{name} is not what is compiled: run tests/cookbook_test.py . --update")
    return len(parts)


count = sum(check_page(name, sources) for name, sources in PAGES.items())

readme = (root / "README.md").read_text()
example = (root / "examples/readme.cpp").read_text()
found = re.search(r"^```cpp\n(.*?)^```$", readme, re.M | re.S)
body = example[example.index("#include"):]
if not found or found.group(1).strip() != body.strip():
    failures.append("README.md's C++ is not examples/readme.cpp")
for name, source in re.findall(r"^```cpp (examples/\S+)\n(.*?)^```$", readme, re.M | re.S):
    if source.strip() not in (root / name).read_text():
        failures.append(f"README.md shows what is not in {name}")

print("\n".join(failures) or f"{count} recipes and the README are what is compiled")
sys.exit(bool(failures))
