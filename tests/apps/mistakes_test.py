#!/usr/bin/env python3
"""Mistakes on the command line: options that `set` requires, messages of changes, and suggested names.

Usage: mistakes_test.py GDVAR SOURCE_DIR"""
import pathlib, shlex, sys

sys.path.append(sys.path[0] + "/../support")
from by_hand import array, record, records, string, u32
from command import PLAIN, SAVES, check, expect, finish, new_folder, pack, put, recorded, run, tells

new_folder()
save = pathlib.Path("s.save")
before = pack('{"speed": 1.5, "hp": 7, "name": "Ada", "id": &"hero", "pos": Vector3(1, 2, 3), "list": [1, 2], "obj": null}')


def refused(words, *said, code=1):
    save.write_bytes(before)
    got, out, err = run("set", "--dialect", "godot4", save, *words)
    check(f"set {words} is refused", got == code and not out and all(s in err for s in said), (got, out, err))
    check(f"set {words} leaves the file", save.read_bytes() == before)


def changed(words, said, path, value):
    save.write_bytes(before)
    got, out, err = run("set", "--dialect", "godot4", save, *words)
    check(f"set {words}", got == 0 and not out and err == f"s.save: {said}\n", (got, out, err))
    check(f"set {words}: the value", run("get", "--full", save, path)[1].decode() == value + "\n", run("get", "--full", save, path))


changed(["$.hp", "8"], "$.hp: 7 -> 8", "$.hp", "8")
changed(["$.speed", "5"], "$.speed: 1.5 -> 5.0", "$.speed", "5.0")
changed(["$.id", '"other"'], '$.id: &"hero" -> &"other"', "$.id", '&"other"')
changed(["$.pos.x", "4"], "$.pos.x: 1.0 -> 4.0", "$.pos.x", "4.0")
changed(["$.pos.x", "1e-50"], "$.pos.x: 1.0 -> 0.0 (1e-50 rounded to 32 bits)", "$.pos.x", "0.0")
changed(["$.pos.x", "16777217"], "$.pos.x: 1.0 -> 16777216.0 (16777217.0 rounded to 32 bits)", "$.pos.x", "16777216.0")
changed(["$.pos.x", "0.1"], "$.pos.x: 1.0 -> 0.1", "$.pos.x", "0.10000000149011612")
changed(["$.speed", "1e-50"], "$.speed: 1.5 -> 1e-50", "$.speed", "1e-50")
changed(["$.pos", "Vector3i(16777217, 2, 3)"], "$.pos: Vector3(1, 2, 3) -> Vector3(16777216, 2, 3) (Vector3i(16777217, 2, 3) rounded to 32 bits)", "$.pos", "Vector3(16777216, 2, 3)")
# Numbers that begin with a minus are values, wherever they stand.
changed(["$.speed", "-inf"], "$.speed: 1.5 -> -inf", "$.speed", "-inf")
changed(["$.speed", "-nan"], "$.speed: 1.5 -> nan(0xfff8000000000000)", "$.speed", "nan(0xfff8000000000000)")
changed(["$.speed", "-.5"], "$.speed: 1.5 -> -0.5", "$.speed", "-0.5")
changed(["$.speed", ".25"], "$.speed: 1.5 -> 0.25", "$.speed", "0.25")
changed(["$.speed", "-5"], "$.speed: 1.5 -> -5.0", "$.speed", "-5.0")
changed(["$.speed", "--", "-inf"], "$.speed: 1.5 -> -inf", "$.speed", "-inf")
changed(["$.speed", "-inf", "--backup", "kept.save"], "$.speed: 1.5 -> -inf", "$.speed", "-inf")
for stray in ("-Vector2(1,2)", "-x", "-verbose", "--foo", "-infinite"):
    refused(["$.speed", stray], f"'{stray}' is taken for an option: where it is none, write -- before it", code=2)
refused(["$.speed", "--", "-x"], "the value: 1:1: error", code=2)
refused(["$.speed", "--verbos"], "did you mean --verbose?", code=2)
# The value of an option is no operand.
save.write_bytes(before)
got, out, err = run("set", "--dialect", "godot4", save, "$.hp", "8", "-o", "-inf")
check("a file called -inf", got == 0 and pathlib.Path("-inf").exists() and save.read_bytes() == before, (got, err))

