#!/usr/bin/env python3
"""gdvar edit: an editor that is a script changes the text. What it changes is written, and nothing else; what fails loses nothing."""
import fcntl, os, pathlib, re, shutil, signal, struct, sys, time

sys.path.append(sys.path[0] + "/../support")
import command
from by_hand import array, integer, project, records, u32
from command import DRIVE, GDVAR, PLAIN, SAVES, check, expect, finish, here, last_part, new_folder, pack, put, recorded, run

folder = new_folder()
session = folder / "session"
session.mkdir(mode=0o700)
elsewhere = folder / "tmp"
elsewhere.mkdir()
script = folder / "editor.py"
# The editor: runs $EDIT, Python code that may change `text`; `path` is the file.
script.write_text("""import os, sys
path = sys.argv[-1]
text = open(path, newline="").read()
exec(os.environ["EDIT"])
if os.path.exists(path) and text != open(path, newline="").read():
    open(path, "w", newline="").write(text)
""")
os.environ.update(HOME=str(folder), XDG_RUNTIME_DIR=str(session), TMPDIR=str(elsewhere), EDITOR=f"{sys.executable} -IS {script}")


def edit(code, *words, **env):
    """gdvar edit --yes with that editor. Returns exit code and messages."""
    got = run("edit", "--yes", "--dialect", "godot4", *words, EDIT=code, **env)
    expect("no output", got[1], b"")
    return got[0], got[2]


def replace(old, new):
    """Behind the comment in the first line."""
    return f"i = text.index({old!r}, text.startswith(';') and text.index('\\n')); text = text[:i] + {new!r} + text[i + len({old!r}):]"


def left():
    return sorted(path.name for place in (session, elsewhere) for path in place.glob("gdvar-edit-*/*"))


def kept(err):
    """The text that a message says is kept; it goes."""
    found = re.search(r"your text is kept in (\S+)", err)
    check("a message names the text", found, err)
    if not found:
        return ""
    path = pathlib.Path(here(found[1]))
    expect("only the user can read it", (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777), (0o600, 0o700))
    text = path.read_text()
    shutil.rmtree(path.parent)
    return text


save, old = folder / "game.save", folder / "game.old"
plain = PLAIN.read_bytes()

# ---- every save, in every form: what is not changed stays, and what is changed is what `set` changes

for engine in ("godot-4.6.3", "godot-3.6.2", "godot-3.2.3", "pandemonium-5.3"):
    secret = next((line for line in recorded(engine) if "pass" in line), {})
    for one in sorted((SAVES / engine).glob("*.*")):
        if one.suffix not in (".save", ".txt") or (engine == "godot-3.2.3" and "gcpf" in one.name):
            continue
        env = {}
        if "gdec" in one.name:
            env = {"GDVAR_PASSWORD": secret["pass"]} if "pass" in one.name else {"GDVAR_KEY": secret["key"]}
        dialect = {"g": "godot4" if "4" in engine else "godot3", "p": "pandemonium"}[engine[0]]
        for form in [[], ["--full"], ["--json"], ["--plain"]] if one.name == "plain.save" else [[]]:
            words = ["edit", "--yes", "--dialect", dialect, *form, save]
            shutil.copy(one, save)
            if one.name == "plain.save":
                got = run(*words, EDITOR="printf '\\n \\n' >>", **env)
                expect(f"{engine} {one.name} {form} as it was", (got, save.read_bytes()),
                       ((0, b"", f"{save}: no value differs; nothing was written\n"), one.read_bytes()))
            # The first 97, which is a player's; those in packed arrays stand further below.
            got = run(*words, EDITOR="sed -i '0,/97/s/97/9999/'", **env)
            expect(f"{engine} {one.name} {form} changed", got[:2], (0, b""))
            shutil.copy(one, old)
            where = "$" if one.suffix == ".txt" else "#0 $"
            run("set", "--dialect", dialect, old, where + ".players[3].hp", "9999", **env)
            if "gdec" in one.name and "4" in engine:  # a new IV each time
                expect(f"{engine} {one.name} is still encrypted", save.read_bytes()[:4], b"GDEC")
                expect(f"{engine} {one.name} {form} as set", run("unwrap", save, **env), run("unwrap", old, **env))
            else:
                expect(f"{engine} {one.name} {form} as set", save.read_bytes(), old.read_bytes())

# The passwords file opens it, and it is written back with that password.
(folder / ".config/gdvar").mkdir(parents=True)
passwords = folder / ".config/gdvar/passwords"
passwords.write_text("mine = correct horse 1\n")
passwords.chmod(0o600)
shutil.copy(SAVES / "godot-4.6.3/gdec_pass.save", save)
expect("a password of the user's file", edit(replace("97", "9999"), save),
       (0, f"{save}: note: opened with password 'mine' of ~/.config/gdvar/passwords\n~ #0 $.players[3].hp: 97 -> 9999\n{save}: written\n"))
expect("is written back", run("get", save, "#0 $.players[3].hp")[1], b"9999\n")
passwords.unlink()

# ---- one value

save.write_bytes(plain)
expect("a path", edit(replace('"hp": 97', '"hp": 9999'), save, "#0 $.players[3]"),
       (0, f"~ #0 $.players[3].hp: 97 -> 9999\n{save}: written\n"))
changed = save.read_bytes()
expect("no path without a record", edit("", save, "$.players")[0], 2)
expect("no path to several", edit("", save, "#* $.players")[0], 2)
expect("no path to several", edit("", save, "#0 $.players[*]")[0], 2)
code, err = edit("", save, "#0 $.playrs")
check("a path to nothing", code == 1 and "did you mean .players?" in err, err)
code, err = edit("", save, "#9")
check("no such record", code == 1 and "no record #9" in err, err)
expect("a number in a vector", edit(replace("1.0", "1.25"), save, "#0 $.players[1].pos.y"),
       (0, f"~ #0 $.players[1].pos: Vector3(1, 1, 0.5) -> Vector3(1, 1.25, 0.5)\n{save}: written\n"))
