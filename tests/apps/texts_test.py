#!/usr/bin/env python3
"""Saves that are text, and what the engines read otherwise than one may think: what the command says of it.

Usage: texts_test.py GDVAR SOURCE_DIR"""
import pathlib, sys

sys.path.append(sys.path[0] + "/../support")
from command import check, expect, finish, new_folder, put, run, tells

new_folder()

# ---- escapes that only Godot 3's JSON reads

old = put("old.json", '{"a\\q": "\\x41", "n": [1.50]}\n')
code, out, err = run("convert", "--to", "godot4", old)
expect("converted JSON", (code, out), (0, b'{"aq": "x41", "n": [1.50]}\n'))
check("convert names the values", "note: " in err and err.count("1 value, at $.aq") == 2, err)
code, out, err = run("convert", "--to", "godot-3.1", old)
expect("JSON for Godot 3", (code, out, err), (0, old.read_bytes(), ""))
code, out, err = run("check", old)
check("check names the engines", code == 0 and b"Godot 4.6.3: refuses it: 1:4: error[bad_escape]" in out
      and b"Godot 3.6.2: reads it" in out, out)
check("check is silent where they agree", b"reads it" not in run("check", put("new.json", '{"a": "\\n"}'))[1])
told = "old.json:1:4: $.aq: note: Godot 4 refuses the whole text for this escape"
tells("set tells who has named Godot 4", run("set", "--dialect", "godot-4.4", old, "$.n[0]", "2", "-o", "-"), 0, told, out=b'{"a\\q": "\\x41", "n": [2.0]}\n')
check("set does not tell others", told not in run("set", old, "$.n[0]", "2", "-o", "-")[2])

# ---- numbers that an old engine's text can't express are losses
odd = put("odd.txt", "[Vector2(nan, 1), -inf]\n")
code, out, err = run("convert", "--as", "text", "--from", "godot4", "--to", "godot-3.0", odd)
check("nan in brackets is a loss", code == 1 and "nan or inf in brackets" in err and "2 values, at $[0] and $[1]" in err, (code, out, err))
code, out, err = run("convert", "--as", "text", "--from", "godot4", "--to", "godot-3.0", "--lossy", odd)
expect("it becomes what is read", (code, out), (0, b"[ Vector2( 0, 1 ), -3.4028234663852886e+38 ]\n"))
config = put("typed.cfg", "[a]\nx=Array[int]([1, 2])\n")
code, out, err = run("convert", "--to", "pandemonium-5", config)
expect("typed arrays stay for Pandemonium", (code, out), (0, b"[a]\nx=TypedArray( int , 1, 2 )\n"))

# ---- Objects in texts are data, and are printed without --objects

resource = ('[gd_resource type="Resource" load_steps=2 format={}]\n\n[ext_resource path="res://x.gd" type="Script" id={}]\n\n'
            '[resource]\nscript = ExtResource( {} )\n')
for name, data, dialect in (("2.tres", resource.format(1, 1, 1), "godot-2"), ("3.tres", resource.format(2, 1, 1), "godot-3.6"),
                            ("3.cfg", '[s]\no=Object(Node,"name":"x")\n', "godot-3.6"), ("4.tres", resource.format(3, '"1"', '"1"'), "godot-4.4"),
                            ("3.txt", 'Object(Node,"name":"x")\n', "godot-3.6"), ("4.txt", 'Object(Node,"name":&"x")\n', "godot-4.4")):
    for words in ([], ["--dialect", dialect]):
        code, out, err = run("text", *words, put(name, data))
        check(f"text {words} {name}", code == 0 and b"Object(" in out, (code, out, err))

# ---- bytes that are not UTF-8: no engine refuses a file for them

latin = {"comment.cfg": b"; caf\xe9\n[s]\nx=1\n", "key.cfg": b"[s]\ncaf\xe9=1\n", "name.cfg": b"[s\xe9]\nx=1\n", "inside.cfg": b"[s]\nx=[1, ; \xe9\n2]\n",
         "loose.cfg": b"[s]\nx=1 \xe9\ny=2\n", "comment.tres": b'[gd_resource type="Resource" format=2]\n\n; \xe9\n[resource]\nmetadata/caf\xe9 = 1\n',
         "comment.txt": b'{"a": Vector2(1,2), ; \xe9\n "b": 2}'}
for name, data in latin.items():
    file = put(name, data)
    for words in ([], ["--dialect", "godot-3.6"], ["--dialect", "godot-3.0"]):
        expect(f"{data!r} {words}", run("check", *words, file)[0], 0)
