#!/usr/bin/env python3
"""Layers on the command line: found and printed, changed in place, chosen, taken off, damaged, larger than memory."""
import base64, functools, gzip, json, os, random, sys, zlib

sys.path.append(sys.path[0] + "/../support")
from by_hand import record
from command import check, expect, finish, measured, new_folder, pack, put, run, tells

packed = functools.partial(pack, dialect="godot3")


def as_bytes_value(inner):
    return packed("PoolByteArray( " + ", ".join(map(str, inner)) + " )")


WORLD = '{ "hp": 7, "name": "Ada", "items": [ 1, 2, 3 ] }'

folder = new_folder()
put("pass", "secret\n")
secret = ("--password-file", folder / "pass")
packet = packed(WORLD)


def wrap(data, layers):
    code, out, err = run("wrap", "--container", layers, *secret, stdin=data)
    expect(f"wrap {layers}", (code, err), (0, ""))
    return out


# ---- each stack: printed, read, changed, and put back as it was
stacks = {
    "gz": (gzip.compress(packet, mtime=0), "gzip > godot-3.1 packet"),
    "zlib": (zlib.compress(packet), "zlib > godot-3.1 packet"),
    "base64 gzip": (base64.b64encode(gzip.compress(packet)), "base64 > gzip > godot-3.1 packet"),
    "lines": (base64.encodebytes(zlib.compress(record(packet) * 30)), "base64 > zlib > godot-3.1 records"),
    "gdec gzip": (wrap(gzip.compress(packet), "gdec-3"), "gdec-3 > gzip > godot-3.1 packet"),
    "gdec json": (wrap(b'{"hp": 7}\n', "gdec-4"), "gdec-4 > json"),
    "json in a String": (record(packed('"{\\"hp\\":7}"')), "records > string > json"),
    "bytes": (record(as_bytes_value(gzip.compress(packet))), "godot-3.1 records > bytes > gzip > godot-3.1 packet"),
}


def dump(data, width, mark, form, ends):
    """As xxd and hexdump print it."""
    lines = [(f"{at:08x}", data[at:at + width]) for at in range(0, len(data), width)]
    shown = lambda line: "".join(chr(c) if 32 <= c < 127 else "." for c in line)
    return "".join(f"{at}{mark}{form(line)}{ends[0]}{shown(line)}{ends[1]}\n" for at, line in lines)


def xxd(line):
    return " ".join(line[i:i + 2].hex() for i in range(0, len(line), 2)).upper().ljust(39)


def hexdump(line):
    return (line[:8].hex(" ") + ("  " + line[8:].hex(" ") if line[8:] else "")).ljust(48)


numbers = [f"0x{c:02x}" for c in packet]
printed = {
    "list": str(list(packet)),
    "Node": "<Buffer " + packet.hex(" ") + ">\n",
    "Node, behind a byte order mark": "\ufeff<Buffer " + packet.hex(" ") + ">\n",
    "JSON of Node": '{"type":"Buffer","data":' + json.dumps(list(packet), separators=(",", ":")) + "}",
    "Python": repr(packet),
    ".NET": packet.hex("-").upper() + "-",
    "C": "{" + ", ".join(numbers) + "};",
    "xxd -i": "".join("  " + ", ".join(numbers[i:i + 12]) + (",\n" if i + 12 < len(numbers) else "\n") for i in range(0, len(numbers), 12)),
    "xxd -u": dump(packet, 16, ": ", xxd, ("  ", "")),
    "hexdump -C": dump(packet, 16, "  ", hexdump, ("  |", "|")) + f"{len(packet):08x}\n",
}
stacks |= {name: (text.encode(), "byte-text > godot-3.1 packet") for name, text in printed.items()}
for name, (data, stack) in stacks.items():
    save = put("stack.save", data)
    code, out, err = run("show", *secret, save)
    check(f"{name}: show", code == 0 and out.decode().startswith(f"stack: {stack}\n"), (code, out[:200], err))
    code, out, err = run("check", *secret, save)
    check(f"{name}: check", code == 0 and f"stack: {stack}\n" in out.decode(), (code, out[:300], err))
    path = "#0 $.hp" if stack.endswith("records") else "$.hp"
    code, out, err = run("set", *secret, save, path, "7")
    check(f"{name}: the same again is not written",
          code == 0 and save.read_bytes() == data and "nothing was written" in err, (code, err))
    code, out, err = run("set", *secret, save, path, "12345")
    check(f"{name}: set", code == 0 and save.read_bytes() != data, (code, err))
    expect(f"{name}: get", run("get", *secret, save, path)[1], b"12345\n")
    expect(f"{name}: the same stack", run("show", *secret, save).lines()[0], f"stack: {stack}")
    tells(f"{name}: set back", run("set", *secret, save, path, "7"), 0)
