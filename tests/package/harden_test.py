#!/usr/bin/env python3
"""GDVAR_HARDEN: what it adds, and that it leaves to CXXFLAGS and LDFLAGS what they decide. Nothing is compiled.

Usage: harden_test.py SOURCE_DIR
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
OWN = {"-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-fPIE"}
# CXXFLAGS, LDFLAGS, GDVAR_HARDEN, and which of these, and of the linker's options, are gdvar's then.
RELRO, NOW = "-Wl,-z,relro", "-Wl,-z,now"
CASES = [
    ("", "", "ON", OWN, {RELRO, NOW}),
    ("", "", "OFF", set(), set()),
    ("-D_FORTIFY_SOURCE=3", "", "ON", {"-fstack-protector-strong", "-fPIE"}, {RELRO, NOW}),
    ("-fstack-protector-all", "", "ON", OWN - {"-fstack-protector-strong"}, {RELRO, NOW}),
    ("-fno-PIE", "-no-pie", "ON", OWN - {"-fPIE"}, {RELRO, NOW}),
    ("", "-Wl,-z,relro", "ON", OWN, {NOW}),
    ("", "-Wl,-z -Wl,now", "ON", OWN, {RELRO}),
    ("", "-Wl,-z,lazy -Wl,-z,norelro", "ON", OWN, set()),
    ("-g -O2 -fstack-protector-strong -Wformat -D_FORTIFY_SOURCE=2", "-Wl,-z,relro -Wl,-z,now", "ON", {"-fPIE"}, set()),
]
PROGRAM = """
cmake_minimum_required(VERSION 3.25)
project(program LANGUAGES CXX)
set(GDVAR_HARDEN {harden} CACHE BOOL "")
list(APPEND CMAKE_MODULE_PATH {root}/cmake)
include(GdvarCompile)
add_executable(program program.cpp)
"""
problems = []

for cxxflags, ldflags, harden, wanted, linked in CASES:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "program.cpp").write_text("int main() {}\n")
        (folder / "CMakeLists.txt").write_text(PROGRAM.format(root=root, harden=harden))
        subprocess.run(["cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "CXXFLAGS": cxxflags, "LDFLAGS": ldflags})
        (command,) = json.loads((folder / "build/compile_commands.json").read_text())
        words = command["command"].split()
        added = OWN & {*words[words.index("-DNDEBUG") + 1:]}  # CXXFLAGS are before it
        lines = (folder / "build/build.ninja").read_text().splitlines()
        flags = next((line for line in lines if "LINK_FLAGS" in line), "").split()
        for given in ldflags.split():
            flags.remove(given)
        linker = {RELRO, NOW} & {*flags}
        if added != wanted or linker != linked:
            problems.append(f"CXXFLAGS={cxxflags!r} LDFLAGS={ldflags!r} GDVAR_HARDEN={harden}: {added}, {linker}")

print("\n".join(problems))
print(f"{len(CASES)} cases, {len(problems)} problems")
sys.exit(bool(problems))