code, err = edit(replace("7", "7.5"), save, "#0 $.players[1].inventory[2]")
expect("a number that does not fit", (code, kept(err)), (1, "; game.save, #0 $.players[1].inventory[2], godot-4.4\n7.5\n"))
save.write_bytes(plain)
code, err = edit(replace("97", "9999"), save, "--backup", folder / "backup.save")
expect("--backup", (code, (folder / "backup.save").read_bytes(), save.read_bytes()), (0, plain, changed))
save.write_bytes(plain)
expect("-o", edit(replace("97", "9999"), save, "-o", folder / "other.save")[0], 0)
expect("-o leaves the file", ((folder / "other.save").read_bytes(), save.read_bytes()), (changed, plain))
expect("nothing is left behind", left(), [])

# ---- records

three = records((pack('{"a": 1}'), pack('"two"'), pack("[3]")))


def edited(code, *words, form=()):
    """The values of three records after an edit, and the messages."""
    save.write_bytes(three)
    got, err = edit(code, *form, save, *words)
    return got, [line for line in run("text", "--full", save).lines()], err


expect("no PATH opens all", edited("open(os.environ['HOME'] + '/seen', 'w').write(text)")[0], 0)
expect("as one text", (folder / "seen").read_text().split("\n", 1)[1], """; A value without a line "; record #N" before it becomes a new record.

; record #0
{
  "a": 1
}

; record #1
"two"

; record #2
[3]
""")
for form, mark in (((), ";"), (("--full",), ";"), (("--json",), "//")):
    number = '"i:1"' if form == ("--json",) else " 1"
    value = '"i:5"' if form == ("--json",) else "5"
    expect(f"changed {form}", edited(replace(number, number.replace("1", "7")), form=form)[1], ['{"a": 7}', '"two"', "[3]"])
    got = edited(f"a = text.index('{mark} record #1'); text = text[:a] + text[text.index('{mark} record #2'):]", form=form)
    expect(f"removed {form}", got, (0, ['{"a": 1}', "[3]"], f'- #1 $: "two"\n{save}: written\n'))
    expect(f"added {form}", edited(f"text += '\\n{value}\\n'", form=form), (0, ['{"a": 1}', '"two"', "[3]", "5"], f"+ #3 $: 5\n{save}: written\n"))
    got = edited(f"a = text.index('{mark} record #1'); text = text[:a] + '{value} ' + text[a:]", form=form)
    expect(f"added between {form}", got, (0, ['{"a": 1}', "5", '"two"', "[3]"], f"+ #1 $: 5\n{save}: written\n"))
    got = edited(f"a, b = text.index('{mark} record #1'), text.index('{mark} record #2'); text = text[:a] + text[b:] + text[a:b]", form=form)
    expect(f"moved {form}", got, (0, ['{"a": 1}', "[3]", '"two"'], f"> records in another order\n{save}: written\n"))
expect("a record", edited(replace("3", "4"), "#-1"), (0, ['{"a": 1}', '"two"', "[4]"], f"~ #2 $[0]: 3 -> 4\n{save}: written\n"))
expect("a whole record of another type", edited(replace('"two"', "2.5"), "#1"),
       (0, ['{"a": 1}', "2.5", "[3]"], f'~ #1 $: "two" -> 2.5 (String becomes float)\n{save}: written\n'))
for change, what in ((replace("#1", "#7"), "7:1: error[index_out_of_range]: there was no such record"), (replace("#1", "#0"), "9:1: error[duplicate_key]: this record stands here twice"),
                     (replace("#1", "#x"), "9:1: error[bad_syntax]: expected a record's number"), (replace('"two"', ""), "9:1: error[bad_syntax]: a value is missing behind this line"),
                     (replace("[3]", ""), "12:1: error[bad_syntax]: a value is missing behind this line"), ("text = '; nothing'", "error[bad_syntax]: the text holds no value"),
                     (replace("[3]", "[3],"), "13:4: error[bad_syntax]")):
    got, values, err = edited(change)
    what = what.replace("7:1", "9:1")
    check(f"{what}", got == 1 and what in err and values == ['{"a": 1}', '"two"', "[3]"], err)
    kept(err)
save.write_bytes(three + b"\0")
code, err = edit(replace("3", "4"), save)
expect("bytes behind the last record stay", (code, save.read_bytes()[-5:], "1 byte after the last record was kept" in err), (0, b"\4\0\0\0\0", True))
save.write_bytes(b"head" + three)
expect("--skip", (edit(replace("3", "4"), "--skip", "4", save)[0], save.read_bytes()[:12]), (0, b"head" + three[:8]))

# ---- settings

name, padded, odd = b"application/config/name", b"application/run/main_scene\0\0", b' "odd\n'
made = [(name, pack('"Game"')), (padded, pack('"res://main.tscn"')), (odd, pack("7"))]


def settings(code, *words):
    save.write_bytes(project(*made))
    got, err = edit(code, save, *words)
    return got, save.read_bytes(), err


expect("a setting", settings(replace("Game", "Ours"))[1], project((name, pack('"Ours"')), *made[1:]))
expect("a padded name", settings(replace("//main", "//other"))[1], project(made[0], (padded, pack('"res://other.tscn"')), made[2]))
expect("an odd name", settings(replace("7", "8")), (0, project(*made[:2], (odd, pack("8"))), f"~  \"odd\\n $: 7 -> 8\n{save}: written\n"))
expect("by name", settings(replace("Game", "Ours"), "application/config/name")[1], project((name, pack('"Ours"')), *made[1:]))
expect("added", settings("text += '; setting a/b\\n[1]\\n'"), (0, project(*made, (b"a/b", pack("[1]"))), f"+ a/b $: [1]\n{save}: written\n"))
expect("removed", settings("a = text.index('; setting application/run'); text = text[:a] + text[text.index('; setting', a + 1):]")[1], project(made[0], made[2]))
for change, what in (("text += '7'", "a line '; setting name' is missing before the value"), (replace("application/run/main_scene", "application/config/name"), "this setting stands here twice")):
    code, data, err = settings(change)
    check(what, code == 1 and what in err and data == project(*made), err)
    kept(err)
