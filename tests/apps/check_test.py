#!/usr/bin/env python3
"""`check` and `show` agree, and `check` says only what holds: sound is what can be read, canonical what an engine writes.

Usage: check_test.py GDVAR SOURCE_DIR [--files N]"""
import base64, gzip, random, re, struct, sys

sys.path.append(sys.path[0] + "/../support")
from command import PACKET, PLAIN, SAVES, check, each, finish, put, run, tells

FILES = int(sys.argv[sys.argv.index("--files") + 1]) if "--files" in sys.argv else 150
ADA = bytes.fromhex("1b00000002000000040000000200000068700000020000006400000004000000040000006e616d65040000000300000041646100")
RECORD = struct.pack("<I", len(ADA)) + ADA
TEST, HELLO = (bytes.fromhex(text) for text in ("040000000400000074657374", "040000000500000068656c6c6f000000"))

UNREADABLE = {
    "300 zeros": bytes(300),
    "a nil and text": b"\0\0\0\0hello",
    "a version in front of a record": b"\3" + RECORD,
    "a double in front of records": struct.pack("<d", 12.5) + 2 * RECORD,
    "letters in front of a packet": b"SAVE" + ADA,
    "raw floats": struct.pack("<ff", 1, 2),
    "bytes behind a packet in gzip": gzip.compress(PACKET + b"\1\2\3\4\5\6\7\x08"),
    "bytes behind a packet in Base64": base64.b64encode(PACKET + bytes(9)),
    "8 bytes behind the value of a record": struct.pack("<I", len(PACKET) + 8) + PACKET + b"\1\2\3\4\5\6\7\x08",
    "a cache of ids": struct.pack("<Iq", 1, 1234567890123456789) + struct.pack("<I", 14) + b"res://icon.svg",
}


def unreadable(folder):
    """Nobody can read these: neither sound nor shown."""
    for name, data in UNREADABLE.items():
        code, out, err = run("check", stdin=data)
        check(f"check of {name}", code == 1 and b": sound" not in out.split(b"\n")[0] and "error[" in err, (code, out[:200], err))
        check(f"show of {name}", run("show", stdin=data).code == 1)
    for name, skip, what in (("a version in front of a record", 1, "1 record follows a header of 1 byte"),
                             ("a double in front of records", 8, "2 records follow a header of 8 bytes"),
                             ("letters in front of a packet", 4, "one packet follows a header of 4 bytes")):
        for command in ("check", "show"):
            tells(f"{command} of {name} offers --skip", run(command, stdin=UNREADABLE[name]), 1, f"{what}: --skip {skip} passes over it")
        check(f"{name}: it does", run("check", "--skip", skip, stdin=UNREADABLE[name]).code == 0)
    for text in (b'{"a":1,"a":2}', b"[a]\nx=1\nx=2\n", b'{"a": 1, "a": 2}\n{"a": 3}\n'):
        for command in ("check", "show"):
            check(f"{command} of keys that repeat", (run(command, stdin=text).code, run(command, "--strict", stdin=text).code) == (0, 1))
    # Large ones cost no more than their bytes.
    for name, data in (("zeros", bytes(1 << 21)), ("zeros behind a letter", b"X" + bytes(1 << 21))):
        check(f"many {name}", run("check", stdin=data).code == 1)
    (folder / "many").mkdir()
    put(folder / "many/zeros.save", bytes(300))
    put(folder / "many/plain.save", PLAIN.read_bytes())
    code, out, err = run("check", "-r", folder / "many")
    check("check of a folder counts it", code == 1 and b"not recognised" in out, (code, out, err))


def canonical(folder):
    """Canonical: the engine writes the same bytes."""
    for name, packet, canonical in (
            ("a Dictionary", PACKET, True), ("a text", TEST, True),
            ("a text with a NUL", bytes.fromhex("04000000050000000000008065000000"), False),
            ("a text with a byte order mark", bytes.fromhex("0400000004000000efbbbf61"), False),
            ("an Array of Strings that holds an int", bytes.fromhex("1c0001000400000001000000" "0200000007000000"), False),
            ("a wide vector of single values", bytes.fromhex("05000100" "000000000000f83f" "000000000000f83f"), False),
            ("a null object", bytes.fromhex("180001000000000000000000"), False)):
        code, out, err = run("check", "--as", "packet", "--dialect", "godot4", stdin=packet)
        lines = out.decode().splitlines()
        check(f"check of {name}", code == 0 and lines[0].endswith("sound and canonical" if canonical else "sound, not canonical"), (code, out, err))
        engine = next(line for line in lines if line.startswith("  Godot 4.6.3: "))
        check(f"the engine of {name}", engine.endswith("writes back the same") == canonical, engine)
    check("the vectors of 4.6.3 are canonical", b"sound and canonical" in run("check", SAVES / "godot-4.6.3/plain.save").out)


