"""Every packet that engines wrote, and damaged ones: another language reads, writes and refuses them as the library does.

csharp_test.py and go_test.py run these tests with a program of their language, which answers lines of the standard input as
bindings/csharp/tests/Testee.cs says.
"""
import ctypes as c
import json
import random
import subprocess
import sys
import unittest
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
sys.path.append(str(DATA.parent / "support"))
from mutations import mutate  # noqa: E402

DIALECTS = {"godot-4.6.3": "godot-4.4", "godot-3.6.2": "godot-3.1", "godot-3.2.3": "godot-3.1", "pandemonium-5.3": "pandemonium-5"}
OTHERS = ["godot-4.0", "godot-4.3", "godot-2.0", "godot-1.0", "pandemonium-4"]
OBJECTS, STRICT = 1, 2
ENGINE = (1024, 2**32 - 1, 2**64 - 1)
NETWORK = (64, 2**20, 2**16)
FULL_TEXT = 1


class Span(c.Structure):
    _fields_ = [("data", c.c_void_p), ("size", c.c_size_t)]

    @staticmethod
    def of(data):
        return Span(c.cast(c.c_char_p(data), c.c_void_p), len(data))


class Options(c.Structure):
    _fields_ = [("size", c.c_uint32), ("flags", c.c_uint32), ("dialect", c.c_void_p), ("max_depth", c.c_uint32),
                ("reserved", c.c_uint32), ("max_bytes", c.c_uint64), ("max_nodes", c.c_uint64)]


class Error(c.Structure):
    _fields_ = [("code", c.c_uint16), ("type", c.c_uint8), ("source", c.c_uint8), ("system", c.c_int32),
                ("offset", c.c_uint64), ("need", c.c_uint64), ("rest", c.c_uint64 * 10)]


class Library:
    """The answers of libgdvar-c."""

    def __init__(self, path):
        self.c = c.CDLL(path)
        for name in ("buffer_new", "document_new", "find_dialect"):
            getattr(self.c, f"gdvar_{name}").restype = c.c_void_p
        for name in ("validate", "document_read", "print"):
            getattr(self.c, f"gdvar_{name}").restype = c.c_uint16
        self.c.gdvar_buffer_bytes.restype = Span
        self.c.gdvar_error_name.restype = c.c_char_p
        self.buffer = c.c_void_p(self.c.gdvar_buffer_new())
        self.document = c.c_void_p(self.c.gdvar_document_new())
        self.dialects = {name: self.c.gdvar_find_dialect(name.encode()) for name in [*DIALECTS.values(), *OTHERS]}
        assert all(self.dialects.values())

    def options(self, dialect, flags, limits):
        return c.byref(Options(c.sizeof(Options), flags, self.dialects[dialect], limits[0], 0, *limits[1:]))

    def taken(self):
        span = self.c.gdvar_buffer_bytes(self.buffer)
        data = c.string_at(span.data, span.size) if span.size else b""
        self.c.gdvar_buffer_clear(self.buffer)
        return data

    def verdict(self, dialect, flags, limits, packet):
        """As Testee.cs says it of a packet that is refused; else "ok SIZE"."""
        options, error, size = self.options(dialect, flags, limits), Error(), c.c_size_t()
        if not self.c.gdvar_validate(Span.of(packet), options, c.byref(size), c.byref(error)):
            return f"ok {size.value}"
        self.c.gdvar_error_path(Span.of(packet), options, c.byref(error), self.buffer)
        name = self.c.gdvar_error_name(error.code).decode()
        path = self.taken().decode("utf-8", "surrogateescape")
        return f"{name}\t{error.offset}\t{error.need}\t{error.type or '-'}\t{path}"

    def text(self, dialect, flags, packet):
        """The packet in the form that loses nothing."""
        options = self.options(dialect, flags & OBJECTS, ENGINE)
        assert not self.c.gdvar_document_read(self.document, Span.of(packet), options, None), packet.hex()
        assert not self.c.gdvar_print(self.document, 0, FULL_TEXT, 0, self.buffer, None, None, None), packet.hex()
        return self.taken()


def vectors(engine):
    rows = map(json.loads, (DATA / "vectors" / f"{engine}.ndjson").read_text().splitlines())
    return [bytes.fromhex(row["bytes"]) for row in rows if "bytes" in row]


def damaged():
    rows = map(json.loads, (DATA / "vectors" / "godot-4.6.3-damaged.ndjson").read_text().splitlines())
    return [bytes.fromhex(row["b"]) for row in rows if "b" in row]


