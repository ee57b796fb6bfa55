#!/usr/bin/env python3
"""project.binary: settings by name, through every command that changes or compares.

Usage: settings_test.py GDVAR SOURCE_DIR"""
import os, shutil, struct, sys

sys.path.append(sys.path[0] + "/../support")
from by_hand import project
from command import check, expect, finish, new_folder, pack, put, real_saves, run, tells


def entries(data):
    assert data[:4] == b"ECFG"
    at, found = 8, []
    for _ in range(struct.unpack_from("<I", data, 4)[0]):
        parts = []
        for _ in range(2):
            n, = struct.unpack_from("<I", data, at)
            parts.append(data[at + 4:at + 4 + n])
            at += 4 + n
        found.append(tuple(parts))
    assert at == len(data)
    return found


name, padded, jump, odd = b"application/config/name", b"application/run/main_scene\0\0", b"input/jump", b"a $b/#c"
made = [(name, pack('"Game"')), (padded, pack('"res://main.tscn"')), (jump, pack('{"deadzone": 0.5, "events": []}')), (odd, pack("7"))]

folder = new_folder()
file, out = folder / "project.binary", folder / "out.binary"
file.write_bytes(project(*made))

# Reading.
expect("get", run("get", file, "application/config/name")[:2], (0, b'"Game"\n'))
expect("get inside", run("get", file, "input/jump $.deadzone")[:2], (0, b"0.5\n"))
expect("as a Dictionary", run("get", file, '$["a $b/#c"]')[:2], (0, b"7\n"))
expect("a padded name", run("get", file, "application/run/main_scene")[:2], (0, b'"res://main.tscn"\n'))
expect("by number", run("get", file, "#3")[:2], (0, b"7\n"))
tells("no such setting", run("get", file, "no/such"), 1, "no setting 'no/such'")
check("no name", run("get", file, "$")[0] == 2)
put("latin.binary", project((b"caf\xe9", pack("7"))))
tells("a name that is not UTF-8 is none to compare by", run("diff", file, folder / "latin.binary"), 1, "latin.binary", "bad_utf8")

# Changing: only the one value changes, in any container.
for container in ("none", "gcpf-zstd", "gdec-4"):
    put("pass", "x\n")
    secret = ["--password-file", folder / "pass"]
    run("wrap", "--container", container, *secret, file, "-o", out) if container != "none" else shutil.copy(file, out)
    expect(f"set in {container}", run("set", *secret, out, "input/jump $.deadzone", "0.25")[0], 0)
    expect(f"set a whole setting in {container}", run("set", *secret, out, "application/config/name", '"New"')[0], 0)
    expect(f"create in {container}", run("set", *secret, "--create", out, "my/own setting", "[1, 2]")[0], 0)
    expect(f"del in {container}", run("del", *secret, out, '$["a $b/#c"]')[0], 0)
    data = run("unwrap", *secret, out)[1] if container != "none" else out.read_bytes()
    expect(f"result in {container}", entries(data), [(name, pack('"New"')), made[1], (jump, pack('{"deadzone": 0.25, "events": []}')),
                                                     (b"my/own setting", pack("[1, 2]"))])
before = out.read_bytes()
code, text, err = run("set", *secret, out, "aplication/config/name", '"typo"')
check("a new name takes a word", code == 1 and "--create" in err and out.read_bytes() == before, err)
check("del of nothing", run("del", file, "no/such")[0] == 1)
check("records hold no names", run("convert", "--to", "godot4", "--frame", "records", file)[0] == 2)

# Converting keeps magic, names and order.
expect("to the same", run("convert", "--from", "godot4", "--to", "godot4", file), (0, file.read_bytes(), ""))
code, three, err = run("convert", "--from", "godot4", "--to", "godot3", file)
expect("to Godot 3", (code, entries(three)),
       (0, [(key, pack(value, dialect="godot3")) for (key, _), value in zip(made, ('"Game"', '"res://main.tscn"', '{"deadzone": 0.5, "events": []}', "7"))]))
put("three.binary", three)
expect("and back", run("convert", "--from", "godot3", "--to", "godot4", folder / "three.binary")[:2], (0, file.read_bytes()))

