#!/usr/bin/env python3
"""Compiles every public header on its own, twice included, with warnings as errors.

Those of wire and value are compiled without exceptions and RTTI as well.
Usage: headers_test.py SOURCE_DIR COMPILER [FLAG...]
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

CORE = ("wire", "value")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wno-sign-conversion", "-Werror"]


def compile_header(job):
    command, text = job
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def main():
    root = pathlib.Path(sys.argv[1])
    include = root / "include"
    compiler, flags = sys.argv[2], sys.argv[3:]
    base = [compiler, "-std=c++23", "-fsyntax-only", f"-I{include}", *WARNINGS, *flags, "-x", "c++", "-"]
    names, jobs = [], []
    for header in sorted(include.rglob("*.hpp")):
        name = header.relative_to(include).as_posix()
        text = f"#include <{name}>\n#include <{name}>\n"
        core = len(header.relative_to(include).parts) > 2 and header.parent.relative_to(include).parts[1] in CORE
        names.append(name)
        jobs.append((base[:1] + (["-fno-exceptions", "-fno-rtti"] if core else []) + base[1:], text))
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, (good, message) in zip(names, pool.map(compile_header, jobs)):
            if not good:
                failures += 1
                print(f"{name} does not compile on its own:\n{message}")
    umbrella = subprocess.run([compiler, "-std=c++23", f"-I{include}", *flags, "-MM", str(include / "gdvar/gdvar.hpp")],
                              capture_output=True, text=True).stdout
    for name in names:
        if str(include / name) not in umbrella.split():
            failures += 1
            print(f"gdvar/gdvar.hpp does not include {name}")
    print(f"{len(names)} headers, {failures} problems")
    return 1 if failures or not names else 0


sys.exit(main())
