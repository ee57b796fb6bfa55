#!/usr/bin/env python3
"""The command as its users meet it: input, output, messages, exit codes."""
import base64, gzip, json, os, pty, re, shutil, struct, subprocess, sys, threading, zlib

sys.path.append(sys.path[0] + "/../support")
from by_hand import dictionary, integer, record
from command import (PACKET, PLAIN, ROOT, SAVES, check, drained, expect, finish, new_folder, on_terminal, pack, put, recorded, run,
                     start, tells)

for engine, dialect in (("godot-4.6.3", "godot-4.4"), ("godot-3.6.2", "godot-3.1"),
                        ("godot-3.2.3", "godot-3.1"), ("pandemonium-5.3", "pandemonium-5")):
    records = [line for line in recorded(engine) if "bytes" in line]
    family = {"godot-3.2.3": ["--family", "3.2"]}.get(engine, [])
    for name in ("plain.save", "plain_big_endian.save"):
        code, out, err = run("text", *family, SAVES / engine / name)
        expect(f"text {engine} {name}", (code, out.decode()),
               (0, "".join(r["text"] + "\n" for r in records)))
        code, out, err = run("check", SAVES / engine / name)
        check(f"check {engine} {name}", code == 0 and f"dialect {dialect}" in out.decode(), out)
        code, out, err = run("convert", "--from", dialect, "--to", dialect, SAVES / engine / name)
        if engine == "godot-4.6.3":
            expect(f"convert to the same {engine} {name}", (code, out),
                   (0, (SAVES / engine / name).read_bytes()))
        else:
            check(f"convert to the same {engine} {name}",
                  code == 0 and len(out) == (SAVES / engine / name).stat().st_size, err)
    code, out, err = run("text", *family, SAVES / engine / "base64.txt")
    expect(f"base64 {engine}", (code, out.decode()), (0, records[0]["text"] + "\n"))

# Input: a bare file, standard input, hex, skipping.
code, out, err = run(PLAIN)
check("a bare file means show", code == 0 and out.decode().startswith("#0 Dictionary"), out[:80])
expect("standard input", run("text", "-", stdin=PACKET), (0, b'{\n"a": 7\n}\n', ""))
expect("hex", run("text", "--as", "hex", "-", stdin=PACKET.hex().encode()), (0, b'{\n"a": 7\n}\n', ""))
expect("recognised hex", run("text", stdin=PACKET.hex().encode())[1], b'{\n"a": 7\n}\n')
expect("--skip", run("text", "--skip", "3", stdin=b"abc" + PACKET)[1], b'{\n"a": 7\n}\n')
expect("--path", run("text", "--path", "$.a", stdin=PACKET)[1], b"7\n")
check("-v says how", "read as packet" in run("text", "-v", stdin=PACKET)[2])

# Options may stand before the command, or before a bare file.
for words, same in ((["--dialect", "godot3", "show", PLAIN], ["show", "--dialect", "godot3", PLAIN]), (["--dialect=godot4", "-v", "check", PLAIN], ["check", "--dialect", "godot4", "-v", PLAIN]),
                    (["--depth", "1", PLAIN], ["show", "--depth", "1", PLAIN]), (["-v", "--as", "records", "text", PLAIN], ["text", "--as", "records", "-v", PLAIN]),
                    (["-o", "/dev/null", "-v", PLAIN], ["show", "-vo", "/dev/null", PLAIN]), (["-vo", "/dev/null", PLAIN], ["show", "-v", "-o", "/dev/null", PLAIN]),
                    (["-v", "-"], ["show", "-v"])):
    got = run(*words, stdin=PACKET)
    check(f"{words[:3]} works", got[0] == 0 or words[0] == "--dialect", got)
    expect(f"{words[:3]} stands before", got, run(*same, stdin=PACKET))
tells("an option of another command", run("--depth", "3", "check", PLAIN), 2, "--depth")
tells("an option of no command", run("--dialekt", "godot3", "show", PLAIN), 2, "no command has the option --dialekt; did you mean --dialect?")
tells("no command behind options", run("-v", "shwo", PLAIN), 2, "did you mean show?")
# -- ends the options.
folder = new_folder()
shutil.copy(PLAIN, "-dash.bin")
expect("a file with a dash", run("show", "./-dash.bin")[0], 0)
for words in (["--", "-dash.bin"], ["-v", "--", "-dash.bin"], ["--", "show", "-dash.bin"], ["show", "--", "-dash.bin"]):
    expect(f"{words}", run(*words)[:2], run("show", *(["-v"] if "-v" in words else []), "./-dash.bin")[:2])