expect("3.2 and older take each for a character", run("get", "--dialect", "godot-3.0", "name.cfg", '$["s\u00e9"].x')[1], b"1\n")
expect("3.6 reads no name from such bytes", run("get", "--dialect", "godot-3.6", "name.cfg", '$[""].x')[1], b"1\n")
expect("Godot 4 U+FFFD", run("get", "--dialect", "godot-4.4", "name.cfg", '$["s\ufffd"].x')[1], b"1\n")
expect("keys are the same for all", run("get", "key.cfg", '$.s["caf\u00e9"]')[1], b"1\n")
for name, data, place in (("outside.json", b'{"a": 1, \xe9 "b": 2}', "1:10"), ("behind.json", b'{"a": 1} \xe9', "1:10"), ("value.cfg", b"[s]\nx=caf\xe9\n", "2:3")):
    code, out, err = run("check", put(name, data))
    check(f"{data!r} is refused as a text", code == 1 and place in err and "0x0" not in err, err)

# Overlong forms: Godot 3 takes some, and stops decoding at the others [3.2.3, 3.6.2].
for name, data, text in (("two", b"a\xc0\x80b", "a\u00c0\u0080b"), ("three", b"a\xe0\x80\x80b", "a\u00e0\u0080"), ("four", b"a\xf0\x80\x80\x80b", "a\u00f0\u0080"),
                         ("five", b"a\xf8\x80\x80\x80\x80b", "a\u00f8\u0080"), ("six", b"a\xfc\x80\x80\x80\x80\x80b", "a\u00fc\u0080")):
    file = put(name + ".cfg", b'[s]\nx=["' + data + b'"]\n"' + data + b'"=1\n')
    for dialect in ("godot-3.0", "godot-3.6"):
        expect(f"{name} bytes, {dialect}", run("get", "--dialect", dialect, file, "$.s.x[0]")[:2], (0, f'"{text}"\n'.encode()))
        expect(f"{name} bytes in a key, {dialect}", run("get", "--dialect", dialect, file, f'$.s["{text}"]')[:2], (0, b"1\n"))
    expect(f"{name} bytes", run("check", file)[0], 0)

# NULs that stand in no value are skipped, and what a key looks like says nothing of the engine.
for data in (b"\0[s]\nx=1\nv=PoolIntArray( 1, 2 )\n", b"[s]\n\0x=1\nv=PoolIntArray( 1, 2 )\n", b"; a\0b\n[s]\nx=1\0\n\0v=PoolIntArray( 1, 2 )\n"):
    code, out, err = run("check", "--as", "config", put("nul.cfg", data))
    check(f"{data!r} is Godot 3's", code == 0 and b"nul.cfg: dialect godot-3.1" in out, (code, out, err))
    expect(f"{data!r} is read", run("get", "--as", "config", "nul.cfg", "$.s.x")[:2], (0, b"1\n"))

# ---- halves of characters, as Godot 3 on Windows wrote them

pair, half = b"\xed\xa0\xbd\xed\xb1\xbe", b"\xed\xa0\xbd"
face = "\N{ALIEN MONSTER}".encode()
halves = put("halves.cfg", b'[s]\nx="' + pair + b'"\n')
code, out, err = run("get", halves, "$.s.x")
expect("they are Godot 3's, and joined", (code, out), (0, b'"' + face + b'"\n'))
check("it is told", "joins characters in two halves" in err, err)
expect("3.2 and older hold them", run("get", "--dialect", "godot-3.0", halves, "$.s.x")[1], b'"' + pair + b'"\n')
put("header.cfg", b"[" + pair + b"]\nx=1\n")
expect("3.6 joins them in headers, too", run("get", "--dialect", "godot-3.6", "header.cfg", '$["' + face.decode() + '"].x')[1], b"1\n")
whole = put("whole.cfg", b'[s]\nx={"' + pair + b'": "' + pair + b'"}\n')
for target in ("godot-3.6", "godot-4.4"):
    code, out, err = run("convert", "--from", "godot-3.0", "--to", target, whole)
    check(f"{target}: keys and values", code == 0 and out.count(face) == 2 and pair not in out, (code, out, err))
    check(f"{target}: told", "were joined" in err, err)
    code, out, err = run("convert", "--from", "godot-3.0", "--to", target, put("lone.cfg", b'[s]\nx="a' + half + b'"\n'))
    check(f"{target}: a half is a loss", code == 1 and "at $.s.x" in err, (code, out, err))
    same = put("same.cfg", b'[s]\nx={"' + pair + b'": 1, "' + face + b'": 2}\n')
    code, out, err = run("convert", "--from", "godot-3.0", "--to", target, same)
    check(f"{target}: keys that become one", code == 1 and "a key that is that of a later pair there (1 of them)" in err, (code, out, err))