changed(["$.list[+]", '"x"'], '$.list[+]: added "x"', "$.list[2]", '"x"')
changed(["--create", "$.new", "[]"], "$.new: added []", "$.new", "[]")
changed(["--type", "String", "$.speed", '"fast"'], '$.speed: 1.5 -> "fast"', "$.speed", '"fast"')
changed(["--type", "float", "$.hp", "8"], "$.hp: 7 -> 8.0", "$.hp", "8.0")
changed(["--type", "Array", "$", "[]"], '$: {"speed": 1.5, "hp": 7, "name": "Ada", "id": &"hero", "pos": Vector3(1, 2, 3), "list": [1, 2], "obj"... -> []', "$", "[]")
for words, wanted in ((["show", "--path", "$.list[*]"], b"$.list[0] int 1\n$.list[1] int 2\n"),
                      (["json", "--path", "$.list[*]"], b'"i:1"\n"i:2"\n'),
                      (["text", "--path", "$.list[*]"], b"1\n2\n")):
    save.write_bytes(before)
    expect(f"{words}: several places", run(*words, save), (0, wanted, ""))

lossy = b'[PackedVector2Array(1, 2, 3), {"a": 1, "a": 2},\n Array[int]([1.5, 2.0]), Array[Vector2i]([Vector2(1.5, 2)])]'
got, out, err = run("pack", "--dialect", "godot4", stdin=lossy)
check("pack says what it drops", got == 0 and err.splitlines() == [
    "<stdin>: note: numbers that make no whole element are dropped: 1 value, at 1:2",
    "<stdin>: note: the earlier value of a repeated key is dropped: 1 value, at 1:31",
    "<stdin>: note: an element becomes another number in its typed container: 2 values, at 2:2 and 2:26"], (got, err))
got, out, err = run("pack", "--dialect", "godot4", "--frame", "records", "--verbose", stdin=b"1\n" + b"PackedVector2Array(1)\n" * 9)
check("--verbose lists all", got == 0 and err == "".join(f"<stdin>:{n}:1: note: numbers that make no whole element are dropped\n" for n in range(2, 11)), err)
got, out, err = run("pack", "--dialect", "godot4", "--input", "json", "--plain", stdin=b'{"a": 1, "a": 2}')
check("of plain JSON, too", got == 0 and err == "<stdin>: note: the earlier value of a repeated key is dropped: 1 value, at 1:15\n", err)
got, out, err = run("pack", "--dialect", "godot4", stdin=b'[PackedVector2Array(1, 2), {"a": 1}, Array[float]([1, 2])]')
check("nothing dropped, nothing said", (got, err) == (0, ""), err)

got, out, err = run("pack", stdin=b"[1")
check("pack says what it packed as once it has", got == 1 and "packed as" not in err, err)
got, out, err = run("pack", "-o", "no/such/folder", stdin=b"[1]")
check("pack says it after writing", got == 3 and "packed as" not in err, err)
save.write_bytes(before)
got, out, err = run("pack", "--like", save, stdin=b"[1")
check("pack --like says it likewise", got == 1 and "packed like" not in err, err)
tells("pack --like says it", run("pack", "--like", save, stdin=b"[1]"), 0, "packed like")

two = pack('{"hp": 7}\n[1, 2]', "--frame", "records")
for behind in (b"\n", b"\r\n", b"\0\0", b"\n\n\n\n", b"1234567"):
    count = "1 byte" if len(behind) == 1 else f"{len(behind)} bytes"
    kept = f"s.save: note: {count} after the last record {'was' if len(behind) == 1 else 'were'} kept\n"
    for words, said in ((["set", save, "#0 $.hp", "8"], "#0 $.hp: 7 -> 8"), (["set", save, "#-1 $[0]", "3"], "#1 $[0]: 1 -> 3"), (["del", save, "#-1 $[0]"], "#1 $[0]: removed 1")):
        save.write_bytes(two)
        run(words[0], "--dialect", "godot4", *words[1:])
        wanted = save.read_bytes() + behind
        save.write_bytes(two + behind)
        got, out, err = run(words[0], "--dialect", "godot4", *words[1:])
        check(f"{words} keeps {behind}", (got, err) == (0, f"{kept}s.save: {said}\n") and save.read_bytes() == wanted, (got, err, save.read_bytes()))
    save.write_bytes(two + behind)
    got, out, err = run("set", "--strict", save, "#0 $.hp", "8")
    check(f"--strict refuses {behind}", got == 1 and save.read_bytes() == two + behind, (got, err))
    check(f"get reports {behind}", run("get", save, "#0 $.hp")[:2] == (1, b"7\n"), run("get", save, "#0 $.hp"))
    check(f"check reports {behind}", run("check", save)[0] == 1, run("check", save))
