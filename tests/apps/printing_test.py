#!/usr/bin/env python3
"""Values are printed as they are, and messages tell which can't be. Usage: printing_test.py GDVAR SOURCE_DIR"""
import sys

sys.path.append(sys.path[0] + "/../support")
from by_hand import NIL, array, dictionary, padded, record, string, u32
from command import expect, finish, new_folder, pack, put, run

# A patch can hold values that godot-4.4 has no type for.
folder = new_folder()
texts = {"a": '{"v": PackedVector2iArray(1, 2), "w": PackedVector4iArray(1, 2, 3, 4)}',
         "b": '{"v": PackedVector2iArray(1, 3), "w": PackedTypedArray[int]([1]), "x": PackedVector3iArray(7, 8, 9)}'}
for name, text in texts.items():
    put(name, pack(text, dialect="pandemonium"))
code, patch, err = run("diff", "--patch", "--dialect", "pandemonium", "a", "b")
put("patch", patch)
expect("the patch has every value", (code, b"?" in patch), (4, False))
run("patch", "--dialect", "pandemonium", "a", "patch", "-o", "c")
expect("the patch makes the other file", (folder / "c").read_bytes(), (folder / "b").read_bytes())

# A doubled byte order mark loses one, as in the engine.
marks = u32(4, 7) + b"\xef\xbb\xbf\xef\xbb\xbfa\0"
for dialect in ("godot4", "godot3"):
    expect(f"byte order marks, {dialect}", run("text", "--dialect", dialect, stdin=marks)[1],
           '"\ufeffa"\n'.encode())

# `pack` reads the text that 3.2 prints, and refuses values that would become another number.
expect("3.2's text", run("pack", "--dialect", "godot3", "--family", "3.2", "--output", "hex", stdin=b"Vector2( -inf, nan )")[1],
       b"05000000000080ff0000c07f\n")
for number in ("12345678901234567890", "1e400", "1e4294967297", "PackedByteArray(256)"):
    code, out, err = run("pack", stdin=number.encode())
    expect(f"{number} is refused", (code, out, "error[bad_number]" in err), (1, b"", True))
code, out, err = run("pack", "--input", "json", stdin=b'"f:1e400"')
expect("f:1e400 is refused", (code, out, "error[bad_number]" in err), (1, b"", True))

# Losses: one line for each kind, or for each value.
names = array([u32(21) + padded("n")] * 1000)
for command in (["json", "--plain"], ["get", "--plain"]):
    path = ["-", "$"] if command[0] == "get" else []
    code, out, err = run(*command, *path, stdin=names)
    expect(f"{command} gathers", err, "<stdin>: StringName has no form of its own in JSON: 1000 values, the first at "
           "$[0], $[1] and $[2]\n")
    code, out, err = run(*command, "--verbose", *path, stdin=names)
    expect(f"{command} --verbose lists", err.count("StringName has no form"), 1000)

# Conversions group losses in the same way, over all records. They print no long path a thousand times.
records = record(names) * 2
for lossy in ([], ["--lossy"]):
    code, out, err = run("convert", "--from", "godot4", "--to", "godot3", *lossy, stdin=records)
    lines = ["<stdin>: StringName does not exist in godot-3.1; it becomes a String: 2000 values, the first at "
             "#0 $[0], #0 $[1] and #0 $[2]"]
    if not lossy:
        lines.append("gdvar: 2000 values can't be expressed in godot-3.1; nothing was written (--lossy substitutes)")
    expect("convert gathers", (code, err.splitlines()), (0 if lossy else 1, lines))
code, out, err = run("convert", "--from", "godot4", "--to", "godot3", "--lossy", "--verbose", stdin=records)
expect("convert --verbose lists", [err.count("StringName does not exist"), "#1 $[999]: StringName" in err], [2000, True])
deep = dictionary([string("k" * 400_000) + names])
code, out, err = run("convert", "--from", "godot4", "--to", "godot3", stdin=deep)
expect("long paths are cut", (code, len(err) < 10_000, "..." in err), (1, True, True))
# Names that change take one line each, with --verbose only.
expect("convert of renamed classes is quiet", run("convert", "--objects", "--from", "godot3", "--to", "godot4",
       stdin=run("pack", "--full", "--objects", "--dialect", "godot3", stdin=b'[Object("Camera"), Object("Camera")]')[1])[2], "")

# Many broken records: for each kind of error, the first ones and the number of the others.
broken = (record(u32(99)) + record(u32(4, 9)) + record(NIL)) * 20_000
for command, more in (("show", []), ("text", []), ("json", []), ("stats", []), ("get", ["$"]), ("convert", ["--to", "godot3"]),
                      ("annotate", []), ("check", []), ("show", ["--path", "$.x"])):
    code, out, err = run(command, "--as", "records", "--dialect", "godot4", "-", *more, stdin=broken)
    expect(f"{command} of broken records", code, 1)
    expect(f"{command} of broken records is short: {err[:300]}", len(err.splitlines()) <= 20, True)
    expect(f"{command} of broken records counts: {err[-400:]}",
           "<stdin>: error[unknown_type] again: 19995 values, the first at #15, #18 and #21 (--verbose lists all)\n" in err and
           "error[truncated] again: 19995 values" in err, True)
code, out, err = run("show", "--verbose", "--as", "records", "--dialect", "godot4", stdin=broken)
expect("--verbose lists all", err.count("error[unknown_type]"), 20_000)
trailing = record(u32(0, 0)) * 1000
code, out, err = run("text", "--as", "records", "--dialect", "godot4", stdin=trailing)
expect("bytes behind many values", (code, len(err.splitlines()), "error[trailing_bytes] again: 995 values" in err), (1, 6, True))

finish()