code, out, err = run("check", put("repaired.json", b'{"a": "x' + pair + b'", "b": "x\xff\xfe"}'))
check("JSON: which characters, and where", code == 0 and "repaired.json:1:9: $.a: note: characters in two halves" in err and face.decode() in err
      and ":1:21: $.b: note: U+FFFD takes the place of bytes that are not UTF-8: ff fe" in err, err)
joined = put("joined.json", b'{"a": "x' + pair + b'", "' + pair + b'": "' + half + b'", "c": "\\q"}')
expect("JSON: its text is joined for Godot 4", run("convert", "--from", "godot-3.0", "--to", "godot-4.4", joined)[:2],
       (0, b'{"a": "x' + face + b'", "' + face + b'": "' + half + b'", "c": "q"}'))
expect("JSON in lines: too", run("convert", "--from", "godot-3.0", "--to", "godot-4.4", put("joined.jsonl", b'{"a":"' + pair + b'"}\n[1]\n'))[:2],
       (0, b'{"a":"' + face + b'"}\n[1]\n'))

# ---- a `#` that is no color: black in files, as all engines read it

black = put("black.cfg", "[s]\nq=[#f0000, #, 5]\nhp=7\n")
code, out, err = run("get", black, "$.s.q[0]")
check("a wrong color is black", code == 0 and out == b"Color(0, 0, 0, 1)\n" and "2:4: $.s.q[0]: note: engines read black" in err, (code, out, err))
check("engines read it", run("check", "--as", "config", black)[1].count(b": reads it\n") == 4, run("check", "--as", "config", black))
expect("what is beside it changes", run("set", black, "$.s.hp", "8")[0], 0)
expect("and nothing else", black.read_bytes(), b"[s]\nq=[#f0000, #, 5]\nhp=8\n")
put("black.tres", '[gd_resource type="Resource" format=3]\n\n[resource]\nmetadata/c = #1\n')
expect("in resources, too", run("get", "black.tres", "$.resource[\"metadata/c\"]")[1], b"Color(0, 0, 0, 1)\n")

# ---- control characters, NULs

colour = put("colour.cfg", '[s]\na=1\n')
expect("set a control character", run("set", colour, "$.s.a", '"\\u001b[0m"', "--type", "String")[0], 0)
check("it stands in the file", b"\x1b" in colour.read_bytes(), colour.read_bytes())
expect("and is read again", run("get", colour, "$.s.a")[:2], (0, b'"\x1b[0m"\n'))
padded = put("padded.json", b'{"a":1}' + bytes(4))
code, out, err = run("show", padded)
check("NULs behind JSON are told", code == 1 and "; up to byte 7 it is a JSON object with 1 member, then a NUL comes; "
      "gdvar recover padded.json -o NEW saves what can be read" in err, err)
expect("recover writes it", (run("recover", padded, "-o", "whole.json")[0], pathlib.Path("whole.json").read_bytes()), (4, b'{"a":1}'))

# ---- ints that engines read as floats

big = put("big.json", '{"id": 76561198138808039, "most": [9223372036854775807, -9007199254740993], "small": 9007199254740992, "f": 1e20, "s": "76561198138808039"}')
for words in (["show"], ["check"]):
    code, out, err = run(*words, big)
    places = [f"big.json:1:{place}: note: an int beyond 2^53, which engines read as a float and may round" for place in ("8: $.id", "36: $.most[0]", "57: $.most[1]")]
    check(f"{words[0]} tells ints beyond 2^53", code == 0 and b"refuses" not in out and all(place in err for place in places) and err.count("2^53") == 3, err)
err = run("show", put("big.jsonl", '{"a": 1}\n{"a": 1, "b": 76561198138808039}\n'))[2]
check("in lines, too", err.count("2^53") == 1 and "big.jsonl:2:15: #1 $.b: note: an int beyond 2^53" in err, err)

# ---- floats that engines read from no digits

