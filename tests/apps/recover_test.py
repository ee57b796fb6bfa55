#!/usr/bin/env python3
"""gdvar recover: what can be read of damaged saves, its report, its exit codes.

Usage: recover_test.py GDVAR SOURCE_DIR"""
import base64, gzip, json, os, pathlib, random, struct, sys, zlib

sys.path.append(sys.path[0] + "/../support")
from by_hand import project, record, records, string
from command import PLAIN, SAVES, check, expect, finish, new_folder, pack, put, real_saves, run, tells

new_folder()
put("pass.txt", "correct horse 1\n")
put("wrong.txt", "wrong horse\n")
made = pathlib.Path("out")


def recover(data, *words):
    """Exit code, the report and the messages; the result is in `out`."""
    made.unlink(missing_ok=True)
    put("in", bytes(data))
    code, out, err = run("recover", "--json", "in", "-o", "out", *words)
    report = json.loads(out) if out else None
    if report:
        expect("the report has the exit code", report["exit"], code)
        check("a file was written", made.exists())
        # The written save is sound in the dialect that was named.
        options = [word for word in words if word in ("--password-file", "pass.txt")]
        kind = ["--as", report["document"]] if not report["layers"] else []
        checked = run("check", "--objects", "--dialect", report["dialect"], *kind, *options, "out")
        check("the result is sound", checked[0] == 0, checked)
    else:
        check("nothing was written", not made.exists(), (code, err))
    return code, report, err


def text(*words):
    return run("text", *words)[1]


# ---- sound saves: exit code 0, the same values
for engine in sorted(SAVES.iterdir()):
    whole = text("--dialect", "auto", engine / "plain.save")
    for save in sorted(engine.iterdir()):
        secret = ["--password-file", "pass.txt"] if save.name == "gdec_pass.save" else []
        if save.suffix not in (".save", ".txt") or save.name == "gdec_key.save":
            continue
        code, report, err = recover(save.read_bytes(), *secret)
        check(f"{engine.name} {save.name}", code == 0 and report["sound"] and "sound; " in err, (code, err))
        if save.suffix == ".save":
            check(f"{engine.name} {save.name} holds the same", text(*secret, "out") == whole)

plain = PLAIN.read_bytes()
first = 4 + struct.unpack("<I", plain[:4])[0]  # the first record's end

# ---- records: before a break, behind it, in part
damaged = bytearray(plain)
damaged[500:520] = bytes([255]) * 20
code, report, err = recover(damaged)
states = [item["state"] for item in report["items"]]
expect("damage inside of a record", (code, states), (4, ["partial", "whole", "whole"]))
check("it says where", report["items"][0]["at"].startswith("$.players[3]") and report["lost"][0]["end"] == first and
      "kept up to $.players[3]" in err and "lost" in err, (report, err))
expect("values before the break", run("get", "out", "#0 $.players[2].name")[1], b'"player_1_2"\n')
expect("the records behind it", made.read_bytes()[-len(plain) + first:], plain[first:])
code, report, err = recover(damaged, "--no-partial")
expect("--no-partial", (code, [item["state"] for item in report["items"]], made.read_bytes()),
       (4, ["whole", "whole"], plain[first:]))

damaged = bytearray(plain)
damaged[:4] = b"\xff\xff\xff\xff"
code, report, err = recover(damaged)
expect("a wrong length", (code, report["items"][0]["state"], report["lost"], made.read_bytes()),
       (4, "resized", [], plain))

shorter = plain[:500] + plain[533:]
code, report, err = recover(shorter)
check("bytes that are gone", code == 4 and report["items"][1]["found_again"] and "found again behind a break" in err,
      (report, err))
expect("the records behind them", made.read_bytes()[-len(plain) + first:], plain[first:])

code, report, err = recover(plain[:2000])
check("a cut", code == 4 and [item["state"] for item in report["items"]] == ["partial"], report)
code, report, err = recover(plain + b"\n")
check("a newline too many", code == 4 and made.read_bytes() == plain and report["lost"], report)

