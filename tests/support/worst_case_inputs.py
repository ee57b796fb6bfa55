"""Inputs that cost the most for their size. Each is a function from a size to an input of about that size.

`packets` are packets of godot-4.4, `pairs` two of them for diff, `texts` what pack reads, `patches` a packet and a patch
for it, `sections` ConfigFiles and resources, `lines` texts of many values, `files` other kinds of files, `archives` files in
a file, `layered` a text and its layers. They are written by hand, without gdvar.
"""
import base64, gzip, json, struct

from by_hand import EMPTY_ARRAY, NIL, array, dictionary, integer, padded, records, string, u32


def repeated(item, size):
    n = max(size // len(item), 1)
    return u32(28) + u32(n) + item * n


def filled(make, size):
    """Makes an Array of make(0), make(1), ... with about `size` bytes."""
    items, total, i = [], 8, 0
    while total < size:
        items.append(make(i))
        total += len(items[-1])
        i += 1
    return array(items)


def keyed(make_key, size, value=NIL):
    pairs, total, i = [], 8, 0
    while total < size:
        pairs.append(make_key(i) + value)
        total += len(pairs[-1])
        i += 1
    return dictionary(pairs)


def bytes_array(data):
    return u32(29) + padded(data)


def int64s(*values):
    return u32(31) + u32(len(values)) + struct.pack(f"<{len(values)}q", *values)


def nest(levels, inner, around=lambda i: u32(28) + u32(1)):
    return b"".join(around(i) for i in range(levels)) + inner


def long_steps(size, inner, levels=1000):
    """A path of 1,000 steps to `inner(half)`. The names of the steps take the other half of the bytes."""
    key = padded("k" * max(size // 2 // levels - 16, 4))
    return nest(levels, inner(size // 2), lambda i: u32(27) + u32(1) + u32(4) + key)


def colliding(i):
    """The i-th of keys that differ only in high bits of their words: bit 63 of one, bits 63 and 31 of the next."""
    words, n = [], i + 1
    while n:
        words += [-(1 << 63) * (n & 1), (-(1 << 63) + (1 << 31)) * (n & 1)]
        n >>= 1
    return int64s(*(words + [0] * 32)[:32])


def deep_side(size, side=NIL, last=NIL, levels=1000):
    """A nest. Each level holds a part of the bytes beside the next level."""
    beside = repeated(side, max(size // levels - 16, 4))
    return nest(levels, last, lambda i: u32(28) + u32(2) + beside)


def typed_array(i):
    return u32(28 | 2 << 16) + padded("VeryLongNameOfAClassThatNobodyKnows" * 4) + u32(0)


def name(text):
    return u32(21) + padded(text)


def key_of_keys(pairs, levels=1000):
    """A Dictionary whose first key is a Dictionary, and so on for all levels. Each has `pairs` more pairs."""
    key = integer(1)
    for _ in range(levels):
        key = dictionary([key + NIL] + [integer(i) + NIL for i in range(pairs)])
    return key


def deep_pairs(size):
    """Nests of {"a": {"a": ... {"b": null}, "b": null}, "b": null}, 900 levels each: `..a..b` can be read in many ways."""
    a, b = string("a"), string("b") + NIL
    one = nest(900, dictionary([b]), lambda i: u32(27) + u32(2) + a) + b * 900
    return repeated(one, size)


def wide_pairs(size):
    """{"a": {"a": {"b": null}, "0": {"b": null}, "1": ...}}"""
    inner = dictionary([string("b") + NIL])
    return dictionary([string("a") + keyed(lambda i: string(f"{i}" if i else "a"), size, inner)])


def words(size):
    """Headers of small values in scattered order. Most such packets break at once."""
    return b"".join(u32((0, 1, 2, 3, 4, 27, 28, 28, 1, 2, 0, 4)[i * i * 7919 % 4093 % 12]) for i in range(size // 4))


def settings(size, value=NIL):
    """A project.binary with about `size` bytes."""
    out = []
    while sum(map(len, out[:1])) * len(out) < size:
        key = f"section/{len(out):08}".encode()
        out.append(u32(len(key)) + key + u32(len(value)) + value)
    return b"ECFG" + u32(len(out)) + b"".join(out)


def objects(size):
    one = u32(24) + padded("Node") + u32(1) + padded("n" * 40) + NIL
    return repeated(one, size)


packets = {
    "nils": lambda n: repeated(NIL, n),
    "ints": lambda n: filled(integer, n),
    "floats": lambda n: filled(lambda i: u32(3 | 1 << 16) + struct.pack("<d", 0.1 + i / 3), n),
    "empty arrays": lambda n: repeated(EMPTY_ARRAY, n),
    "empty dictionaries": lambda n: repeated(u32(27) + u32(0), n),
    "arrays of one": lambda n: repeated(array([NIL]), n),
    "nests": lambda n: repeated(nest(1000, NIL), n),
    "deep side": lambda n: deep_side(n),
    "long key": lambda n: dictionary([string("k" * (n // 2)) + repeated(NIL, n // 2)]),
    "long keys": lambda n: keyed(lambda i: string(f"{i:04}" + "k" * 1000), n, repeated(NIL, 1000)),
    "long path": lambda n: long_steps(n, lambda rest: repeated(NIL, rest)),
    "long path to pairs": lambda n: long_steps(n, lambda rest: keyed(integer, rest)),
    "names on a long path": lambda n: long_steps(n, lambda rest: repeated(name("x"), rest)),
    "equal keys on a long path": lambda n: long_steps(n, lambda rest: keyed(lambda i: string("key"), rest)),
    "deep names": lambda n: nest(900, repeated(name("x"), n), lambda i: u32(27) + u32(1) + string(f"key{i}")),
    "deep pairs": deep_pairs,
    "wide pairs": wide_pairs,
    "int keys": lambda n: keyed(integer, n),
    "key of keys": lambda n: key_of_keys(n // 12_000),
    "nests as keys": lambda n: keyed(lambda i: nest(900, integer(i)), n),
    "keys with one beginning": lambda n: keyed(lambda i: array([NIL] * 200 + [integer(i)]), n),
    "NaN keys": lambda n: keyed(lambda i: u32(3) + struct.pack("<f", float("nan")), n),
    "words": words,
    "settings": settings,
    "nil keys": lambda n: keyed(lambda i: NIL, n),
    "equal keys": lambda n: keyed(lambda i: string("key"), n),
    "text keys": lambda n: keyed(lambda i: string(f"{i}"), n),
    "short paths": lambda n: keyed(lambda i: string(f"{i}"), n, array([array([NIL])])),
    "escaped keys": lambda n: keyed(lambda i: string("\x01" * 40 + str(i)), n),
    "array keys": lambda n: keyed(lambda i: array([integer(i)]), n),
    "dictionary keys": lambda n: keyed(lambda i: dictionary([integer(i) + NIL]), n),
    "packed keys": lambda n: keyed(lambda i: int64s(i), n),
    "colliding keys": lambda n: keyed(colliding, n),
    "nested keys": lambda n: nest(1000, keyed(integer, n - 20_000), lambda i: u32(27) + u32(1)) + NIL * 1000,
    "empty strings": lambda n: repeated(string(""), n),
    "control characters": lambda n: string("\x01" * n),
    "bytes": lambda n: bytes_array(bytes(n)),
    "small byte arrays": lambda n: repeated(bytes_array(NIL + NIL), n),
    "packed strings": lambda n: u32(34) + u32(n // 4) + u32(0) * (n // 4),
    "packed string arrays": lambda n: repeated(u32(34) + u32(1) + u32(0), n),
    "packed floats": lambda n: u32(32) + u32(n // 4) + struct.pack("<f", 1.17549435e-38) * (n // 4),
    "packed vectors": lambda n: u32(36) + u32(n // 12) + struct.pack("<3f", 0.1, 0.2, 0.3) * (n // 12),
    "node paths": lambda n: u32(22) + u32(n // 4 | 1 << 31) + u32(0) + u32(0) + u32(0) * (n // 4),
    "class names": lambda n: filled(typed_array, n),
    "objects by id": lambda n: repeated(u32(24 | 1 << 16) + bytes(8), n),
    "projections": lambda n: filled(lambda i: u32(19) + struct.pack("<16f", *[i + 0.1] * 16), n),
    "projection keys": lambda n: keyed(lambda i: u32(19) + struct.pack("<16f", *[i + 0.1] * 16), n, repeated(NIL, 64)),
}


def ints(order):
    return array(integer(i) for i in order)


def scattered(n):
    """The numbers 0 to n - 1, each once, in scattered order."""
    return [i * 7919 % n for i in range(n)] if n % 7919 else scattered(n - 1)


def few(n, seed):
    out = []
    for _ in range(n):
        seed = (seed * 1664525 + 1013904223) % (1 << 32)
        out.append(seed >> 30)
    return out


def with_last(size, last):
    """A nest around a text and a number. If the number differs, every level differs at its end."""
    return nest(1000, string("t" * size) + integer(last), lambda i: u32(28) + u32(1 if i < 999 else 2))


half = lambda n: n // 2 // 8
pairs = {
    "same": lambda n: (ints(range(half(n))), ints(range(half(n)))),
    "shifted": lambda n: (ints(range(half(n))), ints([*range(1, half(n)), 0])),
    "all different": lambda n: (ints(range(half(n))), ints(range(half(n), 2 * half(n)))),
    "reversed": lambda n: (ints(range(half(n))), ints(reversed(range(half(n))))),
    "scattered": lambda n: (ints(range(half(n))), ints(scattered(half(n)))),
    "few values": lambda n: (ints(few(half(n), 1)), ints(few(half(n), 2))),
    "nils and trues": lambda n: (repeated(NIL, n // 2), repeated(u32(1) + u32(1), n // 2)),
    "all gone": lambda n: (repeated(NIL, n), EMPTY_ARRAY),
    "all new": lambda n: (EMPTY_ARRAY, repeated(NIL, n)),
    "long key": lambda n: (dictionary([string("k" * (n // 4)) + repeated(NIL, n // 4)]),
                           dictionary([string("k" * (n // 4)) + repeated(u32(1) + u32(1), n // 4)])),
    "long path": lambda n: (long_steps(n // 2, lambda rest: ints(range(rest // 8))),
                            long_steps(n // 2, lambda rest: ints(range(1, rest // 8 + 1)))),
    "last of a nest": lambda n: (with_last(n // 2, 1), with_last(n // 2, 2)),
    "deep side": lambda n: (deep_side(n // 2), deep_side(n // 2, NIL, integer(1))),
    "arrays in arrays": lambda n: (filled(lambda i: array([integer(i)]), n // 2),
                                   filled(lambda i: array([integer(i + 1), NIL]), n // 2)),
    "keys reversed": lambda n: (keyed(lambda i: string(f"{i:08}"), n // 2),
                                keyed(lambda i: string(f"{10_000_000 - i:08}"), n // 2)),
    "same keys": lambda n: (keyed(lambda i: string(f"{i:08}"), n // 2),
                            keyed(lambda i: string(f"{i:08}"), n // 2, integer(1))),
    "equal keys": lambda n: (keyed(lambda i: string("key"), n // 2), keyed(lambda i: string("key"), n // 2, integer(1))),
    "colliding keys": lambda n: (keyed(colliding, n // 2), keyed(colliding, n // 2, integer(1))),
    "array keys": lambda n: (keyed(lambda i: array([integer(i)]), n // 2),
                             keyed(lambda i: array([integer(i)]), n // 2, integer(1))),
    "texts": lambda n: (string("a" * (n // 2)), string("b" * (n // 2))),
    "packed strings": lambda n: (u32(34) + u32(n // 8) + u32(0) * (n // 8),
                                 u32(34) + u32(n // 8 - 1) + u32(0) * (n // 8 - 1)),
    "records": lambda n: ((u32(8) + integer(1)) * (n // 24), (u32(8) + integer(2)) * (n // 24)),
    "records shifted": lambda n: (records(map(integer, range(n // 24))), records(map(integer, range(1, n // 24)))),
    "rows shifted": lambda n: (array(array([integer(i), NIL]) for i in range(n // 2 // 20)),
                               array(array([integer(i), NIL]) for i in range(1, n // 2 // 20))),
    "settings": lambda n: (settings(n // 2), settings(n // 2, u32(1) + u32(1))),
}


def lines(text, size):
    out, total, i = [], 0, 0
    while total < size:
        out.append(text(i))
        total += len(out[-1])
        i += 1
    return out


def text(start, make, end):
    return lambda n: (start + "".join(lines(make, n)) + end).encode()


texts = {
    "zeros": text("[", lambda i: "0,", "0]"),
    "nulls": text("[", lambda i: "null,", "null]"),
    "empty arrays": text("[", lambda i: "[],", "[]]"),
    "empty strings": text("[", lambda i: '"",', '""]'),
    "nests": text("[", lambda i: "[" * 1000 + "]" * 1000 + ",", "0]"),
    "keys": text("{", lambda i: f'"{i}":0,', '"":0}'),
    "equal keys": text("{", lambda i: '"k":0,', '"k":0}'),
    "array keys": text("{", lambda i: f"[{i}]:0,", "0:0}"),
    "equal array keys": text("{", lambda i: "[0]:0,", "0:0}"),
    "deep keys": text("{", lambda i: "[" * 900 + str(i) + "]" * 900 + ":0,", "0:0}"),
    "equal deep keys": text("{", lambda i: "[" * 900 + "]" * 900 + ":0,", "0:0}"),
    "equal keys of nests": text("{", lambda i: "0:" + "[" * 900 + "]" * 900 + ",", "0:0}"),
    "digits": lambda n: b"[0." + b"1" * n + b"]",
    "one text": lambda n: b'["' + b"\\u0001" * (n // 6) + b'"]',
}

HEAD = b'{"gdvar_patch": 1, "records": false}\n'


def patch(make_base, make_line):
    def make(n):
        base = make_base(n // 2)
        return base, HEAD + "".join(lines(make_line, n // 2)).encode()
    return make


def numbers(n):
    return ints(range(n // 8))


def order_of_many(size):
    count = size // 2 // 20
    keys = ", ".join(f'"{i:08}"' for i in reversed(range(count)))
    return (dictionary(string(f"{i:08}") + NIL for i in range(count)),
            HEAD + f'{{"order": [], "keys": [{keys}]}}\n'.encode())


# Damaged files, for recover.
damaged = {
    "zeros": lambda n: bytes(n),
    "records of nothing": lambda n: u32(4) * (n // 4),
    "records that break": lambda n: (u32(8) + integer(1) + u32(0x10000) + EMPTY_ARRAY) * (n // 24),
    "arrays that break": lambda n: (u32(0x10000) + u32(28) + u32(2)) * (n // 12),
    "open brackets": lambda n: b"[" * n,
    "open braces": text("", lambda i: '{"a":', ""),
    "a cut array": text("[", lambda i: "1,", "x"),
    "a number at the end": text("[", lambda i: "1,", "1e999]"),
    "a wrong element": text('{"a":Array[int]([', lambda i: "1,", '"x"])}'),
    "open Objects": text('{"v":Vector2(1,1),"a":', lambda i: 'Object(A,"a":', ""),
    "no UTF-8": lambda n: b'["' + b"\xff" * n + b'",1',
    "lines that break": text("", lambda i: '{"a":1\n', ""),
    "lines and a break": text("", lambda i: '{"a":1}\n', "{"),
    "quotes": text("[a]\nx=1\n", lambda i: 'x="y\n', ""),
    "open values": text("[a]\nx=1\n", lambda i: "x=[\n", ""),
    "open Strings": text("[a]\nx=1\n", lambda i: 'x=["\n', ""),
    "broken headers": text("[a]\nx=1\n", lambda i: "[\0]\nx=1\n", ""),
    "assignments in a line": text("[a]\nx=1\n", lambda i: "x=1 ", "x=["),
    "control characters": text("[a]\nx=1\n", lambda i: "\x01\n", ""),
    "keys that are no UTF-8": lambda n: b"[a]\nx=1\n" + b'x="\xff"\n' * (n // 6),
    "references to nothing": text('[gd_resource type="R" format=3]\n[resource]\n', lambda i: 'a=SubResource("x")\n', ""),
    "tags without a type": text('[gd_resource type="R" format=3]\n', lambda i: '[sub_resource id="x"]\n', ""),
    "resources and an end": text('[gd_resource type="R" format=3]\n', lambda i: f'[sub_resource type="C" id="{i}"]\n', ""),
    "properties of nothing": text('[gd_resource type="R" format=3]\n[ext_resource type="C" path="p" id="1"]\n',
                                  lambda i: "a=1\n", "[resource]\n"),
}

SCENE = '[gd_scene format=3]\n[node name="R" type="Node"]\n'

# ConfigFiles and text resources.
sections = {
    "assignments": text("[s]\n", lambda i: "a=1\n", ""),
    "assignments in a line": text("[s]\n", lambda i: "a=1 ", ""),
    "other keys in a line": text("[s]\n", lambda i: f"{i}=1 ", ""),
    "quoted keys": text("[s]\n", lambda i: '""', "a=1"),
    "headers": text("", lambda i: f"[{i}]", ""),
    "equal headers": text("", lambda i: "[a]", ""),
    "sections in turn": text("", lambda i: f"[{i % 100}]\na=1\n", ""),
    "comments": text("", lambda i: ";\n", "a=1"),
    "comments and keys": text("", lambda i: ";\na=1\n", ""),
    "empty lines": text("[s]\n", lambda i: "\n", "a=1"),
    "text without a key": text("[s]\n", lambda i: "a\n", ""),
    "escapes": text("[s]\na=\"", lambda i: "\\u00c3\\u00a9", "\""),
    "nests": text("[s]\n", lambda i: "a=" + "[" * 900 + "]" * 900 + "\n", ""),
    "properties": text(SCENE, lambda i: "a=1 ", ""),
    "nodes": text(SCENE, lambda i: '[node name="a" parent="."]\n', ""),
    "long parents": text(SCENE, lambda i: '[node name="a" parent="' + "a/" * 900 + 'a"]\n', ""),
    "attributes": text("[gd_scene ", lambda i: "a=1 ", ']\n[node name="R"]\n'),
    "connections": text(SCENE, lambda i: '[connection signal="" from="" to="" method=""]', ""),
    "sub_resources": text('[gd_resource type="R" format=3]\n',
                          lambda i: f'[sub_resource type="R" id="{i}"]\n', "[resource]\n"),
    "references": text('[gd_resource type="R" format=3]\n[sub_resource type="R" id="1"]\n[resource]\na=[',
                       lambda i: 'SubResource("1"),', "]\n"),
}

patches = {
    "inserts in front": patch(numbers, lambda i: '{"insert": [0], "value": null}\n'),
    "inserts spread": patch(numbers, lambda i: f'{{"insert": [{2 * i}], "value": null}}\n'),
    "removals in front": patch(numbers, lambda i: '{"remove": [0]}\n'),
    "removals spread": patch(numbers, lambda i: f'{{"remove": [{i}]}}\n'),
    "sets": patch(numbers, lambda i: f'{{"set": [{i}], "value": "longer"}}\n'),
    "sets of one": patch(numbers, lambda i: '{"set": [0], "value": "longer"}\n'),
    "new keys": patch(lambda n: keyed(lambda i: string(f"{i}"), n),
                      lambda i: f'{{"insert": ["n{i}"], "value": null}}\n'),
    "old keys": patch(lambda n: keyed(lambda i: string(f"{i}"), n), lambda i: f'{{"remove": ["{i}"]}}\n'),
    "orders": patch(lambda n: dictionary([string("a") + NIL, string("b") + NIL]),
                    lambda i: '{"order": [], "keys": ["b", "a"]}\n'),
    "order of many": order_of_many,
    "short rows": patch(lambda n: repeated(array([NIL, NIL]), n),
                        lambda i: ('{"insert": [0, 0], "value": 1}\n', '{"remove": [0]}\n')[i % 2]),
    "grown and shrunk": patch(numbers, lambda i: ('{"insert": [0], "value": null}\n', '{"remove": [0]}\n')[i % 2]),
    "deep inserts": patch(lambda n: nest(900, numbers(n)),
                          lambda i: '{"insert": [' + "0, " * 900 + '0], "value": null}\n'),
}


def many(item, size):
    return item * max(size // len(item), 1)


# Texts of many small values: JSON lines, and one JSON value.
line_texts = {
    "lines of empty Strings": lambda n: many(b'""\n', n),
    "lines of digits": lambda n: many(b"1\n", n),
    "lines of digits, CRLF": lambda n: many(b"1\r\n", n),
    "lines of empty arrays": lambda n: many(b"[]\n", n),
    "lines of objects": lambda n: many(b'{"a":1}\n', n),
    "lines and empty lines": lambda n: many(b"1\n\n\n\n", n),
    "lines of white space": lambda n: b"1\n" + many(b" \n", n) + b"1\n",
    "a line that breaks": lambda n: many(b'""\n', n) + b"[",
    "array of digits": lambda n: b"[" + many(b"1,", n) + b"1]",
    "array of empty arrays": lambda n: b"[" + many(b"[],", n) + b"1]",
}

RESOURCE_HEAD = b"RSRC" + u32(0, 0, 3, 5, 3) + u32(2) + b"R\0" + bytes(8 + 4 + 8 + 44)


def binary_resource(names, properties):
    """A binary resource of Godot 3 whose only resource has these properties: the number of a name, and a value."""
    head = RESOURCE_HEAD + u32(len(names)) + b"".join(u32(len(name) + 1) + name + b"\0" for name in names) + u32(0, 1)
    path = u32(9) + b"local://1"
    at = len(head) + len(path) + 8
    return head + path + struct.pack("<Q", at) + u32(2) + b"R\0" + u32(len(properties)) + b"".join(properties) + b"RSRC"


def keyless(size):
    """Settings of 12 bytes: without a name, nil."""
    count = size // 12
    return b"ECFG" + u32(count) + (u32(0) + u32(4) + NIL) * count


files = {
    "zeros": lambda n: bytes(n),
    "zeros behind a letter": lambda n: b"X" + bytes(n - 1),
    "records of nil": lambda n: many(u32(4) + NIL, n),
    "records of nil, big-endian": lambda n: many(b"\0\0\0\4" + NIL, n),
    "records of ints": lambda n: many(u32(8) + integer(1), n),
    "records of empty arrays": lambda n: many(u32(8) + EMPTY_ARRAY, n),
    "settings without names": keyless,
    "settings": settings,
    "properties of one name": lambda n: binary_resource([b"n" * 32], [u32(0, 1)] * (n // 8)),
    "properties of short names": lambda n: binary_resource([b"n"], [u32(0, 1)] * (n // 8)),
    "node paths of one name": lambda n: binary_resource([b"n" * 32], [u32(0, 22, 1 << 0) + u32(0, 0)] * (n // 20)),
    "resource of nils": lambda n: binary_resource([b"n"], [u32(0, 30, n // 4) + u32(1) * (n // 4)]),
    "hex of hex": lambda n: bytes(n // 4).hex().encode().hex().encode(),
    "Base64 of nils": lambda n: base64.b64encode(repeated(NIL, n * 3 // 4)),
}


def value_in_value(levels):
    """A JSON String that holds a JSON String, and so on."""
    def make(n):
        text = "[" + "1," * (n // 2) + "1]"
        for _ in range(levels):
            text = json.dumps(text)
        return text.encode()
    return make


def bytes_in_bytes(n):
    inner = repeated(NIL, n)
    for _ in range(7):
        inner = bytes_array(inner)
    return inner


values_as_layers = {
    "String in String": value_in_value(3),
    "bytes in bytes": bytes_in_bytes,
}


def kept_record(contents):
    return '{"mode":33206,"contents":' + contents + "}"


def inherited(size):
    """A name of half the bytes beside records of the other half, each in four members that hold one."""
    def level(depth):
        if depth == 0:
            return kept_record('""')
        inside = level(depth - 1)
        return "{" + ",".join(f'"{name}":{inside}' for name in ("value", "data", "record", "$")) + "}"
    depth = 1
    while len(level(depth + 1)) < size // 2:
        depth += 1
    return f'{{"key":"/userfs/{"n" * (size // 2)}","value":{level(depth)}}}'.encode()


def pack(size, name=b"", entry=36):
    """A PCK of Godot 3 with files of no bytes."""
    one = u32(len(name)) + name + bytes(32)
    count = size // len(one)
    return b"GDPC" + u32(1, 3, 5, 0) + bytes(64) + u32(count) + one * count


archives = {
    "inherited name": inherited,
    "pairs that inherit": lambda n: ('["/userfs/' + "n" * (n // 2) + '",[' + "[" + ",".join([kept_record('""')] * (n // 2 // 32)) + "]]]").encode(),
    "rows without a name": lambda n: ("[" + ",".join([kept_record('""')] * (n // 32)) + "]").encode(),
    "rows of one name": lambda n: ("[" + ",".join(['["/userfs/",{}]'] * (n // 16)) + "]").encode(),
    "rows of names": lambda n: ("[" + ",".join(f'["/userfs/{i}",{{}}]' for i in range(n // 20)) + "]").encode(),
    "names and holders": lambda n: ("[" + ",".join(['{"key":"/userfs/a","value":' + kept_record("[]") + "}"] * (n // 60)) + "]").encode(),
    "files without names": pack,
    "files of one name": lambda n: pack(n, b"a/b/"),
}

# A text, and the same in a layer: the input is what it unpacks to.
layered = {
    f"{name} in gzip": lambda n, make=make: (make(n), gzip.compress(make(n), 6))
    for name, make in {**line_texts, "inherited name": inherited, "records of nil": files["records of nil"],
                       "settings without names": keyless}.items()
}
