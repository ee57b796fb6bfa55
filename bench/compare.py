#!/usr/bin/env python3
"""Prints how fast one commit is by another. Usage: compare.py RESULTS_DIR A B: RESULTS_DIR/A1, B1, A2, ...
hold Google Benchmark's JSON. A cell is B's best run by A's best run: above 1 B is faster."""

import json
import pathlib
import sys

folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:4]
best = {"A": {}, "B": {}}
for run in sorted(folder.iterdir()):
    for file in run.glob("*.json"):
        for benchmark in json.loads(file.read_text())["benchmarks"]:
            speed = benchmark.get("bytes_per_second")
            if speed:
                side = best[run.name[0]]
                side[benchmark["run_name"]] = max(side.get(benchmark["run_name"], 0), speed)
print(f"speed of {names[1]} by {names[0]}")
for name in best["A"]:
    if name in best["B"]:
        ratio = best["B"][name] / best["A"][name]
        mark = "  slower" if ratio < 0.95 else "  faster" if ratio > 1.05 else ""
        print(f"{name:36} {best['A'][name] / 1e6:12,.0f} {best['B'][name] / 1e6:12,.0f} MB/s  {ratio:5.2f}{mark}")
