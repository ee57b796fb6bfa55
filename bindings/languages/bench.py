#!/usr/bin/env python3
"""Decoding and encoding of the workloads in C#, Go and Python, in one run, as microseconds and as times of Python's:

    LD_LIBRARY_PATH=build/release/bindings/c PYTHONPATH=build/release/bindings/python python3 bindings/languages/bench.py
"""
import subprocess
import tempfile
import time
from pathlib import Path

import gdvar
from toolchains import CSHARP, ROOT, CSharp, go, go_program

NAMES = ["chat", "float_array", "mesh", "mmo_tick", "savegame", "settings", "tilemap"]
FILES = [ROOT / "tests" / "data" / "workloads" / "g4" / f"{name}.bin" for name in NAMES]


def best(call):
    least, begin, calls = 1e9, time.perf_counter(), 0
    while time.perf_counter() < begin + 0.5 or calls < 5:
        before = time.perf_counter()
        call()
        least, calls = min(least, time.perf_counter() - before), calls + 1
    return least * 1e6


def python():
    for file in FILES:
        packet = file.read_bytes()
        value = gdvar.loads(packet)
        yield best(lambda packet=packet: gdvar.loads(packet)), best(lambda value=value: gdvar.dumps(value))


def main():
    with tempfile.TemporaryDirectory() as folder:
        commands = {f"C# ({runtime})": CSharp(Path(folder), runtime).program(CSHARP / "tests" / "Testee.cs") for runtime in CSharp.runtimes()}
        if go():
            commands["Go"] = go_program(Path(folder), "internal/testee")
        results = {"Python": list(python())}
        for name, command in commands.items():
            said = subprocess.run([*command, *FILES], capture_output=True, text=True, check=True).stdout
            results[name] = [tuple(map(float, line.split())) for line in said.splitlines()]
    print("".ljust(14), *(name.rjust(22) for name in results))
    for i, name in enumerate(NAMES):
        for j, what in enumerate(("decode", "encode")):
            base = results["Python"][i][j]
            print(f"{name if j == 0 else '':12}", what, *(f"{row[i][j]:12.1f} ({row[i][j] / base:5.2f})" for row in results.values()))


main()
