#!/usr/bin/env python3
"""Runs the transcripts: lines that begin with `$ ` are given to a shell, the lines after them that begin with `| ` are
what it must print, on both streams, and `[exit N]` how it must end where that is not 0. All else is comment.

A transcript runs in a folder of its own, with tests/data/saves as `saves`, a password of the encrypted ones in `pass.txt`
and, in `game.save`, a copy of the one that Godot 4.6.3 wrote.

Usage: transcripts_test.py GDVAR SOURCE_DIR [--update]"""
import os, pathlib, shutil, subprocess, sys, tempfile

gdvar, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
update = "--update" in sys.argv


def run(line, folder):
    done = subprocess.run(["sh", "-c", line], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60,
                          env={"PATH": f"{folder}/.bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "HOME": str(folder), "TMPDIR": str(folder)})
    lines = done.stdout.decode("utf-8", "backslashreplace").splitlines()
    out = [f"| {text}".rstrip() for text in lines]
    return out + ([f"[exit {done.returncode}]"] if done.returncode else [])


def replay(transcript, folder):
    """The transcript as it comes out now."""
    (folder / ".bin").mkdir()
    (folder / ".bin/gdvar").symlink_to(gdvar)
    (folder / "saves").symlink_to(root / "tests/data/saves")
    (folder / "pass.txt").write_text("correct horse 1\n")
    shutil.copy(root / "tests/data/saves/godot-4.6.3/plain.save", folder / "game.save")
    out = []
    for line in transcript.read_text().splitlines():
        if line.startswith("$ "):
            out += [line, *run(line[2:], folder)]
        elif not line.startswith(("|", "[exit ")):
            out.append(line)
    return "\n".join(out) + "\n"


def first_difference(wanted, got):
    command = ""
    wanted, got = wanted.splitlines(), got.splitlines()
    for i in range(max(len(wanted), len(got))):
        a, b = (lines[i] if i < len(lines) else "(nothing)" for lines in (wanted, got))
        if a != b:
            return f"after {command}\n  wanted {a}\n  got    {b}"
        command = a if a.startswith("$ ") else command
    return "the last line's end"


failed = commands = 0
transcripts = sorted((root / "tests/apps/transcripts").glob("*.txt"))
for transcript in transcripts:
    with tempfile.TemporaryDirectory() as folder:
        now = replay(transcript, pathlib.Path(folder))
    was = transcript.read_text()
    commands += sum(line.startswith("$ ") for line in now.splitlines())
    if now == was:
        continue
    if update:
        transcript.write_text(now)
        print(f"{transcript.name} is written anew")
    else:
        failed += 1
        print(f"FAILED {transcript.name}: {first_difference(was, now)}")
shown = {line.split("gdvar ")[1].split()[0] for transcript in transcripts for line in transcript.read_text().splitlines()
         if line.startswith("$ ") and "gdvar " in line}
help_text = subprocess.run([gdvar, "--help"], capture_output=True).stdout.decode()
for command in (line.split()[0] for line in help_text.lower().partition("subcommands:")[2].splitlines() if line[:2] == "  "):
    if command not in shown:
        failed += 1
        print(f"FAILED no transcript shows {command}")
if failed:
    print("If what is printed now is right: scripts/docs transcripts")
print(f"{len(transcripts)} transcripts, {commands} commands, {failed} failed")
sys.exit(bool(failed))
