#!/usr/bin/env python3
"""Runs clang-tidy over the sources and public headers, with the checks of .clang-tidy. scripts/test tidy calls it.

Most of clang-tidy's time goes to what a file includes, so the sources of a target are looked at many at a time, as one
translation unit. Sources that cannot share one, as names in them meet, go to the next. BUILD_DIR/unity.txt says which
share one ("UNIT FILE" on each line), for GDVAR_UNITY. Status 0: no findings.

Usage: tidy.py SOURCE_DIR BUILD_DIR JOBS, where BUILD_DIR has a compile_commands.json made by clang.
"""

import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOMS = ("src", "apps", "tools", "bindings")
SOURCES, HEADERS = (".cpp",), (".hpp",)
# Sources in one translation unit, at most: few enough that all processors have work to the end.
TOGETHER = 24
FINDING = re.compile(r"^(/[^:\n]+):(\d+):(\d+): (?:error|warning): .*\[([\w.,-]+)\]$")
ERROR = re.compile(r"^(/[^:\n]+):\d+:\d+: (?:fatal )?error: ", re.M)


class Unit:
    """Sources that are looked at as one, and how they are compiled."""

    def __init__(self, flags, files, path):
        self.flags, self.files, self.path = flags, files, path

    def write(self):
        self.path.write_text("".join(f'#include "{file}"\n' for file in self.files))


def flags_of(entry):
    """The compiler's options in a line of compile_commands.json, without the files."""
    words = shlex.split(entry["command"])
    while not re.search(r"clang\+\+", words[0]):  # ccache
        words.pop(0)
    words.pop(0)
    flags = []
    while words:
        word = words.pop(0)
        if word in ("-o", "-c", "-MF", "-MT"):
            words.pop(0)
        elif word != "-MD":
            flags.append(word)
    return tuple(flags)


def compile_unit(unit, root):
    """What stops the sources from being one unit: the files that errors are in; and the files that were read."""
    unit.write()
    read = unit.path.with_suffix(".d")
    # A macro of one source must not change the next.
    run = subprocess.run(
        ["clang++-19", *unit.flags, "-Wno-everything", "-Wmacro-redefined", "-Werror=macro-redefined", "-ferror-limit=0",
         "-fsyntax-only", "-MD", "-MF", str(read), str(unit.path)], cwd=root, capture_output=True, text=True)
    if run.returncode == 0:
        return set(), set(read.read_text().replace("\\\n", " ").split()[1:])
    return set(ERROR.findall(run.stderr)) or {"?"}, set()


def divide(unit, root):
    """Units that compile, of the sources of one; and the files that were read."""
    done, seen, files, number = [], set(), list(unit.files), 0
    while files:
        held, later = files, []
        while True:
            path = unit.path.with_name(f"{unit.path.stem}_{number}.cpp")
            part = Unit(unit.flags, held, path)
            wrong, read = compile_unit(part, root)
            if not wrong or len(held) == 1:
                break  # a source that is wrong by itself is clang-tidy's to report
            # The first source stays, so each round takes one away at least.
            out = [file for file in held[1:] if file in wrong] or held[len(held) // 2:]
            held = [file for file in held if file not in out]
            later = sorted(later + out)
        done.append(part)
        seen |= read
        files, number = later, number + 1
    return done, seen


def tidy(unit, root):
    """clang-tidy's findings in a unit, each with its lines, and its output if it failed without one."""
    run = subprocess.run(
        ["clang-tidy-19", "--quiet", f"--config-file={root}/.clang-tidy", str(unit.path), "--", *unit.flags],
        cwd=root, capture_output=True, text=True)
    found, lines = {}, None
    for line in run.stdout.splitlines():
        match = FINDING.match(line)
        if match:
            lines = found.setdefault(match.groups(), [])
        if lines is not None:
            lines.append(line)
    return found, "" if run.returncode == 0 or found else run.stdout + run.stderr


def main():
    root, build, jobs = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
    own = {str(path) for room in ROOMS for path in (root / room).rglob("*") if path.suffix in SOURCES + HEADERS}
    public = sorted(str(path) for path in (root / "include").rglob("*.hpp"))
    own |= set(public)

    groups = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"] in own:
            groups.setdefault(flags_of(entry), []).append(entry["file"])
    if not groups:
        sys.exit("error: no sources in compile_commands.json")
    # Every public header, also those that no source includes, with the options of the sources that include most.
    groups.setdefault(max(groups, key=len), []).insert(0, None)

    work = build / "tidy"
    work.mkdir(exist_ok=True)
    units = []
    for number, (flags, files) in enumerate(groups.items()):
        if None in files:
            files.remove(None)
            units.append(Unit(flags, public, work / "headers.cpp"))
        files.sort()
        parts = -(-len(files) // TOGETHER)
        units += [Unit(flags, files[part::parts], work / f"unit{number}_{part}.cpp") for part in range(parts)]

    found, failed, seen, together = {}, [], set(), []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = []
        for done in concurrent.futures.as_completed([pool.submit(divide, unit, root) for unit in units]):
            parts, read = done.result()
            seen |= read | {file for part in parts for file in part.files}
            together += [f"{part.path.stem} {pathlib.Path(file).relative_to(root)}\n" for part in parts for file in part.files]
            running += [pool.submit(tidy, part, root) for part in parts]
        for done in concurrent.futures.as_completed(running):
            more, wrong = done.result()
            found.update(more)
            failed += [wrong] if wrong else []

    (build / "unity.txt").write_text("".join(sorted(together)))
    for place in sorted(found, key=lambda place: (place[0], int(place[1]), int(place[2]))):
        print("\n".join(found[place]))
    for wrong in failed:
        print(wrong)
    missed = sorted(own - seen)
    for file in missed:
        print("not looked at, as it is not built here:", pathlib.Path(file).relative_to(root))
    print("not looked at: tests, bench, fuzz, examples")
    print(f"clang-tidy: {len(own) - len(missed)} files in {len(running)} units, {len(found)} findings"
          + (f", failed in {len(failed)} units" if failed else ""))
    return 1 if found or failed else 0


if __name__ == "__main__":
    sys.exit(main())
