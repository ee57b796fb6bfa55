#!/usr/bin/env python3
"""All public headers compile with clang and libc++, and std::format takes what text/format.hpp says.

Usage: libcxx_test.py SOURCE_DIR; exits 77 where there is no clang++-19 with libc++.
"""

import pathlib
import shutil
import subprocess
import sys

root = pathlib.Path(sys.argv[1]).resolve()
compiler = shutil.which("clang++-19") or shutil.which("clang++")
command = [compiler, "-stdlib=libc++", "-std=c++23", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++"]
if not compiler or subprocess.run([*command, "-"], input="#include <format>\n", text=True, capture_output=True).returncode:
    print("no clang with libc++ here")
    sys.exit(77)
sys.path.append(str(root / "tools"))
from unchanged import Unchanged, USERS
good, messages = Unchanged(USERS, root).compile([*command, f"-I{root / 'include'}", str(root / "tests/libcxx.cpp")])
print(messages, end="")
sys.exit(not good)
