#!/usr/bin/env python3
"""Packs (PCK) and browsers' exports on the command line: listed, their files opened by every reading command, and never
written. Usage: archives_test.py GDVAR SOURCE_DIR"""
import base64, gzip, json, re, struct, sys

sys.path.append(sys.path[0] + "/../support")
from command import PLAIN, ROOT, check, expect, finish, new_folder, put, run, tells

PACKS = ROOT / "tests/data/resources"
KEY = "00112233445566778899aabbccddeeff" * 2
CONFIG = b'[player]\n\nname="Ada"\nhp=100\n'


def made_pack(files):
    """A pack of format 3: (name, content, flags)."""
    contents = b"".join(content for _, content, _ in files)
    directory, at = struct.pack("<I", len(files)), 0
    for name, content, flags in files:
        directory += struct.pack("<I", len(name)) + name + struct.pack("<QQ16sI", at, len(content), b"", flags)
        at += len(content)
    head = b"GDPC" + struct.pack("<IIIIIQQ", 3, 4, 6, 3, 2, 104, 104 + len(contents)) + bytes(64)
    return head + contents + directory


folder = new_folder()
# ---- a pack in a pack
inner = made_pack([(b"res://a.cfg", CONFIG, 0)])
outer = put("outer.pck", made_pack([(b"inner.pck", inner, 0), (b"far.bin", b"", 0)]))
code, out, err = run("show", outer, "--entry", "inner.pck")
check("one more --entry is meant", code == 1 and "one more --entry NAME opens one" in err and "--layers" not in err, err)
check("--layers closes it", "--layers leaves it closed" in run("show", outer, "--layers", 0, "--entry", "inner.pck")[2])
check("listed", run("list", outer, "--entry", "inner.pck")[1].endswith(b"  res://a.cfg\n"))
check("opened", run("show", outer, "--entry", "inner.pck", "--entry", "a.cfg")[1].startswith(b"stack: pack > pack > config\n"))
# An offset of all digits takes no other column's place.
data = bytearray(outer.read_bytes())
at = data.rindex(b"far.bin") + 7
data[at:at + 8] = struct.pack("<Q", 0xFFFF_FFFF_FFFF_FF00)
lines = run("list", put("far.pck", bytes(data)))[1].decode().splitlines()
check("columns", len({line.index(what) for line, what in zip(lines[1:], ("path", "inner.pck", "far.bin"))}) == 1, lines)

# ---- packs of the engines: every document in them opens through every reading command
for engine in ("godot-3.2.3", "godot-3.6.2", "godot-4.6.3"):
    pack = PACKS / engine / "pack.pck"
    four = engine == "godot-4.6.3"
    dialect = "godot-4.4" if four else "godot-3.1"
    code, out, err = run("list", pack)
    expect(f"{engine}: list", (code, err), (0, ""))
    lines = out.decode().splitlines()
    expect(f"{engine}: first line", lines[0].rpartition("pack: ")[2],
           f"format {3 if four else 1} of Godot {engine[6:]}, {6 if four else 5} files")
    check(f"{engine}: paths", lines[3].endswith("saves/data.save"), lines)
    data = json.loads(run("list", "--json", pack)[1])
    expect(f"{engine}: json", [file["path"].removeprefix("res://") for file in data["files"]][:5],
           ["data.cfg", "saves/data.save", "project.binary", "things/tree.res", "empty.txt"])
    for file in data["files"][:5]:
        code, out, err = run("unwrap", "--layers", 1, pack, "--entry", file["path"])
        expect(f"{engine}: {file['path']}", (code, len(out)), (0, file["size"]))
        expect(f"{engine}: its bytes", out, pack.read_bytes()[file["offset"]:][:file["size"]])
    # Settings of ints and Strings are the same in all dialects.
    stacks = {"data.cfg": "config", "saves/data.save": f"{dialect} records", "project.binary": "godot-4.4 project",
              "things/tree.res": f"{dialect} binary-resource"}
    for name, stack in stacks.items():
        for spelling in (name, "res://" + name):
            code, out, err = run("check", pack, "--entry", spelling)
            expect(f"{engine}: check {spelling}", code, 0)
            check(f"{engine}: stack of {spelling}", f": stack: pack > {stack}\n" in out.decode(), out)
    for command in ("show", "text", "json", "annotate", "stats"):
        code, out, err = run(command, pack, "--entry", "saves/data.save")
        check(f"{engine}: {command}", code == 0 and b"hp" in out, err)
    expect(f"{engine}: get", run("get", pack, "--entry", "data.cfg", "$.player.hp")[:2], (0, b"100\n"))
    own = put("own.cfg", CONFIG.replace(b"100", b"7"))
    config = put("game.cfg", CONFIG)
    expect(f"{engine}: diff with itself", run("diff", pack, pack, "--entry", "data.cfg")[:2], (0, b""))
    # Without a name, the pack is named, and how to go on.
    for command in ("show", "check", "json", "get"):
        tells(f"{engine}: {command} without --entry", run(command, pack, *(["$"] if command == "get" else [])),
              1, "a pack of a Godot game (PCK)", "gdvar list", "--entry")

