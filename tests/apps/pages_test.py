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
import sys

sys.path.append(sys.path[0] + "/../support")
from command import PLAIN, ROOT, SAVES, check, command_names, finish, generated, in_shell, new_folder, put, run


def prepare():
    """The files that the pages name."""
    shutil.copy(PLAIN, "plain.save")
    shutil.copy(PLAIN, "game.save")
    shutil.copy(SAVES / "godot-4.6.3/gdec_pass.save", "secret.save")
    shutil.copy(SAVES / "godot-3.6.2/gcpf_zstd.save", "godot3.save")
    put("password", "correct horse 1\n")
    # Texts, as players have them.
    put("settings.cfg", '; set in the menu\n[audio]\n\nvolume=0.8\nmuted=false\n\n[video]\n\nsize=Vector2i(1280, 720)\n')
    put("progress.json", '{\n  "level": 3,\n  "coins": 97.5,\n  "items": ["sword", "bow"]\n}\n')
    put("lines.save", '{"node": "Player", "hp": 20}\n{"node": "Slime", "hp": 3}\n')
    put("hero.tres", '[gd_resource type="Resource" format=3]\n\n[resource]\nhealth = 5\nname = "Ada"\n')
    put("stranger.tres", '[gd_resource type="Resource" format=3]\n\n[sub_resource type="GDScript" id="1"]\nscript/source = "extends Resource\n"\n\n'
        '[sub_resource type="Resource" id="2"]\nscript = SubResource("1")\n\n[resource]\ngold = 10\nextra = SubResource("2")\n')
    put("packed.save", gzip.compress(bytes.fromhex("1b0000000100000004000000020000006870000002000000") + b"\x07\0\0\0", mtime=0))
    # Files in files.
    shutil.copy(ROOT / "tests/data/resources/godot-4.6.3/pack.pck", "game.pck")
    record = {"timestamp": "2024-05-01T10:00:00.000Z", "mode": 33206}
    contents = {str(number): byte for number, byte in enumerate(pathlib.Path("settings.cfg").read_bytes())}
    game = "/userfs/godot/app_userdata/Game"
    put("userfs.json", json.dumps({f"{game}/settings.cfg": {**record, "contents": contents},
                                   f"{game}/data.save": {**record, "contents": list(PLAIN.read_bytes())}}))
    # A newline behind the last record.
    put("odd.save", PLAIN.read_bytes() + b"\n")
    # The size of what the data hold, beside them.
    for name in ("sums.json", "other.json"):
        put(name, '{"size": 52, "data": "eJyTZmBgYAJiFiidUQChU6BiIJyXmJsKopmB2DElkQEAS8AEGA=="}')
    os.mkdir("saves")
    shutil.copy(PLAIN, "saves/a.save")
    shutil.copy(SAVES / "godot-3.6.2/gcpf_zstd.save", "saves/b.save")


def prepare_as_readme(text):
    """The files that README.md makes in a checkout. Returns their folder."""
    os.mkdir("build")
    os.symlink(ROOT / "tests", "tests")
    lines = re.search(r"^### A save or a packet$.*?\n\n((?: {4}[^\n]*\n)+)", text, re.M | re.S)[1]
    return pathlib.Path(in_shell(f"set -eu\n{lines}pwd", pathlib.Path.cwd()).out.decode().strip())


BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def printed(page):
    """The page with what its lines print now, and their number."""
    folder, lines, text = new_folder(), [], page.read_text()
    if page == ROOT / "README.md":
        folder = prepare_as_readme(text)
    else:
        prepare()

    def replay(block):
        out = ""
        for line in block[1].splitlines():
            if line.startswith("$ "):
                lines.append(line)
                out += line + "\n" + in_shell(line[2:], folder, merged=True).out.decode()
        return f"```console\n{out}```"

    return BLOCK.sub(replay, text), len(lines)


def help_of(*words):
    return run(*words, "--help", COLUMNS="100").out.decode().rstrip()


def reference(names):
    """docs/command.md."""
    out = ("# The command\n\n"
           "Made from what `gdvar --help` and `gdvar COMMAND --help` print; a test compares them. Guides: "
           "[changing saves](editing.md), [converting](converting.md), [how a file is recognised](recognition.md), [damaged saves](recover.md), "
           "[live connections](live.md), [patch files](patch.md), [text](text.md), [JSON](json.md).\n\n"
           f"```text\n{help_of()}\n```\n\n"
           "Environment: `GDVAR_PASSWORD` or `GDVAR_KEY` (64 hex digits) for encrypted saves; `NO_COLOR` switches "
           "colours off.\n")
    for name in names:
        out += f"\n## gdvar {name}\n\n```text\n{help_of(name)}\n```\n"
    return out


names, lines = command_names(), 0
check("commands in --help", len(names) >= 16, names)
generated(ROOT / "docs/command.md", reference(names))
for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
    made, count = printed(page)
    generated(page, made)
    lines += count
print(f"{len(names)} commands, {lines} lines of pages")
finish()
