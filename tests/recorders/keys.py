#!/usr/bin/env python3
"""Records which keys of a Dictionary real engines merge: tests/data/keys.ndjson.

Usage: scripts/engines record keys
A line for each engine: {"engine": name, "keys": packets in hex, "merged": for each of them the numbers of those that are
merged with it when they stand behind it in a Dictionary of two pairs}."""
import json, struct

import engines

NAN, NAN2 = 0x7FC00000, 0xFFC00001
WIDE = 1 << 16
# The types of the engines by name: their ids in Godot 4 and 3.
IDS = {name: (four, three) for four, three, name in (
    (0, 0, "nil"), (1, 1, "bool"), (2, 2, "int"), (3, 3, "float"), (4, 4, "String"), (5, 5, "Vector2"), (6, None, "Vector2i"),
    (7, 6, "Rect2"), (9, 7, "Vector3"), (11, 8, "Transform2D"), (12, None, "Vector4"), (14, 9, "Plane"), (15, 10, "Quaternion"),
    (16, 11, "AABB"), (17, 12, "Basis"), (18, 13, "Transform3D"), (19, None, "Projection"), (20, 14, "Color"),
    (21, None, "StringName"), (22, 15, "NodePath"), (23, 16, "RID"), (24, 17, "Object"), (25, None, "Callable"),
    (26, None, "Signal"), (27, 18, "Dictionary"), (28, 19, "Array"), (29, 20, "bytes"), (30, 21, "ints"), (31, None, "ints64"),
    (32, 22, "floats"), (33, None, "floats64"), (34, 23, "strings"), (35, 24, "Vector2s"), (36, 25, "Vector3s"),
    (37, 26, "Colors"), (38, None, "Vector4s"))}
MATH = {"Vector2": 2, "Rect2": 4, "Vector3": 3, "Transform2D": 6, "Vector4": 4, "Plane": 4, "Quaternion": 4, "AABB": 6,
        "Basis": 9, "Transform3D": 12, "Projection": 16, "Color": 4}
BOM, HALVES, WHOLE = b"\xef\xbb\xbf", b"\xed\xa0\xbd\xed\xb1\xbe", b"\xf0\x9f\x91\xbe"