def line_of(engine, *arguments, stdin):
    """What `check` says that the engine does with it."""
    lines = run("check", *arguments, stdin=stdin).out.decode().splitlines()
    return next((line.split(": ", 1)[1] for line in lines if line.startswith(f"  {engine}: ")), None)


def engines(folder):
    """What engines do, each asked with that packet (tests/inspect/live_test.cpp asks for many)."""
    id_1 = "".join(("11000000", "456e636f6465644f626a6563744173494400000002000000", "090000006f626a6563745f6964000000",
                    "0200000001000000", "06000000736372697074000000000000"))
    for engine, options, packet, said in (
            ("Godot 3.6.2", (), "0f000000000000800000000001000000", "1 path without names is no longer absolute"),
            ("Godot 3.6.2", (), "0f000000000000800000000001000000", "16 other bytes: 0f000000000000800000000000000000"),
            ("Godot 3.6.2", (), "120000000100000016000000020000000100807f0000000003000100000000000000f03f", "writes back 32 other bytes"),
            ("Godot 3.2.3", (), "120000000100000016000000020000000100807f0000000003000100000000000000f03f",
             "other bytes: 120000000100000004000000100000005b44656c65746564204f626a6563745d00000000"),
            ("Godot 3.2.3", (), "1300000001000000" * 1030 + "00000000", "writes back the same"),
            ("Godot 3.6.2", (), "1300000001000000" * 1030 + "00000000", "error[depth_limit]"),
            ("Godot 4.6.3", ("--objects",), "180001000100000000000000", "18000000" + id_1),
            ("Godot 3.6.2", ("--objects",), "110001000100000000000000", "11000000" + id_1),
            ("Godot 4.6.3", ("--objects",), "18000000040000004e6f646500000000", "can't be known here: what it makes of an Object in full is up to its class"),
            ("Godot 4.6.3", ("--objects",), "1800000001000000" "00000000" "00000000", "can't be known here"),
            ("Godot 4.6.3", ("--objects",), "1c0002000000000000000000", "12 other bytes: 1c0001001800000000000000"),
            ("Godot 4.6.3", ("--objects",), "1b000d0002000000130000007265733a2f2f6c6976652f6d797265732e67640000000000", "can't be known here"),
            ("Godot 4.6.3", (), "1b0004000000000000000000", "8 other bytes: 1b00000000000000"),
            ("Godot 4.6.3", (), "1b000000020000001800010000000000000000000200000001000000000000000200000002000000",
             "32 other bytes: 1b00000002000000000000000200000001000000000000000200000002000000"),
            ("Godot 4.6.3", (), "2200000001000080", "can't be known here: the engine reads on")):
        dialect = "godot4" if engine.startswith("Godot 4") else "godot3"
        got = line_of(engine, "--as", "packet", "--dialect", dialect, *options, stdin=bytes.fromhex(packet))
        check(f"{engine} of {packet[:80]} {options}", got and said in got, got)
    tells("a packet that is a length and a text, too", run("check", "--as", "packet", stdin=bytes.fromhex("14000000c3a3c39bc391c295c2b5c28ec2bac38dc3b8c290")),
          1, "error[trailing_bytes]: 4 bytes after the value")
    # `{}` and `{}` are two keys to Godot 3, as check says in all of its lines.
    twice = bytes.fromhex("1200000002000000" "1200000000000000" "0200000001000000" "1200000000000000" "0200000002000000")
    done = run("check", "--as", "packet", "--dialect", "godot3", stdin=twice)
    check("two keys {}", done.code == 0 and b"sound and canonical" in done.out and b"note[" not in done.out, done.out)
    for form in ("json", "text"):
        printed = run(form, *(["--full"] if form == "text" else []), "--as", "packet", "--dialect", "godot3", stdin=twice).out
        back = run("pack", "--input", form, *(["--full"] if form == "text" else []), "--dialect", "godot3", stdin=printed)
        check(f"two keys {{}} through {form}", back.out == twice, back)
    tells("a key that an overlong character makes another", run("pack", "--family", "3.2", "--dialect", "godot-3.1", "--output", "hex", stdin=b'{"\xe0\x81\xa2":1,"b":2}'),
          0, "key", out=b"12000000010000000400000001000000620000000200000002000000\n")
    many = bytes.fromhex("1c000000" "c8000000" + "0400000001000000616262" "62" * 200)
    for options, lines in (((), 100), (("-v",), 200)):
        out = run("check", *options, "--as", "packet", "--dialect", "godot4", stdin=many).out
        check(f"notes with {options}", out.count(b": note[") == lines, out.count(b": note["))
    # Bytes that are no UTF-8 in JSON: Godot 3 reads nothing of it.
    for dialect, text, refused in (("godot3", b'{"a":"\xff"}', True), ("godot-3.0", b'{"a":"\xff"}', True), ("godot4", b'{"a":"\xff"}', False),
                                   ("godot3", b'{"a":"\xed\xa0\xbd\xed\xb1\xbe"}', False), ("godot4", b'{"a":"\\q"}', True)):
        out = run("check", "--dialect", dialect, stdin=text).out.decode().splitlines()
        check(f"{text} in {dialect}", ("refused by the engines of" in out[0]) == refused != (": sound" in out[0]), out[0])
        check(f"{text}: the engine", not refused or line_of("Godot 3.6.2" if dialect != "godot4" else "Godot 4.6.3", "--dialect", dialect, stdin=text).startswith("refuses"), out)
    for text in (b"[s]\na=1\n", b'[gd_resource type="Resource" format=2]\n\n[resource]\na = 1\n'):
        check("a text has a line for 3.2.3", line_of("Godot 3.2.3", "--dialect", "godot3", stdin=text).startswith("reads it"), text)
    for text in (b'[a]\nx=ExtResource("1")\n', b"[a]\nx=SubResource(1)\n"):
        for dialect, engine in (("godot4", "Godot 4.6.3"), ("godot3", "Godot 3.6.2"), ("godot3", "Godot 3.2.3")):
            check(f"{text} in {engine}", line_of(engine, "--as", "config", "--dialect", dialect, stdin=text).startswith("refuses it"), text)
    for text in (b"nulltrue:true+0", b'nulle}"a"'):
        check(f"{text}: a word has all its letters", line_of("Godot 3.2.3", "--as", "json", stdin=text).startswith("refuses it"), text)


