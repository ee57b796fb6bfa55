#!/usr/bin/env python3
"""Sizes and checksums beside the data, by every command that changes a save: told, mended with --update-sums."""
import base64, gzip, hashlib, json, os, struct, sys, zlib

sys.path.append(sys.path[0] + "/../support")
from by_hand import record
from command import check, expect, finish, new_folder, pack, put, run

folder = new_folder()
packet = pack('{"hp": 100, "name": "Ada"}', dialect="godot4")
LONG = "A longer name than before"

# ---- a size in front of a container is a layer, on every way in
for name, size, packed in [("zlib", len(packet), zlib.compress(packet)), ("gzip", None, gzip.compress(packet, mtime=0))]:
    for order in "<>":
        for width in "IQ":
            data = struct.pack(order + width, len(packed) if size is None else size) + packed
            save = put("sized.save", data)
            code, out, err = run("show", save)
            layer = ("" if size is None else "unpacked-") + f"size-u{32 if width == 'I' else 64}" + ("-be" if order == ">" else "")
            check(f"{layer}: show", code == 0 and out.decode().startswith(f"stack: {layer} > {name} > "), (code, out, err))
            expect(f"{layer}: check", run("check", save)[0], 0)
            expect(f"{layer}: unwrap", run("unwrap", save)[1], packet)
            expect(f"{layer}: wrap", run("wrap", "--container", f"{layer} > {name}", stdin=packet)[1][:4 if width == "I" else 8],
                   data[:4 if width == "I" else 8] if size is not None else
                   struct.pack(order + width, len(run("wrap", "--container", name, stdin=packet)[1])))
            code, out, err = run("set", save, "$.name", json.dumps(LONG))
            check(f"{layer}: set", code == 0 and "was the size" not in err, (code, err))
            now = save.read_bytes()
            at = 4 if width == "I" else 8
            rest = now[at:]
            inner = zlib.decompress(rest) if name == "zlib" else gzip.decompress(rest)
            expect(f"{layer}: its number", struct.unpack(order + width, now[:at])[0], len(rest) if size is None else len(inner))
            expect(f"{layer}: get", run("get", save, "$.name")[1], json.dumps(LONG).encode() + b"\n")
            code, out, err = run("convert", "--to", "godot3", save, "-o", folder / "three.save")
            expect(f"{layer}: convert", code, 0)
            expect(f"{layer}: converted", run("show", folder / "three.save").lines()[0], f"stack: {layer} > {name} > godot-3.1 packet")

# ---- passed over with --skip, it is told, and mended
sized = struct.pack("<I", len(packet)) + zlib.compress(packet)
save = put("skipped.save", sized)
code, out, err = run("set", "--skip", "4", save, "$.name", json.dumps(LONG))
check("--skip: told", code == 0 and "note: byte 0: 52 was the size of what follows out of zlib" in err and "--update-sums" in err, (code, err))
expect("--skip: the number stays", save.read_bytes()[:4], sized[:4])
save = put("skipped.save", sized)
code, out, err = run("set", "--skip", "4", "--update-sums", save, "$.name", json.dumps(LONG))
now = save.read_bytes()
expect("--skip --update-sums", (code, struct.unpack("<I", now[:4])[0]), (0, len(zlib.decompress(now[4:]))))
check("--skip --update-sums: said", "byte 0: 52 -> 76, the size of what follows out of zlib" in err, err)

# ---- numbers padded to a width keep it; of two byte orders the aligned one counts
for was, now in (("00000020", "00000003"), ("0020", "0003"), ("      20", "       3"), ("0x14", "0x03")):
    save = put("padded.json", json.dumps({"size": was, "data": "x" * 20}))
    code, out, err = run("set", save, "$.data", '"yyy"')
    check(f"{was!r}: told", code == 0 and f"$.size: {was} was the size of $.data, which is {now} now" in err, (code, err))
    code, out, err = run("set", "--update-sums", put("padded.json", json.dumps({"size": was, "data": "x" * 20})), "$.data", '"yyy"')
    expect(f"{was!r}: mended", (code, json.loads(save.read_text())["size"]), (0, now))
crc = zlib.crc32(packet)
for name, head, now in (
    ("padded", b"%08d\n" % len(packet), lambda b: b"%08d\n" % len(b)),
    ("two numbers", b"+%d-%d\n" % (crc, len(packet)), lambda b: b"+%d-%d\n" % (zlib.crc32(b), len(b))),
    ("version and size", struct.pack("<II", 1, len(packet)), lambda b: struct.pack("<II", 1, len(b))),
):
    save = put("head.save", head + packet)
    code, out, err = run("set", "--skip", str(len(head)), "--update-sums", save, "$.name", json.dumps(LONG))
    made = save.read_bytes()
    changed = next(made[at:] for at in range(len(head) - 2, len(head) + 3) if made[at:].startswith(packet[:4]))
    expect(f"{name}: the head", (code, made[:-len(changed)]), (0, now(changed)))

