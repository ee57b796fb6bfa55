#!/usr/bin/env python3
"""Damaged saves and other files: nothing is dropped silently, and everything before a break is shown.

Usage: damage_test.py GDVAR SOURCE_DIR"""
import base64, bz2, json, pathlib, random, re, struct, sys

sys.path.append(sys.path[0] + "/../support")
from command import PACKET, PLAIN, SAVES, check, finish, new_folder, put, run, tells

# ---- foreign files: the message names the format and a remedy
tar = b"name".ljust(257, b"\0") + b"ustar\x0000" + bytes(300)
for name, data, words in (
        ("a text that begins with a newline", b"\nthis is a text, and once it was a Vector3i\n", ["this is text", "not json: 2:1: "]),
        ("bzip2 of a packet", bz2.compress(PACKET), ["bzip2-compressed", "bunzip2"]),
        ("a PCK", b"GDPC" + bytes(40), ["PCK"]),
        ("a zip archive", b"PK\x03\x04" + bytes(40), ["zip archive"]),
        ("a tar archive", tar, ["tar archive"]),
        ("UTF-16", "text".encode("utf-16"), ["UTF-16", "iconv"])):
    for command in ("show", "text", "json", "stats", "get", "convert"):
        more = {"get": ["-", "$"], "convert": ["--to", "godot3", "-"]}.get(command, ["-"])
        code, out, err = run(command, *more, stdin=data)
        check(f"{command} of {name} says what it is", code == 1 and not out and "error[not_recognised]" in err and
              all(word in err for word in words), (code, out[:80], err))

# ---- a byte too many, a file that ends early
plain = PLAIN.read_bytes()
whole = run("text", stdin=plain)[1]
for command in ("show", "text", "json"):
    sound = run(command, "-", stdin=plain)[1]
    tells(f"{command} with a newline too many", run(command, "-", stdin=plain + b"\n"), 1, "<stdin>:0xb64: error[trailing_bytes]: 1 byte is left over", out=sound)
    code, out, err = run(command, "-", stdin=plain[:1000])
    check(f"{command} of a save that ends early", code == 1 and b"player_1_5" in out and b"player_1_9" not in out and
          "error[truncated]" in err and "0x3e" in err and "996 bytes are left" in err, (code, out[-200:], err))
    # The other records are shown though one is broken.
    damaged = bytearray(plain)
    damaged[4] = 0xFF
    code, out, err = run(command, "-", stdin=bytes(damaged))
    check(f"{command} of a save with a broken record", code == 1 and b"two" in out and "#0 $: error[unknown_type]" in err, (code, out[:200], err))
# `get` prints values before the break.
for path, wanted in (("#0 $.version", b"1\n"), ("#0 $.players[5].name", b'"player_1_5"\n'), ("#0 $.players[*].hp", None)):
    code, out, err = run("get", "-", path, stdin=plain[:1000])
    check(f"get {path} of a save that ends early", code == 1 and (out == wanted if wanted else len(out.splitlines()) == 7) and
          "<stdin>:0x3e4: #0 $.players[7][@1 key]: error[truncated]" in err and "996 bytes are left" in err, (code, out, err))
bare = plain[4:1000]
for path, wanted in (("$.version", b"1\n"), ("$.players[0].name", b'"player_1_0"\n')):
    tells(f"get {path} of a broken packet", run("get", "--dialect", "godot4", "-", path, stdin=bare), 1, "error[truncated]", out=wanted)
tells("get of what lies behind the break", run("get", "--dialect", "godot4", "-", "$.players[19].name", stdin=bare),
      1, "error[truncated]", "error[index_out_of_range]", out=b"")
code, out, err = run("stats", "--dialect", "godot4", "-", stdin=bare)
check("stats up to the break", code == 1 and b"$.players[*].name" in out and "error[truncated]" in err, (out, err))
json.loads(run("json", "--plain", "--lines", "-", stdin=plain[:1000])[1])
for tail in (b"\n", b"\0\0\0\0", b"some text"):
    for command, more in (("show", []), ("text", []), ("json", []), ("stats", []), ("get", ["$"]), ("convert", ["--to", "godot3"]),
                          ("diff", ["same"]), ("patch", ["nothing"])):
        new_folder()
        put("f", PACKET + tail)
        put("same", PACKET)
        put("nothing", run("diff", "--patch", "same", "same")[1])
        tells(f"{command} with {tail!r} behind a packet", run(command, "f", *more), 1, f"f:0x1c: error[trailing_bytes]: {len(tail)} byte")
        check(f"{command} leaves the file", pathlib.Path("f").read_bytes() == PACKET + tail)
        # A command that changes one value keeps everything else, also these bytes.
        code, out, err = run("set", "f", "$.a", "8")
        check("set keeps what follows", code == 0 and pathlib.Path("f").read_bytes() == PACKET[:-4] + b"\x08\0\0\0" + tail, err)
tells("convert --lossy drops it and says so", run("convert", "--to", "godot3", "--lossy", "--output", "hex", "-", stdin=PACKET + b"\n"),
      0, "trailing_bytes", "dropped")

# ---- text: the part that can be decoded is shown, and the place of the first invalid digit
for text in (PACKET.hex().encode(), base64.b64encode(PACKET)):
    code, out, err = run("text", "-", stdin=text[:-8] + b"*" + text[-7:])
    check("digits that break", code == 1 and out.startswith(b"{") and ("bad_hex" in err or "bad_base64" in err) and
          f"{len(text) - 8:#x}" in err, (code, out, err))

# ---- one damaged byte in a Godot 3 save does not make it a Godot 4 save
three = (SAVES / "godot-3.6.2/plain.save").read_bytes()
for at in range(8, 200, 3):
    bare = bytearray(three[4:4 + struct.unpack("<I", three[:4])[0]])
    bare[at] ^= 0xFF
    code, out, err = run("show", "-v", "-", stdin=bytes(bare))
    check(f"byte {at} of a Godot 3 packet", "dialect godot-3" in err and b"Transform3D" not in out, (code, out[:100], err))

# ---- exit 0 means that every byte was read, for damaged, cut and lengthened files
random.seed(5)
accepted = 0
for folder in sorted(SAVES.iterdir()):
    for name in ("plain.save", "plain_big_endian.save", "base64.txt"):
        data = (folder / name).read_bytes()
        for turn in range(12):
            bad = bytearray(data)
            if turn < 4:
                bad[random.randrange(len(bad))] ^= 1 << random.randrange(8)
            elif turn < 8:
                del bad[random.randrange(len(bad) // 2, len(bad)):]
            else:
                bad += (b"\n", b"\0\0\0\0", b"rest", bytes(100))[turn - 8]
            code, out, err = run("convert", "--to", "godot4", "--lossy", "--frame", "records", "--output", "hex", "-", stdin=bytes(bad))
            shown, tree, why = run("text", "-", stdin=bytes(bad))
            check(f"{folder.name} {name} {turn} ends with 0 or 1", code in (0, 1) and shown in (0, 1), (code, shown, err, why))
            if turn >= 4 and not (name == "base64.txt" and turn in (8,)):
                check(f"{folder.name} {name} {turn} is refused", shown == 1 and "error[" in why, (shown, why))
            if shown == 0:
                accepted += 1
                check(f"{folder.name} {name} {turn} is quiet", not re.search(r"error\[", why), why)
check("some damage is only another value", accepted > 0)

finish()
