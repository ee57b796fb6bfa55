#!/usr/bin/env python3
"""Prints the benchmarks' results as one table, and writes them all as JSON.

Usage: table.py RESULTS_DIR: holds Google Benchmark's JSON, its benchmarks named TASK/WORKLOAD, in a folder
for each round, of which each figure is the median; and, where they were run, engine.txt (the lines of bench/engine/bench_g4.gd), engine3.txt (of bench_g3.gd),
instructions.txt and compile.txt. RESULTS_DIR/all.json gets everything.

Speeds are MB/s of Godot 4's bytes; those of print_ and parse_ are of the text. "engine" is how many times Godot 4.6.3's speed in the same run: of its
encode for tasks that encode, of its decode and encode one after the other for convert, of its decode for all
others; "memcpy" is the speed as a part of allocating and copying the same bytes.
"""

import json
import pathlib
import platform
import re
import sys

WORKLOADS = ["mmo_tick", "settings", "chat", "savegame", "small_packets", "float_array", "tilemap", "mesh"]
TREES = WORKLOADS[:4]
# DESIGN: task -> workload -> times the engine; a number below 1 is a part of memcpy.
GOALS = {
    "document": {**dict.fromkeys(TREES, 35), "float_array": 8},
    "document_reused": {"small_packets": 20},
    "struct": {**dict.fromkeys(TREES, 25), "small_packets": 20, "float_array": 8},
    "struct_fresh": {"tilemap": 0.9, "mesh": 0.9},
    "variant": {**dict.fromkeys(TREES, 8), "small_packets": 8, "float_array": 6, "tilemap": 0.9, "mesh": 0.9},
    "encode_struct": {**dict.fromkeys(TREES, 25), "small_packets": 20, "float_array": 10},
    "encode_struct_fresh": {"tilemap": 0.9, "mesh": 0.9},
    "encode_variant": {**dict.fromkeys(TREES, 15), "small_packets": 12, "float_array": 8, "tilemap": 0.9, "mesh": 0.9},
    "validate": {**dict.fromkeys(TREES, 40), "small_packets": 25, "float_array": 10},
    "convert_g4_to_g3": dict.fromkeys(TREES, 15),
}


def read_ours(folder):
    """task -> workload -> {MBps, ns, allocations}"""
    rounds = {}
    for file in sorted(folder.glob("round*/bench_*.json")):
        for run in json.loads(file.read_text())["benchmarks"]:
            if "bytes_per_second" not in run:
                continue
            task, _, workload = run["run_name"].partition("/")
            rounds.setdefault(task, {}).setdefault(workload.split("/")[0], []).append(
                {"MBps": run["bytes_per_second"] / 1e6, "ns": run["ns"] * 1e9, "allocations": run["allocations"]})
    return {task: {workload: sorted(runs, key=lambda r: r["MBps"])[len(runs) // 2] for workload, runs in workloads.items()}
            for task, workloads in rounds.items()}


def read_engine(file):
    speeds = {"encode": {}, "decode": {}}
    for line in file.read_text().splitlines() if file.exists() else []:
        fields = line.split("\t")
        if len(fields) < 4:
            continue
        workload, _, task = fields[2].partition("/")
        if task in speeds:
            speeds[task][workload] = float(dict(f.split("=", 1) for f in fields[3:])["MBps"])
    return speeds


def of_text(task):
    """Whether its MB/s are those of text: no packets compare with them."""
    return task.startswith(("print_", "parse_"))


def engine_speed(engine, task, workload):
    encode, decode = engine["encode"].get(workload), engine["decode"].get(workload)
    if not encode or not decode or task == "memcpy" or of_text(task):
        return None
    if task.startswith("encode"):
        return encode
    return 1 / (1 / encode + 1 / decode) if task.startswith("convert") else decode


def machine():
    cpu = "unknown"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            cpu = line.split(":", 1)[1].strip()
            break
    return f"{cpu}, {platform.system()} {platform.machine()}"


def print_rows(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip())


def main():
    folder = pathlib.Path(sys.argv[1])
    ours, engine = read_ours(folder), read_engine(folder / "engine.txt")
    older = read_engine(folder / "engine3.txt")
    copied = ours.get("memcpy", {})
    met = missed = 0
    for workload in WORKLOADS:
        rows = [[workload, "MB/s", "ns/operation", "allocations", "engine", "memcpy", "goal", ""]]
        for task, cells in ours.items():
            cell = cells.get(workload)
            if not cell:
                continue
            base = engine_speed(engine, task, workload)
            cell["engine"] = cell["MBps"] / base if base else None
            cell["memcpy"] = cell["MBps"] / copied[workload]["MBps"] if workload in copied and not of_text(task) else None
            goal = GOALS.get(task, {}).get(workload)
            reached = cell["memcpy"] if goal and goal < 1 else cell["engine"]
            verdict = "" if not goal or reached is None else "met" if reached >= goal else "not met"
            met, missed = met + (verdict == "met"), missed + (verdict == "not met")
            speed = cell["MBps"]
            rows.append([task, f"{speed:,.0f}" if speed < 1e6 else "no copy", f"{cell['ns']:,.1f}", f"{cell['allocations']:,.2f}",
                         f"{cell['engine']:.1f}x" if cell["engine"] else "", f"{cell['memcpy']:.2f}" if cell["memcpy"] else "",
                         "" if not goal else f"{goal}x" if goal >= 1 else f"{goal} of memcpy", verdict])
        for name, speeds in (("Godot 4.6.3", engine), ("Godot 3", older)):
            for task in ("decode", "encode"):
                if workload in speeds[task]:
                    rows.append([f"{name} {task}", f"{speeds[task][workload]:,.0f}", "", "", "", "", "", ""])
        print_rows(rows)
        print()
    print(f"goals met: {met}, not met: {missed}" if met + missed else "no engine was measured: no goal can be judged")
    print(machine())
    extra = {}
    for name in ("gdcom", "instructions", "compile", "linear"):
        file = folder / f"{name}.txt"
        if file.exists():
            extra[name] = file.read_text()
            print(f"\n{name}:\n{extra[name].rstrip()}")
    (folder / "all.json").write_text(json.dumps(
        {"machine": machine(), "tasks": ours, "godot4": engine, "godot3": older, **extra}, indent=1))


main()