floats = put("floats.json", '{"a":1.5,"b":[1,2.5]}')
hard = "961.2715136866791"
code, out, err = run("set", floats, "$.a", hard, "-o", "-")
expect("a float in JSON", (code, out), (0, b'{"a":961.2715136866791,"b":[1,2.5]}'))
check("what Godot reads is told", "floats.json: $.a: note: Godot reads 961.2715136866791 as 961.2715136866792; " in err, err)
for value in ("0.1", "-110.75788789847877", "5", "1e300"):
    check(f"{value} is read as it is", "note" not in run("set", floats, "$.a", value, "--type", "float", "-o", "-")[2])
err = run("set", floats, "$.b", f'[5e-324, {{"x": [{hard}]}}]', "-o", "-")[2]
check("paths are those of the result", "$.b[0]: note: Godot reads 5e-324 as 0.0" in err and f"$.b[1].x[0]: note: Godot reads {hard}" in err, err)
check("a few are told", "and so of 2 more numbers" in run("set", floats, "$.b", f"[{', '.join([hard] * 5)}]", "-o", "-")[2])
lines = put("lines.jsonl", f'{{"a":{hard}}}\n{{"a":1.5}}\n')
err = run("set", lines, "#1 $.a", hard, "-o", "-")[2]
check("only what changes is told", "lines.jsonl: #1 $.a: note: Godot reads" in err and err.count("note") == 1, err)
patch = put("p.patch", f'{{"gdvar_patch": 1, "records": false}}\n{{"set": ["b", 1], "value": {hard}}}\n')
tells("patch tells it", run("patch", floats, patch, "-o", "-"), 0, "$.b[1]: note: Godot reads")

# ---- texts that any engine may have written

plain = put("plain.cfg", '[s]\na=1\n')
for value, others in (("PackedByteArray(1, 2)", "godot-3.1 and pandemonium-5"), ('&"x"', "godot-3.1 and pandemonium-5"),
                      ("Array[int]([1])", "godot-3.1 and pandemonium-5"), ("{\"k\": &\"x\"}", "godot-3.1 and pandemonium-5")):
    tells(f"{value}: who does not read it", run("set", plain, "$.s.b", value, "--create", "-o", "-"),
          0, "plain.cfg: $.s.b: note: written as godot-4.4 has it", f"{others} would not read this (--dialect)")
    check(f"{value}: a named engine", "note" not in run("set", "--dialect", "godot4", plain, "$.s.b", value, "--create", "-o", "-")[2])
for value in ("2", '"text\\u0001"', "[1.5, {\"a\": null}]", "Vector2(1, 2.5)", "Color(1, 0.5, 0.1, 1)", 'NodePath("a/b")'):
    code, out, err = run("set", plain, "$.s.b", value, "--create", "-o", "-")
    check(f"{value} is the same to all", code == 0 and "note" not in err, err)
marked = put("marked.cfg", '[s]\na=&"x"\n')
check("its marks show the engine", "note" not in run("set", marked, "$.s.b", "PackedByteArray(1)", "--create", "-o", "-")[2])
# Godot 3.2 reads less than Godot 3.6, which the text may be of.
for value, told in (("-inf", True), ('{"a": [inf_neg]}', True), ("PoolRealArray(0.1, inf)", True), ("Vector2(nan, 1)", True), ("inf", False), ("1.5", False), ("1e300", False),
                    ("PoolIntArray(1)", False), ("Vector2(0.1, 1)", False), ('{"a": ["x", null, Color(1, 0, 0, 1)]}', False)):
    code, out, err = run("set", "--dialect", "godot3", plain, "$.s.b", value, "--create", "-o", "-")
    expect(f"{value} in Godot 3.2", (code, "$.s.b: note: Godot 3.6 reads this; Godot 3.2 would not read the file" in err), (0, told))
check("not of a text of Godot 4", "3.2" not in run("set", marked, "$.s.b", "-inf", "--create", "-o", "-")[2])

# ---- ints of JSON, which are floats to engines

ints = put("ints.json", '{"a": 1, "l": [1]}')
for value, read in (("9007199254740993", "9007199254740992"), ("9223372036854775807", "9223372036854775808"), ("-9007199254740993", "-9007199254740992"), ("9007199254740992", None),
                    ("-9223372036854775808", None), ("7", None)):
    code, out, err = run("set", ints, "$.a", value, "-o", "-")
    expect(f"the int {value}", (code, f"$.a: note: Godot reads {value} as {read}; numbers of JSON are floats to it" in err, "note" in err), (0, bool(read), bool(read)))
