#!/usr/bin/env python3
"""Writes the recorded vectors as files for the fuzzer to start from.

OUT_DIR gets the packets, OUT_DIR-path and OUT_DIR-c_interface packets with a path behind them; OUT_DIR-text and OUT_DIR-json get
texts and JSON with a last byte that chooses the options, which those targets take from there.
OUT_DIR-framing, -debugger and -multiplayer get streams and packets, with the last bytes that those
targets read. OUT_DIR-large and OUT_DIR-large-TARGET get the worst cases of tests/support/worst_case_inputs.py, of
LARGE bytes, for the runs that look for what is not linear.

Usage: seeds.py VECTORS_DIR MAX_LENGTH OUT_DIR
"""

import hashlib
import json
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/support"))
import worst_case_inputs

LARGE = 64 << 10
PATHS = ["$", "$.a", "$[0]", "$[-1]", "$[+]", ".x", "$.new.pos", "$[1].y", "$.origin.x", "$.basis.y.z", "$[*][*]", "$[@0]",
         '$["odd key"]', "$[Vector2i(1, 2)]", "$.size.x", "$[0][0]"]
# The text families in the order of TextFamily; 4: our own form, 8: tolerant.
# As all_dialects() has them: a packet target takes the second byte's low four bits for the place in this list.
DIALECTS = ["godot-4.4", "godot-4.3", "godot-4.0", "godot-4-dev", "godot-3.1", "godot-3.0", "godot-2", "pandemonium-5",
            "pandemonium-3.8", "pandemonium-3.5", "page-3", "page-4", "page-4-dev"]
# Who can make something of a recorded engine's packets.
READERS = {"godot-3": DIALECTS[4:7] + DIALECTS[10:11], "godot-4": DIALECTS[:4] + DIALECTS[11:],
           "pandemonium": DIALECTS[7:10]}
REAL_WIDTH_8 = 64
FAMILIES = {"godot-3.2.3": 0, "godot-3.6.2": 1, "godot-4.6.3": 2, "pandemonium-5.3": 3}


def write(folder, content, most=None):
    if 0 < len(content) <= (most or max_length):
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / hashlib.sha1(content).hexdigest()
        if not file.exists():
            file.write_bytes(content)


