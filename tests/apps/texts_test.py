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

# ---- control characters, NULs

colour = made("colour.cfg", '[s]\na=1\n')
expect("set a control character", run("set", colour, "$.s.a", '"\\u001b[0m"', "--type", "String")[0], 0)
check("it stands in the file", b"\x1b" in colour.read_bytes(), colour.read_bytes())
expect("and is read again", run("get", colour, "$.s.a")[:2], (0, b'"\x1b[0m"\n'))
padded = made("padded.json", b'{"a":1}' + bytes(4))
code, out, err = run("show", padded)
check("NULs behind JSON are told", code == 1 and "; up to byte 7 it is a JSON object with 1 member, then a NUL comes; "
      "gdvar recover padded.json -o NEW saves what can be read" in err, err)
expect("recover writes it", (run("recover", padded, "-o", "whole.json")[0], pathlib.Path("whole.json").read_bytes()), (4, b'{"a":1}'))

checks.finish()
