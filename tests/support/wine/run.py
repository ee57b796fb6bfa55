#!/usr/bin/env python3
"""Runs a program for Windows under Wine, as CMake's emulator.

Usage: run.py PROGRAM ARGUMENT..."""
import os, pathlib, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import wine

program = pathlib.Path(sys.argv[1]).resolve()
with tempfile.TemporaryDirectory() as folder:
    # The programs that test the C library find it in the folder above theirs.
    sys.exit(subprocess.call([wine.wrapper(program, folder), *sys.argv[2:]], env={**os.environ, "WINEPATH": str(program.parent.parent)}))