lines = save_lines = put("lines.b64", stacks["lines"][0])
run("set", save_lines, "#3 $.hp", "8")
check("lines of Base64 stay", max(map(len, lines.read_bytes().split(b"\n"))) == 76, lines.read_bytes()[:200])

# ---- printed bytes that are not written back, or not read; the reason is told
def words(data):
    """As hexdump prints them."""
    padded = data + b"\0" * (len(data) % 2)
    lines = [range(at, min(at + 16, len(padded)), 2) for at in range(0, len(padded), 16)]
    return "".join(f"{line[0]:07x} " + " ".join(padded[i:i + 2][::-1].hex() for i in line) + "\n" for line in lines) + f"{len(data):07x}\n"


save = put("words.txt", words(packet))
expect("hexdump's words are read", run("show", save).lines()[0], "stack: byte-text > godot-3.1 packet")
tells("and not written", run("set", save, "$.hp", "8"), 1, "error[bad_hex]: the bytes are spelled or spread in no regular way")
expect("so they stay", save.read_bytes(), words(packet).encode())
put("words.txt", words(packet[:-4]))
run("recover", save, "-o", folder / "words.save")
check("recover writes a list", (folder / "words.save").read_bytes().startswith(b"[18, 0, 0, 0, 3, 0"), (folder / "words.save").read_bytes())
put("words.txt", words(packet))
posted = bytes.fromhex("1b00000004000000040000000100000061000000020000000100000004000000")
indented = [f"    {at:08x}: {posted[at:at + 16].hex(' ', -2)}  {''.join(chr(c) if 32 <= c < 127 else '.' for c in posted[at:at + 16])}" for at in (0, 16)]
indented[1] = indented[1][1:]
expect("nothing is made of what stands behind a break of a dump", run("show", "--as", "byte-text", stdin="\n".join(indented).encode()).lines()[0], "stack: byte-text > godot-4.4 packet")
escaped = put("escaped.txt", "b'" + "".join(f"\\x{c:02x}" for c in packet) + "'\n")
run("set", escaped, "$.hp", "8")
check("bytes that are all escaped are written back so", escaped.read_text().startswith("b'\\x") and "\\x68\\x70" in escaped.read_text(), escaped.read_text())
expect("with the change", run("get", escaped, "$.hp").lines()[0], "8")
tells("--as hex of a dump", run("show", "--as", "hex", save), 1, "error[bad_hex]")
cut = b"<Buffer 13 00 ... 50 more bytes>"
tells("a print that was cut", run("show", stdin=cut), 1, "not byte-text: 1:15: error[truncated]: the print was cut: not all bytes are there")
tells("and that is said to be one", run("show", "--as", "byte-text", stdin=cut), 1, "error[truncated]: the print was cut")
tells("od -t x4", run("show", stdin=b"0000000 ff41001b 00000000\n0000010\n"), 1, "the order of the bytes in groups of so many digits is not known")
bomb = b"".join(f"{at:08x}  {bytes(16).hex(' ')}\n".encode() for at in range(0, 1 << 16, 16)) + b"*\n10000000\n"
tells("* makes no more than 64 bytes of a character", run("show", "--as", "byte-text", stdin=bomb), 1, "error[bad_hex]: * stands for more than 64 bytes")
grid = b"[19,0,0,0,1,0,0,0,2,0,0,0,1,0,0,0]\n"
for how in (["--as", "json"], ["--layers", "0"]):
    expect(f"a list of a packet's bytes with {how[0]}", run("get", *how, "-", "$[0]", stdin=grid).out, b"19\n")
    check("and set", run("set", *how, "-", "$[0]", "5", "-o", "-", stdin=grid).out.startswith(b"[5,0,"))
