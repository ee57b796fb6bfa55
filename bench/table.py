#!/usr/bin/env python3
"""Prints the benchmarks' results as one table.

Usage: table.py RESULTS_DIR: holds Google Benchmark's JSON, its benchmarks named TASK/WORKLOAD, and maybe
engine.txt, the lines of bench/engine/bench_g4.gd.

A cell is MB/s and, where the engine was measured, how many times its speed: that of its encode for tasks
named encode..., of decode and encode one after the other for convert..., of its decode for all others.
"""

import json
import pathlib
import sys

WORKLOADS = ["mmo_tick", "settings", "chat", "savegame", "small_packets", "float_array", "tilemap", "mesh"]


def read_ours(folder):
    speeds = {}
    for file in sorted(folder.glob("*.json")):
        for run in json.loads(file.read_text())["benchmarks"]:
            if run.get("aggregate_name", "median") != "median" or "bytes_per_second" not in run:
                continue
            task, _, workload = run["run_name"].partition("/")
            speeds.setdefault(task, {})[workload.split("/")[0]] = run["bytes_per_second"] / 1e6
    return speeds


def read_engine(file):
    speeds = {"encode": {}, "decode": {}}
    for line in file.read_text().splitlines() if file.exists() else []:
        fields = line.split("\t")
        workload, _, task = fields[2].partition("/")
        if task in speeds:
            speeds[task][workload] = float(dict(f.split("=", 1) for f in fields[3:])["MBps"])
    return speeds


def engine_speed(engine, task, workload):
    encode, decode = engine["encode"].get(workload), engine["decode"].get(workload)
    if not encode or not decode or task == "memcpy":
        return None
    if task.startswith("encode"):
        return encode
    return 1 / (1 / encode + 1 / decode) if task.startswith("convert") else decode


def main():
    folder = pathlib.Path(sys.argv[1])
    ours, engine = read_ours(folder), read_engine(folder / "engine.txt")
    others = sorted({w for cells in ours.values() for w in cells} - set(WORKLOADS))
    rows = [["MB/s (times the engine)"] + WORKLOADS + others]
    for task, cells in list(ours.items()) + [(f"Godot {t}", engine[t]) for t in engine if engine[t]]:
        row = [task]
        for workload in rows[0][1:]:
            speed = cells.get(workload)
            base = engine_speed(engine, task, workload) if task in ours else None
            row.append("" if speed is None else f"{speed:,.0f}" + (f" ({speed / base:.1f}x)" if base else ""))
        rows.append(row)
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip())


main()
