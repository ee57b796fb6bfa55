#!/usr/bin/env python3
"""Writes the packets of the recorded vectors as files for the fuzzer to start from.

Usage: seeds.py VECTORS_DIR MAX_LENGTH OUT_DIR
"""

import hashlib
import json
import pathlib
import sys

vectors, max_length, out = pathlib.Path(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
out.mkdir(parents=True, exist_ok=True)
for file in sorted(vectors.glob("*.ndjson")):
    for line in file.open():
        record = json.loads(line)
        packet = bytes.fromhex(record.get("bytes") or record.get("b") or "")
        if 0 < len(packet) <= max_length:
            (out / hashlib.sha1(packet).hexdigest()).write_bytes(packet)
print(f"{sum(1 for _ in out.iterdir())} seeds")
