#!/usr/bin/env python3
"""The dissector that gdvar_describe makes, run by tshark over recorded packets.

Usage: wireshark_test.py GDVAR SOURCE_DIR GDVAR_LUA; status 77: there is no tshark
"""

import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from flat import (DATA, ENGINES, INT_LANES, as_shown, common_name, from_json, gdvar_json, packets, records, rounded, unframed,
                  vectors)
from pcap import PSH_ACK, connection, tcp_frame, udp_frame, write_pcap

LUA = sys.argv[3]
UNLIMITED = ["-o", "gdvar.max_elements:1000000", "-o", "gdvar.max_items:1000000", "-o", "gdvar.max_depth:200"]
STREAM = ["-d", "tcp.port==6100,gdvar.stream"]
DATAGRAM = ["-d", "udp.port==6100,gdvar.datagram"]
DEBUGGER = ["-d", "tcp.port==6100,gdvar.debugger"]

# ---- running tshark -----------------------------------------------------------------------------


class Shark:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()

    def run(self, frames, *arguments, snap=None):
        path = pathlib.Path(self.folder.name) / "x.pcap"
        write_pcap(path, frames, snap)
        done = subprocess.run(
            ["tshark", "-n", "-X", "lua_script:" + LUA, "-r", path, *arguments],
            capture_output=True, check=True,
            env={"HOME": self.folder.name, "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]})
        said = done.stderr.decode().replace('Running as user "root" and group "root". This could be dangerous.', "")
        bugs = [line for line in done.stdout.splitlines() if b"Lua Error" in line or b"Dissector bug" in line]
        if said.strip() or bugs:
            raise AssertionError(f"tshark says: {said[:2000]} {bugs[:3]}")
        return done.stdout.decode()

    def fields(self, frames, names, *arguments, **more):
        """A list a frame, of a list a field, of its occurrences."""
        # No separator that text might hold.
        out = self.run(frames, "-T", "fields", "-E", "separator=\x1e", "-E", "aggregator=\x1f",
                       *[word for name in names for word in ("-e", name)], *arguments, **more)
        rows = [line.split("\x1e") for line in out.split("\n")[:-1]]
        return [[cell.split("\x1f") if cell else [] for cell in row] for row in rows]

    def trees(self, frames, *arguments):
        """The field trees of all frames, each a list of pairs."""
        out = self.run(frames, "-T", "json", *arguments)
        return [dict(dict(frame)["_source"])["layers"] for frame in json.loads(out, object_pairs_hook=list)]


shark = Shark()


def segments(seed, largest=1400):
    """Lengths that cut words, records and messages anywhere, many of them tiny."""
    chance = random.Random(seed)
    return lambda: chance.randint(1, 9) if chance.random() < 0.5 else chance.randint(1, largest)


# ---- the same values, said by gdvar and by tshark -----------------------------------------------


def own_fields(pairs):
    fields = {}
    for name, each in pairs:
        if isinstance(each, str):
            fields.setdefault(name, []).append(each)
    return fields


def components_of(kind, fields):
    if "gdvar.bytes" in fields:
        return [int(byte, 16) for byte in fields["gdvar.bytes"][0].split(":")]
    texts = fields.get("gdvar.component", []) + fields.get("gdvar.component_int", [])
    for element in fields.get("gdvar.element", []):
        texts += element.split("(")[1].rstrip(")").split(", ")
    return [int(text) if kind in INT_LANES else text for text in texts]


def tree_value(pairs, out):
    fields = own_fields(pairs)
    kind = common_name(fields["gdvar.type"][0])
    single = {"bool": ("gdvar.bool", lambda text: text == "1"), "int": ("gdvar.int", int),
              "float": ("gdvar.float", lambda text: text.lstrip("+-") if "nan" in text else text),
              "String": ("gdvar.string", str), "StringName": ("gdvar.string", str), "NodePath": ("gdvar.path", str)}
    if kind in single:
        name, convert = single[kind]
        out.append((kind, convert(fields[name][0])))
    elif kind == "Object" and "gdvar.object_id" in fields:
        out.append((kind, int(fields["gdvar.object_id"][0])))
    elif kind == "Object" and fields.get("gdvar.class", [""]) == [""]:
        out.append(("Nil",))
    elif kind == "Object":
        out.append((kind, fields["gdvar.class"][0], int(fields["gdvar.count"][0])))
    elif kind in ("Array", "Dictionary", "PackedTypedArray"):
        out.append((kind, int(fields["gdvar.count"][0])))
    elif kind == "PackedStringArray":
        out.append((kind, fields.get("gdvar.string", [])))
    elif kind in ("Nil", "RID", "Callable", "Signal"):
        out.append((kind,))
    else:
        out.append((kind, components_of(kind, fields)))
    tree_values(pairs, out)


def tree_values(pairs, out):
    """What tshark's tree holds."""
    for name, each in pairs:
        if name == "gdvar.property":
            out.append(("property", each))
        elif name == "gdvar.value":
            tree_value(each, out)
        elif name.startswith("gdvar.") and isinstance(each, list):
            tree_values(each, out)
    return out


def datagrams(all_packets):
    return [udp_frame(6101, 6100, packet) for packet in all_packets]


# ---- tests --------------------------------------------------------------------------------------


class Datagrams(unittest.TestCase):
    def check(self, engine, frames, arguments, protocol):
        dialect = ENGINES[engine]
        expected = [as_shown(from_json(value, [])) for value in gdvar_json(packets(engine), dialect)]
        got = []
        for layers in shark.trees(frames, "-o", "gdvar.dialect:" + dialect, *UNLIMITED, *arguments):
            for name, pairs in layers:
                if name == protocol:
                    self.assertNotIn("_ws.malformed", dict(pairs))
                    got.append(rounded(tree_values(pairs, [])))
        self.assertEqual(len(got), len(expected))
        for vector, mine, theirs in zip(vectors(engine), got, expected):
            self.assertEqual(mine, theirs, vector["name"])

    def test_every_recorded_packet(self):
        for engine in ENGINES:
            with self.subTest(engine):
                frames = datagrams(packets(engine))
                self.check(engine, frames, DATAGRAM, "gdvar.datagram")

    def test_streams_of_them(self):
        for engine, order in (("godot-4.6.3", "little"), ("godot-3.6.2", "big"), ("pandemonium-5.3", "little")):
            with self.subTest(engine):
                frames = connection(6101, 6100, records(packets(engine), order), b"", segments(engine))
                big = ["-o", "gdvar.big_endian:" + ("TRUE" if order == "big" else "FALSE")]
                self.check(engine, frames, [*STREAM, *big], "gdvar.stream")

    def test_websocket_messages(self):
        """Each a binary frame, as WebSocketPeer.put_var sends them."""
        ask = b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " \
              b"dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        answer = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
                 b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
        small = [packet for packet in packets("godot-4.6.3") if len(packet) < 126]
        messages = b"".join(b"\x82" + bytes([len(packet)]) + packet for packet in small)
        frames = connection(6101, 6100, ask, answer, lambda: 1400)
        frames += [tcp_frame(6100, 6101, 500 + len(answer) + at, 100 + len(ask), PSH_ACK, messages[at : at + 700])
                   for at in range(0, len(messages), 700)]
        how = ["-d", "tcp.port==6100,http", "-o", "gdvar.websocket_ports:6100"]
        rows = shark.fields(frames, ["gdvar.dialect", "gdvar.malformed"], *how)
        self.assertEqual(sum(len(row[0]) for row in rows), len(small))
        self.assertFalse(any(row[1] for row in rows))

    def test_numbers_to_the_last_digit(self):
        """The Info column has the shortest digits; the engine's own text of the packet is the judge."""
        wanted = [v for v in vectors("godot-4.6.3") if v["bytes"][:2] in ("02", "03")]
        frames = datagrams(bytes.fromhex(v["bytes"]) for v in wanted)
        rows = shark.fields(frames, ["_ws.col.Info"], *DATAGRAM)
        self.assertGreater(len(wanted), 35)
        for vector, row in zip(wanted, rows):
            name, text = row[0][0].strip().split(": ")
            self.assertEqual(name, "int" if vector["bytes"][:2] == "02" else "float")
            own = vector["text"].replace("inf_neg", "-inf")
            if name == "int":
                self.assertEqual(text, own)
            elif own == "nan" or vector["bytes"][4:6] == "01":
                self.assertTrue(float(text) == float(own) or text == own, vector)
            else:
                self.assertEqual(struct.pack("<f", float(text)), bytes.fromhex(vector["bytes"])[4:], vector)

    def test_filters(self):
        frames = datagrams(packets("godot-4.6.3"))
        for wanted, filter_text in ((b"\x02\0\0\0\x7f\0\0\0", "gdvar.int == 127"),
                                    (b"\x02\0\1\0" + b"\xff" * 7 + b"\x7f", "gdvar.int == 9223372036854775807"),
                                    (b"\x04\0\0\0\x03\0\0\0abc\0", 'gdvar.string == "abc"'),
                                    (b"\x03\0\0\0\0\0\x10\xc0", "gdvar.float == -2.25"),
                                    (b"\x01\0\0\0\1\0\0\0", 'gdvar.type == "bool" && gdvar.bool == 1')):
            found = {int(row[0][0]) for row in shark.fields(frames, ["frame.number"], "-Y", filter_text, *DATAGRAM)}
            here = {i for i, packet in enumerate(packets("godot-4.6.3"), 1) if packet == wanted}
            self.assertTrue(here and here <= found < set(range(1, len(frames) + 1)), filter_text)
        keys = shark.fields(frames, ["gdvar.key"], "-Y", 'gdvar.key == "name"', *DATAGRAM)
        self.assertTrue(keys and all("name" in row[0] for row in keys))


class Damage(unittest.TestCase):
    def test_refuses_what_the_engine_refuses(self):
        """8670 damaged packets and what Godot 4.6.3 made of them."""
        lines = [json.loads(l) for l in (DATA / "vectors/godot-4.6.3-damaged.ndjson").read_text().splitlines()]
        lines = [line for line in lines if line["b"]]
        frames = datagrams(bytes.fromhex(line["b"]) for line in lines)
        names = ["frame.number", "gdvar.malformed", "gdvar.surplus", "gdvar.type"]
        rows = shark.fields(frames, names, *UNLIMITED, *DATAGRAM)
        self.assertEqual(len(rows), len(lines))
        refused = stricter = objects = 0
        for line, (_, malformed, surplus, types) in zip(lines, rows):
            rest = len("".join(surplus)) // 2
            if line["n"] == 0 and not malformed:
                # That engine had not been told to accept objects in full.
                self.assertIn("Object", types, line)
                objects += 1
            elif line["n"] and malformed:
                stricter += 1  # NodePath and lengths whose sum wraps: see docs/wire-format.md
            elif line["n"]:
                self.assertEqual(len(line["b"]) // 2 - rest, min(line["n"], len(line["b"]) // 2), line)
            refused += bool(malformed)
        self.assertEqual(stricter, 4)
        self.assertGreater(refused, 1000)

    def test_random_damage_in_streams(self):
        chance = random.Random(5)
        for dialect in ("godot-4.4", "godot-3.1", "godot-2", "pandemonium-5", "page-4-dev"):
            pieces = []
            for packet in chance.choices([p for engine in ENGINES for p in packets(engine)], k=400):
                packet = bytearray(packet)
                for _ in range(chance.randint(0, 3)):
                    if packet:
                        packet[chance.randrange(len(packet))] = chance.choice([0, 1, 255, chance.randrange(256)])
                pieces.append(bytes(packet[: chance.choice([len(packet), chance.randint(0, len(packet))])]))
            frames = connection(6101, 6100, records(pieces), records(pieces[::-1]), segments(dialect))
            for how in (STREAM, DEBUGGER):
                shark.run(frames, "-V", "-o", "gdvar.dialect:" + dialect, *how)
            shark.run(datagrams(filter(None, pieces)), "-V", *DATAGRAM)

    def test_nesting(self):
        def nest(n):
            return udp_frame(6101, 6100, b"\x1c\0\0\0\1\0\0\0" * n + b"\0\0\0\0")
        def pairs(n):
            return udp_frame(6101, 6100, b"\x1b\0\0\0\1\0\0\0\0\0\0\0" * n + b"\0\0\0\0")
        frames = [nest(10), nest(1024), nest(1025), nest(7000), pairs(190), pairs(1000), pairs(5000)]
        for most, hidden in (("64", 0b1111110), ("200", 0b1101110), ("100000", 0b1101110)):
            rows = shark.fields(frames, ["frame.number", "gdvar.malformed", "gdvar.not_shown"],
                                "-o", "gdvar.max_depth:" + most, *DATAGRAM)
            self.assertEqual([bool(row[1]) for row in rows], [False, False, True, True, False, False, True])
            self.assertEqual([bool(row[2]) for row in rows], [bool(hidden >> i & 1) for i in range(7)])

    def test_counts_and_sizes(self):
        many = b"\x1c\0\0\0" + struct.pack("<I", 15000) + bytes(60000)
        packed = b"\x1e\0\0\0" + struct.pack("<I", 15000) + bytes(60000)
        lying = b"\x1c\0\0\0\xff\xff\xff\x7f" + bytes(100)
        names = ["frame.number", "gdvar.malformed", "gdvar.not_shown", "gdvar.component_int", "gdvar.count"]
        rows = shark.fields(datagrams([many, packed, lying]), names, *DATAGRAM)
        self.assertEqual([bool(row[1]) for row in rows], [False, False, True])
        self.assertEqual([bool(row[2]) for row in rows], [True, False, False])
        self.assertEqual(len(rows[1][3]), 100)
        self.assertEqual([row[4] for row in rows], [["15000"], ["15000"], ["2147483647"]])

    def test_a_length_over_the_limit_is_refused(self):
        good, bad = records([b"\x02\0\0\0\7\0\0\0"]), struct.pack("<I", 0x7FFFFFFF) + bytes(50)
        rows = shark.fields(connection(6101, 6100, good + bad + bad, b"", lambda: 20),
                            ["gdvar.refused_length", "gdvar.int", "gdvar.length"], "-Y", "gdvar.stream", *STREAM)
        self.assertIn("7", rows[0][1])
        self.assertTrue(any(row[0] for row in rows))
        rows = shark.fields(connection(6101, 6100, good, b"", lambda: 20), ["gdvar.refused_length"],
                            "-Y", "gdvar.stream", "-o", "gdvar.max_length:7", *STREAM)
        self.assertTrue(rows[0][0])

    def test_a_capture_that_cuts_frames(self):
        packet = packets("godot-4.6.3")[-1]
        frames = [udp_frame(6101, 6100, p) for p in packets("godot-4.6.3") if len(p) > 100]
        rows = shark.fields(frames, ["gdvar.malformed", "gdvar.cut"], *DATAGRAM, snap=42 + 60)
        self.assertTrue(rows and all(row[1] and not row[0] for row in rows))
        frames = connection(6101, 6100, records([packet] * 3), b"", lambda: 1400)
        shark.run(frames, "-V", *STREAM, snap=100)


class DebuggerConnections(unittest.TestCase):
    @staticmethod
    def text(packet, at):
        (n,) = struct.unpack_from("<I", packet, at)
        return packet[at + 4 : at + 4 + n].decode()

    def names_of(self, version, way):
        """Message names, and how many packets are arguments and counts, by a reader of its own."""
        names, follow, expected = [], 0, 0
        for packet in unframed((DATA / f"captures/godot-{version}.{way}-engine.bin").read_bytes()):
            if expected:
                expected -= 1
                follow += 1
            elif packet[0] == 4:
                names.append(self.text(packet, 4))
                expected = None
            elif expected is None:
                expected = struct.unpack_from("<I", packet, 4)[0]
                follow += 1
            else:
                names.append(self.text(packet, 12))
        return names, follow

    def check(self, version, dialect, size, *arguments):
        both = [(DATA / f"captures/godot-{version}.{way}-engine.bin").read_bytes() for way in ("from", "to")]
        frames = connection(6101, 6100, both[0], both[1], size)
        names = ["tcp.srcport", "gdvar.debugger.name", "gdvar.debugger.argument_of", "gdvar.malformed", "_ws.malformed",
                 "gdvar.sequence", "gdvar.refused_length", "gdvar.cut", "gdvar.length", "gdvar.surplus", "_ws.col.Info"]
        rows = shark.fields(frames, names, "-o", "gdvar.dialect:" + dialect, *UNLIMITED, *arguments, *DEBUGGER)
        self.assertEqual(len(rows), len(frames))
        for port, way, data in (("6101", "from", both[0]), ("6100", "to", both[1])):
            mine = [row for row in rows if row[0] == [port]]
            found = [name for row in mine for name in row[1]]
            expected, follow = self.names_of(version, way)
            self.assertEqual(found, expected)
            self.assertEqual(sum(len(row[2]) for row in mine), follow)
            self.assertEqual(sum(len(row[8]) for row in mine), len(unframed(data)))
            for row in mine:
                self.assertEqual(row[3:8] + row[9:10], [[]] * 6)
                info = row[10][0]
                self.assertTrue(all(name in info for name in row[1]) or len(info.encode()) > 1500, info)

    def test_godot_4(self):
        for seed, size in enumerate([segments(1), segments(2, 60000), lambda: 1000, lambda: 60000]):
            with self.subTest(seed):
                self.check("4.6.3", "godot-4.4", size)

    def test_godot_3(self):
        for seed, size in enumerate([segments(1), segments(2, 20000), lambda: 3, lambda: 60000]):
            with self.subTest(seed):
                self.check("3.2.3", "godot-3.1", size)

    def test_two_passes(self):
        self.check("3.2.3", "godot-3.1", segments(3), "-2")
        self.check("4.6.3", "godot-4.4", segments(3), "-2")

    def test_a_start_in_the_middle_of_a_run(self):
        data = (DATA / "captures/godot-3.2.3.from-engine.bin").read_bytes()
        frames = connection(6101, 6100, records(unframed(data)[1:]), b"", segments(4))
        names = ["gdvar.sequence", "gdvar.debugger.name"]
        rows = shark.fields(frames, names, "-o", "gdvar.dialect:godot-3.1", *DEBUGGER)
        self.assertTrue(any(row[0] for row in rows))
        self.assertIn("stack_dump", [name for row in rows for name in row[1]])


if __name__ == "__main__":
    if not shutil.which("tshark"):
        print("skipped: tshark is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