save.write_bytes(project(made[0], made[0]))
check("a setting that is there twice", "edit one of them by its number" in edit("", save)[1])


# ---- what the text does not express stays


def key(text, header=4, padding=b"\0"):
    return u32(header, len(text)) + text.encode() + padding * (-len(text) % 4)


def wide(n):
    return struct.pack("<Iq", 0x10002, n)


def odd(a=integer(5), f=wide(3), more=b"", count=7):
    """An int in 8 bytes, an odd padding, an odd NaN, an Object by id, two keys that are one to an engine, a Vector2 of doubles."""
    return (u32(27, count) + key("a") + a + key("b", padding=b"\xff") + wide(7) + key("c") + struct.pack("<IQ", 0x10003, 0xFFF8000000000001) +
            key("d") + struct.pack("<IQ", 0x10018, 9) + key("e") + integer(1) + key("e", 21) + integer(2) +
            key("f") + u32(28, 2) + f + struct.pack("<Idd", 0x10005, 0.1, 2) + more)


note = f"{save}: note: edited in gdvar's own form (--full): $: Godot's text does not express this (error[bad_syntax]: the earlier value of a repeated key is dropped)\n"
for form in ([], ["--full"], ["--json"]):
    i = '"i:%s"' if form == ["--json"] else "%s"
    said = note if not form else ""
    save.write_bytes(odd())
    expect(f"odd values as they were {form}", (edit("text += ' '", *form, save), save.read_bytes()), ((0, said + f"{save}: no value differs; nothing was written\n"), odd()))
    # The Dictionary with a key that is there twice is compared as a whole; its values stay where an Array inside changes.
    save.write_bytes(array([odd(), integer(1)]))
    code, err = edit(f"a = text.rindex({(i % 1)!r}); text = text[:a] + {(i % 8)!r} + text[a + len({(i % 1)!r}):]", *form, save)
    expect(f"odd values beside a change {form}", (code, save.read_bytes()), (0, array([odd(), integer(8)])))
    plain_odd = odd().replace(key("e", 21), key("e'", 21))
    save.write_bytes(plain_odd)
    code, err = edit(replace(i % 5, i % 6), *form, save)
    expect(f"odd values around a change {form}", (code, save.read_bytes()), (0, plain_odd.replace(integer(5), integer(6))))
    code, err = edit(replace(i % 3, i % 4), *form, save)
    expect(f"in an Array {form}", (code, save.read_bytes()), (0, plain_odd.replace(integer(5), integer(6)).replace(wide(3), integer(4))))
    save.write_bytes(odd())
    code, err = edit(replace(i % 5, i % 6), *form, save)
    check(f"a repeated key {form}", code == 1 and "error[duplicate_key]" in err and save.read_bytes() == odd(), err)
    kept(err)

# A key that is there twice may stay or be renamed, as `rename` does; no other may become one. A change that plain JSON can't express is refused.
twice = folder / "twice.json"
for form, code, now in (([], replace("5", "6"), '{"a":1,"b":6,"a":2}'), (["--json"], replace("i:5", "i:6"), '{"a":1,"b":6,"a":2}'),
                        (["--plain"], replace("5", "6"), '{"a":1,"b":6,"a":2}'), (["--plain"], replace("2)\": 2", "2)\": 3"), '{"a":1,"b":5,"a":3}'),
                        ([], replace('"b"', '"a"'), None), ([], "text = text.replace('\"a\"', '\"k\"')", '{"k":1,"b":5,"k":2}'),
                        (["--plain"], replace("a (2)", "zz"), None), (["--plain"], replace('"a"', '"k"'), None), (["--plain"], replace(" 1", " 9"), None)):
    before = '{"a":1,"b":5,"a":2}\n'
    twice.write_text(before)
    got = run("edit", "--yes", *form, twice, EDIT=code)
    expect(f"a key that is there twice {form} {code}", (got[0], twice.read_text()), (0, now + "\n") if now else (1, before))
    if not now:
        kept(got[2])
for last in (3, 2):
    twice.write_text('{"a":1,"a":2}')
    other = folder / "other.json"
    other.write_text('{"a":1,"a":%d}' % last)
    patch = folder / "twice.patch"
    patch.write_bytes(run("diff", "--patch", twice, other)[1])
    expect(f"its patch {last}", (run("patch", twice, patch)[0], twice.read_bytes()), (0, other.read_bytes()))

# Godot 3's own text has six digits. The text that is edited has all.
floats = pack('{"x": 0.123456789, "v": Vector2(0.1234567, 1), "p": PackedFloat32Array(0.1234567)}', dialect="godot3")
save.write_bytes(floats)
code, out, err = run("edit", "--yes", "--dialect", "godot3", save, EDIT=replace("1 )", "2 )"))
expect("digits", (code, err), (0, f"~ $.v: Vector2(0.1234567, 1) -> Vector2(0.1234567, 2)\n{save}: written\n"))