tells("no option behind --", run("--", "--dialect"), 2, "no file and no command is called '--dialect'")
check("nothing behind --", run("--")[0] == 2 and "no command and no file" in run("--")[2])
expect("options alone", run("-v")[0], 2)
expect("a value alone", run("--dialect")[0], 2)

# JSON.
code, out, err = run("json", "--lines", PLAIN)
expect("json --lines", len(out.splitlines()), 3)
expect("typed json", json.loads(run("json", stdin=PACKET)[1]),
       {"type": "Dictionary", "args": ["s:a", "i:7"]})
expect("plain json", json.loads(run("json", "--plain", stdin=PACKET)[1]), {"a": 7})
code, out, err = run("json", "--plain", stdin=bytes.fromhex("150000000100000061000000"))
check("plain json says what it loses", "StringName has no form" in err, err)

# Messages and exit codes.
tells("truncated", run("text", "--dialect", "godot4", stdin=PACKET[:-2]), 1, ":0x14: $.a: error[truncated]: need 2 more bytes for an int")
code, out, err = run("annotate", "--dialect", "godot4", stdin=PACKET[:-2])
check("annotate shows all up to the break", code == 1 and b"break" in out and b'"a"' in out, out)
expect("annotate a sound packet", run("annotate", stdin=PACKET)[0], 0)
expect("no file", run("text", "/nonexistent")[0], 3)
expect("a folder", run("text", "/")[0], 3)
expect("no command", run()[0], 2)
expect("unknown option", run("text", "--nope", PLAIN)[0], 2)
expect("unknown dialect", run("text", "--dialect", "nope", PLAIN)[0], 2)
expect("empty input", run("text", stdin=b"")[0], 1)
expect("--version", run("--version")[0], 0)
for command in ("show", "text", "json", "annotate", "check", "convert", "dialects"):
    expect(f"{command} --help", run(command, "--help")[0], 0)
obj = bytes.fromhex("180000000a000000526566436f756e746564000000000000")
tells("objects are refused", run("text", stdin=obj), 1, "objects_forbidden")
expect("objects allowed", run("text", "--objects", stdin=obj)[0:2], (0, b"Object(RefCounted)\n\n"))
check("check names damage", run("check", stdin=PACKET[:-2])[0] == 1)
expect("strict", run("text", "--strict", stdin=PACKET + b"\0")[0], 1)
expect("writing to a full device", run("text", "-o", "/dev/full", stdin=PACKET)[0], 3)

# Conversion.
code, out, err = run("convert", "--to", "godot3", stdin=PACKET)
expect("convert", (code, out.hex()[:8]), (0, "12000000"))
name = bytes.fromhex("150000000100000061000000")
code, out, err = run("convert", "--from", "godot4", "--to", "godot3", stdin=name)
expect("a loss is refused", (code, out, err.splitlines()),
       (1, b"", ["<stdin>: StringName does not exist in godot-3.1; it becomes a String: 1 value, at $",
                 "gdvar: 1 value can't be expressed in godot-3.1; nothing was written (--lossy substitutes)"]))