vectors, max_length, out = pathlib.Path(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
texts, jsons, rewrites, sections, paths, c_interfaces, framings, debuggers, multiplayers = (
    out.with_name(f"{out.name}-{kind}")
    for kind in ("text", "json", "rewrite", "sections", "path", "c_interface", "framing", "debugger", "multiplayer"))


def write_net(number, packet):
    """A recorded packet as frame, as compressed variant and as argument of calls."""
    if number % 4 or len(packet) > 256:
        return
    for order in "<>":
        frames = struct.pack(f"{order}i", len(packet)) + packet
        write(framings, frames * 2 + bytes([11, 1, order == ">"]))
    write(multiplayers, packet + b"\x06")
    path = (7 + len(packet) | 1 << 31).to_bytes(4, "little")
    write(multiplayers, b"\x20" + path + b"\0\x01" + packet + b"a/b\0\x04")
    write(multiplayers, b"\0\x07\0\0\0call\0\x01" + packet + b"\x05")


def write_dialects(number, packet, readers):
    """A recorded packet for one of the dialects that may read it, and a page's doubles."""
    if len(packet) < 4:
        return
    dialect = readers[number % len(readers)]
    choice = DIALECTS.index(dialect) | (REAL_WIDTH_8 if dialect.startswith("page") and number % 2 else 0)
    write(out, packet[:1] + bytes([choice]) + packet[2:])


def write_captures(folder):
    """Pieces of the debugger connections, and the recorded multiplayer packets."""
    for file in sorted(folder.glob("*.bin")):
        content, at, start = file.read_bytes(), 0, 0
        # 1: the dialect of Godot 3; 2: full objects.
        tail = bytes([99, 3, 2, 3 if "godot-3" in file.name else 2])
        while at < len(content):
            end = at + 4 + int.from_bytes(content[at:at + 4], "little")
            if end - start > max_length // 4 and at > start:
                write(debuggers, content[start:at] + tail)
                start = at
            at = end
        write(debuggers, content[start:at] + tail)
    for file in sorted(folder.glob("multiplayer-*.ndjson")):
        three = "godot-3" in file.name
        for line in file.open():
            record = json.loads(line)
            if "packet" in record:
                packet = bytes.fromhex(record["packet"])
                write(multiplayers, packet + (b"\x03" if three else b"\x04"))
                if three and record["channel"]:
                    write(multiplayers, packet[8:] + b"\x05")


def write_large():
    """The costliest inputs that are known, each as its targets read it."""
    most = 4 * LARGE
    for name, make in worst_case_inputs.packets.items():
        packet = make(LARGE)
        write(larges, packet, most)
        # Behind the packet what those targets choose an engine, a dialect or a family with.
        for choice in range(13):
            write(larges.with_name(f"{larges.name}-annotate"), packet + bytes([choice]), most)
        for choice in range(4):
            write(larges.with_name(f"{larges.name}-roundtrip"), packet + bytes([choice]), most)
        for path in ("$[*]", "$[*][*]", "$[-1]"):
            write(larges.with_name(f"{larges.name}-path"), packet + path.encode() + bytes([len(path)]), most)
        for way in range(7):
            write(larges.with_name(f"{larges.name}-c_interface"), packet + b"$[-1]" + bytes([5 | way << 5]), most)
    for make in worst_case_inputs.pairs.values():
        left, right = make(LARGE)
        # The first byte says where the second packet begins, in 256ths: a packet may have bytes behind it.
        size = max(len(left), len(right)) + 256 & ~127
        write(larges.with_name(f"{larges.name}-diff"), bytes([128]) + left.ljust(size, b"\0") + right.ljust(size, b"\0"),
              most)
    for make in worst_case_inputs.texts.values():
        text = make(LARGE)
        for choice in (2, 4):
            write(larges.with_name(f"{larges.name}-text"), text + bytes([choice]), most)
        for choice in (0, 4):
            write(larges.with_name(f"{larges.name}-json"), text + bytes([choice]), most)
        for choice in (2, 4):
            write(larges.with_name(f"{larges.name}-rewrite"), text + bytes([1, 2, 3, choice, choice]), most)
    for make in worst_case_inputs.damaged.values():
        for choice in (0x0F, 0x8F, 0x9F, 0xAF, 0xBF, 0xCF):  # no dialect; as any document, as each text
            write(larges.with_name(f"{larges.name}-recover"), make(LARGE) + bytes([choice]), most)
    for make in worst_case_inputs.sections.values():
        text = make(LARGE)
        for choice in range(8):
            for change in (0, 16):
                write(larges.with_name(f"{larges.name}-sections"), text + bytes([change, choice]), most)


for file in sorted(vectors.glob("*.ndjson")):
    readers = next(names for engine, names in READERS.items() if file.name.startswith(engine))
    family = FAMILIES.get(file.name.removesuffix(".ndjson").removesuffix("-text"), 2)
    for number, line in enumerate(file.open()):
        record = json.loads(line)
        packet = bytes.fromhex(record.get("bytes") or record.get("b") or "")
        write(out, packet)
        write_dialects(number, packet, readers)
        path = PATHS[number % len(PATHS)].encode()
        if packet:
            write(paths, packet + path + bytes([len(path)]))
            # The upper bits say what is done with a larger packet.
            write(c_interfaces, packet + path + bytes([len(path) | number % 8 << 5]))
        if "bytes" in record:
            write_net(number, packet)
        # One in eight of the damaged texts is enough to begin with.
        text = record.get("text") or (record.get("t") if number % 8 == 0 else None)
        if text:
            for choice in (family, 4, 8 | family):
                write(texts, text.encode() + bytes([choice]))
            if number % 4 == 0:
                write(rewrites, text.encode() + number.to_bytes(4, "big") + bytes([family]))
        if "json" in record:
            for choice in (0, 4):
                write(jsons, record["json"].encode() + bytes([choice]))
            if number % 4 == 0:
                write(rewrites, record["json"].encode() + number.to_bytes(4, "big") + bytes([4]))
write_captures(vectors.parent / "captures")
for file in sorted((vectors.parent / "texts").glob("godot-*.ndjson")):
    for number, line in enumerate(file.open()):
        record = json.loads(line)
        text = record["t"].encode() if "t" in record else bytes.fromhex(record["h"])
        family = FAMILIES.get(file.name.removesuffix(".ndjson"), 2)
        write(sections, text + bytes([number % 32, family | (0 if record["k"] == "config" else 4)]))
larges = out.with_name(f"{out.name}-large")
write_large()
for folder in (out, texts, jsons, rewrites, sections, paths, c_interfaces, framings, debuggers, multiplayers):
    print(f"{sum(1 for _ in folder.iterdir())} seeds in {folder.name}")