# Deep values, references and texts with everything.
for text in ("[" * 300 + "]" * 300, '{"a\\nb\\t\\"\\\\;": "; record #0", "b": "é👾\\u0007"}', 'Array[int]([1, 2])', 'Dictionary[String, Array]({"a": Array[Vector2]([Vector2(1, 2)])})',
             'Object("Node", "name": "x", "script": null)', 'Object("ExtResource", "id": "1")', "[inf, -inf, nan, -0.0, 1e300, 5e-324]", '[&"n", NodePath("a/b:c"), Color(1, 0.1, 0, 1), RID(5), Callable(), Signal("", 0)]'):
    save.write_bytes(pack(text))
    expect(f"{text[:40]}", edit("text += '\\n; more'", "--objects", save)[1].split(": ")[1:], ["no value differs; nothing was written\n"])

# ---- documents of text: comments, order and spacing outside of what changed stay

for document, change, words, wanted in (('{"hp" : 7,\n\t"b":[1,  2]}\n', replace("7", "8"), [], '{"hp" : 8,\n\t"b":[1,  2]}\n'), ('{"hp" : 7}\n', replace("7", "8"), ["--json"], None),
                                        ('{"a": 1}\n{"a":  2}\n', replace("2", "3"), [], '{"a": 1}\n{"a":  3}\n'), ('{"a": 1}\n{"a":  2}\n', "text += '[5]'", [], '{"a": 1}\n{"a":  2}\n[5]\n'),
                                        ("; mine\n[player]\nhp = 7 ; seven\nat=Vector2( 1,2 )\n", replace("7", "8"), [], "; mine\n[player]\nhp = 8 ; seven\nat=Vector2( 1,2 )\n"),
                                        ('[gd_resource type="Resource" format=3]\n\n[ext_resource type="Script" path="res://a.gd" id="1"]\n\n[resource]\nscript = ExtResource("1")\nx = 1\n', replace('"x": 1', '"x": 2'), [], None)):
    save.write_text(document)
    if words:
        change = replace('i:7', 'i:8')
        wanted = document.replace("7", "8")
    code, out, err = run("edit", "--yes", *words, save, EDIT=change)
    expect(f"{document[:30]!r} {words}", (code, save.read_text()), (0, wanted or document.replace("x = 1", "x = 2")))
    save.write_text(document)
    run("edit", "--yes", *words, save, EDIT="text += ' '")
    expect(f"{document[:30]!r} as it was", save.read_text(), document)


# ---- types


def value(before, change, *words, dialect="godot4"):
    """The value after an edit, and the messages but for the last."""
    save.write_bytes(pack(before, dialect=dialect))
    code, err = edit(change, *words, save)
    if code:
        kept(err)
    return code, run("text", "--full", save)[1].decode().strip(), err.removesuffix(f"{save}: written\n")


expect("an int stays one", value('{"a": 1}', replace("1", "7.0")), (0, '{"a": 7}', "~ $.a: 1 -> 7\n"))
expect("an int becomes a float", value('{"a": 1}', replace("1", "7.5")), (0, '{"a": 7.5}', "~ $.a: 1 -> 7.5 (int becomes float)\n"))
expect("a float stays one", value('{"a": 1.5}', replace("1.5", "7")), (0, '{"a": 7.0}', "~ $.a: 1.5 -> 7.0\n"))
expect("a StringName stays one", value('{"a": &"x"}', replace('&"x"', '"y"')), (0, '{"a": &"y"}', '~ $.a: &"x" -> &"y"\n'))
expect("anything becomes null", value('{"a": "x"}', replace('"x"', "null")), (0, '{"a": null}', '~ $.a: "x" -> null (String becomes null)\n'))
expect("a typed Array stays one", value("Array[int]([1, 2])", replace("Array[int]([1, 2])", "[1, 2, 3.0]")), (0, "Array[int]([1, 2, 3])", "+ $[2]: 3\n"))
expect("a new element of a typed Array", value("Array[float]([1.5])", replace("1.5", "1.5, 2")), (0, "Array[float]([1.5, 2.0])", "+ $[1]: 2.0\n"))
expect("a new key of a typed Dictionary", value('Dictionary[StringName, float]({&"a": 1.5})', replace("1.5", '1.5, "b": 2'), "--full"), (0, 'Dictionary[StringName, float]({&"a": 1.5, &"b": 2.0})', '+ $.b: 2.0\n'))
for before, change, words, what in (("Array[int]([1])", replace("1", "1.5"), ["--full"], "$[0]: error[wrong_type]: the container takes only int"),
                                    ("Array[int]([1])", replace("1", '1, "x"'), ["--full"], "$[1]: error[wrong_type]: the container takes only int"),
                                    ('Dictionary[String, int]({"a": 1})', replace('1', '1, 5: 2'), ["--full"], "$[5]: error[wrong_type]: the container takes only String as keys"),
                                    ("[1]", replace("1", '{"a": 1, &"a": 2}'), ["--full"], "error[duplicate_key]"), ("[1]", replace("1", 'Object("Node")'), ["--full"], "error[objects_forbidden]"),
                                    ('{"a": 1}', replace("1", '1, "a": 2'), [], "error[bad_syntax]"), ("[1]", replace("1", "12345678901234567890"), [], "error[bad_number]"),
                                    ("[1]", replace("1", "PackedVector2Array(1, 2, 3)"), [], "error[bad_syntax]"), ("[1]", replace("]", "] x"), [], "error[trailing_bytes]: more text behind the value")):
    code, after, err = value(before, change, *words)
    check(f"{what} {before}", code == 1 and what in err and after == before, (err, after))
