#!/usr/bin/env python3
"""Runs the transcripts: lines that begin with `$ ` are given to a shell, the lines after them that begin with `| ` are
what it must print, on both streams, and `[exit N]` how it must end where that is not 0. All else is comment.

A transcript runs in a folder of its own, with tests/data/saves as `saves`, a password of the encrypted ones in `pass.txt`
and, in `game.save`, a copy of the one that Godot 4.6.3 wrote.

Usage: transcripts_test.py GDVAR SOURCE_DIR [--update]"""
import re, shutil, sys

sys.path.append(sys.path[0] + "/../support")
from wine import with_editor
from command import PLAIN, ROOT, SAVES, check, command_names, finish, generated, in_shell, new_folder, put


def replay(transcript):
    """The transcript as it comes out now."""
    folder = new_folder()
    (folder / "saves").symlink_to(SAVES)
    put("pass.txt", "correct horse 1\n")
    shutil.copy(PLAIN, "game.save")
    out = []
    for line in transcript.read_text().splitlines():
        if line.startswith("$ "):
            done = in_shell(line[2:], folder, merged=True)
            printed = with_editor(line, done.out.decode("utf-8", "backslashreplace")).splitlines()
            out += [line, *(f"| {text}".rstrip() for text in printed), *([f"[exit {done.code}]"] if done.code else [])]
        elif not line.startswith(("|", "[exit ")):
            out.append(line)
    return "\n".join(out) + "\n"


transcripts = sorted((ROOT / "tests/apps/transcripts").glob("*.txt"))
for transcript in transcripts:
    generated(transcript, replay(transcript))
lines = [line for transcript in transcripts for line in transcript.read_text().splitlines() if line.startswith("$ ")]
shown = {name for line in lines for name in re.findall(r"gdvar (\S+)", line)[:1]}
for name in command_names():
    check(f"a transcript shows {name}", name in shown)
print(f"{len(transcripts)} transcripts, {len(lines)} commands")
finish()