class Keys:
    """The keys as packets of one of the engines."""

    def __init__(self, four):
        self.four = four
        self.all = []

    def word(self, *words):
        return struct.pack(f"<{len(words)}I", *(int(word) & 0xFFFFFFFF for word in words))

    def has(self, name):
        return IDS[name][0 if self.four else 1] is not None

    def head(self, name, flags=0):
        return self.word(IDS[name][0 if self.four else 1] | flags)

    def counted(self, text):
        return self.word(len(text)) + text + bytes(-len(text) % 4)

    def text(self, text, name="String"):
        return self.head(name) + self.counted(text)

    def int(self, value):
        return self.head("int") + self.word(value)

    def float(self, value):
        return self.head("float") + self.word(struct.unpack("<I", struct.pack("<f", value))[0])

    def nan(self, sign=0):
        return self.head("float", WIDE) + self.word(0, 0x7FF80000 | sign << 31)

    def path(self, names, subnames=(), absolute=False):
        return (self.head("NodePath") + self.word(len(names) | 1 << 31, len(subnames), absolute)
                + b"".join(self.counted(name) for name in (*names, *subnames)))

    def id(self, number):
        return self.head("Object", WIDE) + self.word(number, 0)

    def array(self, *items, kind=b"", flags=0):
        return self.head("Array", flags) + kind + self.word(len(items)) + b"".join(items)

    def pairs(self, *items, kind=b"", flags=0):
        return self.head("Dictionary", flags) + kind + self.word(len(items) // 2) + b"".join(items)

    def packed(self, name, *words, each=1):
        return self.head(name) + self.word(len(words) // each, *words)

    def strings(self, *texts):
        return self.head("strings") + self.word(len(texts)) + b"".join(self.counted(text + b"\0") for text in texts)

    def add(self, *keys):
        self.all += keys

    def texts(self):
        """Texts, in every place where one can stand."""
        plain = [b"", BOM, b"a", BOM + b"a", BOM + BOM + b"a", b"a\0b", b"\0", BOM + b"\0a", b"b", b"1"]
        if not self.four:
            plain += [b"\xe0\x81\xa2", HALVES, WHOLE, HALVES[:3], b" ", b"\xf8\x88\x80\x80\x80", b"\xfc\x80\x88\x80\x80\x80",
                      b"\xf8\x80\x9f\x91\xbe"]
        few = [text for text in plain if text not in (b"1", b" ", b"\0")]
        self.add(*map(self.text, plain), *map(self.strings, few), *(self.path([text]) for text in few),
                 *(self.array(self.text(text)) for text in few[1:9]))
        if self.four:
            self.add(*(self.text(text, "StringName") for text in plain[:6]))

    def numbers(self):
        self.add(self.head("nil"), self.head("bool") + self.word(0), self.head("bool") + self.word(1), self.int(0), self.int(1),
                 self.head("int", WIDE) + self.word(1, 0), *map(self.float, (0.0, -0.0, 1.0)), self.nan(), self.nan(1))

    def math(self):
        for name, count in MATH.items():
            if self.has(name):
                self.add(*(self.head(name) + self.word(first, *[0] * (count - 1)) for first in (0, 1 << 31, NAN, NAN2)))
        if self.four:
            wide = lambda value: self.head("Vector2", WIDE) + struct.pack("<2d", value, 0)
            narrow = struct.unpack("<f", struct.pack("<f", 0.1))[0]
            self.add(self.head("Vector2") + struct.pack("<2f", 0.1, 0), wide(narrow), self.head("Vector2i") + self.word(0, 0))

    def packs(self):
        one = [0, 1 << 31, NAN, NAN2]
        self.add(self.packed("bytes"), self.packed("ints"), self.packed("ints", 1), self.packed("floats"), self.strings())
        self.add(*(self.packed("floats", word) for word in one), self.packed("floats", 0, NAN))
        for name, each in (("Vector2s", 2), ("Vector3s", 3), ("Colors", 4), ("Vector4s", 4)):
            if self.has(name):
                self.add(*(self.packed(name, word, *[0] * (each - 1), each=each) for word in one))
        if self.four:
            self.add(self.head("ints64") + self.word(1, 1, 0),
                     *(self.head("floats64") + self.word(1, 0, top) for top in (0, 1 << 31, 0x7FF80000, 0xFFF80000)))
        self.add(*(self.array(self.packed("floats", word)) for word in one),
                 *(self.array(self.packed("Vector2s", word, 0, each=2)) for word in one[:3]),
                 *(self.array(self.head("Vector2") + self.word(word, 0)) for word in one))

    def objects(self):
        self.add(self.id(0), self.id(5), self.array(self.id(0)), self.array(self.id(5)), self.array(self.head("nil")),
                 self.pairs(self.int(1), self.id(0)), self.pairs(self.id(0), self.int(1)), self.pairs(self.int(1), self.id(5)))
        if self.four:
            signal = lambda name, number: self.head("Signal") + self.counted(name) + self.word(number, 0)
            self.add(self.head("RID") + self.word(1, 0), self.head("RID") + self.word(2, 0), self.head("Callable"),
                     signal(b"a", 0), signal(b"a", 5), signal(BOM + b"a", 0))
        else:
            self.add(self.head("RID"))

    def paths(self):
        self.add(self.path([]), self.path([], absolute=True), self.path([b"a"], absolute=True), self.path([], [b"a"]),
                 self.path([], [b"a"], True), self.path([b"a"], [b"b"]), self.array(self.path([])),
                 self.array(self.path([], absolute=True)))

    def containers(self):
        a, b, nan = self.int(1), self.int(2), self.nan()
        empty, none = self.pairs(), self.array()
        self.add(none, self.array(a), self.array(self.float(1)), self.array(self.float(0.0)), self.array(self.float(-0.0)),
                 self.array(nan), self.array(self.nan(1)), self.array(self.array(nan)), self.array(none), self.array(empty),
                 self.array(self.array(empty)), self.array(self.pairs(a, nan)), self.array(self.pairs(nan, a)), empty,
                 self.pairs(a, b), self.pairs(a, b, b, a), self.pairs(b, a, a, b), self.pairs(a, self.float(2)),
                 self.pairs(a, a, a, b), self.pairs(nan, a), self.pairs(a, nan), self.pairs(self.array(nan), a),
                 self.pairs(empty, a), self.pairs(self.text(b"a"), a), self.pairs(self.text(BOM + b"a"), a),
                 self.pairs(a, self.text(b"a")), self.pairs(a, self.packed("floats", NAN)))
        if self.four:
            name = self.text(b"a", "StringName")
            ints, floats = self.word(2), self.word(3)
            self.add(self.array(name), self.pairs(name, a), self.pairs(a, name), self.array(kind=ints, flags=WIDE),
                     self.array(a, kind=ints, flags=WIDE), self.array(a, kind=floats, flags=WIDE),
                     self.array(self.text(b"a"), a, kind=ints, flags=WIDE), self.pairs(kind=ints, flags=WIDE),
                     self.pairs(a, b, kind=ints, flags=WIDE), self.pairs(a, b, kind=floats, flags=WIDE))


def main():
    lines = []
    for engine in engines.all_here():
        keys = Keys(engine.four)
        for part in (keys.numbers, keys.texts, keys.math, keys.packs, keys.objects, keys.paths, keys.containers):
            part()
        hexes = [key.hex() for key in dict.fromkeys(keys.all)]
        merged = engine.answers("keys", hexes)
        assert len(merged) == len(hexes), (engine.name, len(merged))
        lines.append(json.dumps({"engine": engine.name, "keys": hexes, "merged": merged}, separators=(",", ":")) + "\n")
        print(engine.name, len(hexes), "keys", sum(map(len, merged)), "pairs merge")
    (engines.ROOT / "tests/data/keys.ndjson").write_text("".join(lines))


main()