check("--as text of a list", run("text", "--as", "text", stdin=grid).out.startswith(b"[19, 0, "))
for text in ("[{}]", '{{"type": "Buffer", "data": [{}]}}'):
    numbers = text.format(", ".join(map(str, gzip.compress(b"nothing that is known"))))
    expect("a list that is gzip of nothing known", run("json", "--plain", stdin=numbers.encode()).lines()[0], numbers[0])
    check("and check says so", b"but it is a text, too" in run("check", stdin=numbers.encode()).out)
check("a list is JSON", b"read as json" in run("check", stdin=b"[5,0,0,0,0,0,0,0,0,0,0,0]").out)

# ---- fewer layers, and more
deep = record(as_bytes_value(gzip.compress(packet)))
expect("--layers 1", run("show", "--layers", "1", stdin=deep)[0], 1)
check("--layers 1 names what is closed", "gzip, which --layers leaves closed" in run("show", "--layers", "1", stdin=deep)[2],
      run("show", "--layers", "1", stdin=deep))
for words in (["--no-inside"], ["--layers", "0"]):
    code, out, err = run("show", *words, stdin=deep)
    check(f"{words}", code == 0 and out.startswith(b"#0 PackedByteArray ("), (code, out, err))
expect("unwrap takes all off", run("unwrap", stdin=deep)[1], packet)
expect("unwrap --layers 1", gzip.decompress(run("unwrap", "--layers", "1", stdin=deep)[1]), packet)
raw = wrap(packet, "gzip > deflate")
expect("deflate by name", run("get", "--as", "deflate", "-", "$.hp", stdin=raw)[1], b"7\n")
expect("wrap and unwrap", run("unwrap", "--as", "brotli", stdin=wrap(b"words, words, words", "gzip>brotli"))[1],
       b"words, words, words")
code, out, err = run("convert", "--to", "godot4", "--container", "hex > gzip", stdin=packet)
check("convert into a stack", run("show", stdin=out)[1].startswith(b"stack: hex > gzip > godot-4."), (code, err))
for wrong in ("gzip > none", "zip", "gzip > string", ">"):
    check(f"--container '{wrong}'", run("wrap", "--container", wrong, stdin=b"x")[0] == 2)

# ---- values at a path
inner = base64.b64encode(gzip.compress(packet)).decode()
outer = put("outer.save", record(packed('{ "slots": [ "' + inner + '", "none" ], "version": 3 }')))
code, out, err = run("show", "--inside", "$.slots[0]", outer)
check("--inside", out.startswith(b"stack: godot-3.1 records > string at $.slots[0] > base64 > gzip > godot-3.1 packet\n"),
      (code, out, err))
code, out, err = run("set", "--inside", "$.slots[0]", outer, "$.hp", "99")
expect("set --inside", (code, run("get", "--inside", "#0 $.slots[0]", outer, "$.hp")[1]), (0, b"99\n"))
expect("the rest stays", run("get", outer, "#0 $.version")[1], b"3\n")
for path, word in (("$.none", "missing_key"), ("$.version", "wrong_type"), ("$.slots[1]", "not_recognised"), ("$[", "bad_path")):
    code, out, err = run("show", "--inside", path, outer)
    check(f"--inside {path}", code in (1, 2) and word in err, (code, out, err))