class Vectors(unittest.TestCase):
    library: Library
    testee: list[str]

    def ask(self, questions):
        """The answers to (dialect, flags, limits, packet)."""
        lines = "".join(f"{dialect} {flags} {' '.join(map(str, limits))} {packet.hex()}\n" for dialect, flags, limits, packet in questions)
        run = subprocess.run(self.testee, input=lines.encode(), stdout=subprocess.PIPE, check=True, timeout=300)
        answers = run.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]
        self.assertEqual(len(answers), len(questions))
        return answers

    def compare(self, questions):
        """Every verdict is the library's; what is read is written as the same value. Returns how often which code came."""
        seen = {}
        for question, answer in zip(questions, self.ask(questions), strict=True):
            dialect, flags, limits, packet = question
            expected = self.library.verdict(*question)
            seen[expected.split()[0]] = seen.get(expected.split()[0], 0) + 1
            if not expected.startswith("ok "):
                self.assertEqual(answer, expected, question)
                continue
            start, _, again = answer.rpartition(" ")
            self.assertEqual(start, expected, question)
            text = self.library.text(dialect, flags, packet[: int(expected[3:])])
            self.assertEqual(self.library.text(dialect, flags, bytes.fromhex(again)), text, question)
        return seen

    def test_what_engines_wrote_is_written_again(self):
        for engine, dialect in DIALECTS.items():
            recorded = vectors(engine)
            self.assertGreater(len(recorded), 350)
            questions = [(dialect, OBJECTS, ENGINE, packet) for packet in recorded]
            for packet, answer in zip(recorded, self.ask(questions), strict=True):
                start, _, again = answer.rpartition(" ")
                self.assertEqual(start, f"ok {len(packet)}", packet.hex())
                if again == packet.hex():
                    continue
                # Godot 3 leaves the padding in NodePaths as it finds the memory (docs/wire-format.md).
                self.assertNotEqual(dialect, "godot-4.4", packet.hex())
                pairs = zip(packet, bytes.fromhex(again), strict=True)
                self.assertTrue(all(x == y or y == 0 for x, y in pairs), (packet.hex(), again))
                self.assertEqual(self.library.text(dialect, OBJECTS, packet), self.library.text(dialect, OBJECTS, bytes.fromhex(again)))

    def test_large_packets_are_written_again(self):
        packets = [path.read_bytes() for path in sorted((DATA / "workloads" / "g4").glob("*.bin"))]
        self.assertGreater(len(packets), 5)
        for packet, answer in zip(packets, self.ask([("godot-4.4", 0, ENGINE, packet) for packet in packets]), strict=True):
            self.assertEqual(answer, f"ok {len(packet)} {packet.hex()}")

    def test_damaged_packets(self):
        packets = damaged()
        self.assertEqual(len(packets), 8670)
        seen = self.compare([("godot-4.4", flags, ENGINE, packet) for flags in (0, STRICT) for packet in packets])
        self.assertGreater(len(seen), 8, seen)

    def test_packets_that_are_cut_off(self):
        questions = [(dialect, OBJECTS, ENGINE, packet[:size]) for engine, dialect in DIALECTS.items()
                     for packet in vectors(engine)[:200] if len(packet) <= 100 for size in range(len(packet))]
        self.assertGreater(self.compare(questions)["truncated"], 5000)

    def test_changed_packets(self):
        chance = random.Random(34)
        questions = []
        for engine, dialect in DIALECTS.items():
            for packet in vectors(engine):
                if len(packet) <= 600:
                    for _ in range(10):
                        other = dialect if chance.random() < 0.7 else chance.choice(OTHERS)
                        questions.append((other, chance.randrange(4), chance.choice([ENGINE, NETWORK]), mutate(packet, chance)))
        seen = self.compare(questions)
        self.assertGreater(len(seen), 12, seen)
        self.assertGreater(seen["ok"], 1000, seen)

    def test_limits(self):
        chance = random.Random(7)
        limits = [(chance.choice([1, 2, 3, 1024]), chance.choice([8, 64, 2**32 - 1]), chance.choice([1, 2, 5, 2**64 - 1])) for _ in range(2000)]
        packets = [(dialect, packet) for engine, dialect in DIALECTS.items() for packet in vectors(engine)]
        seen = self.compare([(*chance.choice(packets)[:1], OBJECTS, limit, chance.choice(packets)[1]) for limit in limits])
        self.assertTrue({"depth_limit", "size_limit", "node_limit", "ok"} <= seen.keys(), seen)

    def test_random_bytes(self):
        chance = random.Random(99)
        questions = [("godot-4.4", OBJECTS, NETWORK, chance.randbytes(chance.randrange(80))) for _ in range(5000)]
        self.compare(questions)

    def test_deep_packets(self):
        """As deep as the engines allow, and deeper."""
        for depth in (1000, 1023, 1024, 1025, 100_000):
            self.compare([("godot-4.4", 0, ENGINE, bytes.fromhex("1c00000001000000") * depth + bytes(4))])