code, out, err = run("set", ints, "$.l", "[" + ",".join(["9007199254740993"] * 9) + "]", "-o", "-")
check("many of them", code == 0 and err.count("Godot reads") == 3 and "and so of 6 more numbers" in err, err)

# ---- typed containers with an element that they do not take

wrong = '[a]\nx=Array[int](["one", 2])\nw=Dictionary[String, int]({1: 5, "k": "v"})\n'
typed = put("wrong.cfg", wrong)
for path, value, old_text, new_text in (("$.a.x[0]", "7", '"one"', "7"), ("$.a.x[1]", "7", " 2]", " 7]"), ("$.a.w[1]", "6", "1: 5", "1: 6"),
                                        ("$.a.w.k", "3", '"v"', "3")):
    expect(f"set at {path}", run("set", typed, path, value, "-o", "-")[:2], (0, wrong.replace(old_text, new_text).encode()))
tells("a wrong element is refused", run("set", typed, "$.a.x[0]", '"two"', "-o", "-"), 1, "$.a.x[0]", "this takes only an int, the value is a String")
tells("a wrong value, too", run("set", typed, "$.a.w.k", '"two"', "-o", "-"), 1, "$.a.w.k", "this takes only an int, the value is a String")
other = put("other.cfg", wrong.replace("one", "two").replace("1: 5", "1: 6").replace('"v"', '"w"'))
changes = put("changes.patch", run("diff", "--patch", typed, other)[1])
expect("a patch of wrong elements", run("patch", typed, changes, "-o", "-")[:2], (0, other.read_bytes()))
for words in (["text", "--full"], ["json"]):
    reading = ["--input", "json"] if words == ["json"] else ["--full"]
    text = put("wrong.txt", run(*words, typed)[1])
    code, packed, err = run("pack", *reading, text)
    check(f"pack of {words} tells of them", code == 0 and "takes only int" in err and "at $.a.x[0] and $.a.w.k" in err and "at $.a.w[@0 key]" in err, err)
    expect(f"pack of {words} keeps them", run("text", "--full", put("wrong.save", packed))[1], run("text", "--full", typed)[1])
    check(f"pack of {words} as the file", run("pack", *reading, "--like", typed, text)[0] == 0)
tells("convert lists them", run("convert", "--to", "godot-4.4", typed), 1, "3 values can't be expressed", "at $.a.x[0] and $.a.w.k")
expect("and leaves them", run("convert", "--lossy", "--to", "godot-4.4", typed)[:2], (0, wrong.encode()))
for path in ("2:3: $.a.x", "$.a.w"):
    check(f"a note at {path}", f"{path}: note: Godot 4 leaves this container empty" in run("show", typed)[2], run("show", typed)[2])
check("a note between values has no path", "odd.cfg:3:1: note: " in run("show", put("odd.cfg", "[s]\nx=1\nlost\n"))[2], run("show", "odd.cfg"))
check("check says what Godot makes of it", b"Godot 4.6.3: reads it, and leaves 2 containers empty" in run("check", typed)[1])


# ---- where engines read on

named = put("named.cfg", '[a]\nx=Array[inet]([1, 2])\ny=Dictionary[String, flot]({"k": 1.5})\n')
check("a type that is not known is told", "2:3: $.a.x: note: Godot 4 ignores an element type here" in run("show", named)[2], run("show", named)[2])
expect("set leaves its name", run("set", named, "$.a.x[0]", "7", "-o", "-")[:2], (0, named.read_bytes().replace(b"[1,", b"[7,")))
check("check says that Godot 4 reads it", b"Godot 4.6.3: reads it\n" in run("check", named)[1], run("check", named)[1])
blanks = put("blanks.json", '{"a":\x0b1\f,\x01"b": [2]\x1f}\x7f')
check("behind the value", b"Godot 4.6.3: refuses it: 1:21: error[trailing_bytes]" in (out := run("check", "--as", "json", blanks)[1])
      and b"Godot 3.2.3: reads it, but nothing behind the first value" in out, out)
