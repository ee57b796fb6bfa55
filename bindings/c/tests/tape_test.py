#!/usr/bin/env python3
"""Gives every packet that the engines wrote, damaged ones too, to tape_test: tape_test.py PROGRAM... DATA_DIR"""
import json
import pathlib
import random
import subprocess
import sys

ALLOW_OBJECTS, STRICT = 1, 2
DIALECTS = {
    "godot-4.6.3": "godot-4.4",
    "godot-3.6.2": "godot-3.1",
    "godot-3.2.3": "godot-3.1",
    "pandemonium-5.3": "pandemonium-5",
}


def records(path, member):
    with open(path, encoding="utf-8") as lines:
        return [r[member] for r in map(json.loads, filter(str.strip, lines)) if member in r]


def packets(data):
    """Pairs of a dialect's name and a packet in hex."""
    for engine, dialect in DIALECTS.items():
        for packet in records(data / "vectors" / f"{engine}.ndjson", "bytes"):
            yield dialect, packet
    for packet in records(data / "vectors" / "godot-4.6.3-damaged.ndjson", "b"):
        yield "~godot-4.4", packet
    for path in sorted((data / "workloads" / "g4").glob("*.bin")):
        if path.stat().st_size < 1 << 20:
            yield "godot-4.4", path.read_bytes().hex()


def damaged(packet, chance):
    """The packet with one byte changed, and cut off somewhere."""
    if not packet:
        return
    at = chance.randrange(len(packet) // 2)
    yield packet[: 2 * at] + f"{chance.randrange(256):02x}" + packet[2 * at + 2 :]
    yield packet[: 2 * at]


def main():
    program, data = sys.argv[1:-1], pathlib.Path(sys.argv[-1])
    chance = random.Random(1)
    lines = []
    for dialect, packet in packets(data):
        lines.append(f"{dialect} {ALLOW_OBJECTS} {packet}")
        if len(packet) < 10_000:
            for other in damaged(packet, chance):
                lines += [f"~{dialect.lstrip('~')} {flags} {other}" for flags in (0, ALLOW_OBJECTS, STRICT)]
    run = subprocess.run(program, input="\n".join(lines) + "\n", text=True, capture_output=True)
    print(run.stdout[-3000:], run.stderr[-3000:], sep="")
    assert len(lines) > 5000, len(lines)
    assert run.stdout.endswith(f"{len(lines)} packets, 0 failed\n") and run.returncode == 0, run.returncode


if __name__ == "__main__":
    main()