def bare_packets(folder):
    """Packets without lengths."""
    bare = put(folder / "two.bin", TEST + HELLO)
    tells("packets without lengths", run("text", bare), 0, out=b'"test"\n"hello"\n')
    check("their stack", b"stack: godot-4.4 packets" in run("check", bare).out)
    for name, packed in (("gzip", gzip.compress(TEST + HELLO)), ("Base64", base64.b64encode(TEST + HELLO))):
        tells(f"in {name}", run("text", stdin=packed), 0, out=b'"test"\n"hello"\n')
    tells("one of them", run("get", bare, "#1 $"), 0, out=b'"hello"\n')
    put(folder / "plain.save", PLAIN.read_bytes())
    tells("several values are no packet", run("convert", "--to", "godot4", "--frame", "packet", folder / "plain.save", "-o", folder / "no.bin"), 1, "--frame records or packets")
    check("nothing was written", not (folder / "no.bin").exists())
    check("without lengths", run("convert", "--to", "godot4", "--frame", "packets", folder / "plain.save", "-o", folder / "bare.bin").code == 0)
    check("and back", run("convert", "--to", "godot4", "--as", "packets", "--frame", "records", folder / "bare.bin", "-o", folder / "back.save").code == 0 and
          (folder / "back.save").read_bytes() == PLAIN.read_bytes())
    check("one changed", run("set", bare, "#0 $", '"other"').code == 0 and bare.read_bytes() ==
          bytes.fromhex("04000000050000006f74686572000000") + HELLO, bare.read_bytes())
    # Two empty Strings are two records of null.
    tells("the first may be empty", run("set", bare, "#0 $", '""'), 0)
    before = bare.read_bytes()
    tells("then the second", run("set", bare, "#1 $", '""'), 0, "note: the result looks like records; --as packets reads it")
    bare.write_bytes(before)
    check("unless it is said so", "note: the result" not in run("set", "--as", "packets", bare, "#1 $", '""').err)
    tells("and read so", run("text", "--as", "packets", bare), 0, out=b'""\n""\n')
    tells("a frame is told", run("pack", "--frame", "packets", stdin=b'""\n""'), 0, "note: the result looks like records; --as packets reads it",
          out=bytes.fromhex("0400000000000000") * 2)


SMALL_VALUES = [("null", "null"), ("false", "bool"), ("0", "int"), ("27", "int"), ("1.5", "float"), ('""', "String"), ('"test"', "String"), ("[]", "Array"),
                ("[1, 2]", "Array"), ("{}", "Dictionary"), ('{"name": "Ada", "hp": 1}', "Dictionary"), ("Vector2(1, 2)", "Vector2")]