blanks.write_bytes(blanks.read_bytes()[:-1])
check("pack reads it too", run("pack", "--plain", "--input", "json", put("behind.json", '{"a":1}\f\n'), "-o", "behind.save")[0] == 0)
tells("a type of a value that is given is refused", run("pack", put("typo.txt", "Array[itn]([1])"), "-o", "-"), 1, "unknown_constructor")
tells("Pandemonium refuses it", run("show", "--dialect", "pandemonium-5", put("pandemonium.cfg", "[a]\nx=TypedArray( itn , 1, 2 )\n")), 1, "unknown_constructor")
expect("JSON's white space", run("set", "--as", "json", blanks, "$.b[0]", "3", "-o", "-")[:2], (0, blanks.read_bytes().replace(b"[2]", b"[3]")))
half = put("half.json", '{"a": "\\ud800"}')
out = run("check", "--as", "json", half)[1]
check("halves of pairs", b"Godot 4.6.3: refuses it: 1:8: error[bad_escape]" in out and b"Godot 3.6.2: can't be known here: gdvar stops at 1:8: error[bad_escape]" in out, out)
latin = put("latin.json", b'{"a": "\xe9"}')
out = run("check", latin)[1]
check("bytes of a string that are not UTF-8", b"Godot 3.2.3: refuses it: 1:8: error[bad_utf8]" in out and b"Godot 4.6.3: reads it\n" in out, out)
out = run("check", "--as", "json", put("bare.json", b'{"a": [\xe9]}'))[1]
check("bytes between values", b"Godot 3.2.3: can't be known here: gdvar stops at 1:8: error[bad_syntax]" in out and b"Godot 4.6.3: refuses it: 1:8" in out, out)
# Held against 4.6.3, 3.6.2 and 3.2.3.
nothing_behind = "reads it, but nothing behind the first value"


def readings(kind, data, name="asked.txt"):
    out = run("check", "--as", kind, put(name, data))[1].decode()
    return [line.split(": ", 1)[1] for engine in ("4.6.3", "3.6.2", "3.2.3") for line in out.splitlines() if line.startswith(f"  Godot {engine}: ")]


skipped = b"[a]\nx=[5\0, 6]\ny=Vector2\0(1\0, 2)\n"
expect("a NUL behind a number or a word counts for nothing in a file", readings("config", skipped, "skipped.cfg"), ["reads it"] * 3)
expect("it is read so", [run("get", "--as", "config", "skipped.cfg", path)[1] for path in ("$.a.x", "$.a.y")], [b"[5, 6]\n", b"Vector2(1, 2)\n"])
expect("and changed", (run("set", "--as", "config", "skipped.cfg", "$.a.x[0]", "7")[0], run("get", "--as", "config", "skipped.cfg", "$.a.x")[1]), (0, b"[7, 6]\n"))
check("only one", [each[:7] for each in readings("config", b"[a]\nx=[5\0\0, 6]\n")] == ["refuses"] * 3)
check("not in front", [each[:7] for each in readings("config", b"[a]\nx=[\x005, 6]\n")] == ["refuses"] * 3)
expect("NULs behind JSON", readings("json", b'{"a":1}\0\0'), [nothing_behind] * 3)
for odd in (b"--1", b"1e", b"-", b"[1\0]"):
    said = readings("json", odd)
    check(f"3.2 may read {odd} as JSON", [each[:7] for each in said] == ["refuses", "refuses", "can't b"], said)
expect("text behind a value", readings("text", b"1 y=2"), [nothing_behind] * 3)
check("numbers that become others", readings("text", b"PackedByteArray(256,-1)")[0].startswith("reads it, but not as it is written: 1:17: error[bad_number]"))
classes = put("classes.cfg", 'x=Array[Strng](["a", 1])\n')
check("a class that may not be there", "$[\"\"].x: note: Godot 4 leaves this container empty if it knows the class" in run("show", "--as", "config", classes)[2],
      run("show", "--as", "config", classes)[2])
expect("no engine is said to leave it empty", readings("config", classes.read_bytes())[0], "reads it")
game = "reads it, if the game has the classes and files it names"
expect("a file that may not be there", readings("config", b'[a]\nx=Resource("res://x.tres")\n'), [game] * 3)
expect("a class that may not be there", readings("resource", b'[gd_resource type="Gadient" format=2]\n\n[resource]\na = 1\n'), [game] * 3)

# ---- the name that is not known is told for each reading

tells("in a ConfigFile", run("text", put("name.cfg", "[a]\nx=whatever(1)\n")), 1, "not config: 2:3: error[unknown_constructor]: whatever: no type")
tells("in a resource", run("text", put("name.tres", '[gd_resource type="X" format=3]\n[resource]\na=foo(1)')), 1, "3:3: error[unknown_constructor]: foo: ")
tells("in a text", run("text", put("name.txt", "[foo, 2]")), 1, "not text: 1:2: error[unknown_constructor]: foo: no value has this name")

finish()