save.write_bytes(pack("[1]", dialect="godot3"))
code, out, err = run("edit", "--yes", "--dialect", "godot3", "--full", save, EDIT=replace("1", '&"name"'))
check("what the dialect lacks", code == 1 and "$[0]: error[not_in_dialect]" in err, err)
kept(err)
expect("keys in another order", value('{"a": 1, "b": 2}', "a = text.split('\\n'); text = '\\n'.join([a[1], a[3] + ',', a[2][:-1], a[4]])"), (0, '{"b": 2, "a": 1}', "> $: pairs in another order\n"))
expect("a key put between", value('{"a": 1, "b": 2}', replace('1,', '1, "c": 3,')), (0, '{"a": 1, "c": 3, "b": 2}', "+ $.c: 3\n> $: pairs in another order\n"))
expect("a value of another kind altogether", value('{"a": 1}', "text = '[]'"), (0, "[]", '~ $: {"a": 1} -> [] (Dictionary becomes Array)\n'))
code, after, err = value(str([0] * 300), "text = text.replace('0', '1')")
check("many changes", code == 0 and "... and 200 more changes (--verbose)" in err and len(err.splitlines()) == 101, err)
check("--verbose", value(str([0] * 300), "text = text.replace('0', '1')", "--verbose")[2].count("0 -> 1") == 300)

# ---- plain JSON, which does not express all values

before = ('{"v": Vector3(1, 2, 3), "p": PackedInt32Array(1, 2), "s": PackedStringArray("a", "b"), 7: {"x": 1.5, &"y": &"n"}, "np": NodePath("a/b"), "nan": nan(0xfff8000000000001), '
          '"a": [1, [2, {Vector2i(1, 2): RID(5)}]], "w": Vector2d(0.1, 0.2)}')
for change, old_part, new_part in ((replace("2,3", "2.5,3"), "Vector3(1, 2, 3)", "Vector3(1, 2.5, 3)"), (replace("[1,2]", "[1,2,9]"), "PackedInt32Array(1, 2)", "PackedInt32Array(1, 2, 9)"),
                                   (replace('"b"', '"c", "d"'), '"a", "b"', '"a", "c", "d"'), (replace("1.5", "2"), "1.5", "2.0"), (replace('"n"', '"m"'), '&"n"', '&"m"'), (replace("a/b", "a/c"), "a/b", "a/c"),
                                   (replace("null", "5"), "nan(0xfff8000000000001)", "5.0"), (replace("0.2", "0.7"), "0.2", "0.7"), (replace('"a": [\n    1', '"a": [\n    true,\n    1'), '"a": [1', '"a": [true, 1'),
                                   (replace('  "7": {', '  "new": "key",\n  "7": {'), None, None), (replace("1.5", '1.5, "z": 1'), None, None), (replace(": 5", ": 6"), None, None)):
    code, after, err = value(before, change, "--plain")
    if new_part:
        expect(f"plain {new_part}", (code, after), (0, before.replace(old_part, new_part, 1)))
    else:
        check("plain: a key whose type nobody knows", code == 1 and "plain JSON can't tell; use --json" in err and after == before, err)
expect("plain: keys in order", value('{1: 1, 2: 2}', "a = text.split('\\n'); text = '\\n'.join([a[0], a[2] + ',', a[1][:-1], a[3]])", "--plain"), (0, "{2: 2, 1: 1}", "> $: pairs in another order\n"))
expect("plain: a type that JSON has", value('{"a": 1}', replace("1", '"x"'), "--plain"), (0, '{"a": "x"}', '~ $.a: 1 -> "x" (int becomes String)\n'))
expect("plain: a new key", value('{&"a": 1}', replace("1", '1, "b": [1, {"c": null}]'), "--plain")[1], '{&"a": 1, &"b": [1, {"c": null}]}')
for change, what in ((replace("2,3", "2,3,4"), "$.v[3]: plain JSON"), (replace("2,3", '"2",3'), "$.v[1]: plain JSON"), (replace("[1,2]", "[1,2.5]"), "$.p[1]: plain JSON")):
    code, after, err = value(before, change, "--plain")
    check(f"plain: {what}", code == 1 and what in err and after == before, err)

# ---- the editor, and its file

save.write_bytes(plain)
seen = folder / "seen"
look = ("import stat; seen = open(os.environ['HOME'] + '/seen', 'w'); print(path, oct(os.stat(path).st_mode & 0o777), oct(os.stat(os.path.dirname(path)).st_mode & 0o777), "
        "sys.argv[1:-1], file=seen); open(path + '~', 'w').write(text); ")
for more, env, suffix, place, arguments in (([], {}, ".tres", session, []), (["--full"], {}, ".tres", session, []), (["--json"], {}, ".json", session, []), (["--plain"], {}, ".json", session, []),
                                            ([], {"EDITOR": f"{sys.executable} -IS {script} --wait 'a b'"}, ".tres", session, ["--wait", "a b"]),
                                            ([], {"EDITOR": "false", "VISUAL": f"X=1 {sys.executable} -IS {script} visual"}, ".tres", session, ["visual"]),
                                            ([], {"XDG_RUNTIME_DIR": ""}, ".tres", elsewhere, []), ([], {"XDG_RUNTIME_DIR": "session"}, ".tres", elsewhere, []), ([], {"XDG_RUNTIME_DIR": str(folder / "none")}, ".tres", elsewhere, [])):
    old_mask = os.umask(0)
    code, err = edit(look, save, *more, **env)
    os.umask(old_mask)
    path, file_mode, folder_mode, got = seen.read_text().split(" ", 3)
    expect(f"the file {more} {env}", (code, pathlib.Path(path).parent.parent, pathlib.Path(path).name, file_mode, folder_mode, got.strip()),
           (0, place, "game.save" + suffix, "0o600", "0o700", str(arguments)))
    expect("is gone, and what the editor left beside it", left(), [])
session.chmod(0o755)
edit(look, save)
expect("a session's folder that others can enter", pathlib.Path(seen.read_text().split(" ")[0]).parent.parent, elsewhere)
session.chmod(0o700)
strange = folder / "-o $(x)\n;.save"
strange.write_bytes(plain)
edit(look + replace("97", "9999"), strange)
expect("a strange name", (pathlib.Path(seen.read_text().split(" ")[0]).name, strange.read_bytes()), ("_o___x___.save.tres", changed))
tools = folder / "tools"
tools.mkdir()
for name in ("nano", "vi"):
    (tools / name).write_text(f"#!/bin/sh\necho {name} > {seen}\n")
    (tools / name).chmod(0o755)
