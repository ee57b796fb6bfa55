#!/usr/bin/env python3
"""Runs the examples in C, LuaJIT and C#: examples_test.py LIBRARY READ SAVE DATA_DIR"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

LIBRARY, READ, SAVER, DATA = map(pathlib.Path, sys.argv[1:5])
EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
SAVE, ARRAY = DATA / "workloads/g4/savegame.bin", DATA / "workloads/g4/mmo_tick.bin"
ROWS = "version\tint\nplayer\tDictionary\ninventory\tArray\nflags\tDictionary\n"


def run(*command, ok=True):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60,
                          env=os.environ | {"LD_LIBRARY_PATH": str(LIBRARY.parent)})
    assert (done.returncode == 0) == ok, (command, done.stdout, done.stderr)
    return done.stdout if ok else done.stdout + done.stderr


class Examples(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gdvar-c-"))
        self.cut = self.folder / "cut"
        self.cut.write_bytes(SAVE.read_bytes()[:50])

    def tearDown(self):
        shutil.rmtree(self.folder)

    def test_c(self):
        out = self.folder / "out"
        self.assertTrue(run(READ, ARRAY, out).startswith("player at 0x8: hp 438\nplayer at 0x108: hp 101\n"))
        before, after = ARRAY.read_bytes(), out.read_bytes()
        self.assertEqual([b for a, b in zip(before, after) if a != b], [100, 0])  # 438 is b6 01
        self.assertEqual(len(before), len(after))
        self.assertIn("error[truncated]", run(READ, self.cut, out, ok=False))

    def test_c_saves(self):
        config = self.folder / "settings.cfg"
        config.write_text("; mine\n[audio]\nvolume = 0.8 ; loud\n")
        self.assertTrue(run(SAVER, config).startswith("config\nconfig: a ConfigFile with 1 section\n  not resource: "))
        run(SAVER, config, "$.audio.volume", "0.5")
        self.assertEqual(config.read_text(), "; mine\n[audio]\nvolume = 0.5 ; loud\n")
        self.assertIn("$.audio.volume: this is a float, the value is a String\n",
                      run(SAVER, config, "$.audio.volume", '"x"', ok=False))
        damaged = self.folder / "damaged"
        damaged.write_bytes((DATA / "saves/godot-4.6.3/plain.save").read_bytes()[:2000])
        self.assertEqual(run(SAVER, damaged, "-").splitlines()[0], "1 values")
        self.assertIn("records", run(SAVER, damaged.with_suffix(".sound")))

    @unittest.skipUnless(shutil.which("luajit"), "luajit is not installed")
    def test_luajit(self):
        self.assertTrue(run("luajit", EXAMPLES / "tape.lua", LIBRARY, SAVE).startswith(ROWS))
        self.assertIn("error[truncated]", run("luajit", EXAMPLES / "tape.lua", LIBRARY, self.cut, ok=False))

    @unittest.skipUnless(shutil.which("mono") and shutil.which("mcs"), "mono and mcs are not installed")
    def test_mono(self):
        program = self.folder / "Tape.exe"
        run("mcs", "-unsafe", f"-out:{program}", EXAMPLES / "Tape.cs")
        self.assertTrue(run("mono", program, SAVE).startswith(ROWS))
        self.assertIn("error[truncated]", run("mono", program, self.cut, ok=False))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
