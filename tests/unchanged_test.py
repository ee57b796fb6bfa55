#!/usr/bin/env python3
"""tools/unchanged.py asks the compiler again when what it judges may have changed, and only then.

Usage: unchanged_test.py SOURCE_DIR COMPILER
"""

import os
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(sys.argv[1]).resolve() / "tools"))
import unchanged

COMPILER = sys.argv[2]
FINE, BROKEN = "inline int one() { return 1; }\n", "inline int one() { return }\n"
problems, count = [], 0


def expect(what, got, wanted):
    global count
    count += 1
    if got != wanted:
        problems.append(f"{what}: {got!r}, not {wanted!r}")


class Project:
    """Sources in a folder with a space, and a cache beside it. Each question is that of a new process."""

    def __init__(self, place):
        self.root, self.cache = place / "the project", place / "cache"
        for folder in ("first", "second"):
            (self.root / folder).mkdir(parents=True)
        self.write("second/one header.hpp", FINE)
        self.write("main.cpp", '#include "one header.hpp"\nint main() { return one(); }\n')

    def write(self, name, text):
        (self.root / name).write_text(text)

    def command(self):
        return [COMPILER, "-fsyntax-only", *(f"-I{self.root / folder}" for folder in ("first", "second")), str(self.root / "main.cpp")]

    def ask(self, meanwhile=lambda: None):
        """Whether it compiles, and whether the compiler was asked."""
        def answer(done):
            nonlocal said
            said = True
            meanwhile()
            return done.returncode == 0
        said = False
        unchanged.headers_in.cache_clear()
        return unchanged.Unchanged(self.cache, self.root).compile(self.command(), answer=answer), said


def a_header_changes(project):
    expect("the first time", project.ask(), (True, True))
    expect("the second time", project.ask(), (True, False))
    project.write("second/one header.hpp", BROKEN)
    expect("a header changed", project.ask(), (False, True))
    project.write("second/one header.hpp", FINE)
    expect("it is as it was", project.ask(), (True, True))


def a_clone_shares_the_cache(project):
    project.ask()
    other = project.root.rename(project.root.with_name("a clone"))
    project.root = other
    expect("a clone", project.ask(), (True, False))


def a_header_is_found_before(project):
    project.ask()
    project.write("first/one header.hpp", BROKEN)
    expect("a header in front of the one that was read", project.ask(), (False, True))


def a_file_is_written_while_it_is_judged(project):
    expect("before", project.ask(lambda: project.write("second/one header.hpp", BROKEN)), (True, True))
    expect("after", project.ask(), (False, True))


def a_missing_header_comes(project):
    project.write("main.cpp", "#include <gdvar_elsewhere.hpp>\nint main() {}\n")
    expect("a header is missing", project.ask(), (False, True))
    elsewhere = project.cache.with_name("elsewhere")
    elsewhere.mkdir()
    (elsewhere / "gdvar_elsewhere.hpp").touch()
    os.environ["CPATH"] = str(elsewhere)
    expect("it is there", project.ask(), (True, True))
    del os.environ["CPATH"]
    expect("it is not", project.ask(), (False, True))


def the_cache_cant_be_written(project):
    project.cache.write_text("")
    for _ in range(2):
        expect("no cache", project.ask(), (True, True))


def a_compiler_is_killed(project):
    def ask(end):
        compiler = project.cache.with_name("compiler")
        compiler.write_text(f"#!/bin/sh\n[ $1 = --version ] || {{ {end}; }}\n")
        compiler.chmod(0o755)
        try:
            return unchanged.Unchanged(project.cache, project.root).compile([str(compiler), *project.command()[1:]])
        except RuntimeError:
            return "an error"
    expect("it is killed", ask("kill -9 $$"), "an error")
    expect("what it starts is killed", ask("echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1"), "an error")
    expect("it refuses", ask("echo 'error: no' >&2; exit 1"), [False, "error: no\n"])


def its_own_text_counts(project):
    project.ask()
    judges, unchanged.judges = unchanged.judges, lambda: ["another program"]
    expect("another program judges", project.ask(), (True, True))
    unchanged.judges = judges
    expect("the first one again", project.ask(), (True, False))


for test in (a_header_changes, a_clone_shares_the_cache, a_header_is_found_before, a_file_is_written_while_it_is_judged,
             a_missing_header_comes, a_compiler_is_killed, the_cache_cant_be_written, its_own_text_counts):
    with tempfile.TemporaryDirectory() as folder:
        test(Project(pathlib.Path(folder).resolve()))
print("\n".join(problems) or f"{count} answers as they should be")
sys.exit(bool(problems))