for wanted in ("nano", "vi"):
    expect(f"{wanted} if no editor is named", (edit("", save, EDITOR="", VISUAL=" ", PATH=f"/nowhere::{tools}")[0], seen.read_text()), (0, wanted + "\n"))
    (tools / wanted).unlink()
(tools / "vi").mkdir()
expect("none at all", edit("", save, EDITOR="", PATH=str(tools)), (2, "gdvar: no editor; set VISUAL or EDITOR to one\n"))
expect("no terminal", run("edit", save, EDIT=""), (2, b"", "gdvar: standard input is no terminal, so nobody can be asked; --yes writes without asking\n"))
expect("standard input", edit("", "-")[0], 2)
expect("two forms", edit("", save, "--json", "--plain")[0], 2)
expect("no such file", edit("", folder / "none")[0], 3)
for words, env, what in (([], {"EDITOR": "exit 3;"}, "failed with exit code 3"), ([], {"EDITOR": "/no/such/editor 2>&-"}, "failed with exit code 127"), ([], {"EDITOR": "kill -9 $$;"}, "was ended by signal 9"),
                         ([], {"TMPDIR": str(folder / "none"), "XDG_RUNTIME_DIR": ""}, "error[io]: No such file or directory")):
    code, err = edit("", save, *words, **env)
    check(f"{what}", code == 3 and what in err and "kept" not in err, (code, err))
expect("nothing changed", (save.read_bytes(), left()), (plain, []))
code, err = edit("open(path, 'w').write('mine'); os._exit(1)", save)
expect("an editor that fails after a change", (code, kept(err), save.read_bytes()), (3, "mine", plain))
# An editor that removes the text: what is said to be kept is there.
for change in ("os.remove(path)", "os.remove(path); sys.exit(1)"):
    code, err = edit(change, save)
    check(change, code == 3 and "no text is left to keep" in err and "is kept" not in err, err)
    expect("no folder is left", [*session.glob("gdvar-edit-*"), *elsewhere.glob("gdvar-edit-*")], [])
code, err = edit("os.rename(path, path + '~')", save)
check("a copy that is left", code == 3 and "the editor has removed this file" in err and "what the editor left is kept in " in err, err)
shutil.rmtree(here(re.search(r"is kept in (\S+)", err)[1]))
expect("a text that another file replaces", (edit("os.unlink(path); open(path, 'w'); " + replace("97", "9999"), save)[0], save.read_bytes()), (0, changed))
save.write_bytes(plain)
expect("an empty text", (edit("text = ''", save), save.read_bytes()), ((0, f"{save}: the text is empty; nothing was written\n"), plain))
expect("a byte order mark and other line ends", edit("text = '\\ufeff' + text.replace('\\n', '\\r\\n')", save), (0, f"{save}: no value differs; nothing was written\n"))
code, err = edit(replace('"hp": 97', '"hp" 97'), save)
where = err.splitlines()
expect("where an error is", where[:3], ["game.save.tres:28:12: error[bad_syntax]: expected ':' after the key", '  28 |       "hp" 97,', "     |            ^"])
kept(err)
os.chmod(save, 0o640)
code, err = edit(replace("97", "9999"), save, "--backup", save)
check("a backup that is the file itself", code == 3 and "--backup names the file itself" in err and "9999" in kept(err), err)
expect("--container", (edit(replace("97", "9999"), save, "--container", "gcpf-zstd")[0], save.read_bytes()[:4], save.stat().st_mode & 0o777), (0, b"GCPF", 0o640))
expect("in the container", run("unwrap", save)[1], changed)
save.write_bytes(plain)
code, err = edit(replace("97", "9999"), save, "--container", "gdec-4")
check("encryption without a key", code == 2 and "encryption needs a key" in err and "9999" in kept(err), err)
big = pack("[" + ",".join(['"' + "x" * 1000 + '"'] * 9000) + "]")
put("big.save", big)
code, err = edit("", folder / "big.save")
check("8 MB", code == 1 and "error[size_limit]: 9072008 bytes of values" in err, err)
check("--max-bytes", edit("", folder / "big.save", "--max-bytes", "20MB")[0] == 0)
expect("a part of it", edit(replace("x", "y"), folder / "big.save", "$[3]")[0], 0)
put("cut.save", plain[:1000])
expect("a damaged file", edit("", folder / "cut.save")[0], 1)
expect("nothing is left behind", left(), [])

# ---- others who change the file

# The lock is held while the editor runs; a game that takes none is noticed, and its file stays.
code, err = edit("import fcntl\ntry:\n    fcntl.flock(open(os.environ['HOME'] + '/game.save'), fcntl.LOCK_EX | fcntl.LOCK_NB)\n    text = 'not locked'\nexcept BlockingIOError:\n    "
                 + replace("97", "9999"), save)
expect("the file is locked", (code, save.read_bytes()), (0, changed))
if code:
    kept(err)
with save.open() as other:
    fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)  # no more
for game in ("open(home + '/game.save', 'wb').write(b'game')", "open(home + '/new', 'wb').write(b'game'); os.replace(home + '/new', home + '/game.save')"):
    save.write_bytes(plain)
    code, err = edit("home = os.environ['HOME']; " + game + "; " + replace("97", "9999"), save)
    check("a game wrote meanwhile", code == 3 and "another program has changed this file meanwhile; nothing was changed" in err, err)
    expect("its file stays", save.read_bytes(), b"game")
    check("the text, too", "9999" in kept(err))


# ---- a text that was kept is taken up again