code, out, err = run("convert", "--from", "godot4", "--to", "godot3", "--lossy", stdin=name)
expect("--lossy", (code, out.hex()), (0, "040000000100000061000000"))
# `convert` writes no packet that an engine would refuse: here a Godot 3 node whose script is a null Object.
node = struct.pack("<II4sII8sII", 17, 4, b"Node", 1, 6, b"script\0\0", 17, 0)
there = ["convert", "--objects", "--from", "godot3", "--to", "godot4"]
code, out, err = run(*there, stdin=node)
expect("a script that is none", (code, out), (1, b""))
check("is named", "godot-4.4 takes no Object for an Object's script" in err and "1 value, at $.script\n" in err, err)
code, out, err = run(*there, "--lossy", stdin=node)
expect("becomes null", (code, out), (0, struct.pack("<II4sII8sI", 24, 4, b"Node", 1, 6, b"script\0\0", 0)))
one, other = (integer(7) + integer(n) for n in (1, 2))
twice = dictionary([one, other])
code, out, err = run("convert", "--from", "godot4", "--to", "godot-4.3", stdin=twice)
expect("a key that comes again", (code, out), (1, b""))
code, out, err = run("convert", "--from", "godot4", "--to", "godot-4.3", "--lossy", stdin=twice)
expect("is left out", (code, out), (0, dictionary([other])))
code, out, err = run("pack", "--objects", stdin=b'Object(Node,"script":1)')
expect("pack writes no such script", (code, out), (1, b""))
check("and says so", "$.script: as godot-4.4: error[bad_script]" in err, err)
# Floats of 8 bytes in page dialects; elsewhere the option would change nothing, and the bytes are others.
wide = bytes.fromhex("05000000000000000000f83f9a9999999999b93f")
page = ["--dialect", "page-4", "--real-width", "8"]
expect("--real-width reads", run("text", "--full", *page, stdin=wide)[:2], (0, b"Vector2d(1.5, 0.1)\n"))
expect("--real-width packs", run("pack", "--full", *page, stdin=b"Vector2d(1.5, 0.1)")[:2], (0, wide))
only_pages = "--real-width 8 is for the page-* dialects alone"
for words in (["text", "--full"], ["show"], ["check"], ["json"], ["annotate"], ["stats"], ["diff", "-", "-"], ["pack"], ["set", "-", "$", "1"],
              ["recover", "-", "-o", "recovered"], ["convert", "--to", "godot3"]):
    for more in ([], ["--dialect", "godot4"]):
        tells(f"{words[0]} {more}: --real-width 8", run(*words, *more, "--real-width", "8", stdin=wide), 2, only_pages, out=b"")
narrow = bytes.fromhex("050000000000c03f0000003f")
half = bytes.fromhex("05000000000000000000f83f000000000000e03f")
both = ["--from", "page-4", "--to", "page-3"]
expect("convert, both sides", run("convert", *both, "--real-width", "8", stdin=half)[:2], (0, half))
expect("convert, the target", run("convert", *both, "--to-real-width", "8", stdin=narrow)[:2], (0, half))
expect("convert, the input", run("convert", *both, "--real-width", "8", "--to-real-width", "4", "--lossy", stdin=half)[:2], (0, narrow))
expect("convert, from an engine's", run("convert", "--from", "godot4", "--to", "page-3", "--real-width", "8", stdin=narrow)[:2], (0, half))
tells("convert, a target without", run("convert", "--from", "page-4", "--to", "godot3", "--to-real-width", "8", stdin=narrow), 2, "--to-real-" + only_pages[7:], out=b"")
tells("convert, an input without", run("convert", "--from", "godot4", "--to", "page-3", "--real-width", "8", "--to-real-width", "4", stdin=narrow), 2, only_pages, out=b"")

# A refusal of Objects names the option that takes them.
for words in (["pack", "--full"], ["send", "tcp://127.0.0.1:1", "--full", '[Object("Node", "x": 1)]']):
    tells(f"{words[0]} names --objects", run(*words, stdin=b'[Object("Node", "x": 1)]'), 1, "$[0]: error[objects_forbidden]", "; --objects writes it")

# Ids of Objects are signed, as Godot prints them, and read both ways.
ids = run("pack", "--full", stdin=b'{"by": Object(-9223372036401790971), "of": Signal("s", 18446744073709551611)}').out
for words, text in ((["text", "--full"], b'{"by": Object(-9223372036401790971), "of": Signal("s", -5)}\n'),
                    (["json", "--plain", "--indent", "0"], b'{"by":{"object_id":-9223372036401790971},"of":{"signal":"s","object_id":-5}}\n')):
    expect(f"{words[0]}: signed ids", run(*words, stdin=ids).out, text)
for words, texts in ((["show"], [b"id -9223372036401790971", b'"s", -5']), (["annotate"], [b"id -9223372036401790971", b"-5"]),
                     (["json"], [b'"id":"-9223372036401790971"', b'"id":"-5"'])):
    out = run(*words, "--color", "never", stdin=ids).out.replace(b'": "', b'":"')
    check(f"{words[0]}: signed ids", all(text in out for text in texts) and b"9223372037307760645" not in out, out)