# ---- containers
for mode in ("fastlz", "deflate", "zstd", "gzip"):
    sound = (SAVES / f"godot-4.6.3/gcpf_{mode}.save").read_bytes()
    for what, data in (("no magic at the end", sound[:-4]), ("damaged magic", b"G?PF" + sound[4:]),
                       ("a wrong size", sound[:12] + b"\xff\xff\0\0" + sound[16:]),
                       ("a wrong block size", sound[:8] + b"\0\0\0\x7f" + sound[12:]),
                       ("a wrong entry of the table", sound[:16] + b"\x07\0\0\0" + sound[20:])):
        code, report, err = recover(data)
        # The engines look neither at the end nor at a block size if there is one block.
        same = what in ("no magic at the end", "a wrong block size")
        check(f"{mode}: {what}", code == (0 if same else 4) and len(report["items"]) == 3 and text("out") == text(PLAIN)
              and report["layers"] == [{"name": f"gcpf-{mode}"}], (code, report, err))
# Several blocks: one is lost, and the records in the others are found.
random.seed(3)
packets = [pack(json.dumps({"name": f"record {i}", "noise": "".join(chr(random.randrange(33, 127)) for _ in range(900))})) for i in range(40)]
put("many", records(packets))
for mode in ("fastlz", "deflate", "zstd", "gzip"):
    run("wrap", "--container", f"gcpf-{mode}", "many", "-o", "many.gcpf")
    data = bytearray(pathlib.Path("many.gcpf").read_bytes())
    data[len(data) // 2:len(data) // 2 + 16] = bytes(16)
    code, report, err = recover(data)
    found = sum(1 for i in range(40) if f'"record {i}"'.encode() in text("out"))
    checked = mode in ("deflate", "gzip")  # the others have no checksum
    check(f"{mode}: a damaged block", found >= 34 and (not checked or code == 4 and report["damage"]), (found, err))

# ---- encryption
for engine, kind in (("godot-4.6.3", "gdec-4"), ("godot-3.6.2", "gdec-3")):
    secret = bytearray((SAVES / engine / "gdec_pass.save").read_bytes())
    secret[-5] ^= 1
    secret[-20] ^= 1
    code, report, err = recover(secret, "--password-file", "pass.txt")
    check(f"{kind} with a wrong checksum", code == 4 and report["items"][0]["state"] == "whole" and
          report["items"][0]["doubtful"] and "checksum" in err and report["layers"] == [{"name": kind}], (report, err))
    code, report, err = recover(secret, "--password-file", "wrong.txt")
    check(f"{kind} with a wrong password", code == 1 and "bad_checksum" in err and "key is wrong" in err, (code, err))
    code, report, err = recover(secret)
    check(f"{kind} without one", code == 1 and "bad_key" in err, (code, err))
    code, report, err = recover(secret[:1500], "--password-file", "pass.txt")
    check(f"{kind} cut", code == 4 and report["items"][0]["state"] == "partial", (code, err))
    code, report, err = recover(secret, "--password-file", "pass.txt", "--container", "none")
    check("--container none", code == 4 and made.read_bytes()[4:].startswith(b"\x1b" if engine == "godot-4.6.3" else b"\x12"), err)

# ---- digits
digits = (SAVES / "godot-4.6.3/base64.txt").read_bytes()
code, report, err = recover(digits[:1000] + b"*" + digits[1001:])
check("a wrong character", code == 4 and report["items"][0]["state"] == "partial" and report["layers"] == [{"name": "base64"}], (report, err))
code, report, err = recover(digits[:1000] + b"*" + digits[1000:])
check("a character too many", code == 4 and made.read_bytes() == digits, (report, err))
code, report, err = recover(packets[0].hex().encode()[:1001] + b"\n", "--as", "hex")
check("hex that ends early", code == 4 and report["items"][0]["state"] == "partial", (report, err))

# ---- settings
binary = project(*((f"group/setting_{i}".encode(), packet) for i, packet in enumerate(packets[:6])))
code, report, err = recover(binary)
expect("settings", (code, report["document"], len(report["items"])), (0, "project", 6))
for what, at in (("a packet", 800), ("a key's length", binary.index(b"group/setting_2") - 4), ("a length", binary.index(b"group/setting_2") + 15)):
    data = bytearray(binary)
    data[at:at + 4] = b"\xee" * 4
    code, report, err = recover(data)
    names = [item["name"] for item in report["items"]]
    check(f"settings with a damaged {what}", code == 4 and set(names) >= {f"group/setting_{i}" for i in (1, 3, 4, 5)} | ({"group/setting_0"} if at > 900 else set()), (names, err))

# ---- what values and lengths hold
cut_json = b'{"gold": 12, "items": [1, 2, {"name": "swo'
sound_json = b'{"gold": 12, "items": [1, 2, {}]}'
code, report, err = recover(record(string(cut_json)))
expect("a document in a value", (code, [each["name"] for each in report["layers"]], report["document"]), (4, ["string"], "json"))
expect("its path is told", report["lost"][0]["at"], "$.items[2].name")
expect("it is in its value again", made.read_bytes(), record(string(sound_json)))
expect("no value is opened", recover(record(string(cut_json)), "--no-inside")[1]["document"], "records")
config = b"[a]\nx=1\nsave=" + json.dumps(cut_json.decode()).encode() + b"\n"
code, report, err = recover(config, "--inside", "$.a.save")
expect("a named value", (code, report["document"]), (4, "json"))
check("it is named", "config > string at $.a.save > json" in err, err)
expect("it is in its text", made.read_bytes(), b"[a]\nx=1\nsave=" + json.dumps(sound_json.decode()).encode() + b"\n")
code, report, err = recover(struct.pack("<I", 200) + cut_json)
expect("a text with its length", (code, made.read_bytes()), (4, record(sound_json)))


# ---- texts: what stands stays byte for byte, what is lost is told by line and path
def lost(report):
    return [(each["line"], each.get("at", "")) for each in report["lost"]]


code, report, err = recover(b'{\n  "a": 1,\n  "b": [{"c": "x"}, {"d": [1, 2')
expect("JSON", (code, report["document"], made.read_bytes(), lost(report)),
       (4, "json", b'{\n  "a": 1,\n  "b": [{"c": "x"}, {"d": [1]}]}\n', [(3, "$.b[1].d[1]")]))
check("it names line and path", "in:3: $.b[1].d[1]: " in err, err)
code, report, err = recover(b'{"a": 1}\n{"a": [2\n{"a": 3}\n', "--no-partial")
expect("lines of JSON", (code, report["document"], made.read_bytes()), (4, "json-lines", b'{"a": 1}\n{"a": 3}\n'))
code, report, err = recover(b'; mine\n[audio]\n\nvolume=0.5\nname="x\nmuted=true ; yes\n[video]\nsize=Vector2i(1' + bytes(40))
expect("a ConfigFile", (code, report["document"], made.read_bytes(), lost(report)),
       (4, "config", b"; mine\n[audio]\n\nvolume=0.5\nmuted=true ; yes\n[video]\n", [(5, "$.audio.name"), (8, "$.video.size"), (8, "")]))
code, report, err = recover(b'[a]\nx=1\n[b\ny=2\n')
expect("a header that is lost", (code, made.read_bytes()), (4, b"[a]\nx=1\n[recovered-3]\ny=2\n"))
tres = b'[gd_resource type="Resource" format=3]\n\n[sub_resource type="Curve" id="c"]\nmin_value = 1\n\n[resource]\nmetadata/c = SubResource("c")\nmetadata/n = [1, 2]\n'
code, report, err = recover(tres)
expect("a sound resource", (code, report["document"], made.read_bytes()), (0, "resource", tres))
code, report, err = recover(tres.replace(b'type="Curve"', b'type="Cur\0ve"'))
expect("a tag that is lost", code, 4)
check("and what refers to it", b"SubResource" not in made.read_bytes() and b"metadata/n" in made.read_bytes(), err)
packed = gzip.compress(json.dumps({"items": list(range(3000))}).encode(), mtime=0)
code, report, err = recover(packed[:len(packed) // 2])
check("JSON in gzip that is cut", code == 4 and report["layers"] == [{"name": "gzip"}] and report["document"] == "json" and
      json.loads(gzip.decompress(made.read_bytes()))["items"][:500] == list(range(500)), err)

# ---- packets without lengths
several = [pack('{"name": "Ada", "hp": %d, "bag": ["rope", "lamp"]}' % hp) for hp in (97, 98, 99)]
row = b"".join(several)
for words in ([], ["--as", "packets"]):
    code, report, err = recover(row, *words)
    expect("packets that are sound", (code, report["document"], len(report["items"]), made.read_bytes()), (0, "packets", 3, row))
    code, report, err = recover(row[:-20], *words)
    expect("packets that are cut", (code, report["document"], [item["state"] for item in report["items"]]),
           (4, "packets", ["whole", "whole", "partial"]))
    check("those before the cut are the same", made.read_bytes().startswith(several[0] + several[1]))
code, report, err = recover(several[0] + several[1][:40], "--as", "packets")
expect("two packets, if it is said so", (code, [item["state"] for item in report["items"]]), (4, ["whole", "partial"]))
code, report, err = recover(several[0] + b"\xff" * 8 + row, "--as", "packets")
check("what is behind a break is lost", code == 4 and made.read_bytes() == several[0] and
      [(each["begin"], each["end"]) for each in report["lost"]] == [(len(several[0]), len(several[0]) + 8 + len(row))], report)

# ---- what check refuses is not sound
random.seed(7)
words = b"hello world this is text, plain"
small = [bytes([first]) + words[:19] for first in range(256)]
small += [head.to_bytes(4, "little") + middle + words[:16 - len(middle)] for head in range(40) for middle in (b"", (12).to_bytes(4, "little"))]
small += [random.randbytes(n) for n in range(4, 44)] + [bytes(n) for n in range(4, 44, 4)]
small += [bytes(random.choice(b"\0\0\0\0\1\2\4\5\x1b\x1cAa") for _ in range(random.choice((8, 12, 16, 20, 24)))) for _ in range(150)]
small += [bytes(data[:i]) + b"\1\1\1\1" + bytes(data[i:]) for data in (several[0], record(several[0])) for i in range(0, len(data), 6)]
seven = pack("7")
small += [seven.hex().encode(), base64.b64encode(seven), b"\n".join((seven.hex().encode(), b"")), gzip.compress(base64.b64encode(several[0])), gzip.compress(several[0].hex().encode())]
small += [coded for n in range(4, 24) for data in ((several[0] + seven)[:n], (seven + bytes(20))[:n], bytes(n)) for coded in (data.hex().encode(), base64.b64encode(data))]
small += [b"\xef\xbb\xbf" + text for text in (b'[gd_resource type="Resource" format=3]\n[sub_resource type="A" id="x"]\nx=1\n[resource]\n',
                                             b'[gd_scene format=3]\nx=1\n[node name="A"]\n[a]\ny=2\n')]
small += [b"[a]\xeex=1\n", gzip.compress(b"[a]\xeex=1\n"), b'"text"', b"1.5\n"]
small += [b'\n13[}1"3[{""33ca3,{a'] + [bytes(random.choice(b'\n \t"[]{}=:,.0123abcAZ') for _ in range(20)) for _ in range(150)]
small += [bytes([first]) + bytes(random.choice(b' "[]{}=:,.0123abcAZ') for _ in range(19)) for first in (*range(9, 14), 27)]
for data in small:
    put("in", data)
    refused = run("check", "in")[0] != 0
    code, out, err = run("recover", "in", "-o", "out")
    check(f"{data!r} is sound for recover only if it is for check", not (refused and code == 0), err)

put("in", seven.hex())
tells("digits of a few bytes may be a text", run("recover", "in", "-o", "out"), 4, "note: it is not recognised as hex > packet, but it can be read so")
expect("they are kept", made.read_text(), seven.hex())

# ---- what check opens without a fault is sound, and written back as it is
inner = b'{"hp": 7, "name": "Ada"}'
packed = zlib.compress(inner)
whole = [struct.pack(form, n) + packed for form in ("<I", ">I", "<Q") for n in (len(packed), len(inner))]
whole += [struct.pack("<I", len(z)) + z for n in range(1, 24) for z in [zlib.compress(json.dumps([i * 7919 % 1000 for i in range(n)]).encode())]]
whole += [base64.b64encode(inner), inner.hex().encode(), base64.b64encode(b"[a]\nx=1\n"), base64.b64encode(tres), tres.hex().encode(),
          record(string(base64.b64encode(inner))), b"[gd_notes]\nx=1\n", b"hp=7\ns=Array[int]([1.5])\n"]
whole += [save.read_bytes() for engine in SAVES.iterdir() for save in engine.glob("*.save") if not save.name.startswith("gdec")]
for data in whole + small:
    put("in", data)
    if run("check", "--objects", "in")[0] != 0:
        check(f"{data[:40]!r} is opened", data in small)
        continue
    code, out, err = run("recover", "in", "-o", "out")
    check(f"{data[:40]!r} is sound", code == 0 and made.read_bytes() == data, (code, err))

# ---- bytes behind a layer are lost, and that is told
for name, words in (("gcpf_zstd.save", []), ("gcpf_fastlz.save", []), ("gdec_pass.save", ["--password-file", "pass.txt"])):
    data = (SAVES / "godot-4.6.3" / name).read_bytes()
    code, report, err = recover(data + b"tail", *words)
    check(f"{name} with bytes behind it", code == 4 and not report["sound"] and report["damage"][0]["end"] - report["damage"][0]["begin"] == 4 and
          "4 bytes from" in err and "they follow the layer" in err, (code, err))
for data in (gzip.compress(inner), zlib.compress(inner)):
    for tail in (b"KEEPME!", bytes([255]) * 5000):
        code, report, err = recover(data + tail)
        check("the last line counts them", err.rstrip().endswith(f"; {len(tail)} bytes lost"), err)
        check("a stream with bytes behind it", code == 4 and report["damage"][0]["end"] - report["damage"][0]["begin"] == len(tail), (code, err))

# Bytes of another layer than the innermost one are told by its name.
code, report, err = recover(base64.b64encode(zlib.compress(json.dumps(list(range(2000))).encode()))[:-40] + b"**" + bytes(10))
holes = sum(each["end"] - each["begin"] for each in report["damage"] if each["layer"] == 0)
check("of other layers", holes and f", {holes} bytes of what base64 holds" in err.rstrip().splitlines()[-1], (report, err))

# ---- a size in front of a container that breaks off, is damaged, or that bytes follow
numbers = json.dumps({"items": [i * 7919 % 10007 for i in range(900)]}).encode()
put("numbers", numbers)
run("wrap", "--container", "gcpf-fastlz", "numbers", "-o", "numbers.gcpf")
for name, whole_one, end in (("zlib", zlib.compress(numbers), -4), ("gzip", gzip.compress(numbers, mtime=0), -8),
                             ("gcpf-fastlz", pathlib.Path("numbers.gcpf").read_bytes(), -6)):
    half = len(whole_one) // 2
    # The checksum of a stream is behind all of its content.
    broken = [(whole_one[:half], "cut"), (whole_one + b"tail", "tail"), (whole_one[:end] + b"\xff\xff\xff\xff" + whole_one[end:][4:], "checksum")]
    for size, form, layer in ((len(numbers), "<I", "unpacked-size-u32"), (len(whole_one), "<I", "size-u32"), (len(numbers), ">I", "unpacked-size-u32-be"),
                              (len(numbers), "<Q", "unpacked-size-u64"), (len(numbers), ">Q", "unpacked-size-u64-be")):
        for data, what in broken:
            bare = recover(data)[1]
            code, report, err = recover(struct.pack(form, size) + data)
            expect(f"{layer}, {name}, {what}", (code, report and [each["name"] for each in report["layers"]]), (4, [layer, name]))
            expect("as much as without it", (report["items"], report["lost"]), (bare["items"], bare["lost"]))
            if what == "cut" and name != "gcpf-fastlz":
                check("the size is told", f"note: {layer}: the size is {size}, and " in err and "breaks off" in err, err)
    code, report, err = recover(struct.pack("<II", len(numbers), len(whole_one)) + whole_one[:half])
    expect("two sizes", (code, [each["name"] for each in report["layers"]]), (4, ["unpacked-size-u32", "size-u32", name]))
# Zeros at the end, as a crash leaves them: decoders make something of them, which says nothing of the size.
log = json.dumps({"hp": 7, "name": "Ada", "log": [f"entry number {i}" for i in range(30)]}).encode()
for name, packed in (("zlib", zlib.compress(log)), ("gzip", gzip.compress(log, mtime=0))):
    for end in range(len(packed) // 2, len(packed) - 4, 5):
        code, report, err = recover(struct.pack("<I", len(log)) + packed[:end] + bytes(len(packed) - end))
        expect(f"a size, {name}, zeros from {end} on", (code, [each["name"] for each in report["layers"]]), (4, ["unpacked-size-u32", name]))
        result = made.read_bytes()
        expect("the size of what is written", struct.unpack("<I", result[:4])[0],
               len(zlib.decompress(result[4:], 47)))
    for less in (5, 25, 60):
        for first, second, names in ((len(log), len(packed), ["unpacked-size-u32", "size-u32"]), (len(packed), len(log), ["size-u32", "unpacked-size-u32"])):
            code, report, err = recover(struct.pack("<II", first, second) + packed[:-less])
            expect(f"two sizes, {name}, {less} bytes less", [each["name"] for each in report["layers"]], names + [name])
small = gzip.compress(b'{"hp":7}', mtime=0)  # larger than what it holds
code, report, err = recover(struct.pack("<II", 8, len(small)) + small[:-6])
expect("two sizes of a small one", [each["name"] for each in report["layers"]], ["unpacked-size-u32", "size-u32", "gzip"])

secret = (SAVES / "godot-4.6.3/gdec_pass.save").read_bytes()
cut = struct.pack("<I", len(secret)) + secret[:1500]
check("a size in front of an encrypted one", "bad_key" in recover(cut)[2])
code, report, err = recover(cut, "--password-file", "pass.txt")
check("and with its password", code == 4 and report["layers"][1] == {"name": "gdec-4"}, (code, err))

# ---- equal keys that come out are told
for data, count in ((b'{"a": {"k": 1, "k": 2, "k": [', 2), (b'[a]\nm={"k": 1, "k": 2, "l": x}\n', 1), (b'{"a": {"k": 1}, "b": {"k": [', 0)):
    code, report, err = recover(data)
    told = [each["note"] for each in report["notes"] if "the key of a later one" in each["note"]]
    check(f"keys that are one: {data!r}", code == 4 and (told[0].startswith(f"{count} value") if count else not told), err)

# ---- engines read bytes that are not UTF-8, in keys and comments, too
for data in (b'[a]\nk="\xff"\n', b"[a]\nk\xff=1\nk\xfe=2\n", b"; caf\xe9\n[a] ; \xe9\nx=1 ; \xe9\n",
             b'[a]\nx={"a":1, ;\xe9\n"b":2}\n', b'[gd_resource type="A" format=3]\n[resource] ; \xe9\nmetadata/a = 1\n'):
    expect(f"sound: {data!r}", (recover(data)[0], run("check", "out")[0], made.read_bytes()), (0, 0, data))

# ---- but for JSON: U+FFFD makes different keys one
for data, count in ((b'{"k\xff": 1, "k\xfe": 2}', 1), (b'{"k\xff": 1, "k": 2}', 0), (b'{"a": {"k\xff": 1, "k\xfe": 2, "k\xfd": [', 2)):
    code, report, err = recover(data)
    notes = [each["note"] for each in report["notes"]]
    told = [note for note in notes if "the key of a later one" in note]
    check(f"it is told: {data!r}", any("U+FFFD" in note for note in notes), notes)
    check(f"keys that are one now: {data!r}", code == 4 and (told[0].startswith(f"{count} value") if count else not told), (code, notes))

# ---- what is written is opened
for data, text_now in ((b"\x1e\xd6\xf5\xc2l=nan\nx=3\n", b"\xd6\xf5\xc2l=nan\nx=3\n"), (b"[a]\nx=1 ;\1\ny=2\n", b"[a]\nx=1\ny=2\n")):
    code, report, err = recover(data)
    expect(f"{data!r}", (code, made.exists() and made.read_bytes()), (4, text_now))
    check("it is told", report and report["lost"] and all(each["reason"] for each in report["lost"]), report)
    expect("check opens it", run("check", "out")[0], 0)
code, report, err = recover(b"[gd_notes]\nx=1\ny=[1,\n")
expect("a ConfigFile that begins as if it were a resource", (code, made.read_bytes()), (4, b"[gd_notes]\nx=1\ny=[1]\n"))

# ---- what a String holds is not opened where it can't be put back
packet = pack('{"hp": 7, "name": "Ada", "pos": [1, 2, 3]}')
for end in range(20, len(packet) - 4, 4):
    for data in (record(string(packet[:end])), string(packet[:end])):
        put("held", data)
        whole_too = run("check", "held")[0] == 0
        if not whole_too:
            continue
        code, report, err = recover(data)
        check(f"a String with {end} bytes of a packet", code in (0, 4) and report, (code, err))
        check("without a loss, it is the same", code or made.read_bytes() == data, (code, err))
data = bytes.fromhex("24000000040000001c0000001b000000030000000400000002000000687000000200000007000000")
code, report, err = recover(data)
expect("its counts are no UTF-8", (code, report and report["layers"], made.exists() and made.read_bytes()), (0, [], data))
whole_text = string(pack('{"text": "a text that is long enough", "hp": 7, "pos": [1, 2, 3], "name": "Ada"}'))
for end in range(60, len(whole_text) - 4, 4):
    outside = recover(whole_text[:end], "--no-inside")[0]
    code, report, err = recover(whole_text[:end])
    check(f"a damaged one, {end} bytes", "bad_utf8" not in err or code == 4, (code, err))
    check("as much as with --no-inside", code == 4 or outside == 1, (code, outside, err))

# ---- byte order marks
mark = b"\xef\xbb\xbf"
config = b'hp=7\nname="Ada"\n'
for words in ([], ["--as", "config"]):
    code, report, err = recover(mark + config, *words)
    expect("before a ConfigFile without sections", (code, made.read_bytes(), lost(report)), (4, config, [(1, "")]))
    expect("it is read without --as", run("check", "out")[0], 0)
config = b'[gd_x type="R"]\ny=1\n[b]\nx=1\n'
code, report, err = recover(mark + config)
expect("before a section that begins as a tag does", (code, made.exists() and made.read_bytes()), (4, config))
resource = b'[gd_resource type="Resource" format=3]\n\n[resource]\ngold = 10\n'
for begin in (b"\0" + mark, mark + b"\0", mark * 2, b"\0\0\n" + mark + b"\1"):
    for kind, inner in (("resource", resource), ("config", b"hp=7\n[a]\nx=1\n")):
        code, report, err = recover(begin + inner)
        expect(f"{begin!r} before a {kind}", (code, report["document"], made.read_bytes().lstrip()), (4, kind, inner))
        expect("check opens it", run("check", "out")[0], 0)

# ---- what shows the kind may be lost
base = base64.b64encode(record(pack('{"hp": 7}')))
# A bool of 7 is not as engines write it.
odd = base64.b64encode(pack('{"hp": 7, "on": true}')[:-4] + b"\7\0\0\0" + b"\xff" * 60)
put("in", odd)
code, out, err = run("recover", "in", "-o", "out")
check("a note", code == 4 and run("check", "out")[0] != 0 and
      "note: the result is not recognised by itself; --as base64 reads it" in err, (code, err))
expect("--as reads it", run("check", "--as", "base64", "out")[0], 0)
for data in (base[:-8], plain[:2000], gzip.compress(plain)[:600]):
    code, report, err = recover(data)
    check("no note where check opens it", code == 4 and run("check", "out")[0] == 0 and "note: the result" not in err, err)

# ---- bytes that were posted, cut or with a wrong digit: what comes before the break
packet = pack('{"a":1,"b":2,"name":"some longer text","c":[1,2,3]}')
rows = [packet[i:i + 16] for i in range(0, len(packet), 16)]
dump = "".join(f"{16 * i:08x}: {row.hex(' ', 2)}\n" for i, row in enumerate(rows))
numbers = ", ".join(f"0x{byte:02x}" for byte in packet)
for name, posted in (("a dump", dump[:230]), ("a wrong digit", dump[:215] + "x" + dump[216:]), ("numbers", numbers[:450])):
    code, report, err = recover(posted.encode())
    check(f"{name}: read up to the break", code == 4 and [layer["name"] for layer in report["layers"]] == ["byte-text"], (code, err))
    check(f"{name}: the values", text("out").startswith(b'{\n"a": 1,\n"b": 2'), text("out"))

# ---- a bracket that ends an Array is no header's end
code, report, err = recover(b'[player]\nname="Ada"\ninv=[{\n"count": 3]\n"id": "sword"\n}, {\n"count": 1\n}]\nhp=97\n', "--as", "config")
expect("keys behind a broken Array", (code, made.read_bytes()), (4, b'[player]\nname="Ada"\nhp=97\n'))
code, report, err = recover(b'[gd_resource type="Resource" format=3]\n\n[resource]\nmetadata/inv = [{\n"count": 3]\n}, {\n"count": 1\n}]\nmetadata/hp = 97\n')
check("properties behind one", code == 4 and b"metadata/hp = 97\n" in made.read_bytes() and "the tag above" not in err, (code, err))
code, report, err = recover(b'[audio]\nvolume=1\n?video]\nw=2\n')
expect("a header's end is one", (code, made.read_bytes()), (4, b'[audio]\nvolume=1\n[recovered-3]\nw=2\n'))

# ---- a resource whose first tag is damaged is no ConfigFile
for tag in (b'[gd_resourcf type="Resource" format=3]', b'[gd_resource_ type="Resource" load_steps=2 format=3]\n\n[ext_resource type="Script" path="res://a.gd" id="1"]'):
    code, report, err = recover(tag + b'\n\n[resource]\nhp = 1\n')
    check("a resource without its first tag", code == 1 and "nothing can be recovered" in err, (code, err))
story = b'[a]\nx="\n[node name=1]\n[gd_scene format=3]\n"\n'
expect("a text with tags is none", recover(story)[0], 0)

# ---- nothing can be recovered, usage
random.seed(1)
code, report, err = recover(random.randbytes(5000))
check("noise", code == 1 and report is None and "nothing can be recovered" in err, (code, err))
code, report, err = recover(b"")
check("nothing", code == 1 and "empty" in err, (code, err))
put("in", plain[:2000])
for words in (["in", "-o", "in"], ["in", "-o", "./in"]):
    code, out, err = run("recover", *words)
    check("never in place", code == 2 and "never replaces" in err and pathlib.Path("in").read_bytes() == plain[:2000], err)
os.symlink("in", "link")
expect("never in place, by a link", run("recover", "in", "-o", "link")[0], 2)
expect("nor a key", run("recover", "--password-file", "pass.txt", "in", "-o", "pass.txt")[0], 2)
expect("-o is required", run("recover", "in")[0], 2)
expect("no such file", run("recover", "nothing", "-o", "out")[0], 3)
code, out, err = run("recover", "-", "-o", "out", stdin=plain[:2000])
check("from a pipe", code == 4 and not out and err.startswith("<stdin>: "), err)

# ---- real saves, where they are here
for save in real_saves():
    if save.suffix in (".md", ".json"):
        continue
    data = save.read_bytes()
    code, report, err = recover(data)
    check(f"{save.name} is sound", code == 0 and made.read_bytes() == data, (code, err))
    for n in range(0, len(data), max(1, len(data) // 12)):
        code, report, err = recover(data[:n])
        check(f"{save.name} cut to {n}", code in (0, 1, 4), (code, err))

finish()