save.write_bytes(two + b"12345678")
got, out, err = run("set", save, "#0 $.hp", "8")
check("eight bytes may be a record", got == 1 and save.read_bytes() == two + b"12345678", (got, err))
save.write_bytes(before + b"\n")
got, out, err = run("set", "--dialect", "godot4", save, "$.hp", "8")
check("bytes behind a value are said", (got, err) == (0, "s.save: note: 1 byte after the value was kept\ns.save: $.hp: 7 -> 8\n")
      and save.read_bytes()[-1:] == b"\n", (got, err))

refused(["$.hpp", "8"], "s.save:0x0: $: error[missing_key]: no .hpp (did you mean .hp?); --create adds it")
# A path that is proposed is one word of a shell, and the command reads it.
config = pathlib.Path("c.cfg")
config.write_text('hp=5\n[audio]\nvolume=1\n"it\'s"=2\n"a/b"=3\n[input/map]\njump=4\n')
for path, meant in (("$.hp", """'$[""].hp'"""), ("hp", """'$[""].hp'"""), ("audio/volume", "'$.audio.volume'"), ("audio/a/b", """'$.audio["a/b"]'"""), ("$.jump", """'$["input/map"].jump'"""),
                    ("input/map/jump", """'$["input/map"].jump'"""), ("$.audio.its", None), ('$.audio["a/c"]', """'$.audio["a/b"]'"""), ("$.its", None), ('$["it\'s"]', """'$.audio["it'\\''s"]'""")):
    got, out, err = run("get", config, path)
    check(f"what is meant by {path}", got == 1 and (f"(did you mean {meant}?)" in err if meant else "error[missing_key]" in err), err)
    if meant:
        word = shlex.split(meant)[0]
        check(f"{meant} is read", run("get", config, word)[0] == 0, run("get", config, word))
refused(["$.hp", "7.5"], "$.hp: error[wrong_type]: this is an int, the value is a float; --type float")
refused(["$.pos", "[1, 2, 3]"], "$.pos: error[wrong_type]: this is a Vector3, the value is an Array; --type Array")
refused(["$.obj", "1"], "this is null", "--type int")
refused(["$", "1"], "the whole value", "--type int")
refused(["$.list[2]", "1"], "no [2]: 2 elements, [0] to [1]; [+] adds one")
refused(["$.list[9]", "1"], "error[index_out_of_range]: no [9]: 2 elements")
refused(["$.list[*]", "1"], "s.save: $.list[*]: 2 values match; --all changes them all")
refused(["$.list[1", "1"], """gdvar: error[bad_path]: '$.list[1' is not a path: ']' is missing, at "[1";""", code=2)
refused(["$.pos.x", "1e300"], "$.pos.x: error[number_out_of_range]: 1e+300 is not in")
refused(["$.name", "Ada"], "error[unknown_constructor]: Ada: no value has this name; texts stand in double quotes", code=2)
refused(["--input", "json", "$.obj", '{"a": 1}'], "as plain JSON it can be read: --plain", code=2)
refused(["--type", "int", "$.hp", '"x"'], "asked for is an int, the value is a String")
refused(["--type", "Vectr3", "$.hp", "1"], "unknown type 'Vectr3'; did you mean Vector3?", code=2)
for number in ("12345678901234567890", "1e4294967297", "1e400"):
    refused(["$.hp", number], "error[bad_number]", code=2)
refused(["--input", "json", "$.speed", '"f:1e400"'], "error[", code=2)
refused(["--input", "json", "--plain", "$.hp", "12345678901234567890"], "error[", code=2)

# A new value must decode strictly, alone and at its place.
twice = '{"x": 1, &"x": 2}'
for words, said in ((["--full", "--type", "Dictionary", "$.hp", twice], "s.save:0x2c: $.hp[@1 key]: as godot-4.4: error[duplicate_key]"),
                    (["--full", "--create", "$.new", f"[{twice}]"], "s.save:0x0: $.new[0][@1 key]: as godot-4.4: error[duplicate_key]"),
                    (["--full", "--objects", "--create", "$.new", 'Object("Node", "script": 1)'], "$.new.script: as godot-4.4: error[bad_script]"),
                    (["--full", "--objects", "--type", "Object", "$.hp", 'Object("Node", "script": Object(null))'], "$.hp.script: as godot-4.4: error[bad_script]")):
    refused(words, said)


