#!/usr/bin/env python3
"""What pages show of the command is what it prints.

- Every "```console" block: its lines `$ gdvar ...` are run, block after block of a page in one folder with the
  files below; the lines between are what they print on standard output and error. README.md says how to make its files.
- docs/command.md: the reference, made from what `gdvar COMMAND --help` prints.

Usage: pages_test.py GDVAR SOURCE_DIR [--update]
"""

import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

gdvar, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
update = "--update" in sys.argv
saves = root / "tests/data/saves"
failures, ran = [], 0


def prepare(folder):
    """The files that the pages name."""
    shutil.copy(saves / "godot-4.6.3/plain.save", folder / "plain.save")
    shutil.copy(saves / "godot-4.6.3/plain.save", folder / "game.save")
    shutil.copy(saves / "godot-4.6.3/gdec_pass.save", folder / "secret.save")
    shutil.copy(saves / "godot-3.6.2/gcpf_zstd.save", folder / "godot3.save")
    (folder / "password").write_text("correct horse 1\n")
    # Texts, as players have them.
    (folder / "settings.cfg").write_text('; set in the menu\n[audio]\n\nvolume=0.8\nmuted=false\n\n[video]\n\nsize=Vector2i(1280, 720)\n')
    (folder / "progress.json").write_text('{\n  "level": 3,\n  "coins": 97.5,\n  "items": ["sword", "bow"]\n}\n')
    (folder / "lines.save").write_text('{"node": "Player", "hp": 20}\n{"node": "Slime", "hp": 3}\n')
    (folder / "hero.tres").write_text('[gd_resource type="Resource" format=3]\n\n[resource]\nhealth = 5\nname = "Ada"\n')
    (folder / "packed.save").write_bytes(gzip.compress(bytes.fromhex("1b0000000100000004000000020000006870000002000000") + b"\x07\0\0\0", mtime=0))
    # Files in files.
    shutil.copy(root / "tests/data/resources/godot-4.6.3/pack.pck", folder / "game.pck")
    record = {"timestamp": "2024-05-01T10:00:00.000Z", "mode": 33206}
    contents = {str(number): byte for number, byte in enumerate((folder / "settings.cfg").read_bytes())}
    (folder / "userfs.json").write_text(json.dumps({"/userfs/godot/app_userdata/Game/settings.cfg": {**record, "contents": contents},
                                                    "/userfs/godot/app_userdata/Game/data.save": {**record, "contents": list((folder / "plain.save").read_bytes())}}))
    # A newline behind the last record.
    (folder / "odd.save").write_bytes((saves / "godot-4.6.3/plain.save").read_bytes() + b"\n")
    (folder / "saves").mkdir()
    shutil.copy(saves / "godot-4.6.3/plain.save", folder / "saves/a.save")
    shutil.copy(saves / "godot-3.6.2/gcpf_zstd.save", folder / "saves/b.save")


def prepare_as_readme(text, checkout):
    """The files that README.md makes in a checkout. Returns their folder."""
    (checkout / "build").mkdir()
    (checkout / "tests").symlink_to((root / "tests").resolve())
    lines = re.search(r"^### A save or a packet$.*?\n\n((?: {4}[^\n]*\n)+)", text, re.M | re.S)[1]
    made = subprocess.run(["sh", "-euc", lines + "pwd"], cwd=checkout, check=True, stdout=subprocess.PIPE, text=True)
    return pathlib.Path(made.stdout.strip())


BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def check_console(page):
    global ran
    text = page.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/gdvar").symlink_to(gdvar)
        env = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "NO_COLOR": "1", "TMPDIR": str(folder)}
        env.pop("GDVAR_PASSWORD", None)
        env.pop("GDVAR_KEY", None)
        env.pop("XDG_RUNTIME_DIR", None)
        if page.name == "README.md" and page.parent == root:
            folder = prepare_as_readme(text, folder)
        else:
            prepare(folder)

        def run(match):
            global ran
            out = ""
            for line in match[1].splitlines():
                if not line.startswith("$ "):
                    continue
                done = subprocess.run(["sh", "-c", line[2:]], cwd=folder, env=env, timeout=60,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                ran += 1
                out += line + "\n" + done.stdout.decode()
            return f"```console\n{out}```"

        wanted = BLOCK.sub(run, text)
    if update:
        page.write_text(wanted)
    elif wanted != text:
        first = next(a for a, b in zip(text.splitlines(), wanted.splitlines()) if a != b)
        failures.append(f"{page.relative_to(root)} does not show what the command prints, at: {first}")


def help_of(*words):
    done = subprocess.run([gdvar, *words, "--help"], capture_output=True, timeout=60, env={**os.environ, "COLUMNS": "100"})
    return done.stdout.decode().rstrip()


def reference():
    """docs/command.md."""
    general = help_of()
    names = [line.split()[0] for line in re.split(r"subcommands:|commands:", general, flags=re.I)[1].splitlines()
             if re.match(r"  [a-z]", line)]
    out = ("# The command\n\n"
           "Made from what `gdvar --help` and `gdvar COMMAND --help` print; a test compares them. Guides: "
           "[changing saves](editing.md), [converting](converting.md), [how a file is recognised](recognition.md), [damaged saves](recover.md), "
           "[live connections](live.md), [patch files](patch.md), [text](text.md), [JSON](json.md).\n\n"
           f"```text\n{general}\n```\n\n"
           "Environment: `GDVAR_PASSWORD` or `GDVAR_KEY` (64 hex digits) for encrypted saves; `NO_COLOR` switches "
           "colours off.\n")
    for name in names:
        out += f"\n## gdvar {name}\n\n```text\n{help_of(name)}\n```\n"
    return out, len(names)


wanted, commands = reference()
if commands < 16:
    failures.append(f"only {commands} commands in --help")
page = root / "docs/command.md"
if update:
    page.write_text(wanted)
elif not page.exists() or page.read_text() != wanted:
    failures.append("docs/command.md is not what --help prints")
for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
    check_console(page)
for failure in failures:
    print("FAILED", failure)
if failures and not update:
    print(f"To renew the pages: python3 tests/apps/pages_test.py {sys.argv[1]} {sys.argv[2]} --update")
print(f"{commands} commands, {ran} lines of pages, {len(failures)} failed")
sys.exit(bool(failures))
