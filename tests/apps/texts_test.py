#!/usr/bin/env python3
"""Saves that are text, and what the engines read otherwise than one may think: what the command says of it.

Usage: texts_test.py GDVAR"""
import os, pathlib, sys, tempfile

import checks
from checks import check, expect

GDVAR = str(pathlib.Path(sys.argv[1]).resolve())
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def run(*words):
    return checks.run(GDVAR, *words, timeout=60)


def made(name, content):
    path = pathlib.Path(name)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# ---- escapes that only Godot 3's JSON reads

old = made("old.json", '{"a\\q": "\\x41", "n": [1.50]}\n')
code, out, err = run("convert", "--to", "godot4", old)
expect("converted JSON", (code, out), (0, b'{"aq": "x41", "n": [1.50]}\n'))
check("convert names the values", "note: " in err and err.count("1 value, at $.aq") == 2, err)
code, out, err = run("convert", "--to", "godot-3.1", old)
expect("JSON for Godot 3", (code, out, err), (0, old.read_bytes(), ""))
code, out, err = run("check", old)
check("check names the engines", code == 0 and b"Godot 4.6.3: refuses it: 1:4: error[bad_escape]" in out
      and b"Godot 3.6.2: reads it" in out, out)
check("check is silent where they agree", b"reads it" not in run("check", made("new.json", '{"a": "\\n"}'))[1])
told = "old.json:1:4: note: Godot 4 refuses the whole text for this escape"
code, out, err = run("set", "--dialect", "godot-4.4", old, "$.n[0]", "2", "-o", "-")
check("set tells who has named Godot 4", code == 0 and told in err and out == b'{"a\\q": "\\x41", "n": [2.0]}\n', (out, err))
check("set does not tell others", told not in run("set", old, "$.n[0]", "2", "-o", "-")[2])

checks.finish()
