#!/usr/bin/env python3
"""The scripts in scripts/ say how they are used, and what pages and comments say of them is so.

- There are 15 at most. Each prints its help, and refuses a word or an option that it does not know, or that is too many,
  with status 2. Neither installs, builds or writes anything.
- A script and a subcommand that a file of this repository names exist, as do the options.

Usage: scripts_test.py SOURCE_DIR
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
MOST = 15
# Recorded data, and inputs of fuzz targets.
LEFT_OUT = ("tests/data/captures/", "tests/data/resources/", "tests/data/saves/", "tests/data/texts/", "fuzz/corpus/", "fuzz/crashers/")
# Programs that would install, fetch or build.
STUBS = ("apt-get", "sudo", "debootstrap", "npm", "cmake", "ninja", "ctest", "docker", "curl", "doxygen")

# `scripts/test js`; and a line that is a command, its words up to a comment or to what explains it.
QUOTED = re.compile(r"`[^`\n]*?\bscripts/(\w+)((?: [^`\n]*)?)`")
LINE = re.compile(r"^[#/ ]*(?:\./)?scripts/(\w+)((?: [^\s#]+)*)(?:  .*|\t.*| #.*)?$", re.M)
NAMED = re.compile(r"(?<![\w/-])(?:\./)?scripts/(\w[\w.-]*\w)(?: (\d[\d.]*\d|[\w-]+))?")
VERSION = re.compile(r"VERSION|\d+\.\d+\.\d+")
# Words that would be found wrong only after a build.
MISTAKES = {
    ("fuzz", "no-such-target", "1"): "there are: reader",
    ("fuzz", "--keep", "no-such-target"): "there are: reader",
    ("fuzz", "all", "soon"): "the time is a number of seconds",
    ("machine", "bigendian", "no-such-room"): "usage:",
    ("bench", "web", "much"): "usage:",
    ("bench", "--compare", "HEAD"): "usage:",
    ("bench", "--quick", "HEAD"): "usage:",
    ("package", "0.0.99"): "this is version",
    ("package", "0.0.99", "--only"): "usage:",
}
problems, count = [], 0


def tracked():
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True)
    if listed.returncode == 0:
        names = listed.stdout.decode().split("\0")
    else:  # an unpacked archive
        names = [path.relative_to(root).as_posix() for path in root.rglob("*")
                 if path.is_file() and not {"build", ".git", "node_modules", "dist"} & set(path.relative_to(root).parts)]
    return [name for name in names if name and (root / name).is_file()]


class Runner:
    """Runs scripts with an empty home, and with programs on the PATH that only note that they were called."""

    def __init__(self, folder):
        self.home, self.called = folder / "home", folder / "called"
        stubs = folder / "stubs"
        self.home.mkdir()
        stubs.mkdir()
        for name in STUBS:
            (stubs / name).write_text(f'#!/bin/sh\necho "{name} $*" >>"{self.called}"\nexit 1\n')
            (stubs / name).chmod(0o755)
        self.env = {key: value for key, value in os.environ.items() if not key.startswith(("GDVAR_", "XDG_"))}
        self.env |= {"HOME": str(self.home), "PATH": f"{stubs}:{os.environ['PATH']}"}

    def run(self, *words):
        global count
        count += 1
        shown = f"scripts/{' '.join(words)}"
        try:
            done = subprocess.run([root / "scripts" / words[0], *words[1:]], env=self.env, capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=30)
        except subprocess.TimeoutExpired:
            problems.append(f"{shown} takes too long")
            return 1, "", ""
        if self.called.exists():
            problems.append(f"{shown} calls {self.called.read_text().strip()}")
            self.called.unlink()
        if any(self.home.iterdir()):
            problems.append(f"{shown} writes {next(self.home.iterdir())}")
            shutil.rmtree(self.home)
            self.home.mkdir()
        return done.returncode, done.stdout, done.stderr


class Script:
    """What its help says of a script."""

    def __init__(self, runner, name):
        status, self.help, errors = runner.run(name, "--help")
        if status or errors or f"\n  scripts/{name}" not in self.help:
            problems.append(f"scripts/{name} --help: status {status}, {self.help or 'nothing'} {errors}")
        if runner.run(name, "-h") != (0, self.help, ""):
            problems.append(f"scripts/{name} -h is not --help")
        status, printed, errors = runner.run(name, "no-such-word")
        if status != 2 or printed or f"scripts/{name}" not in errors:
            problems.append(f"scripts/{name} no-such-word: status {status}, not 2 and how it is used: {printed}{errors}")
        first = re.findall(rf"^  scripts/{name}(?: (\S+))?", self.help, re.M)
        words = {word for each in first for word in each.strip("[]").split("|") if not each.startswith("-")}
        self.subcommands = {word for word in words if word and not word.isupper()}
        self.takes_version = "VERSION" in words
        # A word may be anything, as TARGET.
        self.any_word = any(word.isupper() for word in words - {"VERSION"})
        self.needs_word = "" not in first and not self.any_word and not any(each.startswith("[") for each in first)
        # Uses without anything that may be left out or chosen.
        plain = rf"^  scripts/{name}((?: [a-z-]+)*)(?:  .*)?$"
        self.plain = set(re.findall(plain, self.help, re.M))
        for word in self.subcommands:
            status, printed, errors = runner.run(name, word, "--help")
            if status or not printed or errors:
                problems.append(f"scripts/{name} {word} --help: status {status}, {printed or 'nothing'} {errors}")
            self.refuses(runner, name, word, "--no-such-option")
            self.plain |= set(re.findall(plain, printed, re.M))
        for words in sorted(self.plain):
            self.refuses(runner, name, *words.split(), "no-such-word")

    def refuses(self, runner, *words):
        status, _, errors = runner.run(*words)
        if status != 2 or "usage:" not in errors:
            problems.append(f"scripts/{' '.join(words)}: status {status}, not 2 and how it is used: {errors}")

    def knows(self, word):
        """Whether it may be the first word."""
        return word in self.subcommands or self.any_word or self.takes_version and VERSION.fullmatch(word) is not None

    def fault(self, words):
        """What is wrong with a use of it."""
        first = words[0].strip("[]").replace("\\", "").split("|")[0] if words else "-"
        if not first.startswith("-") and not self.knows(first):
            return f"there is no {first}"
        options = re.findall(r"--[\w-]+", " ".join(words))
        return next((f"--help does not know {option}" for option in options if option not in self.help), None)


def check_file(name, text, scripts):
    global count
    for script, word in NAMED.findall(text):
        count += 1
        if script not in scripts:
            problems.append(f"{name} names scripts/{script}, which does not exist")
        elif word and scripts[script].needs_word and not scripts[script].knows(word):
            problems.append(f"{name} names scripts/{script} {word}: there is no {word}")
    for script, rest in QUOTED.findall(text) + LINE.findall(text):
        count += 1
        fault = scripts[script].fault(rest.split()) if script in scripts else None
        if fault:
            problems.append(f"{name} names scripts/{script}{rest}: {fault}")


def main():
    names = tracked()
    files = [name for name in names if name.startswith("scripts/")]
    if len(files) > MOST:
        problems.append(f"scripts/ has {len(files)} files, more than {MOST}")
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(pathlib.Path(folder))
        for words, wanted in MISTAKES.items():
            status, _, errors = runner.run(*words)
            if not status or wanted not in errors:
                problems.append(f"scripts/{' '.join(words)}: status {status}, not '{wanted}': {errors}")
        scripts = {path.name: Script(runner, path.name) for path in map(root.joinpath, files) if os.access(path, os.X_OK)}
    for name in names:
        if not name.startswith(LEFT_OUT) and name != "tests/scripts_test.py":
            check_file(name, (root / name).read_bytes().decode(errors="replace"), scripts)
    print("\n".join(dict.fromkeys(problems)))
    print(f"{len(files)} scripts, {count} checks, {len(problems)} problems")
    return bool(problems)


sys.exit(main())