def patched(start, changes, *options):
    """Returns the result of `patch` on `start`, or None if `patch` refuses and leaves the file."""
    save.write_bytes(start)
    put("p", '{"gdvar_patch": 1, "records": false}\n' + changes)
    code, out, err = run("patch", "--dialect", "godot4", *options, save, "p")
    if code:
        check(f"patch {changes} leaves the file", save.read_bytes() == start and code == 1, (code, err))
    return save.read_bytes() if code == 0 else None, err


for change, said in ((f'{{"set": ["hp"], "value": {twice}}}', "s.save: the patched file: $.hp[@1 key]: as godot-4.4: error[duplicate_key]"),
                     (f'{{"insert": ["new"], "value": [{twice}]}}', "s.save: $.new[0][@1 key]: as godot-4.4: error[duplicate_key]"),
                     (f'{{"insert": [{twice}], "value": 1}}', " key[@1 key]: as godot-4.4: error[duplicate_key]"),
                     ('{"set": ["hp"], "value": Object("Node", "script": 1)}', "$.hp.script: as godot-4.4: error[bad_script]")):
    made, err = patched(before, change, "--objects")
    check(f"patch {change} is refused", made is None and said in err, (made, err))

# A save that was odd before can be changed: wide numbers, repeated keys, text behind the value.
odd = bytes.fromhex("1b00000003000000" "0200000001000000" "0200000001000000" "0200000001000000" "0200000002000000"
                    "0400000001000000" "61007a7a" "02000100" "0700000000000000")
check("the odd one is odd", b"not canonical" in run("check", "--dialect", "godot4", "-", stdin=odd)[1].splitlines()[0])
save.write_bytes(odd)
code, out, err = run("set", "--dialect", "godot4", save, "$[1]", "3")
check("set of an odd save", code == 0 and save.read_bytes() == odd.replace(bytes.fromhex("0200000002000000"), bytes.fromhex("0200000003000000")), err)
made, err = patched(odd, '{"set": ["a"], "value": 8}')
check("patch of an odd save", made == odd[:-12] + bytes.fromhex("0200000008000000"), err)
made, err = patched(odd, '{"insert": ["b"], "value": 8}\n{"insert": ["c"], "value": [1.5]}')
check("patch puts beside what is odd", made is not None and made[8:len(odd)] == odd[8:], err)
refused_one = patched(odd, f'{{"set": ["a"], "value": {twice}}}')[0]
check("but nothing odd in the place of it", refused_one is None)
save.write_bytes(odd)
code, out, err = run("set", "--full", "--dialect", "godot4", "--type", "Dictionary", save, "$.a", twice)
check("nor does set", code == 1 and save.read_bytes() == odd, err)

save.write_bytes(before)
check("del says what it removed", run("del", "--dialect", "godot4", save, "$.name") == (0, b"", 's.save: $.name: removed "Ada"\n'))
tells("del of what is not there", run("del", save, "$.nme"), 1, "error[missing_key]: no .nme")
tells("get of what is not there", run("get", save, "$.pso"), 1, "s.save:0x0: $: error[missing_key]: no .pso (did you mean .pos?)")
tells("--path to what is not there", run("show", "--path", "$.list[7]", save), 1, "$.list: error[index_out_of_range]: no [7]: 2 elements, [0] to [1]")

# A pipe gets only the data. The message about the change goes to stderr.
code, out, err = run("set", "--dialect", "godot4", "-", "$.hp", "8", stdin=before)
check("set from standard input", code == 0 and run("get", "-", "$.hp", stdin=out)[1] == b"8\n" and err == "<stdin>: $.hp: 7 -> 8\n", err)

# A patch says what it changes.
put("a", before)
put("b", pack('{"speed": 2.5, "hp": 7, "id": &"hero", "pos": Vector3(1, 2, 3), "list": [1, 2], "obj": null, "more": 1}'))
put("p", run("diff", "--patch", "a", "b")[1])
code, out, err = run("patch", "a", "p")
check("patch says what it changes", code == 0 and all(line in err for line in
      ("a: $.speed: 1.5 -> 2.5\n", "a: $.name: removed", "a: $.more: added 1\n")), (code, out, err))