# ---- the sum of a text that is stored as a line does not count the line's break
line = json.dumps({"name": "x" * 20}).encode()
for line_break in (b"\n", b"\r\n"):
    save = put("line.save", hashlib.md5(line).hexdigest().encode() + b"\n" + line + line_break)
    code, out, err = run("set", "--skip", "33", "--update-sums", save, "$.name", '"new"')
    head, _, rest = save.read_bytes().partition(b"\n")
    expect("--skip: the sum of a line", (code, head.decode()), (0, hashlib.md5(rest.rstrip()).hexdigest()))
    check("--skip: the sum of a line is told", "the MD5 of the line that follows" in err, err)

# ---- in the same Dictionary, by each command
text = base64.b64encode(packet).decode()
md5 = hashlib.md5(text.encode()).hexdigest()
whole = json.dumps({"hash": md5, "data": text})
inside = ("--inside", "$.data")


def hash_is_right(path):
    found = json.loads(path.read_text())
    return found["hash"] == hashlib.md5(found["data"].encode()).hexdigest()


for name, words in {"set": ("$.name", json.dumps(LONG)), "del": ("$.name",)}.items():
    save = put("hash.json", whole)
    code, out, err = run(name, *inside, save, *words)
    check(f"{name}: told", code == 0 and f"$.hash: {md5} was the MD5 of $.data, which is" in err and not hash_is_right(save), (code, err))
    save = put("hash.json", whole)
    code, out, err = run(name, *inside, "--update-sums", save, *words)
    check(f"{name}: mended", code == 0 and hash_is_right(save), (code, err, save.read_text()))
save = put("hash.json", whole)
os.environ["EDITOR"] = "sed -i s/Ada/Grace-Hopper/"
code, out, err = run("edit", "--yes", *inside, "--update-sums", save, "$")
check("edit: mended", code == 0 and hash_is_right(save) and "$.hash: " in err, (code, err))
save, other = put("hash.json", whole), put("other.json", whole)
run("set", *inside, other, "$.name", json.dumps(LONG))
patch = put("to-other.patch", run("diff", "--patch", *inside, save, other)[1])
code, out, err = run("patch", *inside, "--update-sums", save, patch)
check("patch: mended", code == 0 and hash_is_right(save), (code, err))
save = put("hash.json", whole)
code, out, err = run("convert", "--from", "godot4", "--to", "godot3", *inside, "--update-sums", save, "-o", folder / "three.json")
check("convert: mended", code == 0 and hash_is_right(folder / "three.json"), (code, err))
code, out, err = run("convert", "--from", "godot4", "--to", "godot3", *inside, save, "-o", folder / "three.json")
check("convert: told", code == 0 and "was the MD5 of $.data" in err, (code, err))

# ---- records: without layers, straight to the file; the sum is in the record before
digest = hashlib.sha256(packet).hexdigest()
rows = [pack(json.dumps(digest), dialect="godot4"), packet, pack('"the end"', dialect="godot4")]
save = put("rows.save", b"".join(map(record, rows)))
code, out, err = run("set", save, "#1 $.hp", "7")
check("records: told", code == 0 and f"#0 $: {digest} was the SHA-256 of #1 $" in err, (code, err))
save = put("rows.save", b"".join(map(record, rows)))
code, out, err = run("set", "--update-sums", save, "#1 $.hp", "7")
now = save.read_bytes()
changed = now[4 + len(rows[0]) + 4:][:len(packet)]
check("records: mended", code == 0 and now == b"".join(map(record, [pack(json.dumps(hashlib.sha256(changed).hexdigest()), dialect="godot4"), changed, rows[2]])), (code, err))

# ---- lines of JSON: the sum is in the line before
line = '{"a":1,"name":"Ada"}'
for first, name in ((json.dumps(hashlib.md5(line.encode()).hexdigest()), "MD5"), (str(len(line)), "size")):
    save = put("lines.jsonl", f"{first}\n{line}\n")
    code, out, err = run("set", "--as", "json-lines", save, "#1 $.name", '"Grace"')
    check(f"lines: {name} told", code == 0 and f"was the {name} of #1 $ as text" in err and save.read_text().startswith(first), (code, err))
    save = put("lines.jsonl", f"{first}\n{line}\n")
    code, out, err = run("set", "--as", "json-lines", "--update-sums", save, "#1 $.name", '"Grace"')
    sum_, changed = save.read_text().splitlines()
    right = hashlib.md5(changed.encode()).hexdigest() if name == "MD5" else len(changed)
    check(f"lines: {name} mended", code == 0 and json.loads(sum_) == right, (code, err, save.read_text()))

# ---- a number that may be the size of two things, or two that may be of one, are told and stay
a, b = "a" * 100, "b" * 100
for there, at in (({"size": 100, "a": a, "b": b}, "$.a"), ({"size": 100, "hp": 100, "data": a}, "$.data")):
    save = put("two.json", json.dumps(there))
    code, out, err = run("set", "--update-sums", save, at, '"short"')
    now = json.loads(save.read_text())
    check(f"{at} is not certain", code == 0 and now == {**there, at[2:]: "short"} and "$.size: 100 was the size of" in err, (code, err, now))

# ---- nothing is told of what was wrong before, or is no sum
save = put("plain.json", json.dumps({"hash": "0" * 32, "size": 53, "data": text}))
code, out, err = run("set", *inside, save, "$.name", json.dumps(LONG))
check("no sum", code == 0 and " was " not in err, (code, err))

finish()