# ---- encrypted, and no password
closed = base64.b64encode(wrap(packet, "gdec-3"))
tells("encrypted: what was found up to there", run("show", "--no-passwords", stdin=closed), 1, "error[bad_key]", "(base64 > gdec)")
value = as_bytes_value(wrap(packet, "gdec-3"))
code, out, err = run("show", "--no-passwords", stdin=value)
check("an encrypted value is shown as a value", code == 0 and out.startswith(b"PackedByteArray ("), (code, out, err))
expect("and opened with the password", run("get", *secret, "-", "$.hp", stdin=value)[1], b"7\n")

# ---- damage: all up to the break is shown, nothing is changed
randomly = random.Random(1)
many = b"".join(record(packed('{ "number": %d, "noise": %d }' % (i, randomly.getrandbits(60)))) for i in range(40)) * 50
for what, data in (("gzip", gzip.compress(many, mtime=0)), ("zlib", zlib.compress(many))):
    damaged = bytearray(data)
    damaged[len(data) // 2] ^= 0xFF
    save = put("damaged.save", damaged)
    code, out, err = run("text", save)
    check(f"damaged {what}", code == 1 and len(out) > 10_000 and f"in the {what} layer" in err, (code, len(out), err[-300:]))
    code, out, err = run("set", save, "#0 $.number", "5")
    check(f"damaged {what} is not changed", code == 1 and save.read_bytes() == damaged, (code, err))
    save = put("cut.save", data[:-20])
    code, out, err = run("text", save)
    check(f"{what} that ends early", code == 1 and len(out) > 10_000 and "error[truncated]" in err, (code, err))
# ---- bytes behind a layer
save = put("longer.save", gzip.compress(packet, mtime=0) + b"tail")
code, out, err = run("show", save)
check("bytes behind are said", code == 1 and "4 bytes after the gzip layer" in err and b".hp" in out, (code, out, err))
code, out, err = run("set", save, "$.hp", "8")
check("and kept", code == 0 and save.read_bytes().endswith(b"tail") and "were kept" in err, (code, err))
# ---- bytes before a layer
save = put("headed.save", b"HEAD" + gzip.compress(packet, mtime=0))
code, out, err = run("set", "--skip", "4", save, "$.hp", "9")
check("bytes before stay", code == 0 and save.read_bytes().startswith(b"HEAD\x1f\x8b"), (code, err))
expect("and are skipped", run("get", "--skip", "4", save, "$.hp")[1], b"9\n")

# ---- bytes behind a container in a stream
for container in ("gcpf-zstd", "gdec-3"):
    options = ["--password-file", put("password", b"pw")] if container == "gdec-3" else []
    code, inner, err = run("wrap", "--container", container, *options, "-", stdin=b'{"hp": 5}')
    assert code == 0, err
    save = put("behind.gz", gzip.compress(inner + b"TAIL5678"))
    code, out, err = run("set", save, "$.hp", "6", *options)
    left = gzip.decompress(save.read_bytes()) if code == 0 else b""
    check(f"bytes behind {container} in gzip stay", left.endswith(b"TAIL5678") and b"were kept" in err.encode(), (code, err, left[-12:]))

# ---- the encryption shows which engines wrote what is inside, and who can open it
plain, config = packed("5"), b"[a]\nx=1\n"
for container, inside, dialect, closed in (
        ("gdec-3", plain, "godot-3.1", "Godot 4.6.3: can't open gdec-3, only gdec-4"),
        ("gdec-4", plain, "godot-4.4", "Godot 3.6.2: can't open gdec-4, only gdec-3"),
        ("gdec-3", config, "godot-3.1", "Godot 4.6.3: can't open gdec-3, only gdec-4"),
        ("gdec-4", config, "godot-4.4", "Pandemonium 5.3: can't open gdec-4, only gdec-3")):
    written = put("by", wrap(inside, container))
    code, out, err = run("check", *secret, written)
    check(f"{container} tells the engine", code == 0 and f"dialect {dialect} " in out.decode() and closed in out.decode(), out.decode())
by3 = put("by3", wrap(packed("{ \"a\": 1 }"), "gdec-3"))
before = by3.read_bytes()
code, out, err = run("set", *secret, "--create", by3, "$.b", "Vector2i(1, 2)")
check("a value that Godot 3 lacks is refused there", code and by3.read_bytes() == before, err)
code, out, err = run("convert", "--to", "godot4", *secret, put("by3", wrap(b'[a]\nk=Object(InputEventKey,"alt":true)\n', "gdec-3")), "-o", folder / "by4")
check("what gdec-3 holds is converted", code == 0 and b"alt_pressed" in run("unwrap", *secret, folder / "by4")[1], err)
tells("convert says what it does not know", run("convert", "--to", "godot4", put("any.cfg", config), "-o", folder / "any4.cfg"),
      0, "nothing in it shows which engine wrote it")
cut = put("cut.save", wrap(packet * 40, "gdec-3")[:-50])
check("a cut file that is encrypted needs a key", "error[bad_key]" in run("recover", cut, "-o", folder / "whole")[2])

# ---- what begins as a resource is none of a ConfigFile, however broken it is
for why, rest in (("engines do not expect this tag here", "[resource]\na=1\n[resource]\nb=2\n"), ("no such tag", "[foo]\nx=1\n[resource]\n"),
                  ("no sub_resource above", '[sub_resource type="Resource" id="1"]\nx=SubResource("2")\n[resource]\n')):
    broken = put("broken.tres", b'[gd_resource type="Resource" format=3]\n\n' + rest.encode())
    before = broken.read_bytes()
    for words in (("check", broken), ("set", broken, "$.resource.a", "5"), ("convert", "--to", "godot3", broken, "-o", folder / "no")):
        code, out, err = run(*words)
        check(f"{words[0]}: {why}", code == 1 and why in err + out.decode() and broken.read_bytes() == before and not (folder / "no").exists(), (code, out, err))
    expect("but by name", run("get", "--as", "config", broken, "$.resource")[0], 0)

# ---- Strings that some sentence might be stay Strings
for text in ("[a]", "x=1", "Vector2( 1, 2 )", "[b]Hello[/b] world", "a=1&b=2", "[a]\nstray\nx=1", "{}", "[b]pos=1[/b]", "[center]x=1[/center]"):
    lone = put("lone.bin", packed(json.dumps(text)))
    expect(f"{text!r} is a value", json.loads(run("get", lone, "$")[1], strict=False), text)
expect("a String of sections is a document", run("get", put("lone.bin", packed(json.dumps("[a]\nx=1"))), "$.a.x")[1], b"1\n")

# ---- bombs, and records that are larger than memory
bomb = gzip.compress(bytes(200 << 20), 9)
tells("a bomb in a bomb", run("show", "--max-bytes", "1MB", stdin=gzip.compress(bomb)), 1, "error[")
code, out, err = run("show", stdin=gzip.compress(bytes(100)))
check("zeros in gzip are not called empty", code == 1 and "not_recognised" in err and "empty" not in err, err)
large = put("large.gz", b"")
with gzip.open(large, "wb", 1) as file:
    for i in range(360):
        file.write(many[:len(many) // 2000 * 2000])
        file.write(record(as_bytes_value(bytes(1000))) * 400)
    unpacked = file.tell()
# AddressSanitizer keeps what was freed for a while.
options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
code, out, err, peak = measured("stats", large, ASAN_OPTIONS=options)
print("a stream of", unpacked >> 20, "MiB:", peak >> 20, "MiB held")
check("records of a large stream are not held", code == 0 and peak < unpacked // 2, (code, peak))

finish()