# A patch keeps the bytes that it does not change, also missing padding at the end of a packet.
short = [bytes.fromhex(data) for data in ("1d0000000100000007", "02000000" "01000000", "1d0000000200000007f0", "1d0000000100000007",
                                          "1b00000002000000" "040000000100000061000000" "0200000001000000"
                                          "040000000100000062000000" "1d0000000300000001f000")]
all_records = records(short)
head = '{"gdvar_patch": 1, "records": true}\n'
for changes, wanted in (("", all_records),
                        ('{"set": [1], "value": 2}', records([short[0], bytes.fromhex("0200000002000000"), *short[2:]])),
                        ('{"remove": [0]}\n{"insert": [1], "value": 5}',
                         records([short[1], bytes.fromhex("0200000005000000"), *short[2:]])),
                        ('{"set": [0], "value": PackedByteArray(7)}',
                         records([bytes.fromhex("1d0000000100000007000000"), *short[1:]])),
                        ('{"set": [4, "a"], "value": 2}',
                         records(short[:4]) + record(short[4].replace(bytes.fromhex("0200000001000000"), bytes.fromhex("0200000002000000")))),
                        ('{"insert": [4, "c"], "value": 2}',
                         records(short[:4]) + record(short[4].replace(b"\x1b\0\0\0\x02", b"\x1b\0\0\0\x03") + b"\0" +
                                                                   bytes.fromhex("040000000100000063000000" "0200000002000000")))):
    save.write_bytes(all_records)
    put("p", head + changes)
    code, out, err = run("patch", "--dialect", "godot4", "--as", "records", save, "p")
    check(f"patch {changes} keeps all else", code == 0 and save.read_bytes() == wanted, (code, err, save.read_bytes().hex(), wanted.hex()))
for data in short:
    save.write_bytes(data)
    put("p", '{"gdvar_patch": 1, "records": false}\n')
    code, out, err = run("patch", "--dialect", "godot4", "--as", "packet", save, "p")
    check("a packet keeps its end", code == 0 and save.read_bytes() == data, (err, save.read_bytes().hex()))

# Records.
for command, more in (("get", []), ("set", ["1"]), ("del", [])):
    tells(f"{command} of no record", run(command, PLAIN, "#9 $.x", *more, *([] if command == "get" else ["-o", "out"])),
          1, "no record #9; the file has 3 records, #0 to #2")
tells("a save of several dialects", run("set", PLAIN, "#0 $.version", "2", "-o", "out"),
      0, "note: taken as godot-4.4; it could also be godot-4.3, godot-4.0 (--dialect)")

# Objects.
obj = bytes.fromhex("1c00000001000000" "180000000a000000526566436f756e746564000000000000")
tells("a refusal of objects", run("text", stdin=obj),
      1, "$[0]: error[objects_forbidden]: an Object of class \"RefCounted\", while allow_objects is off; --objects takes it")

# pack: its assumptions, and --like.
tells("pack says what it assumes", run("pack", stdin=b"1"), 0, "packed as godot-4.4", "--like")
check("and not what it was told", run("pack", "--dialect", "godot3", stdin=b"1")[2] == "")
secrets = {"gdec_pass.save": ["--password-file", "pass"], "gdec_key.save": ["--key-file", "key"]}
put("pass", "correct horse 1\n")
for engine in ("godot-4.6.3", "godot-3.6.2", "pandemonium-5.3"):
    put("key", bytes.fromhex(next(line["key"] for line in recorded(engine) if "key" in line)))
    for old in sorted((SAVES / engine).glob("*.save")):
        how = secrets.get(old.name, [])
        as_json = run("json", *how, old)[1]
        # Typed JSON of Godot 3 has no dialect of its own.
        tells(f"pack --like {engine} {old.name}", run("pack", "--input", "json", "--like", old, *how, "-o", "new", "-", stdin=as_json), 0, "packed like")
        check(f"the same values: {engine} {old.name}", run("json", *how, "new")[1] == as_json)
        kinds = [run("check", *how, f).lines()[1].split(": ", 1)[1].split(", could")[0] for f in (old, "new")]
        check(f"the same shape: {engine} {old.name}", kinds[0] == kinds[1], kinds)
