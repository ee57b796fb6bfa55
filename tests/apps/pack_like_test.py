#!/usr/bin/env python3
"""pack --like: a new save of the dialect, frame, layers and document of another one, and with its password."""
import base64, gzip, os, sys, zlib

sys.path.append(sys.path[0] + "/../support")
from by_hand import project, record
from command import check, expect, finish, new_folder, pack, put, run, tells

folder = new_folder()
os.environ["HOME"] = str(folder)
config = folder / ".config/gdvar"
config.mkdir(parents=True)
passwords, secret = config / "passwords", folder / "pass"
secret.write_text("other\n")
old, new = folder / "old.save", folder / "new.save"


def made(what, *words, **env):
    """The words after "packed like", and the bytes of the new save."""
    new.unlink(missing_ok=True)
    code, out, err = run("pack", "--full", "--like", old, *words, "-o", new, stdin=what.encode(), **env)
    expect(f"pack {what!r} like {words}", (code, out), (0, b""))
    check("it says what it is like", f"packed like {old}: " in err, err)
    return err.partition(f"packed like {old}: ")[2].strip(), new.read_bytes() if new.exists() else b""


# Every layer, around one packet and around records of both byte orders, in two dialects.
passwords.write_text("mine = secret\n")
passwords.chmod(0o600)
for dialect in ("godot4", "godot3"):
    packet = pack('{"hp": 7, "a": [1, 2]}', dialect=dialect)
    other = pack('{"hp": 8, "a": [1, 2]}', dialect=dialect)
    for frame, around in (("packet", bytes), ("records", record), ("records-be", lambda packet: record(packet, "big"))):
        for layer in ("none", "gcpf-fastlz", "gcpf-deflate", "gcpf-zstd", "gcpf-gzip", "gdec-3", "gdec-4", "base64", "hex", "gzip", "zlib"):
            if frame != "packet" and layer in ("base64", "hex", "zlib"):
                continue
            plain = around(packet)
            if layer in ("base64", "hex", "gzip", "zlib", "none"):
                old.write_bytes({"base64": base64.b64encode, "hex": lambda b: b.hex().encode(), "gzip": gzip.compress, "zlib": zlib.compress, "none": bytes}[layer](plain))
            else:
                put("key", "secret\n")
                code, out, err = run("wrap", "--container", layer, "--password-file", folder / "key", "-o", old, stdin=plain)
                expect(f"wrap {layer}", code, 0)
            as_words, data = made('{"hp": 8, "a": [1, 2]}', "--dialect", dialect)
            inside = {"base64": base64.b64decode, "hex": lambda b: bytes.fromhex(b.decode()), "gzip": gzip.decompress, "zlib": zlib.decompress, "none": bytes}.get(layer)
            inside = inside(data) if inside else run("unwrap", new)[1]
            expect(f"{dialect} {frame} in {layer}", inside, around(other))
            if layer.startswith(("gcpf", "gdec")):
                check(f"{layer} is said", as_words.startswith(f"{layer} > "), as_words)
                expect(f"{layer}: the same head", data[:8] if layer != "gdec-4" else data[:4], old.read_bytes()[:8] if layer != "gdec-4" else b"GDEC")

# The password: that of the options if there is one, else the one of the user's file that opened the other save.
for layer in ("gdec-3", "gdec-4"):
    put("key", "secret\n")
    run("wrap", "--container", layer, "--password-file", folder / "key", "-o", old, stdin=packet)
    made("[1]")
    expect(f"{layer}: the same password", run("get", "--full", "--no-passwords", new, "$", GDVAR_PASSWORD="secret")[:2], (0, b"[1]\n"))
    expect(f"{layer}: of the options", run("pack", "--full", "--no-passwords", "--like", old, "-o", new, stdin=b"[2]", GDVAR_PASSWORD="secret")[0], 0)
    expect(f"{layer}: is that", run("get", "--full", "--no-passwords", new, "$", GDVAR_PASSWORD="secret")[:2], (0, b"[2]\n"))
    before = new.read_bytes()
    code, out, err = run("pack", "--no-passwords", "--like", old, "-o", new, stdin=b"[3]")
    check(f"{layer}: none", code == 1 and "error[bad_key]" in err and new.read_bytes() == before, err)
    code, out, err = run("pack", "--like", old, "--password-file", secret, "-o", new, stdin=b"[3]")
    check(f"{layer}: a wrong one", code == 1 and "error[bad_checksum]" in err and new.read_bytes() == before, err)
    made("[1]", "--container", "none")
    expect(f"{layer}: --container wins", run("get", "--full", "--no-passwords", new, "$")[:2], (0, b"[1]\n"))