# ---- nothing is written through a pack
pack = put("game.pck", (PACKS / "godot-4.6.3/pack.pck").read_bytes())
before = pack.read_bytes()
change = put("change.patch", run("diff", "--patch", config, own)[1])
for words in (("set", pack, "$.player.hp", 5), ("del", pack, "$.player.hp"), ("patch", pack, change),
              ("edit", "--yes", pack), ("set", pack, "$.player.hp", 5, "-o", folder / "new.cfg")):
    tells(f"{words[0]} is refused", run(*words, "--entry", "data.cfg", EDITOR="true"), 1, "error[misplaced]: what is in a pack is read, but not written")
tells("convert does not replace the pack", run("convert", "--to", "godot3", pack, "--entry", "saves/data.save", "-o", pack), 2, "the whole pack")
expect("the pack is as it was", pack.read_bytes(), before)
expect("and there is no new file", (folder / "new.cfg").exists(), False)
code, out, err = run("convert", "--to", "godot3", pack, "--entry", "saves/data.save", "-o", folder / "old.save")
expect("convert to another file", (code, err), (0, ""))
check("is the file alone", b"stack: godot-3.1 records" in run("check", folder / "old.save")[1])


# ---- names, wrong ones and hostile ones
def message(*words):
    code, out, err = run(*words)
    expect(f"{words}: code", code, 1)
    return err.removeprefix(f"{words[1]}:").strip()


expect("no such file", message("show", pack, "--entry", "nope"),
       'error[missing_key]: there is no file "nope" in it; gdvar list names them all')
check("removed", "error[misplaced]: this pack removes the file" in message("show", pack, "--entry", "gone.txt"))
check("no pack", "error[bad_path]: a file is named" in message("show", config, "--entry", "a"))
check("list of no pack", "neither a pack (PCK)" in message("list", config))
damaged = put("damaged.pck", before.replace(b"hp=100", b"hp=999"))
check("a wrong MD5", "error[bad_checksum]" in message("show", damaged, "--entry", "data.cfg"))
check("the others open", run("show", damaged, "--entry", "project.binary")[0] == 0)
check("cut", "error[truncated]" in message("list", put("cut.pck", before[:-9])))
hostile = put("hostile.pck", made_pack([(b"res://../../etc/x", CONFIG, 0), (b"/etc/passwd", b"", 0),
                                        (b"C:\\x", b"", 0), (b"a\0b", b"", 0), (b"red\x1b[31m\n\xff", CONFIG, 0),
                                        (b"twice", b"", 0), (b"twice", CONFIG, 0), (b"d", b"", 4)]))
inside = sorted(folder.iterdir())
code, out, err = run("list", hostile)
expect("hostile names", [re.sub(r"^#\d+ +\d+ +0x\w+ +- +", "", line) for line in out.decode().splitlines()[2:]],
       ["res://../../etc/x  (leads out of its folder)", "/etc/passwd  (absolute path)",
        "C:\\x  (drive letter; backslash)", "a\\u0000b  (NUL in the name; control character)",
        "red\\u001b[31m\\n\\xff  (control character; not UTF-8)", "twice  (comes again: the last one counts)",
        "twice", "d  (a delta of another pack's file)"])
