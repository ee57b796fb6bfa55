#!/usr/bin/env python3
"""The Kaitai Struct descriptions and the ImHex patterns that gdvar_describe makes.

The descriptions are compiled to JavaScript and read what engines recorded. ImHex's language has no compiler to be
had apart from ImHex, so of the patterns only the outside is looked at.

Usage: kaitai_test.py GDVAR SOURCE_DIR GDVAR_DESCRIBE; status 77: no node or no kaitai-struct-compiler in GDVAR_NPM, or
~/.cache/gdvar/npm/kaitai (scripts/test installs it)
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from flat import DATA, ENGINES, ROOT, common_name, from_json, gdvar_json, packets, records, vectors

DESCRIBE = sys.argv[3]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
NPM = pathlib.Path(os.environ.get("GDVAR_NPM", CACHE / "gdvar/npm/kaitai"))
HERE = pathlib.Path(__file__).parent


def describe(*words):
    return subprocess.run([DESCRIBE, *words], capture_output=True, check=True).stdout.decode()


DIALECTS = describe("dialects").split()


def own_names(dialect):
    """That engine's own names of the types, from docs/dialects.md."""
    page = (ROOT / "docs/dialects.md").read_text()
    rows = re.search(rf"^## {re.escape(dialect)}$(.*?)(?=^## |\Z)", page, re.M | re.S).group(1)
    cells = [[cell.strip() for cell in line.split("|")] for line in rows.splitlines() if re.match(r"\| \d+ \|", line)]
    return [(int(each[1]), each[3] or each[2], each[4]) for each in cells]


def read_by_kaitai(dialect, all_packets):
    with tempfile.TemporaryDirectory() as folder:
        ksy, written = pathlib.Path(folder) / "x.ksy", pathlib.Path(folder) / "records"
        ksy.write_text(describe("kaitai", dialect))
        written.write_bytes(records(all_packets))
        done = subprocess.run(["node", HERE / "kaitai.js", NPM, ksy, written], capture_output=True)
        if done.returncode:
            raise AssertionError(done.stderr.decode()[:3000])
        return json.loads(done.stdout)


def bare(name):
    return name.replace("_", "").upper()


def same(mine, theirs):
    """Whether what JavaScript said is the value: there numbers have one type, and some come as text."""
    if isinstance(theirs, (list, tuple)):
        return isinstance(mine, (list, tuple)) and len(mine) == len(theirs) and all(map(same, mine, theirs))
    if isinstance(theirs, bool) or isinstance(theirs, str):
        return mine == theirs
    if isinstance(theirs, float):
        return repr(float(mine)) == repr(theirs)
    return int(mine) == theirs


def named(values, names):
    """Godot 4's names instead of an engine's own; of values that JSON leaves out only the name."""
    out = []
    for value in values:
        name = names.get(bare(value[0]), value[0])
        out.append((name,) if name in ("RID", "Signal", "Callable", "Nil") else (name, *value[1:]))
    return out


class Kaitai(unittest.TestCase):
    def test_every_recorded_packet(self):
        for engine, dialect in ENGINES.items():
            with self.subTest(engine):
                names = {bare(own): common_name(own) for _, own, _ in own_names(dialect)}
                expected = [from_json(value, []) for value in gdvar_json(packets(engine), dialect)]
                got = read_by_kaitai(dialect, packets(engine))
                self.assertEqual(len(got), len(expected))
                for vector, mine, theirs in zip(vectors(engine), got, expected):
                    self.assertIsInstance(mine, list, (vector["name"], mine))
                    self.assertTrue(same(named(mine, names), theirs), (vector["name"], named(mine, names), theirs))

    def test_all_dialects_compile(self):
        for dialect in DIALECTS:
            with self.subTest(dialect):
                got = read_by_kaitai(dialect, [bytes(4), b"\x01\0\0\0\1\0\0\0", b"\xfe\0\0\0"])
                null = bare(own_names(dialect)[0][1])
                self.assertEqual(got[:2], [[[null]], [["BOOL", True]]])
                self.assertIn("refused", got[2])

    def test_damage_is_refused(self):
        lines = [json.loads(l) for l in (DATA / "vectors/godot-4.6.3-damaged.ndjson").read_text().splitlines()]
        # A pattern knows sizes and ids; it has no opinion about text, depth or objects.
        cut = [line for line in lines if line["n"] and line["n"] == len(line["b"]) // 2 and line["n"] % 4 == 0][:400]
        for read in read_by_kaitai("godot-4.4", [bytes.fromhex(line["b"]) for line in cut]):
            self.assertIsInstance(read, list, read)
        for read in read_by_kaitai("godot-4.4", [bytes.fromhex(line["b"])[:-4] for line in cut]):
            self.assertIn("refused", read)


class ImHex(unittest.TestCase):
    def test_every_type_has_its_case(self):
        for dialect in DIALECTS:
            pattern = describe("imhex", dialect)
            for opening, closing in ("{}", "()", "[]"):
                self.assertEqual(pattern.count(opening), pattern.count(closing), dialect)
            self.assertNotRegex(pattern + describe("kaitai", dialect), "@[A-Z]+@")
            for type_id, own, payload in own_names(dialect):
                constant = own[0].upper() + own[1:]  # bool and float are words of the language
                self.assertRegex(pattern, rf"\b{constant} = {type_id},")
                if payload not in ("header only", "can't be sent"):
                    self.assertRegex(pattern, rf"\(type == Type::{constant}\) {{\n +\w")


if __name__ == "__main__":
    possible = shutil.which("node") and (NPM / "node_modules/kaitai-struct-compiler").is_dir()
    ran = unittest.main(argv=[sys.argv[0], *([] if possible else ["ImHex"]), *sys.argv[4:]], exit=False)
    if not ran.result.wasSuccessful():
        sys.exit(1)
    if not possible:
        print("skipped all of Kaitai Struct: no node, or no kaitai-struct-compiler in", NPM)
        sys.exit(77)
