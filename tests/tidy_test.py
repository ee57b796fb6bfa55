#!/usr/bin/env python3
"""tools/tidy.py finds what is wrong in a small project, looks again at what changed, and takes no failure for success.

Usage: tidy_test.py SOURCE_DIR; exits 77 where there is no clang-tidy-19
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TIDY = pathlib.Path(sys.argv[1]).resolve() / "tools/tidy.py"
FINE, WRONG = "inline int* none() { return nullptr; }\n", "inline int* none() { return 0; }\n"
HEADER, SOURCE = pathlib.Path("include") / "gdvar/one.hpp", pathlib.Path("src") / "a.cpp"
problems, count = [], 0
if not (shutil.which("clang-tidy-19") and shutil.which("clang++-19")):
    print("no clang-tidy-19 here")
    sys.exit(77)


class Project:
    """Sources, a build and a cache in a folder with a space; programs that stand in front of those on the PATH."""

    def __init__(self, place):
        self.root, self.programs, self.env = place / "the project", place / "bin", {**os.environ, "XDG_CACHE_HOME": str(place / "cache")}
        for folder in ((self.root / SOURCE).parent, (self.root / HEADER).parent, self.root / "build", self.programs):
            folder.mkdir(parents=True)
        self.env["PATH"] = f"{self.programs}:{self.env['PATH']}"
        source = str(self.root / SOURCE)
        self.write(".clang-tidy", "Checks: '-*,modernize-use-nullptr'\nWarningsAsErrors: '*'\nHeaderFilterRegex: '/(include/gdvar|src)/'\n")
        self.write(HEADER, FINE)
        self.write(SOURCE, '#include "gdvar/one.hpp"\n')
        include = f"-I{self.root}/include".replace(" ", "\\ ")
        self.write("build/compile_commands.json", json.dumps([{"file": source, "command": f"clang++-19 {include} -o a.o -c {source!r}"}]))

    def write(self, name, text):
        (self.root / name).write_text(text)

    def expect(self, what, status, *texts):
        global count
        count += 1
        run = subprocess.run([sys.executable, TIDY, self.root, self.root / "build", "2"], env=self.env, capture_output=True, text=True)
        if run.returncode != status or not all(text in run.stdout for text in texts):
            problems.append(f"{what}: status {run.returncode}, not {status} and {texts}: {run.stdout}{run.stderr}")


with tempfile.TemporaryDirectory() as folder:
    project = Project(pathlib.Path(folder).resolve())
    project.expect("sound", 0, "0 of them as they were", "0 findings")
    project.expect("sound as before", 0, "2 of them as they were", "0 findings")
    project.write(HEADER, WRONG)
    for time in ("first", "second"):
        project.expect(f"a header changed, the {time} time", 1, "one.hpp:1:29", "0 of them as they were", "1 findings")
    project.write(HEADER, FINE)
    project.write(SOURCE, '#include "gdvar/one.hpp"\nint* other() { return 0; }\n')
    project.expect("the source changed", 1, "a.cpp:2:23", "1 findings")
    killed = project.programs / "clang-tidy-19"
    killed.write_text('#!/bin/sh\n[ "$1" != --version ] || exec ' f"{shutil.which('clang-tidy-19')} --version\nkill -9 $$\n")
    killed.chmod(0o755)
    for time in ("first", "second"):
        project.expect(f"clang-tidy is killed, the {time} time", 1, "a.cpp: clang-tidy-19 ends with -9")
    killed.unlink()
    project.expect("it was not taken for sound", 1, "a.cpp:2:23", "1 findings")
print("\n".join(problems) or f"{count} runs of clang-tidy ended as they should")
sys.exit(bool(problems))
