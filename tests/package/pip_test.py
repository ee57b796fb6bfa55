#!/usr/bin/env python3
"""README.md and docs/python.md: `pip install ./bindings/python` works as they print it.

Usage: pip_test.py SOURCE_DIR                     all lines but the last, which builds for minutes; nothing is installed
       pip_test.py SOURCE_DIR --install CHECKOUT  all lines, in a new copy of the sources; then the README's program
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import printed

root = pathlib.Path(sys.argv[1]).resolve()
BUILDS = "pip install ./bindings/python\n"
# In place of that line: pip is the one of the virtual environment, and there is something to build.
INSTEAD = 'test "$(command -v pip)" = "$PWD/.venv/bin/pip" && pip --version && test -f ./bindings/python/pyproject.toml\n'


def run(commands, folder, **environment):
    """Returns what they print."""
    done = subprocess.run(["bash", "-euc", commands], cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}\nFAILED: {commands}")
    return done.stdout


def lines_of_pages():
    readme = printed.commands(printed.section(root / "README.md", "In Python"), BUILDS)
    guide = printed.commands(printed.section(root / "docs/python.md", "Install"), BUILDS)
    if readme != guide:
        sys.exit("README.md and docs/python.md print different commands")
    if not readme.endswith(BUILDS):
        sys.exit("the last command is another one")
    return readme


def try_cheaply(commands):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("bindings", "scripts"):
            (folder / part).symlink_to(root / part)
        # To scripts/setup, each package is there.
        (folder / "bin").mkdir()
        (folder / "bin/dpkg-query").write_text(f'#!/bin/sh\nfor name; do :; done\necho "$name" >>{folder}/asked\necho installed\n')
        (folder / "bin/dpkg-query").chmod(0o755)
        run(commands.replace(BUILDS, INSTEAD), folder, PATH=f"{folder}/bin:{os.environ['PATH']}")
        asked = (folder / "asked").read_text().split()
        named = re.findall(r"`(python3-\w+)`", printed.section(root / "docs/python.md", "Install"))
        if len(named) != 2 or not {*named, "g++", "cmake"} <= {*asked}:
            sys.exit(f"docs/python.md names {named}, scripts/setup looks for {asked}")


def install(commands, checkout):
    checkout.mkdir(parents=True)
    run(f"git -C '{root}' ls-files -z --cached --others --exclude-standard | (cd '{root}' && tar --null --ignore-failed-read -cf - -T -) |"
        f" tar -C '{checkout}' -xf -", root)
    run(commands, checkout)
    page = printed.section(root / "README.md", "In Python")
    (checkout / "readme.py").write_text(printed.blocks(page, "python")[0])
    out = run(". .venv/bin/activate\npython readme.py", checkout)
    if out != printed.output(page):
        sys.exit(f"README.md's program prints:\n{out}")


commands = lines_of_pages()
if "--install" in sys.argv:
    install(commands, pathlib.Path(sys.argv[sys.argv.index("--install") + 1]).resolve())
else:
    try_cheaply(commands)
print(f"{commands.count(chr(10))} commands: work")