def failed_text(*words, code=None):
    """A text with a mistake in it, which an edit has left, and the messages."""
    save.write_bytes(plain)
    got, err = edit(code or replace('"hp": 97', '"hp": 9999x'), save, *words)
    path = pathlib.Path(here(re.search(r"your text is kept in (\S+)", err)[1]))
    check("--resume is named", got == 1 and f"the same command with --resume {DRIVE}{path} goes on with the text that was kept" in err, err)
    expect("the text and what it was made of", left(), [".gdvar-edit", path.name])
    return path


mend = "assert '9999x' in text; text = text.replace('9999x', '9999')"
for words in ([], ["#0 $.players[3]"], ["--full"], ["--plain", "#0"]):
    there = failed_text(*words)
    code, err = edit(mend, save, *words, "--resume", there)
    expect(f"resumed {words}", (code, err, save.read_bytes()), (0, f"~ #0 $.players[3].hp: 97 -> 9999\n{save}: written\n", changed))
    expect("the kept text is gone", left(), [])
there = failed_text()
code, err = edit("", save, "--resume", there)
check("the same checks", code == 1 and "error[" in err and f"your text is kept in {DRIVE}{there}" in err and there.exists() and save.read_bytes() == plain, err)
for words in ([], ["-o", folder / "resumed.save"]):
    code, err = edit("os._exit(1)", save, *words, "--resume", there)
    check("an editor that fails leaves it", code == 3 and "9999x" in there.read_text(), err)
code, err = edit(mend, save, "#0", "--resume", there)
check("another PATH", code == 1 and "this text is of the whole save" in err and "9999x" in there.read_text(), err)
code, err = edit(mend, save, "--json", "--resume", there)
check("another form", code == 1 and "in the form" in err and "9999x" in there.read_text(), err)
for now in (changed, plain + b"\0", plain[:4] + bytes([plain[4] ^ 1]) + plain[5:]):
    save.write_bytes(now)
    code, err = edit(mend, save, "--resume", there)
    check("the save has changed since", code == 1 and err, err)
    expect("all stays", ("9999x" in there.read_text(), save.read_bytes()), (True, now))
save.write_bytes(changed)
code, err = edit(mend, save, "--resume", there)
expect("it says so", (code, err), (1, f"{there}: error[misplaced]: the save has changed since this text was made; the text stays as it is, and nothing was written\n"))
save.write_bytes(plain)
loose = folder / "loose.tres"
shutil.copy(there, loose)
(elsewhere / "gdvar-edit-mine").mkdir(mode=0o700)
shutil.copy(there, elsewhere / "gdvar-edit-mine/loose.tres")
for odd_one, why in ((loose, "no text that an edit has left"), (elsewhere / "gdvar-edit-mine/loose.tres", "no text that an edit has left"), (there.parent / ".gdvar-edit", "no text that an edit has left"),
                     (there.parent, "no text that an edit has left"), (there.parent / "none", "No such file")):
    code, err = edit(mend, save, "--resume", odd_one)
    check(f"--resume {odd_one.name}", code == 1 and why in err and there.exists() and save.read_bytes() == plain, err)
shutil.rmtree(elsewhere / "gdvar-edit-mine")
there.parent.chmod(0o755)
check("a folder that others can enter", "not yours alone" in edit(mend, save, "--resume", there)[1])
there.parent.chmod(0o700)
before_origin = (there.parent / ".gdvar-edit").read_text()
(there.parent / ".gdvar-edit").write_text("gdvar edit 1\n")
check("of another version", "another version" in edit(mend, save, "--resume", there)[1] and there.exists())
(there.parent / ".gdvar-edit").write_text(before_origin)
os.chdir(there.parent)
code, err = edit(mend, save, "--resume", there.name)
expect("by a relative name", (code, save.read_bytes(), left()), (0, changed, []))
os.chdir(folder)
shutil.rmtree(there.parent, ignore_errors=True)
# A text that is kept again can be taken up again; one that was not changed any more is dropped.
there = failed_text()
edit("text = text + '; more'", save, "--resume", there)
edit("text = text.replace('; more', '')", save, "--resume", there)
expect("again and again", (edit(mend, save, "--resume", there)[0], save.read_bytes(), left()), (0, changed, []))
there = failed_text()
code, err = edit("text = text.replace('9999x', '97')", save, "--resume", there)
expect("nothing differs any more", (code, err, left()), (0, f"{save}: the text is as it was; nothing was written\n", []))


last_part("at a terminal")
# ---- at a terminal: questions and signals


class Terminal(command.Terminal):
    """gdvar edit in a terminal of its own."""

    def __init__(self, code, *words, **env):
        super().__init__(GDVAR, "edit", "--dialect", "godot4", *map(str, words), EDIT=code, **env)

    def end(self):
        code, seen = super().end()
        return code, seen.decode()


question = "write this? y = yes, n = no, e = edit again:"
save.write_bytes(plain)
for keys, code, after in (("y\n", 0, changed), ("Yes\n", 0, changed), ("\nx\ny\n", 0, changed), ("n\n", 0, plain), ("e\nn\n", 0, plain), ("yikes wrong\nnclear\nye\nNO\n", 0, plain),
                         ("nclear\n yes \n", 0, changed)):
    save.write_bytes(plain)
    terminal = Terminal(replace("97", "9999") if keys[0] != "e" else '''text = text.replace('"hp": 97,', '"hp": 9999,')''', save)
    check("the changes are shown", "~ #0 $.players[3].hp: 97 -> 9999" in terminal.until(question))
    terminal.type(keys)
    got, rest = terminal.end()
    expect(f"{keys!r}", (got, save.read_bytes(), "written" in rest), (code, after, True))