names = [file["path"] for file in json.loads(run("list", "--json", hostile)[1])["files"]]
expect("in JSON", names[3], "a\0b")
for entry in ("res://../../etc/x", "../../etc/x", "#0", "#4", "twice"):
    expect(f"open {entry!r}", run("get", hostile, "--entry", entry, "$.player.hp")[:2], (0, b"100\n"))
expect("nothing is written", sorted(folder.iterdir()), inside)

# ---- executables, streams, packs in packs, encryption
program = put("game.x86_64", b"\x7fELF" + bytes(5000) + before + struct.pack("<Q", len(before)) + b"GDPC")
check("executable", b"pack > config" in run("check", program, "--entry", "data.cfg")[1])
check("says where", b"which begins at byte 5004" in run("check", program, "--entry", "data.cfg")[1])
expect("a pipe", run("get", "--entry", "data.cfg", "-", "$.player.hp", stdin=before)[:2], (0, b"100\n"))
zipped = put("game.pck.gz", gzip.compress(before))
check("compressed", run("show", zipped, "--entry", "data.cfg")[1].startswith(b"stack: gzip > pack > config\n"))
outer = put("outer.pck", made_pack([(b"dlc/inner.pck", before, 0)]))
check("a pack in a pack", run("show", outer, "--entry", "dlc/inner.pck", "--entry", "data.cfg")[1]
      .startswith(b"stack: pack > pack > config\n"))
check("is listed", b"6 files" in run("list", outer, "--entry", "dlc/inner.pck")[1])
check("no file of it", 'there is no file "x" in the file named before it' in
      message("show", outer, "--entry", "dlc/inner.pck", "--entry", "x"))
expect("skip", run("get", "--skip", 3, "--entry", "data.cfg", "-", "$.player.hp", stdin=b"abc" + before)[:2],
       (0, b"100\n"))
key = put("key", KEY)
for name in ("encrypted_files.pck", "encrypted_directory.pck"):
    secret = PACKS / "godot-4.6.3" / name
    tells(f"{name}: needs the export's key", run("get", secret, "--entry", "data.cfg", "$.player.hp", "--no-passwords"), 1, "error[bad_key]", "--key-file")
    expect(f"{name}: opens", run("get", secret, "--entry", "data.cfg", "$.player.hp", "--key-file", key)[:2],
           (0, b"100\n"))
    check(f"{name}: list", b"data.cfg" in run("list", secret, "--key-file", key)[1])
check("list without the key", "error[bad_key]" in message("list", secret, "--no-passwords"))

# ---- what a game has left in a browser
save = PLAIN.read_bytes()
path, other = "/userfs/godot/app_userdata/Game/data.save", "/userfs/godot/app_userdata/Game/game.cfg"


def record(contents):
    return {"timestamp": "2024-05-01T10:00:00.000Z", "mode": 33206, "contents": contents}


def members(data):
    return {str(number): byte for number, byte in enumerate(data)}


browser = put("userfs.json", json.dumps({"/userfs/godot": {"timestamp": "2024", "mode": 16877},
                                         path: record(members(save)),
                                         other: record(base64.b64encode(CONFIG).decode())}))
code, out, err = run("list", browser)
expect("list of a browser's files", (code, [re.sub(r"^#\d+ +\d+ +", "", line) for line in out.decode().splitlines()[2:]]),
       (0, [f"{path}  (an object of numbers)", f"{other}  (Base64)"]))
check("its save", run("show", browser, "--entry", path)[1].startswith(b"stack: browser-files > godot-4.4 records\n"))
expect("taken out", run("unwrap", "--layers", 1, browser, "--entry", path)[1], save)
expect("its config", run("get", browser, "--entry", other, "$.player.hp")[:2], (0, b"100\n"))
check("without a name", "an export of the files" in message("show", browser) and "gdvar list" in message("check", browser))
check("as JSON", run("show", "--as", "json", browser)[0] == 0)
one = put("record.json", json.dumps(record(members(save))))
check("a single file needs no name", run("show", one)[1].startswith(b"stack: browser-files > godot-4.4 records\n"))
check("and is listed", b"(an object of numbers; no name)" in run("list", one)[1])
tells("nor written", run("set", one, "#0 $.version", 2), 1, "what is in a browser's export is read, but not written")
expect("it is as it was", json.loads(one.read_text()), record(members(save)))

finish()
