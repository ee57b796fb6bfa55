#!/usr/bin/env python3
"""Code that pages show is code that is compiled.

A block "```cpp NAME" holds the part of a file in examples/ between `// --- NAME` and `// ---` (`#` in scripts).
A block "```cpp examples/FILE" is that whole program, from its first #include on; one in Python
("```python bindings/python/examples/FILE"), what stands behind its docstring. The README shows whole programs only.

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
    "README.md": [],
    "bindings/python/DESCRIPTION.md": [],
    "docs/cookbook.md": ["examples/cookbook.cpp"],
    "docs/documents.md": ["examples/documents.cpp"],
    "docs/saves.md": ["examples/edit_save.cpp", "examples/saves.cpp"],
    "docs/recover.md": ["examples/recover_save.cpp"],
    "docs/networking.md": ["examples/networking.cpp", "examples/echo.cpp", "examples/tcp_only.cpp",
                           "examples/lobby/lobby.cpp",
                           "examples/lobby/CMakeLists.txt", "examples/lobby/client4.gd", "examples/echo4.gd",
                           "examples/hello4.gd", "examples/loops.cpp"],
}
LANGUAGES = {".cpp": "cpp", ".gd": "gdscript", ".txt": "cmake"}
PART = re.compile(r"^[ \t]*(?://|#) --- (\S.*?)\n(.*?)^[ \t]*(?://|#) ---$", re.M | re.S)
MARK = re.compile(r"^[ \t]*(?://|#) ---.*\n", re.M)
SHOWN = re.compile(r"^```(cpp|gdscript|cmake|python) (\S.*?)\n.*?^```$", re.M | re.S)


def program(name):
    """A whole program: its file without the comment at the top and the marks of parts."""
    text = (root / name).read_text()
    if name.endswith(".py"):
        return text.split('"""', 2)[2].strip()
    return MARK.sub("", text[text.index("#include"):]).rstrip()


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
        if key[1].startswith(("examples/", "bindings/python/examples/")):
            code = program(key[1])
            if key[0] == "cpp" and not re.search(r"^int main\(", code, re.M):
                failures.append(f"{name}: {key[1]} is no program")
            return f"```{key[0]} {key[1]}\n{code}\n```"
        if key not in parts:
            failures.append(f"{name}: there is no part '{key[1]}' in {', '.join(sources) or 'any file'}")
            return match.group(0)
        shown.add(key)
        return f"```{key[0]} {key[1]}\n{textwrap.dedent(parts[key]).rstrip()}\n```"

    wanted = SHOWN.sub(block, text)
    failures.extend(f"{name} does not show the part '{part}'" for _, part in parts.keys() - shown)
    for language, opening in re.findall(r"^```(cpp|cmake|python)([^\n]*)$", text, re.M):
        if not opening.strip():
            failures.append(f"{name} shows {language} that is compiled nowhere")
    if update:
        (root / name).write_text(wanted)
    elif wanted != text:
        failures.append(f"{name} is not what is compiled: scripts/docs pages")
    return len(SHOWN.findall(text))


if __name__ == "__main__":
    count = sum(check_page(name, sources) for name, sources in PAGES.items())
    print("\n".join(failures) or f"{count} pieces of code on {len(PAGES)} pages are what is compiled")
    sys.exit(bool(failures))