def what_is_opened_as_something_else(folder):
    """After a change a small file is opened as what it was, or a note says how."""
    noted = kept = 0
    for _ in range(FILES):
        frame, layer = rng.choice(["packet", "packets", "records", "records-be"]), rng.choice(["none", "none", "gzip", "hex", "base64"])
        made = [rng.choice(SMALL_VALUES)[0] for _ in range(1 if frame == "packet" else rng.randint(1, 3))]
        save = put(folder / "small.bin", run("pack", "--frame", frame, "--container", layer, stdin="\n".join(made).encode()).out)
        layers = "" if layer == "none" else layer + " > "
        stack = f"stack: {layers}godot-4.4 {frame}\n".encode()
        if stack not in run("check", save).out:
            continue
        number, (value, kind) = rng.randrange(len(made)), rng.choice(SMALL_VALUES)
        done = run("set", save, f"#{number} $", value, "--type", kind)
        check("it is made", done.code == 0, (frame, layer, made, number, value, done))
        note = re.search("note: the result [^;\n]*(?:; --as ([a-z0-9-]+) reads it)?", done.err)
        noted, kept = noted + bool(note), kept + (not note)
        if note and not note[1]:
            continue
        again = run("check", *(["--as", note[1]] if note else []), save)
        check("it is what it was", f"{layers}".encode() in again.out and f" {frame}\n".encode() in again.out, (frame, layer, made, number, value, done, again))
    check("some were told, most kept", noted and kept > noted, (noted, kept))
    section = put(folder / "a.cfg", b"[a]\nb=1\n")
    tells("an empty section", run("del", section, "$.a.b"), 0, "note: the result is not recognised by itself; --as config reads it")


def likelier_dialects(folder):
    """A dialect that reads all bytes by chance does not win over one that the bytes are likelier of."""
    rows = put(folder / "rows.bin", b"".join(struct.pack("<6Ii", 27, 1, 4, 1, ord("t"), 2, i) for i in range(200)))
    check("200 packets", b"stack: godot-4.4 packets" in run("check", rows).out)
    done = run("recover", rows, "-o", folder / "rows.out")
    check("recover keeps them", done.code == 0 and (folder / "rows.out").read_bytes() == rows.read_bytes(), done)
    whole = run("pack", stdin=b'{"items": {}, "x": "sword", "name": "Ada"}').out
    cut = put(folder / "cut.bin", whole[:72])  # as Pandemonium has it, it is whole
    done = run("check", cut)
    check("a packet that is cut", done.code == 1 and b"dialect godot-4.4 (likelier than pandemonium-5, which fits by chance)" in done.out, done)
    tells("recover says the same", run("recover", cut, "-o", folder / "cut.out"), 4, "godot-4.4", "$.name")