expect("unsigned ids are read", run("pack", "--full", stdin=b'{"by": Object(9223372037307760645), "of": Signal("s", -5)}').out, ids)
expect("JSON's, too", run("pack", "--input", "json", stdin=run("json", stdin=ids).out.replace(b'"-5"', b'"18446744073709551611"')).out, ids)

# A key that is whole names the value that is missing behind it.
tells("a missing value", run("text", "--dialect", "godot4", stdin=pack('{"a": 1, "bb": 2}')[:-8]), 1, ":0x28: $.bb: error[truncated]: need 4 more bytes")

# The page's own names of types.
out = run("dialects", "page-3").out.decode()
check("page-3's names", all(f"  {name.ljust(22)}= {type_}\n" in out for name, type_ in (("null", "Nil"), ("Quat", "Quaternion"), ("Transform", "Transform3D"))), out)

expect("--output base64", run("convert", "--to", "godot4", "--output", "base64", stdin=PACKET)[1],
       base64.b64encode(PACKET) + b"\n")
code, out, err = run("convert", "--to", "godot4", "--frame", "records-be", stdin=PACKET)
expect("--frame", out, record(PACKET, "big"))

folder = new_folder()
target = put("out.bin", b"old")
os.chmod(target, 0o640)
run("convert", "--from", "godot4", "--to", "godot3", "-o", target, stdin=name)
expect("a refused conversion leaves the file", target.read_bytes(), b"old")
expect("written", run("convert", "--to", "godot4", "-o", target, stdin=PACKET)[0], 0)
expect("the file is there", target.read_bytes(), PACKET)
expect("its permissions are kept", oct(target.stat().st_mode & 0o777), "0o640")
link = folder / "link"
link.symlink_to(target)
run("convert", "--to", "godot3", "-o", link, stdin=PACKET)
check("a link stays a link", link.is_symlink() and target.read_bytes()[0] == 0x12)
expect("nothing is left behind", sorted(os.listdir(folder)), ["link", "out.bin"])

# The engine's own reading: keys merged, text cut.
merged = bytes.fromhex("1b00000002000000020000000100000002000000" "0a000000" "0200000001000000" "020000001e000000")
expect("text merges keys", run("text", "--dialect", "godot4", stdin=merged)[1], b"{\n1: 30\n}\n")
check("check tells of merged keys", "merged with an earlier one" in run("check", stdin=merged)[1].decode())
expect("no colour in a pipe", b"\x1b" in run(PLAIN)[1], False)
expect("colour when asked", b"\x1b" in run("show", "--color", "always", PLAIN)[1], True)
check("dialects", run("dialects")[1].count(b"\n") == 13)
check("one dialect", b"PackedVector4Array" in run("dialects", "godot4")[1])

# Names of classes and properties, between Godot 3 and 4.
folder = new_folder()
three = run("pack", "--full", "--objects", "--dialect", "godot3", stdin=b'''[Object("Camera", "translation": Vector3(1, 2, 3)), Object("Hero", "hp": 7)]''')[1]
there = ["convert", "--objects", "--from", "godot3", "--to", "godot4"]
as_full = ["text", "--full", "--objects", "--dialect", "godot4"]
code, four, err = run(*there, stdin=three)
expect("names are changed quietly", (code, err), (0, ""))
text = run(*as_full, stdin=four)[1]
check("to Godot 4's names", b"Camera3D" in text and b'"position"' in text and b"Hero" in text, text)
code, out, err = run(*there, "-v", stdin=three)
check("-v lists names", "$[0]: note: Camera is called Camera3D there" in err and
      "$[0].translation: note: translation is called position there" in err, err)
