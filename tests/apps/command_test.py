#!/usr/bin/env python3
"""The command as its users meet it: input, output, messages, exit codes."""
import base64, json, os, pathlib, subprocess, sys, tempfile

gdvar, root = sys.argv[1], pathlib.Path(sys.argv[2])
saves = root / "tests/data/saves"
failures = []
checks = 0


def run(*words, stdin=b"", env=None):
    done = subprocess.run([gdvar, *map(str, words)], input=stdin, capture_output=True,
                          env={**os.environ, **(env or {})}, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode()


def check(what, condition, detail=""):
    global checks
    checks += 1
    if not condition:
        failures.append(f"{what}: {detail}")


def expect(what, got, wanted):
    check(what, got == wanted, f"got {got!r}, wanted {wanted!r}")


plain = saves / "godot-4.6.3/plain.save"
packet = bytes.fromhex("1b000000010000000400000001000000610000000200000007000000")

for engine, dialect in (("godot-4.6.3", "godot-4.4"), ("godot-3.6.2", "godot-3.1"),
                        ("godot-3.2.3", "godot-3.1"), ("pandemonium-5.3", "pandemonium-5")):
    lines = [json.loads(line) for line in (saves / engine / "expected.ndjson").open()]
    records = [line for line in lines if "bytes" in line]
    family = {"godot-3.2.3": ["--family", "3.2"]}.get(engine, [])
    for name in ("plain.save", "plain_big_endian.save"):
        code, out, err = run("text", *family, saves / engine / name)
        expect(f"text {engine} {name}", (code, out.decode()),
               (0, "".join(r["text"] + "\n" for r in records)))
        code, out, err = run("check", saves / engine / name)
        check(f"check {engine} {name}", code == 0 and f"dialect {dialect}" in out.decode(), out)
        code, out, err = run("convert", "--from", dialect, "--to", dialect, saves / engine / name)
        if engine == "godot-4.6.3":
            expect(f"convert to the same {engine} {name}", (code, out),
                   (0, (saves / engine / name).read_bytes()))
        else:
            check(f"convert to the same {engine} {name}",
                  code == 0 and len(out) == (saves / engine / name).stat().st_size, err)
    code, out, err = run("text", *family, saves / engine / "base64.txt")
    expect(f"base64 {engine}", (code, out.decode()), (0, records[0]["text"] + "\n"))

# Input: a bare file, standard input, hex, skipping.
code, out, err = run(plain)
check("a bare file means show", code == 0 and out.decode().startswith("#0 Dictionary"), out[:80])
expect("standard input", run("text", "-", stdin=packet), (0, b'{\n"a": 7\n}\n', ""))
expect("hex", run("text", "--as", "hex", "-", stdin=packet.hex().encode()), (0, b'{\n"a": 7\n}\n', ""))
expect("recognised hex", run("text", stdin=packet.hex().encode())[1], b'{\n"a": 7\n}\n')
expect("--skip", run("text", "--skip", "3", stdin=b"abc" + packet)[1], b'{\n"a": 7\n}\n')
expect("--path", run("text", "--path", "$.a", stdin=packet)[1], b"7\n")
check("-v says how", "read as packet" in run("text", "-v", stdin=packet)[2])

# JSON.
code, out, err = run("json", "--lines", plain)
expect("json --lines", len(out.splitlines()), 3)
expect("typed json", json.loads(run("json", stdin=packet)[1]),
       {"type": "Dictionary", "args": ["s:a", "i:7"]})
expect("plain json", json.loads(run("json", "--plain", stdin=packet)[1]), {"a": 7})
code, out, err = run("json", "--plain", stdin=bytes.fromhex("150000000100000061000000"))
check("plain json says what it loses", "$: StringName has no form" in err, err)

# Messages and exit codes.
code, out, err = run("text", "--dialect", "godot4", stdin=packet[:-2])
check("truncated", code == 1 and ":0x14: $.a: error[truncated]: need 2 more bytes for an int" in err,
      err)
code, out, err = run("annotate", "--dialect", "godot4", stdin=packet[:-2])
check("annotate shows all up to the break", code == 1 and b"break" in out and b'"a"' in out, out)
expect("annotate a sound packet", run("annotate", stdin=packet)[0], 0)
expect("no file", run("text", "/nonexistent")[0], 3)
expect("a folder", run("text", "/")[0], 3)
expect("no command", run()[0], 2)
expect("unknown option", run("text", "--nope", plain)[0], 2)
expect("unknown dialect", run("text", "--dialect", "nope", plain)[0], 2)
expect("empty input", run("text", stdin=b"")[0], 1)
expect("--version", run("--version")[0], 0)
for command in ("show", "text", "json", "annotate", "check", "convert", "dialects"):
    expect(f"{command} --help", run(command, "--help")[0], 0)
obj = bytes.fromhex("180000000a000000526566436f756e746564000000000000")
code, out, err = run("text", stdin=obj)
check("objects are refused", code == 1 and "objects_forbidden" in err, err)
expect("objects allowed", run("text", "--objects", stdin=obj)[0:2], (0, b"Object(RefCounted)\n\n"))
check("check names damage", run("check", stdin=packet[:-2])[0] == 1)
expect("strict", run("text", "--strict", stdin=packet + b"\0")[0], 1)
expect("writing to a full device", run("text", "-o", "/dev/full", stdin=packet)[0], 3)

# Conversion.
code, out, err = run("convert", "--to", "godot3", stdin=packet)
expect("convert", (code, out.hex()[:8]), (0, "12000000"))
name = bytes.fromhex("150000000100000061000000")
code, out, err = run("convert", "--from", "godot4", "--to", "godot3", stdin=name)
check("a loss is refused", code == 1 and out == b"" and "$: StringName does not exist" in err, err)
code, out, err = run("convert", "--from", "godot4", "--to", "godot3", "--lossy", stdin=name)
expect("--lossy", (code, out.hex()), (0, "040000000100000061000000"))
expect("--output base64", run("convert", "--to", "godot4", "--output", "base64", stdin=packet)[1],
       base64.b64encode(packet) + b"\n")
code, out, err = run("convert", "--to", "godot4", "--frame", "records-be", stdin=packet)
expect("--frame", out, len(packet).to_bytes(4, "big") + packet)

with tempfile.TemporaryDirectory() as folder:
    target = pathlib.Path(folder) / "out.bin"
    target.write_bytes(b"old")
    os.chmod(target, 0o640)
    run("convert", "--from", "godot4", "--to", "godot3", "-o", target, stdin=name)
    expect("a refused conversion leaves the file", target.read_bytes(), b"old")
    expect("written", run("convert", "--to", "godot4", "-o", target, stdin=packet)[0], 0)
    expect("the file is there", target.read_bytes(), packet)
    expect("its permissions are kept", oct(target.stat().st_mode & 0o777), "0o640")
    link = pathlib.Path(folder) / "link"
    link.symlink_to(target)
    run("convert", "--to", "godot3", "-o", link, stdin=packet)
    check("a link stays a link", link.is_symlink() and target.read_bytes()[0] == 0x12)
    expect("nothing is left behind", sorted(os.listdir(folder)), ["link", "out.bin"])

# The engine's own reading: keys merged, text cut.
merged = bytes.fromhex("1b00000002000000020000000100000002000000" "0a000000" "0200000001000000" "020000001e000000")
expect("text merges keys", run("text", "--dialect", "godot4", stdin=merged)[1], b"{\n1: 30\n}\n")
check("check tells of merged keys", "merged with an earlier one" in run("check", stdin=merged)[1].decode())
expect("no colour in a pipe", b"\x1b" in run(plain)[1], False)
expect("colour when asked", b"\x1b" in run("show", "--color", "always", plain)[1], True)
check("dialects", run("dialects")[1].count(b"\n") == 13)
check("one dialect", b"PackedVector4Array" in run("dialects", "godot4")[1])

# The specification's own examples.
for page in (root / "docs/wire-format.md",):
    if not page.exists():
        continue
    dialect, inside = None, False
    for line in page.read_text().splitlines():
        if line.startswith("```"):
            words = line[3:].split()
            inside = len(words) == 2 and words[0] == "bytes"
            dialect = words[1] if inside else None
            continue
        if not inside or "=" not in line:
            continue
        digits, text = line.split("=", 1)
        code, out, err = run("text", "--as", "hex", "--dialect", dialect, "--objects",
                             stdin=digits.strip().encode())
        expect(f"{page.name}: {line}", out.decode().strip(), text.strip())

for failure in failures:
    print("FAILED", failure)
print(f"{checks - len(failures)} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
