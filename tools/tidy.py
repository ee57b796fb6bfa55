#!/usr/bin/env python3
"""Runs clang-tidy over the sources and public headers, with the checks of .clang-tidy. `scripts/test tidy` calls it.

Most of clang-tidy's time goes to what a file includes. So the folders are looked at as they are compiled (GDVAR_UNITY), and a
folder without findings is not looked at again until its sources, a header, its options or the checks change (unchanged.py).
Status 0: no findings.

Usage: tidy.py SOURCE_DIR BUILD_DIR JOBS [--all], where BUILD_DIR has a compile_commands.json made by clang. --all looks at
everything.
"""

import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys

from unchanged import Unchanged, USERS, files_read, version_of

CLANG, TIDY = "clang++-19", "clang-tidy-19"
ROOMS = ("src", "apps", "tools", "bindings")
FINDING = re.compile(r"^(/[^:\n]+):(\d+):(\d+): (?:error|warning): .*\[([\w.,-]+)\]$")

root, build, jobs = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
unchanged = Unchanged(None if "--all" in sys.argv else USERS, root, build)


def flags_of(entry):
    """The compiler's options in a line of compile_commands.json, without the files."""
    words = shlex.split(entry["command"])
    while "clang++" not in words[0]:  # ccache
        words.pop(0)
    flags, words = [], words[1:]
    while words:
        word = words.pop(0)
        if word in ("-o", "-c", "-MF", "-MT"):
            words.pop(0)
        elif word != "-MD":
            flags.append(word)
    return flags


class Unit:
    """A source as it is compiled, which may include those of a folder."""

    def __init__(self, path, flags):
        self.path, self.flags = path, flags
        self.question = [version_of(TIDY), (root / ".clang-tidy").read_text(), path, *flags]
        held = unchanged.answer(self.question) if unchanged.folder else None
        self.sound, self.read = bool(held), held[0] if held else set()

    def look(self):
        """clang-tidy's findings, each with its lines, and its output if it failed without one."""
        looked = unchanged.look(files_read([CLANG, *self.flags, self.path], cwd=build))
        self.read = set(looked)
        run = subprocess.run([TIDY, "--quiet", f"--config-file={root}/.clang-tidy", self.path, "--", *self.flags],
                             cwd=build, capture_output=True, text=True)
        found, lines = {}, None
        for line in run.stdout.splitlines():
            if match := FINDING.match(line):
                lines = found.setdefault(match.groups(), [])
            if lines is not None:
                lines.append(line)
        failed = "" if run.returncode == 0 or found else f"{self.path}: {TIDY} ends with {run.returncode}\n{run.stdout}{run.stderr}"
        if not found and not failed:
            unchanged.keep(self.question, looked, "no finding")
        return found, failed


def units():
    own = {str(path) for room in ROOMS for path in (root / room).rglob("*") if path.suffix in (".cpp", ".hpp")}
    headers = sorted(map(str, (root / "include").rglob("*.hpp")))
    commands = json.loads((build / "compile_commands.json").read_text())
    entries = [entry for entry in commands if entry["file"] in own or "/Unity/" in entry["file"]]
    if not entries:
        sys.exit("error: no sources in compile_commands.json")
    # Every public header, also those that no source includes, with the options of a source that includes much.
    every = build / "headers.cpp"
    every.write_text("".join(f'#include "{file}"\n' for file in headers))
    widest = max(map(flags_of, entries), key=len)
    return own | set(headers), [Unit(str(every), widest)] + [Unit(entry["file"], flags_of(entry)) for entry in entries]


def main():
    own, all_units = units()
    waiting = [unit for unit in all_units if not unit.sound]
    # The largest first, so that all processors have work to the end.
    waiting.sort(key=lambda unit: -len(pathlib.Path(unit.path).read_text()))
    found, failed = {}, []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for more, wrong in pool.map(Unit.look, waiting):
            found.update(more)
            failed += [wrong] if wrong else []

    for place in sorted(found, key=lambda place: (place[0], int(place[1]), int(place[2]))):
        print("\n".join(found[place]))
    for wrong in failed:
        print(wrong)
    missed = sorted(own - set().union(*(unit.read | {unit.path} for unit in all_units)))
    for file in missed:
        print("not looked at, as it is not built here:", pathlib.Path(file).relative_to(root))
    print("not looked at: tests, bench, fuzz, examples")
    print(f"clang-tidy: {len(own) - len(missed)} files in {len(all_units)} units, {len(all_units) - len(waiting)} of them as they "
          f"were when they had no finding; {len(found)} findings" + (f", failed in {len(failed)} units" if failed else ""))
    return 1 if found or failed else 0


if __name__ == "__main__":
    sys.exit(main())