old = SAVES / "godot-3.6.2/base64.txt"
tells("like a text", run("pack", "--full", "--like", old, stdin=run("text", "--full", old)[1]), 0, out=old.read_bytes().rstrip(b"\n") + b"\n")

for command in (["get", PLAIN, "#-9 $"], ["del", PLAIN, "#-9 $.a"]):
    tells("a record before the first", run(*command), 1, "no record #-9; the file has 3 records")
tells("a key that none has", run("get", PLAIN, "#0 $.players[*].hq"), 1, 'error[missing_key]: no key "hq"')
for command in ("show", "text", "json"):
    code, out, err = run(command, "--path", "#1 $[1]", PLAIN)
    check(f"{command} --path in one record", code == 0 and out.count(b"\n") == 1 and b"two" in out and not err, (out, err))
check("its label", run("show", "--path", "#-2 $[1]", PLAIN)[1] == b'#1 $[1] String "two"\n')
tells("--path to a record that is not there", run("show", "--path", "#7 $", PLAIN), 1, "no record #7; the file has 3 records, #0 to #2")
tells("a patch holds no bytes", run("diff", "--bytes", "--patch", save, save), 2)
tells("a key of another length", run("show", "--key-file", "pass", SAVES / "godot-4.6.3/gdec_key.save"), 1, "a key is 32 bytes, or 64 hex digits")
tells("help of a command", run("help", "set"), 0, out=run("set", "--help")[1])
for words in (["view", "s.save"], ["view"]):
    tells("neither a file nor a command", run(*words), 2, "no file and no command is called 'view'; gdvar --help")

# Names.
for words, meant in ((["stast", "s.save"], "stats"), (["shwo"], "show"), (["show", "--dept", "2", "s.save"], "--depth"),
                     (["show", "--as", "recods", "s.save"], "records"), (["wrap", "--container", "gcpf-zst", "s.save"], "gcpf-zstd"),
                     (["show", "--dialect", "godt4", "s.save"], "godot4"), (["convert", "--to", "godot-4.", "s.save"], "godot-4."),
                     (["dialects", "pandemonum"], "pandemonium"), (["dialects", "4.5"], "godot-4.5"), (["dialects", "Godot4.5"], "godot-4.5"), (["listen", "tcp://127.0.0.1:0", "--form", "jsn"], "json"),
                     (["listen", "tcp://127.0.0.1:0", "--dialect", "godo4", "--time", "0.1"], "godot4")):
    tells(f"{words}", run(*words), 2, f"did you mean {meant}")
check("a missing file is a missing file", run("nothing.save")[0] == 3)

# The first line of `check` is the verdict.
save.write_bytes(PLAIN.read_bytes() + b"\n")
check("a newline behind the records", run("check", save)[1].startswith(b"s.save: not sound: 3 records are sound, what follows them is not\n"))
check("which set keeps", run("set", save, "#0 $.version", "2")[0] == 0 and save.read_bytes()[-1:] == b"\n")
for data, verdict in ((before, "sound and canonical"), (before + b"\n", "not sound"), (before[:-3], "not sound")):
    save.write_bytes(data)
    code, out, err = run("check", save)
    check("check's first line", out.decode().splitlines()[0] == f"s.save: {verdict}" and code == (verdict == "not sound"), (code, out[:200], err))
# A byte that no engine writes follows a hundred notes on bytes that engines write.
many = array(u32(4, 3) + text for text in [b"a\0b\0"] * 101 + [b"abcx"])
code, out, err = run("check", "--dialect", "godot4", "-", stdin=many)
check("check looks at all", code == 0 and out.decode().splitlines()[0] == "<stdin>: sound, not canonical" and
      b"... and 2 more notes" in out and b"$[99]: note[embedded_nul]" in out, out[:300])

# An engine drops the byte order mark, so it writes another packet of similar size.
large = b"\xef\xbb\xbf".ljust(100_000, b"a")
code, out, err = run("check", "--dialect", "godot4", "-", stdin=string(large))
check("check prints no large packet", code == 0 and len(out) < 50_000 and b" other bytes: " in out, (len(out), out[:500]))

tells("unwrap of JSON", run("unwrap", stdin=b"{}"), 1, "error[bad_magic]: not a container", "JSON")

finish()