back = ["convert", "--objects", "--from", "godot4", "--to", "godot3"]
expect("and back", run(*back, stdin=four)[:2], (0, three))
text = run(*as_full, stdin=run(*there, "--no-renames", stdin=three)[1])[1]
check("--no-renames", b'"Camera"' in text and b'"translation"' in text, text)
put("mine", "class Hero Player\nproperty Hero hp health\nclass Camera Camera\n")
text = run(*as_full, stdin=run(*there, "--renames", folder / "mine", stdin=three)[1])[1]
check("--renames", b"Player" in text and b'"health"' in text and b'"Camera"' in text, text)
put("bad", "class Hero Player\nclass Hero\n")
tells("a bad row has a line", run(*there, "--renames", folder / "bad", stdin=three), 1, "bad:2: error[bad_syntax]", out=b"")
expect("no such file of names", run(*there, "--renames", folder / "none", stdin=three)[0], 3)
expect("either or", run(*there, "--renames", folder / "mine", "--no-renames", stdin=three)[0], 2)
font = run("pack", "--full", "--objects", stdin=b'Object("FontFile")')[1]
tells("a name that may be several", run(*back, stdin=font), 1, "FontFile has several names", out=b"")
text = run("text", "--full", "--objects", "--dialect", "godot3", stdin=run(*back, "--lossy", stdin=font)[1])[1]
check("the first with --lossy", b"BitmapFont" in text, text)

# Containers: every save that an engine wrote, with its secret by file and by the environment.
folder = new_folder()
put("pass", "correct horse 1\nsecond line\n")
put("wrong", "incorrect horse\n")
for engine in ("godot-4.6.3", "godot-3.6.2", "godot-3.2.3", "pandemonium-5.3"):
    lines = recorded(engine)
    records = [line for line in lines if "bytes" in line]
    secret = next(line for line in lines if "key" in line)
    put("key", bytes.fromhex(secret["key"]))
    family = {"godot-3.2.3": ["--family", "3.2"]}.get(engine, [])
    wanted = "".join(r["text"] + "\n" for r in records)
    framed = (SAVES / engine / "plain.save").read_bytes()
    for save in sorted((SAVES / engine).glob("g*.save")):
        how = {"gdec_pass.save": ["--password-file", folder / "pass"],
               "gdec_key.save": ["--key-file", folder / "key"]}.get(save.name, [])
        code, out, err = run("text", *family, *how, save)
        expect(f"text {engine} {save.name}", (code, out.decode()), (0, wanted))
        expect(f"unwrap {engine} {save.name}", run("unwrap", *how, save)[:2], (0, framed))
        expect(f"check {engine} {save.name}", run("check", *how, save)[0], 0)
        if how:
            name = "GDVAR_PASSWORD" if "pass" in save.name else "GDVAR_KEY"
            value = secret["pass"] if "pass" in save.name else secret["key"]
            expect(f"by environment {engine} {save.name}", run("text", *family, save, **{name: value})[1].decode(), wanted)
            tells(f"without a key {engine}", run("show", save), 1, "error[bad_key]", out=b"")
            tells(f"wrong password {engine}", run("show", "--password-file", folder / "wrong", save), 1, "error[bad_checksum]", out=b"")
        # Converted to itself it stays in its container; the records are the same bytes.
        dialect = {"godot-4.6.3": "godot-4.4", "pandemonium-5.3": "pandemonium-5"}.get(engine, "godot-3.1")
        target = folder / "again.save"
        expect(f"convert keeps {engine} {save.name}", run("convert", "--dialect", dialect, "--to", dialect, *how, "-o", target, save)[0], 0)
        expect(f"magic {engine} {save.name}", target.read_bytes()[:4], save.read_bytes()[:4])
        expect(f"same text {engine} {save.name}", run("text", *family, *how, target)[1].decode(), wanted)