# Documents of text: of the same kind, for the same engine.
for text, value, wanted in (('{"hp": 7}\n', '{"hp": 8, "b": [1.5]}', None), ('{"a": 1}\n{"a": 2}\n', '{"a": 3} {"a": 4}', '{"a":3}\n{"a":4}\n'),
                            ("; mine\n[player]\nhp=7\n", '{"player": {"hp": 8, "at": Vector2(1, 2)}}', "[player]\n\nhp=8\nat=Vector2(1, 2)\n"), ("Vector2(1, 2)\n", "Vector2(3, 4)", None)):
    old.write_text(text)
    as_words, data = made(value)
    if wanted:
        expect(f"like {text!r}", data.decode(), wanted)
    kinds = [run("check", file)[1].decode().split("read as ")[1].splitlines()[0].split(",")[0] for file in (old, new)]
    expect(f"the kind of {text!r}", kinds[0], kinds[1])
    expect(f"the value of {text!r}", run("text", "--full", new)[1].decode().split(), value.replace("} {", "}\n{").split())
old.write_text("[player]\nhp=7\n")
as_words, data = made('{"player": {"p": PackedInt32Array(1, 2)}}', "--dialect", "godot3")
expect("a ConfigFile of Godot 3", data, b"[player]\n\np=PoolIntArray( 1, 2 )\n")
old.write_bytes(gzip.compress(b'{"hp": 7}\n'))
expect("JSON in gzip", gzip.decompress(made('{"hp": 8}')[1]), b'{"hp":8}\n')
# A text resource can't be made of a value alone: it is the other one, with other values.
old.write_text('; mine\n[gd_resource type="Resource" format=3]\n\n[ext_resource type="Script" path="res://a.gd" id="1"]\n\n[resource]\nscript = ExtResource("1")\nx = 1\n')
as_full = run("text", "--full", old)[1].decode()
expect("a resource", made(as_full.replace('"x": 1', '"x": 5'))[1].decode(), old.read_text().replace("x = 1", "x = 5"))
tells("no resource", run("pack", "--full", "--like", old, stdin=b"[1]"), 1, "error[", out=b"")
for text in ('{"a": 1}\n', "[player]\nhp=7\n"):
    old.write_text(text)
    tells("one value", run("pack", "--full", "--like", old, stdin=b"{} {}"), 1, "holds one value", out=b"")

# Settings are a Dictionary by name, whose keys end as in the other save.
seven, eight = pack("7"), pack("8")
old.write_bytes(project((b"a/b\0\0", seven), (b"c", seven)))
expect("settings as text --full prints them", made("a/b=8\nc=7\n", "--dialect", "godot4")[1], project((b"a/b\0\0", eight), (b"c", seven)))
expect("settings", made('{"new": 7, "a/b": 8}', "--dialect", "godot4")[1], project((b"new", seven), (b"a/b\0\0", eight)))
for text, what in (("[1]", "settings are a Dictionary by name"), ("{1: 2}", "a setting's name is missing or no String"), ('{"a": 1, &"a": 2}', "a setting's name is there twice"), ('{"a": Object("Node")}', "objects_forbidden"), ('{"a": 1} {"a": 2}', "a setting's name is there twice"), ('a=1 a=2', "a setting's name is there twice")):
    before = new.read_bytes()
    code, out, err = run("pack", "--full", "--like", old, "-o", new, stdin=text.encode())
    check(f"settings: {what}", code == 1 and what in err and new.read_bytes() == before, err)

# The file that is read is not replaced.
tells("onto the other save", run("pack", "--like", old, "-o", old, stdin=b"{}"), 2, "which is read, too")

finish()