# Comparing by name.
other = folder / "other.binary"
other.write_bytes(project((b"added/first", pack("1")), made[3], made[1], (jump, pack('{"deadzone": 0.75, "events": []}'))))
code, text, err = run("diff", file, other)
lines = text.decode().splitlines()
expect("differences", code, 4)
check("each by name", lines == ["- application/config/name $: \"Game\"", "+ added/first $: 1", "> $: pairs in another order",
                                "~ input/jump $.deadzone: 0.5 -> 0.75"], lines)
expect("only the order", len(run("diff", file, file)[1]), 0)
patch = folder / "p.patch"
run("diff", "--patch", file, other, "-o", patch)
shutil.copy(file, out)
code, text, err = run("patch", out, patch)
expect("patch", (code, err if code else "", out.read_bytes()), (0, "", other.read_bytes()))
put("packet", made[0][1])
whole = folder / "whole.patch"
whole.write_bytes(patch.read_bytes().split(b"\n")[0] + b'\n{"set": [], "value": 5}\n')
code, text, err = run("patch", out, whole)
check("settings stay settings", code == 1 and "the patched file: error[wrong_type]" in err and out.read_bytes() == other.read_bytes(), (code, err))
check("not for a packet", run("patch", folder / "packet", patch)[0] == 1)
twice = folder / "twice.binary"
twice.write_bytes(project(made[0], made[0]))
check("a name that is there twice", run("diff", file, twice)[0] == 1)

# Real projects.
for real in real_saves("*project.binary"):
    data = real.read_bytes()
    expect(f"convert {real.name}", run("convert", "--objects", "--from", "godot4", "--to", "godot4", real)[:2], (0, data))
    shutil.copy(real, out)
    os.chmod(out, 0o600)
    expect(f"set {real.name}", run("set", "--objects", out, "application/config/name", '"Mine"')[0], 0)
    changed = entries(out.read_bytes())
    expect(f"others of {real.name}", changed[1:], entries(data)[1:])
    expect(f"get {real.name}", run("get", out, "application/config/name")[1], b'"Mine"\n')

# ---- project.binary from ConfigFiles
old = put("engine.cfg", "[input]\njump=[key(Space), jbutton(0, 0)]\nleft=[jaxis(0, 0), mbutton(0, 1), 5]\n")
code, _, err = run("convert", "--frame", "project", "--to", "godot-3.1", old, "-o", out)
check("events of Godot 2 are losses", code == 1 and "key(Space), which only Godot 2 reads; it becomes null: 1 value, at input/jump $[0]" in err
      and "at input/left $[1]" in err and "4 values can't be expressed" in err, err)
run("convert", "--frame", "project", "--to", "godot-3.1", "--lossy", old, "-o", out)
expect("they become null", run("get", out, "input/left")[1], b"[ null, null, 5 ]\n")
repeats = put("repeats.godot", "config_version=5\n[a]\nx=1\nn=null\n[b]\ny=2\n[a]\nx=3\nb/c=4\n[a/b]\nc=5\n")
tells("the last value counts", run("convert", "--frame", "project", "--to", "godot-4.4", repeats, "-o", out), 0,
      "engines drop a key with null", "the earlier value of a setting that stands again is dropped: 2 values, at a/x and a/b/c")
expect("as in the engine", run("text", "--full", out)[1], b"a/x=3\na/b/c=5\nb/y=2\n")
odd = put("odd.godot", '[a]\nr=ExtResource("1_a")\nt=Array[int](["one"])\n')
code, _, err = run("convert", "--frame", "project", "--to", "godot-4.4", odd, "-o", out)
check("references and elements of another type are losses", code == 1 and "at a/r $" in err and "at a/t $[0]" in err
      and "2 values can't be expressed" in err, err)
for name, data in (("a.json", "{}"), ("a.tres", '[gd_resource type="X" format=1]\n[resource]\na=Image()\n'), ("a.save", pack("7"))):
    code, _, err = run("convert", "--frame", "project", "--to", "godot-4.4", put(name, data), "-o", folder / "none.binary")
    check(f"{name} has no settings", code == 1 and "settings come from a ConfigFile" in err and not (folder / "none.binary").exists(), err)

finish()