for container in ("gcpf-fastlz", "gcpf-deflate", "gcpf-zstd", "gcpf-gzip", "gdec-3", "gdec-4"):
    what = b"{\"json\": [1, 2, 3]}" * 1000
    code, wrapped, err = run("wrap", "--container", container, "--password-file", folder / "pass", stdin=what)
    expect(f"wrap {container}", code, 0)
    expect(f"wrap and unwrap {container}", run("unwrap", "--password-file", folder / "pass", stdin=wrapped)[:2], (0, what))
    tells(f"half of {container}", run("unwrap", "--password-file", folder / "pass", stdin=wrapped[:len(wrapped) // 2]), 1, "error[")
    code, twice, err = run("convert", "--to", "godot4", "--container", container, "--password-file", folder / "pass", stdin=PACKET)
    expect(f"convert into {container}", run("text", "--password-file", folder / "pass", stdin=twice)[1], b'{\n"a": 7\n}\n')
check("encrypting takes a key", run("wrap", "--container", "gdec-4", stdin=b"x")[0] == 2)
zeros = run("wrap", "--container", "gcpf-zstd", stdin=bytes(8 << 20))[1]
code, out, err = run("unwrap", "--max-bytes", "1MB", stdin=zeros)
check("a bomb is refused", code == 1 and "size_limit" in err and len(out) == 0, err)
target = folder / "kept"
target.write_bytes(b"old")
run("unwrap", "-o", target, stdin=zeros[:200])
expect("nothing is written after an error", target.read_bytes(), b"old")
run("unwrap", "-o", target, "--backup", folder / "before", stdin=run("wrap", "--container", "gcpf-gzip", stdin=b"new")[1])
expect("the backup", (target.read_bytes(), (folder / "before").read_bytes()), (b"new", b"old"))
expect("raw gzip", run("unwrap", "--raw", "gzip", stdin=gzip.compress(b"abc" * 100))[1], b"abc" * 100)
expect("raw deflate", run("unwrap", "--raw", "deflate", "--size", "300", stdin=zlib.compress(b"abc" * 100))[1], b"abc" * 100)
check("raw too small", run("unwrap", "--raw", "deflate", "--size", "299", stdin=zlib.compress(b"abc" * 100))[0] == 1)

# pack: text and JSON there and back.
expect("pack text", run("pack", stdin=b'{"a": 7}')[1], PACKET)
expect("pack json", run("pack", "--input", "json", stdin=run("json", stdin=PACKET)[1])[1], PACKET)
expect("pack plain json", run("pack", "--input", "json", "--plain", stdin=b'{"a":7}')[1], PACKET)
expect("pack several", run("text", stdin=run("pack", "--frame", "records", stdin=b"1\n[2, 3]\n&\"x\"\n")[1])[1], b'1\n[2, 3]\n&"x"\n')
tells("one value a packet", run("pack", stdin=b"1 2"), 1, "trailing_bytes", out=b"")
tells("line and column", run("pack", stdin=b"[1,\n  oops]"), 1, "<stdin>:2:", out=b"")
tells("not in that dialect", run("pack", "--full", "--dialect", "godot3", stdin=b"[1, &\"name\"]"), 1, "$[1]", "not_in_dialect")
for engine in ("godot-4.6.3", "godot-3.6.2", "pandemonium-5.3"):
    dialect = {"godot-4.6.3": "godot-4.4", "pandemonium-5.3": "pandemonium-5"}.get(engine, "godot-3.1")
    framed = (SAVES / engine / "plain.save").read_bytes()
    full = run("text", "--full", "--dialect", dialect, SAVES / engine / "plain.save")[1]
    expect(f"full text and back {engine}", run("pack", "--full", "--frame", "records", "--dialect", dialect, stdin=full)[1], framed)
    typed = run("json", "--lines", "--dialect", dialect, SAVES / engine / "plain.save")[1]
    expect(f"typed JSON and back {engine}", run("pack", "--input", "json", "--frame", "records", "--dialect", dialect, stdin=typed)[1], framed)

# get, set, del, diff, patch, stats.
folder = new_folder()
save = folder / "a.save"
put("pass", "correct horse 1\n")
for source, how in ((PLAIN, []), (SAVES / "godot-4.6.3/gcpf_zstd.save", []),
                    (SAVES / "godot-4.6.3/gdec_pass.save", ["--password-file", folder / "pass"])):
    save.write_bytes(source.read_bytes())
    expect("get", run("get", *how, save, "#0 $.players[3].hp")[1], b"97\n")
    expect("get from the end", run("get", *how, save, "#-2 $[1]")[1], b'"two"\n')
    expect("get of any record that has it", run("get", *how, save, "$.version")[1], b"1\n")
    expect("get many", run("get", *how, save, "$.players[*].hp")[1].count(b"\n"), 20)
    expect("get with paths", run("get", "--paths", *how, save, "#0 $.players[0].name")[1], b'#0 $.players[0].name\t"player_1_0"\n')
    expect("get typed JSON", run("get", "--json", *how, save, "#0 $.players[0].name")[1], b'"s:player_1_0"\n')
    expect("get a component", run("get", *how, save, "#0 $.players[3].pos.z")[1], b"0.5\n")
    expect("get elements", run("get", *how, save, "#0 $.players[3].inventory[*]")[1], b"3\n1\n7\n")
    tells("a component can't be deleted", run("del", *how, save, "#0 $.players[3].pos.z"), 1, "a part of a Vector3 can't be removed")
    tells("get what is not there", run("get", *how, save, "#0 $.nothing"), 1, "no .nothing", out=b"")
    expect("set", run("set", *how, save, "#0 $.players[3].hp", "12345")[0], 0)
    expect("it is set", run("get", *how, save, "#0 $.players[3].hp")[1], b"12345\n")
    expect("its container is kept", save.read_bytes()[:4], source.read_bytes()[:4])
    expect("diff", run("diff", *how, "--color", "never", source, save)[:2], (4, b"~ #0 $.players[3].hp: 97 -> 12345\n"))
    code, patch, err = run("diff", "--patch", *how, source, save)
    put("p", patch)
    put("b.save", source.read_bytes())
    expect("patch", run("patch", *how, folder / "b.save", folder / "p")[0], 0)
    expect("patched is the same", run("diff", *how, folder / "b.save", save)[:2], (0, b""))
    tells("what is no patch", run("patch", *how, folder / "b.save", PLAIN), 1, "patch")
    expect("del", run("del", *how, save, "#0 $.players[3].hp")[0], 0)
    check("it is gone", run("get", *how, save, "#0 $.players[3].hp")[0] == 1)
    before = run("unwrap", *how, save)[1] if how or save.read_bytes()[:1] == b"G" else save.read_bytes()
    expect("set a component", run("set", *how, save, "#0 $.players[3].pos.z", "0.75")[0], 0)
    after = run("unwrap", *how, save)[1] if how or save.read_bytes()[:1] == b"G" else save.read_bytes()
    expect("one byte of it", [(a, b) for a, b in zip(before, after) if a != b], [(0x00, 0x40)])
    expect("set it back", run("set", *how, save, "#0 $.players[3].pos.z", "0.5")[0], 0)
    before = save.read_bytes()
    code, out, err = run("set", *how, save, "$.version", "2")
    check("which record", code == 2 and "#0" in err and save.read_bytes() == before, err)
    code, out, err = run("set", *how, save, "#0 $.version", "oops(")
    check("no value", code == 2 and save.read_bytes() == before, err)
    code, out, err = run("set", *how, save, "#9 $.version", "2")
    check("no record", code == 1 and save.read_bytes() == before, err)
save.write_bytes(PLAIN.read_bytes())
run("set", save, "#1 $[1]", '"six"', "--backup", folder / "old.save")
old, new = (folder / "old.save").read_bytes(), save.read_bytes()
expect("the backup is the old file", old, PLAIN.read_bytes())
expect("only that text changed", [i for i in range(len(old)) if old[i] != new[i]], [i for i in range(len(old)) if old[i:i + 3] == b"two" for i in (i, i + 1, i + 2)])
expect("files left", sorted(os.listdir(folder)), ["a.save", "b.save", "old.save", "p", "pass"])
put("c.hex", PACKET.hex())
expect("hex stays hex", (run("set", folder / "c.hex", "$.a", "8")[0], (folder / "c.hex").read_text().strip()), (0, PACKET.hex()[:-8] + "08000000"))
skipped = folder / "skip.save"
skipped.write_bytes(b"HEAD" + PLAIN.read_bytes())
expect("bytes before the records stay", (run("set", "--skip", "4", skipped, "#1 $[0]", "7")[0], skipped.read_bytes()[:4]), (0, b"HEAD"))
expect("set json", run("set", "--type", "Dictionary", "--input", "json", "--plain", "-", "$.a", '{"x": [1]}', stdin=PACKET)[1], run("pack", stdin=b'{"a": {"x": [1]}}')[1])
code, out, err = run("stats", PLAIN)
check("stats", code == 0 and b"3 packets" in out and b"$.players[*].name" in out, out)
numbers = json.loads(run("stats", "--json", PLAIN)[1])
expect("stats add up", sum(t["bytes"] for t in numbers["by_type"].values()), numbers["bytes"])
link = folder / "link.save"
link.symlink_to(save)
run("set", link, "#1 $[1]", '"two"')
check("a link stays, the file behind it changes", link.is_symlink() and save.read_bytes() == PLAIN.read_bytes())

# The man page and the completions know every command, and each of its options.
helps = run("--help")[1].decode()
for what in ("man", "bash", "zsh", "fish"):
    code, out, err = run("--generate", what)
    page = out.decode().replace("\\-", "-")
    check(f"--generate {what}", code == 0 and all(c in page for c in ("show", "annotate", "convert", "unwrap", "stats")), err)
    check(f"{what} has the options", all(o in page for o in ("password-file", "backup", "container", "max-bytes")), "")
check("the bash completion is bash", subprocess.run(["bash", "-n"], input=run("--generate", "bash")[1]).returncode == 0)


def completed(*words):
    line = " ".join(f"'{word}'" for word in ("gdvar", *words))
    script = f"{bash_completion}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; _gdvar; echo ${{COMPREPLY[@]}}"
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True).stdout.split()


bash_completion = run("--generate", "bash")[1].decode()
expect("bash completes", completed("conv"), ["convert"])
for words, wanted in [(("show", "--as", "rec"), ["records", "records-be"]), (("show", "f", "--as", "=", "he"), ["hex"]), (("show", "--as", "="), None),
                      (("convert", "--to", "godot-2"), ["godot-2"]), (("convert", "--to", "au"), []), (("convert", "--from", "godot4"), ["godot4"]), (("json", "--dialect", "au"), ["auto"]),
                      (("pack", "--frame", ""), ["packet", "packets", "records", "records-be"]), (("set", "s", "$", "1", "--container", "gcpf-z"), ["gcpf-zstd"]),
                      (("wrap", "--container", "ke"), []), (("del", "--output", "b"), ["binary", "base64"]), (("set", "--input", "j"), ["json"]),
                      (("send", "--from", "no-such"), []), (("show", "--dep"), ["--depth"])]:
    got = completed(*words)
    check(f"bash completes {words}", len(got) > 10 if wanted is None else got == wanted, got)
for what, piece in [("zsh", "--as[what the input is]:value:(auto packet packets records"), ("fish", "-l as -x -a 'auto packet packets records")]:
    check(f"{what} knows the values", piece in run("--generate", what)[1].decode(), "")

# Terminals get no control characters of the input.
evil = "a\x1b[31m\x07\x9b\u202e\r"
nasty = run("pack", "--input", "json", "--plain", stdin=json.dumps({evil: [evil], "path": evil}).encode())[1]
file = put("nasty", nasty)
for words in (["show", "--color", "never"], ["text"], ["text", "--full"], ["json"], ["json", "--plain"], ["annotate", "--color", "never"], ["check"],
              ["show", "--color", "never", "--path", "$[\"" + evil + "\"]"], ["show"]):
    bare = on_terminal(*words, file)
    if words == ["show"]:  # its own colours
        bare = re.sub(rb"\x1b\[[0-9;]*m", b"", bare.replace(b"[31m", b"<31m"))
    check(f"no control characters from {words}", not any(c in bare for c in (b"\x1b", b"\x07", b"\xc2\x9b", b"\xe2\x80\xae", b"\r")), bare[:200])
    check(f"something from {words}", words == ["check"] or b"31m" in bare, bare[:200])

# The specification's own examples.
dialect, inside = None, False
for line in (ROOT / "docs/wire-format.md").read_text().splitlines():
    if line.startswith("```"):
        words = line[3:].split()
        inside = len(words) == 2 and words[0] == "bytes"
        dialect = words[1] if inside else None
    elif inside and "=" in line:
        digits, text = line.split("=", 1)
        out = run("text", "--as", "hex", "--dialect", dialect, "--objects", stdin=digits.strip().encode()).out
        expect(f"wire-format.md: {line}", out.decode().strip(), text.strip())

# Long work says how far it is, on a terminal and nowhere else; the line is gone at the end.
folder = new_folder()
big = put("big.save", PLAIN.read_bytes() * 400)
master, slave = pty.openpty()
child = start("annotate", big, stdout=subprocess.PIPE, stderr=slave)
os.close(slave)
# Nobody reads the output for a while, so the work takes long.
reader = threading.Timer(1.0, child.stdout.read)
reader.start()
seen = drained(master)
child.wait()
reader.join()
os.close(master)
check("progress", b" MB/s, " in seen and b" s left" in seen and seen.endswith(b"\r\x1b[K"), bytes(seen[-200:]))
expect("no progress in a pipe", run("text", big)[2], "")

finish()
