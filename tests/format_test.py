#!/usr/bin/env python3
"""Every C++ file is as clang-format 19 writes it. Usage: format_test.py SOURCE_DIR [--update]"""

import pathlib
import shutil
import subprocess
import sys

TOOL = shutil.which("clang-format-19")
root = pathlib.Path(sys.argv[1]).resolve()
if not TOOL:
    print("clang-format-19 is not installed")
    sys.exit(77)

TOPS = ("include", "src", "apps", "tests", "bench", "fuzz", "examples", "tools", "bindings")
files = sorted(path for top in TOPS for path in (root / top).rglob("*")
               if path.suffix in (".cpp", ".hpp", ".h", ".c") and path.is_file() and "node_modules" not in path.parts)
if not files:
    sys.exit(f"no C++ files in {root}")
how = ["-i"] if "--update" in sys.argv else ["--dry-run", "-Werror", "--ferror-limit=1"]
bad = []
for first in range(0, len(files), 64):
    some = files[first:first + 64]
    ran = subprocess.run([TOOL, *how, *some], capture_output=True, text=True)
    if ran.returncode:
        found = [line.split(":")[0] for line in ran.stderr.splitlines() if ": error:" in line]
        bad += found or sys.exit(f"clang-format ends with {ran.returncode}: {ran.stderr}")
for name in sorted(set(bad)):
    print(f"{pathlib.Path(name).relative_to(root)} is not formatted: tests/format_test.py {root} --update")
print(f"{len(files)} files, {len(set(bad))} not formatted")
sys.exit(bool(bad))
