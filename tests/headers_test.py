#!/usr/bin/env python3
"""Compiles every public header on its own, twice included, with warnings as errors. Options are given by designated initialisers.

Those of wire and value are compiled without exceptions and RTTI as well. gdvar.hpp includes all of them. The size of
each after preprocessing is at most a multiple, by room, of that of <vector>, <string> and <expected>. Light headers do
not include heavy ones. Debug containers need no code of the library.

Usage: headers_test.py SOURCE_DIR COMPILER [FLAG...]    the test
       headers_test.py --times SOURCE_DIR COMPILER      prints sizes and compile times, as multiples of the reference's
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from unchanged import Unchanged, USERS, files_read

CORE = ("wire", "value")
REFERENCE = "#include <vector>\n#include <string>\n#include <expected>\n"
# The most preprocessed lines of a header as a multiple of the reference's. Nearly all of them are the standard
# library's: <algorithm>, <functional>, <cmath>, <memory> and <atomic> together are worth 1.9.
MOST = {"base": 1.3, "wire": 2.4, "value": 3.4, "text": 2.9, "json": 2.9, "save": 2.8, "net": 4.3, "inspect": 3.3,
        "file": 3.5}
MOST_OF = {
    "gdvar/core.hpp": 2.9,
    "gdvar/gdvar.hpp": 4.4,
    "gdvar/value/document.hpp": 2.3,
    "gdvar/value/string.hpp": 1.75,
    "gdvar/value/variant.hpp": 2.7,
    "gdvar/wire/error.hpp": 1.2,
    "gdvar/wire/limits.hpp": 0.1,
    "gdvar/wire/type.hpp": 0.8,
}
# Headers that a header does not include, neither directly nor through others. The owning value does not know the view.
WITHOUT = {
    "gdvar/value/variant.hpp": {"gdvar/value/document.hpp", "gdvar/wire/reader.hpp", "gdvar/wire/cursor.hpp"},
    "gdvar/value/document.hpp": {"gdvar/value/variant.hpp", "gdvar/wire/cursor.hpp"},
    "gdvar/core.hpp": {"gdvar/value/binding.hpp", "gdvar/wire/cursor.hpp"},
}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wno-sign-conversion", "-Wnon-virtual-dtor", "-Werror"]


def preprocessed_lines(done):
    """The lines that are not empty; g++ and clang agree on them but for a few."""
    done.check_returncode()
    return sum(1 for line in done.stdout.splitlines() if line and not line.isspace() and line[0] != "#")


def user_seconds(command, text):
    """The least user time of three runs."""
    def once():
        child = subprocess.Popen(command, stdin=subprocess.PIPE)
        child.stdin.write(text.encode())
        child.stdin.close()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime
    return min(once() for _ in range(3))


def first_members_given(header):
    """Each struct of options or handlers, with its first member named: the others need initialisers, or -Wextra warns."""
    around, lines = [], []
    pattern = (r"^namespace ([\w:]+)|^(\})  // namespace|"
               r"^(template <class T>\n)?struct (\w*(?:Options|Handlers)) (?::[^{]*)?\{\n(?:\s*///.*\n)*\s+.*?(\w+)(?: = [^;]*|\{.*?\})?;")
    for found in re.finditer(pattern, header.read_text(), re.M):
        if found[1]:
            around.append(found[1])
        elif found[2]:
            around.pop()
        elif "detail" not in around:
            name = found[4] + ("<int>" if found[3] else "")
            lines.append(f"inline const {'::'.join(around)}::{name} given_{len(lines)}{{.{found[5]} = {{}}}};\n")
    return "".join(lines)


def room_of(name):
    parts = name.split("/")
    return parts[1] if len(parts) > 2 else None


def print_times(include, compiler):
    kept = Unchanged(None, include)
    command = [compiler, "-std=c++23", f"-I{include}", "-x", "c++", "-"]
    rows = [("<vector>, <string>, <expected>", REFERENCE)]
    rows += [(name, f"#include <{name}>\n") for name in
             sorted(path.relative_to(include).as_posix() for path in include.rglob("*.hpp"))]
    reference = None
    print("  lines  times   user s  times  header")
    for name, text in rows:
        lines = kept.compile([*command[:-1], "-E", "-P", "-"], text, preprocessed_lines)
        seconds = user_seconds([*command[:-1], "-fsyntax-only", "-"], text)
        reference = reference or (lines, seconds)
        print(f"{lines:7} {lines / reference[0]:6.2f} {seconds:8.2f} {seconds / reference[1]:6.2f}  {name}", flush=True)


def main():
    if sys.argv[1] == "--times":
        print_times(pathlib.Path(sys.argv[2]) / "include", sys.argv[3])
        return 0
    root = pathlib.Path(sys.argv[1]).resolve()
    kept = Unchanged(USERS, root)
    include = root / "include"
    compiler, flags = sys.argv[2], sys.argv[3:]
    base = [compiler, "-std=c++23", "-fsyntax-only", f"-I{include}", *WARNINGS, *flags, "-x", "c++", "-"]
    names, jobs = [], []
    for header in sorted(include.rglob("*.hpp")):
        name = header.relative_to(include).as_posix()
        text = f"#include <{name}>\n#include <{name}>\n{first_members_given(header)}"
        core = len(header.relative_to(include).parts) > 2 and header.parent.relative_to(include).parts[1] in CORE
        names.append(name)
        jobs.append((base[:1] + (["-fno-exceptions", "-fno-rtti"] if core else []) + base[1:], text))
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, (good, message) in zip(names, pool.map(lambda job: kept.compile(*job), jobs)):
            if not good:
                failures += 1
                print(f"{name} does not compile on its own:\n{message}")

    def included_by(name):
        read = files_read([compiler, "-std=c++23", f"-I{include}", *flags, str(include / name)])
        return {path.removeprefix(f"{include}/") for path in read}

    for name in set(names) - included_by("gdvar/gdvar.hpp"):
        failures += 1
        print(f"gdvar/gdvar.hpp does not include {name}")
    for name, others in WITHOUT.items():
        for other in others & included_by(name):
            failures += 1
            print(f"{name} includes {other}")
    expand = [compiler, "-std=c++23", f"-I{include}", *flags, "-E", "-P", "-x", "c++", "-"]
    reference = kept.compile(expand, REFERENCE, preprocessed_lines)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sizes = pool.map(lambda name: kept.compile(expand, f"#include <{name}>\n", preprocessed_lines), names)
        for name, lines in zip(names, sizes):
            most = MOST_OF.get(name, MOST.get(room_of(name), 0.6))
            if lines > most * reference:
                failures += 1
                print(f"{name}: {lines} lines after preprocessing, {lines / reference:.2f} times the reference's "
                      f"{reference}; the most is {most}")
    # The library has no code for the containers of a program that is compiled in their debug mode.
    debug = [*expand[:-3], "-D_GLIBCXX_DEBUG", *expand[-3:]]
    text = "#include <gdvar/value/binding.hpp>\n"
    if kept.compile(debug, text, lambda done: "extern template struct Bind<std::vector" in done.stdout):
        failures += 1
        print("gdvar/value/binding.hpp expects code for containers in debug mode")
    print(f"{len(names)} headers, {failures} problems")
    return 1 if failures or not names else 0


sys.exit(main())
