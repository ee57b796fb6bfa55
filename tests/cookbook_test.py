#!/usr/bin/env python3
"""Code that pages show is code that is compiled: docs/cookbook.md holds the parts of examples/cookbook.cpp
that stand between `// --- NAME` and `// ---`, and the README's first C++ block is examples/readme.cpp.

Usage: cookbook_test.py SOURCE_DIR [--update]
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
update = "--update" in sys.argv
failures = []

parts = dict(re.findall(r"^// --- (\S.*?)\n(.*?)^// ---$", (root / "examples/cookbook.cpp").read_text(), re.M | re.S))
page = root / "docs/cookbook.md"
text = page.read_text()
shown = set()


def block(match):
    name = match.group(1)
    if name not in parts:
        failures.append(f"{page.name}: there is no part '{name}' in examples/cookbook.cpp")
        return match.group(0)
    shown.add(name)
    return f"```cpp {name}\n{parts[name].rstrip()}\n```"


wanted = re.sub(r"^```cpp (\S.*?)\n.*?^```$", block, text, flags=re.M | re.S)
failures += [f"{page.name} does not show the part '{name}'" for name in parts if name not in shown]
if update:
    page.write_text(wanted)
elif wanted != text:
    failures.append(f"{page.name} is not examples/cookbook.cpp: run tests/cookbook_test.py . --update")

readme = (root / "README.md").read_text()
example = (root / "examples/readme.cpp").read_text()
found = re.search(r"^```cpp\n(.*?)^```$", readme, re.M | re.S)
body = example[example.index("#include"):]
if not found or found.group(1).strip() != body.strip():
    failures.append("README.md's C++ is not examples/readme.cpp")
for name, source in re.findall(r"^```cpp (examples/\S+)\n(.*?)^```$", readme, re.M | re.S):
    if source.strip() not in (root / name).read_text():
        failures.append(f"README.md shows what is not in {name}")

print("\n".join(failures) or f"{len(parts)} recipes and the README are what is compiled")
sys.exit(bool(failures))