def numbers_are_no_packets(folder):
    """A number in front of a record, and small numbers, are no packets without lengths."""
    for number in range(40):
        for head in (struct.pack("<I", number), struct.pack("<Q", number), b"MYSAVE01"):
            data = head + RECORD
            shown = run("show", stdin=data)
            skip = f"--skip {len(head)} passes over it"
            # Such a number, with the length of the record, is the header and the count of bytes or of a container.
            is_header = number in range(19, 30) or (number == 4 and len(head) == 8)
            check(f"{head} in front of a record", is_header or (shown.code == 1 and (skip in shown.err or number in (0, 16))), (shown.out[:200], shown.err))
    tells("a text with a NUL", run("check", stdin=bytes.fromhex("040000000300000000000000" "000000010000000100000000")), 1)
    by_chance = 0
    # As Pandemonium 3.5 has them they are two packets, as Godot 4.4 more.
    numbers = [(3, 8, 25, 20, 6, 24, 6, 7, 3, 22, 25, 26, 36, 23, 26, 28, 13, 36, 22, 39, 37, 22, 17, 6)]
    numbers += [[rng.randrange(40) for _ in range(rng.randint(4, 60))] for _ in range(FILES)]
    for some in numbers:
        small = struct.pack(f"<{len(some)}i", *some)
        checked = run("check", stdin=small)
        by_chance += checked.code == 0
        check("numbers", checked.code == 1 or b"sound and canonical" in checked.out.split(b"\n")[0] or b"packets" not in checked.out, (small.hex(), checked.out[:300]))
    check("small numbers are seldom packets", by_chance <= FILES // 20, by_chance)


def digits(folder):
    """Digits that are text."""
    for digits in (b"20241125", b"12345678", b"deadbeef", b"feedface cafe", b"d41d8cd98f00b204e9800998ecf8427e", PACKET.hex().encode()):
        tells(f"{digits} in gzip is text", run("unwrap", stdin=gzip.compress(digits)), 0, out=digits)
    for digits in (b"20241125", b"deadbeef", b"0000000000000000", b"02000000ffffffff",
                   b"09f7c7486b99439c7dda3f6246734ca6", b"020301040500040200000201", b"1477889900112233445566778899aabbccddeeff"):
        check(f"{digits} is no packet", run("show", stdin=digits).code == 1)
    tells("a packet in hex is one", run("text", stdin=PACKET.hex().encode()), 0, out=b'{\n"a": 7\n}\n')


def paths(folder):
    """A path that is read and names no record means all of them; what is changed must be said."""
    save = put(folder / "three.save", b"".join(struct.pack("<I", len(packet)) + packet for packet in (ADA, TEST, ADA)))
    for command, words in (("get", ["$.hp"]), ("show", ["--path", "$.hp"]), ("json", ["--path", "$.hp"]), ("text", ["--path", "$.hp"])):
        done, all_of_them = run(command, save, *words), run(command, save, *words[:-1], "#* $.hp")
        check(f"{command} of all", done == all_of_them and done.code == 0 and done.out.count(b"\n") == 2 and b"100" in done.out, done)
        tells(f"{command} of none", run(command, save, *words[:-1], "$.mp"), 1, "$.mp: error[missing_key]: no match in 3 records")
    for command, words in (("set", ["$.hp", "2"]), ("del", ["$.hp"]), ("edit", ["$.hp", "--yes"])):
        before = save.read_bytes()
        tells(f"{command} must say which", run(command, save, *words), 2, "the file has 3 records; name one")
        check("nothing was changed", save.read_bytes() == before)


rng = random.Random(7)
real = [path.read_bytes() for path in sorted(SAVES.rglob("*.*")) if path.is_file() and path.stat().st_size < 20000]


def damaged(data):
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        how = rng.randrange(5)
        if how == 0:
            data[at:at + 1] = bytes([rng.randrange(256)])
        elif how == 1:
            del data[at:at + rng.randint(1, 12)]
        elif how == 2:
            data[at:at] = rng.randbytes(rng.randint(1, 12))
        elif how == 3:
            data[at:] = bytes(len(data) - at)
        else:
            del data[at:]
    return bytes(data) or b"\0"


def foreign():
    return rng.choice([b"\x89PNG\r\n\x1a\n", b"PK\3\4", b"GDPC", b"RSRC", b"GDEC", b"GCPF", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"\x78\x9c", b"[a]\n", b"{", b"<?xml"]) + rng.randbytes(rng.randint(0, 300))


MAKERS = (lambda: damaged(rng.choice(real)), lambda: bytes(rng.randint(1, 400)), lambda: rng.randbytes(rng.randint(8, 2000)), foreign,
          lambda: rng.randbytes(rng.randint(1, 16)) + rng.choice(real), lambda: rng.choice(real) + rng.randbytes(rng.randint(1, 16)),
          lambda: base64.b64encode(damaged(rng.choice(real))), lambda: gzip.compress(damaged(rng.choice(real))),
          lambda: struct.pack(f"<{(n := rng.randint(1, 60))}f", *(rng.uniform(-100, 100) for _ in range(n))),
          lambda: struct.pack(f"<{(n := rng.randint(1, 60))}I", *(rng.randrange(40) for _ in range(n))))
OPTIONS = ([], [], ["--strict"], ["--objects"], ["--dialect", "godot4"], ["--as", "packet"], ["--as", "records"], ["--no-inside"])


def any_bytes(folder):
    """Whatever the bytes: check says sound exactly where show shows all."""
    for number in range(FILES):
        data, options = MAKERS[number % len(MAKERS)](), rng.choice(OPTIONS)
        checked, shown = run("check", *options, stdin=data), run("show", *options, stdin=data)
        same = (checked.code == 0) == (shown.code == 0)
        says = checked.code != 0 or b": sound" in checked.out.split(b"\n")[0]
        check(f"file {number} {options}", same and says, (data[:200].hex(), checked.code, shown.code, checked.out[:300], checked.err[:300], shown.err[:300]))
        if number % len(MAKERS) == 2:
            check(f"random file {number}", options or "not_recognised" in shown.err, (data.hex(), shown))


each(unreadable, canonical, engines, bare_packets, likelier_dialects, what_is_opened_as_something_else, numbers_are_no_packets, digits, paths, any_bytes)
finish()