expect("nothing is left behind", left(), [])
# A text that can't be read is edited again, and is what the person left there.
save.write_bytes(plain)
terminal = Terminal("text = text.replace('97,', '9x,', 1)", save)
terminal.until("e = edit again, q = quit:")
terminal.type("quite\nq\n")
code, rest = terminal.end()
expect("quit", (code, "9x" in kept(rest), save.read_bytes()), (1, True, plain))
again = folder / "again"
terminal = Terminal(f"again = os.path.exists('{again}'); open('{again}', 'w'); assert again == ('9x' in text); text = text.replace('9x,', '9999,') if again else text.replace('97,', '9x,', 1)", save)
terminal.until("e = edit again, q = quit:")
terminal.type("e\n")
terminal.until(question)
terminal.type("y\n")
expect("edited again", (terminal.end()[0], save.read_bytes()), (0, changed))
# The end of the input, and signals: the text is kept.
for what, keys, sent, code in (("the end of the input", "\x04", None, 1), ("Ctrl-C", "\x03", None, -signal.SIGINT), ("SIGTERM", "", signal.SIGTERM, -signal.SIGTERM), ("SIGHUP", "", signal.SIGHUP, -signal.SIGHUP)):
    save.write_bytes(plain)
    terminal = Terminal(replace("97", "9999"), save)
    terminal.until(question)
    terminal.type(keys)
    if sent:
        terminal.process.send_signal(sent)
    got, rest = terminal.end()
    expect(f"{what} at the question", (got, "9999" in kept(rest), save.read_bytes()), (code, True, plain))
# While the editor runs, Ctrl-C is the editor's.
save.write_bytes(plain)
terminal = Terminal("import signal, time; got = []; signal.signal(signal.SIGINT, lambda *_: got.append(1)); print('ready', flush=True)\nwhile not got:\n    time.sleep(0.01)\n" + replace("97", "9999"), save)
terminal.until("ready")
terminal.type("\x03")
terminal.until(question)
terminal.type("y\n")
expect("Ctrl-C in the editor", (terminal.end()[0], save.read_bytes()), (0, changed))
for sent in (signal.SIGTERM, signal.SIGHUP):
    save.write_bytes(plain)
    terminal = Terminal("import time; print('ready', flush=True); time.sleep(60)", save)
    terminal.until("ready")
    terminal.process.send_signal(sent)
    got, rest = terminal.end()
    expect(f"signal {sent} in the editor", (got, '"hp": 97' in kept(rest), save.read_bytes()), (-sent, True, plain))
# The editor, and what it starts, does not get the password or the key.
shutil.copy(SAVES / "godot-4.6.3/gdec_pass.save", save)
got, err = edit("open('environment', 'w').write(repr(dict(os.environ)))", save, GDVAR_PASSWORD="correct horse 1", GDVAR_KEY="31" * 32, KEPT="kept")
environment = pathlib.Path("environment").read_text()
expect("a password is no part of the editor's environment", (got, "'KEPT': 'kept'" in environment, "correct horse" in environment, "GDVAR_" in environment, "3131" in environment),
       (0, True, False, False, False))
# The text of an encrypted save is not encrypted, which the message says.
shutil.copy(SAVES / "godot-4.6.3/gdec_pass.save", save)
terminal = Terminal("import time; print('ready', flush=True); time.sleep(60)", save, GDVAR_PASSWORD="correct horse 1")
terminal.until("ready")
terminal.process.send_signal(signal.SIGTERM)
got, rest = terminal.end()
check("a decrypted text is called one", got == -signal.SIGTERM and '"hp": 97' in kept(rest) and "it is the decrypted save" in rest, rest)
# At a terminal, the password is asked for, and the save is written back with it.
shutil.copy(SAVES / "godot-4.6.3/gdec_pass.save", save)
terminal = Terminal(replace("97", "9999"), save)
terminal.until(f"Password of {save}:")
terminal.type("wrong\n")
terminal.until("This password does not open it")
terminal.until(f"Password of {save}:")
terminal.type("correct horse 1\n")
terminal.until(question)
terminal.type("y\n")
code, rest = terminal.end()
expect("asked for the password", (code, "horse" in rest, run("get", save, "#0 $.players[3].hp", GDVAR_PASSWORD="correct horse 1")[1]), (0, False, b"9999\n"))
terminal = Terminal(replace("97", "9999"), save)
terminal.until(f"Password of {save}:")
terminal.type("\x03")
terminal.until("no password was given")
expect("no password", terminal.end()[0], 1)
# Texts of a save do not move the cursor.
save.write_bytes(pack('{"a\\u001b[31m": 1}'))
terminal = Terminal(replace("1", "2"), save)
check("control characters are escaped", "\x1b" not in terminal.until(question))
terminal.type("n\n")
terminal.end()
expect("nothing is left behind", left(), [])

# ---- a command that is killed leaves its text; the next one names it, unless an editor still has it

save.write_bytes(pack('{"a": 1}'))
killed = Terminal("import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); print('ready', flush=True); os.system('exec sleep 60')", save)
killed.until("ready")  # before, no editor has it
there = next(path for path in session.glob("gdvar-edit-*/*.tres"))
killed.process.send_signal(signal.SIGKILL)
killed.process.wait()
other = folder / "other.save"
other.write_bytes(pack('{"a": 1}'))
check("an editor still has it", "has left its text" not in edit(replace("1", "2"), other)[1])
os.killpg(killed.process.pid, signal.SIGKILL)
for _ in range(600):
    code, err = edit(replace("2", "2"), other)
    if "has left its text" in err:
        break
    time.sleep(0.05)
expect("it is named", f"note: an earlier edit has left its text in {there}, not encrypted" in err, True)
check("and stays", there.exists())
shutil.rmtree(there.parent)
(session / "gdvar-edit-link").symlink_to(elsewhere)
(session / "gdvar-edit-open").mkdir(mode=0o755)
(session / "gdvar-edit-open" / "x").touch()
(session / "gdvar-edit-empty").mkdir(mode=0o700)
check("nothing else is named", "has left its text" not in edit(replace("2", "3"), other)[1])

finish()
