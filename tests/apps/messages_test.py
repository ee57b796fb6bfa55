#!/usr/bin/env python3
"""What messages name: the file that is meant, what differs, what to write instead.

Usage: messages_test.py GDVAR SOURCE_DIR"""
import base64, gzip, json, sys, zlib

sys.path.append(sys.path[0] + "/../support")
from command import check, each, expect, finish, pack, put, run, tells


def numbers(count, changed={}):
    return ", ".join(str(changed.get(i, i % 256)) for i in range(count))


def backups(folder):
    save, other = folder / "game.save", folder / "game.old"
    first = pack('{"hp": 1}')
    save.write_bytes(first)
    code, out, err = run("set", save, "$.hp", "2", "--backup", folder / "no/such")
    expect("a backup in no folder", (code, err.splitlines()),
           (3, [f"{folder}/no/such: error[io]: No such file or directory; it is the name for the backup, "
                "and nothing was changed"]))
    code, out, err = run("set", save, "$.hp", "2", "--backup", folder)
    check("a folder is no backup", code == 3 and err.startswith(f"{folder}: error[io]: not a regular file"), err)
    code, out, err = run("edit", "--yes", save, "--backup", folder / "no/such", EDITOR=f"touch {folder}/edited; true")
    check("edit looks at the backup first", code == 3 and f"{folder}/no/such: error[io]" in err
          and not (folder / "edited").exists(), err)
    expect("nothing changed", save.read_bytes(), first)

    expect("the first backup", (run("set", save, "$.hp", "2", "--backup", other)[0], other.read_bytes()), (0, first))
    second = save.read_bytes()
    code, out, err = run("set", save, "$.hp", "3", "--backup", other)
    expect("the second leaves it", (code, other.read_bytes()), (0, first))
    check("and says so", f"note: {other} is there already; it stays as it is" in err and "2 -> 3" in err, err)
    code, out, err = run("set", save, "$.hp", "4", "--backup", other, "--force")
    check("--force replaces it", code == 0 and other.read_bytes() not in (first, second) and "note: game" not in err, err)
    code, out, err = run("set", save, "$.hp", "5", "-o", folder / "new.save", "--backup", other)
    check("a new file replaces nothing", code == 0 and "there already" not in err, err)


def differences(folder):
    one, other = folder / "one.save", folder / "other.save"

    def differ(what, before, after, wanted):
        one.write_bytes(pack(before))
        other.write_bytes(pack(after))
        code, out, err = run("diff", one, other)
        expect(what, (code, out.decode()), (4, wanted + "\n"))

    differ("a byte", f'{{"tiles": PackedByteArray({numbers(300)})}}',
           f'{{"tiles": PackedByteArray({numbers(300, {137: 200, 138: 0, 299: 7})})}}',
           "~ $.tiles[137]: 137 -> 200 (and 2 more elements)")
    differ("an element of many", f"PackedInt32Array({numbers(9000)})",
           f"PackedInt32Array({numbers(9000, {8999: -1})})", "~ $[8999]: 39 -> -1")
    differ("elements behind", f"PackedInt32Array({numbers(100)})", f"PackedInt32Array({numbers(102)})",
           "~ $: 100 elements -> 102 elements; [100]: none -> 100")
    differ("fewer", f"PackedInt32Array({numbers(100)})", f"PackedInt32Array({numbers(90, {3: 5})})",
           "~ $: 100 elements -> 90 elements; [3]: 3 -> 5")
    points = [0.5] * 200
    moved = points[:101] + [0.25] + points[102:]
    differ("a vector", f"PackedVector2Array({', '.join(map(str, points))})",
           f"PackedVector2Array({', '.join(map(str, moved))})", "~ $[50]: Vector2(0.5, 0.5) -> Vector2(0.5, 0.25)")
    names = [f'"name{i}"' for i in range(99)]
    renamed = [*names[:70], '"1"', *names[71:]]
    differ("a name", f"PackedStringArray({','.join(names)})", f"PackedStringArray({','.join(renamed)})",
           '~ $[70]: "name70" -> "1"')
    for times in (20, 2000):
        text = "äö ten old lamps " * times
        differ(f"a text of {len(text)}", f'{{"story": "{text}end"}}', f'{{"story": "{text}END{text}"}}',
               '~ $.story: ..." äö ten old lamps end" -> ..." äö ten old lamps ENDäö ten old lamps äö ten old lamps"...')
    differ("short ones", '{"a": PackedByteArray(1, 2)}', '{"a": PackedByteArray(1, 3)}',
           "~ $.a: PackedByteArray(1, 2) -> PackedByteArray(1, 3)")
    # edit asks with the same lines.
    one.write_bytes(pack(f'{{"tiles": PackedByteArray({numbers(300)})}}'))
    code, out, err = run("edit", "--yes", "--dialect", "godot4", one, EDITOR="sed -i 's/137,/99,/'")
    expect("edit", (code, err.splitlines()[0]), (0, "~ $.tiles[137]: 137 -> 99"))


def broken_off(folder):
    """Files that were cut: the message says so, and what it names does help."""
    text = json.dumps({"name": "Ada", "tiles": [i * 7 % 101 for i in range(2000)]})
    whole = {"json": text.encode(), "json.gz": gzip.compress(text.encode()), "json.z": zlib.compress(text.encode()),
             "cfg": b'[audio]\nvolume=0.5\nlist=[1, 2, {\n"a": 5,\n"b": [1,2,3,4]\n}]\n',
             "tres": b'[gd_resource type="Resource" format=3]\n\n[resource]\nname = "Ada"\nlist = [1, 2, 3, 4, 5, 6, 7, 8]\n'}
    for container in ("gcpf-zstd", "gcpf-fastlz", "gzip"):
        whole[container] = pack(text, "--container", container)
    for kind, content in whole.items():
        cut = folder / f"cut.{kind}"
        cut.write_bytes(content[:len(content) * 3 // 4])
        for command in ("show", "check"):
            tells(f"{command} of a cut {kind}", run(command, cut), 1, "saves what can be read", f"gdvar recover {cut} -o NEW")
        code, out, err = run("recover", cut, "-o", folder / f"new.{kind}")
        check(f"recover of a cut {kind}", code in (0, 4) and run("check", folder / f"new.{kind}")[0] == 0, (code, err))
    one_block = pack("[1, 2, 3]", "--container", "gcpf-zstd")
    told = run("check", put("block", one_block[:len(one_block) // 2]))[2]
    check("nothing is advised where nothing is saved", "breaks off, and nothing before that can be read" in told and "gdvar recover" not in told, told)
    (folder / "none").write_bytes(pack(text, "--container", "zstd")[:-9])
    check("nothing is left", "the zstd layer breaks off, and nothing before that can be read" in run("show", folder / "none")[2])
    check("check says it", "the zstd layer breaks off" in run("check", folder / "none")[2])
    for text in ('{"a": tru', '{"a": "b', "[1, 2", '[a]\nx="', "[a]\nx=1\n[b", "just a note", '{"a": nonsense, "b": 1}', "[a]\nx=nonsense\ny=1\n",
                 "2024-11-25", "5 apples", "1.2.3", '"quoted" text', "Vector2(1, 2)\nhello", "true story", '{"name": "Ada", "hp": 1\0\0\0',
                 '[a]\nx=1\ny="b\0\0\0\0'):
        file = put("text", text.encode())
        recovered = run("recover", file, "-o", folder / "new.text")[0] in (0, 4)
        told = run("show", file)[2]
        expect(f"{text!r}: recover is advised where it gives something", f"gdvar recover {file} -o NEW" in told, recovered)


    sound = put("base64", base64.b64encode(pack("[1, 2, 3]")))
    check("sound files need other options", "gdvar recover" not in run("show", "--layers", "0", sound)[2])


def settings(folder):
    """A key of a section that is not there."""
    file = folder / "f.cfg"
    file.write_text("[audio]\nvolume=0.5\n")
    tells("the way is named", run("set", file, "$.new.key", "[1, 2]"), 1, "no .new; --create adds the section")
    code, out, err = run("set", "--create", file, "$.new.key", "[1, 2]")
    expect("a new section", (code, file.read_text()), (0, "[audio]\nvolume=0.5\n\n[new]\nkey=[1, 2]\n"))


def hints(folder):
    """What to write instead."""
    save = folder / "v.save"
    save.write_bytes(pack('{"v": Vector2i(3, 4), "n": "A", "f": true, "i": 5}'))
    for path, value, hint in (("$.v", "(1,2)", "; write 'Vector2i(1, 2)'"), ("$.v", "1, 2", "; write 'Vector2i(1, 2)'"),
                              ("$.n", "Bob", """; write '"Bob"'"""), ("$.f", "False", "; write 'false'"),
                              ("$.v", "north", "; there is a Vector2i: Vector2i(3, 4)"),
                              ("$.i", "many", "; there is an int: 5")):
        code, out, err = run("set", save, path, value)
        check(f"{value} at {path}", code == 2 and err.endswith(hint + "\n"), err)


def patches(folder):
    save, patch = folder / "p.save", folder / "changes"
    save.write_bytes(pack('{"a": {"x": 1}}'))
    for change, why in (('{"set": ["a", "y"], "value": 5}', "no .y"), ('{"remove": ["zz"]}', "no .zz"),
                        ('{"insert": ["a", "x"], "value": 5}', "it is there already, as 1; the patch adds 5"),
                        ('{"insert": ["b", "x"], "value": 5}', "no .b (did you mean .a?)")):
        patch.write_text('{"gdvar_patch": 1, "records": false}\n' + change + "\n")
        tells(change, run("patch", save, patch, "-o", folder / "new"), 1, "the patch does not apply here: " + why)


def notation(folder):
    """One notation of a stack in all commands."""
    like, text = folder / "prog.b64", folder / "a.json"
    text.write_text('{"a": 1}\n')
    like.write_bytes(run("wrap", "--container", "base64 > gzip", text)[1])
    code, out, err = run("pack", "--like", like, "--input", "json", "--plain", text, "-o", folder / "new")
    check("pack --like", code == 0 and err.endswith(f"packed like {like}: base64 > gzip > json\n"), err)


def section_names(folder):
    """Godot 3.2 and 3.6 read names of sections beyond ASCII in two ways."""
    save = folder / "a.cfg"
    said = "Godot 3.6 reads such a section's name, 3.2 takes each byte of it for a character"
    save.write_text("[a]\nx=1\n")
    tells("a new name for Godot 3.6", run("set", "--dialect", "godot3", save, '$["\u00e9"].k', "5", "--create"), 0, f'note: $["\u00e9"]: {said}')
    check("and when it is read", f'a.cfg: note: $["\u00e9"]: {said}' in run("get", "--dialect", "godot3", save, "$.a.x")[2])
    expect("by 3.2", run("get", "--dialect", "godot-3.0", save, '$["\u00c3\u00a9"].k')[:2], (0, b"5\n"))
    expect("no note for Godot 4", run("get", "--dialect", "godot4", save, '$["\u00e9"].k'), (0, b"5\n", ""))
    new = folder / "new.cfg"
    tells("converted", run("convert", "--dialect", "godot4", "--to", "godot3", save, "-o", new), 0, f'a.cfg: note: $["\u00e9"]: {said}')
    tells("none for 3.2", run("set", "--dialect", "godot-3.0", save, '$["\u00e8"].k', "5", "--create"),
          1, "takes each byte of a section's name for a character, and reads this")


def references(folder):
    """Resources in a resource, as they stand in its text."""
    save = folder / "a.tres"
    for head, value, other in (("format=3", 'SubResource("y")', 'SubResource("z")'),
                               ("format=2", "SubResource( 1 )", "SubResource( 9 )")):
        ids = ('"x"', '"y"') if head == "format=3" else ("2", "1")
        text = f"[gd_resource type=\"Curve\" {head}]\n\n" + "".join(
            f"[sub_resource type=\"Curve\" id={i}]\n\n" for i in ids) + "[resource]\na = [ 1, 2 ]\nb = 3\n"
        save.write_text(text)
        code, out, err = run("set", save, "$.resource.a[1]", value, "--type", "Object")
        expect(f"set {value}", (code, save.read_text()), (0, text.replace("2 ]", value + " ]")))
        tells(f"set {other}", run("set", save, "$.resource.a[0]", other, "--type", "Object"),
              1, "$.resource.a[0]: error[bad_reference]: no sub_resource above has this id")
        editor = folder / "editor"
        editor.write_text(f"#!/bin/sh\nsed -i 's/^.*\"b\": 3/\"b\": {value}/' \"$1\"\n")
        editor.chmod(0o755)
        code, out, err = run("edit", "--yes", save, EDITOR=str(editor))
        check(f"edit {value}", code == 0 and save.read_text().endswith(f"b = {value}\n"), (err, save.read_text()))
        save.write_text(text)
        new = folder / "b.tres"
        new.write_text(text.replace("b = 3", "b = " + value))
        patch = folder / "changes"
        patch.write_bytes(run("diff", "--patch", save, new)[1])
        code, out, err = run("patch", save, patch)
        expect(f"patch {value}", (code, save.read_text()), (0, new.read_text()))
    save.write_text("[s]\nk=1\n")
    code, out, err = run("set", save, "$.s.k", 'Resource("res://x.tres")', "--type", "Object")
    expect("in a ConfigFile", (code, save.read_text()), (0, '[s]\nk=Resource("res://x.tres")\n'))
    save.write_bytes(pack('{"a": 1}'))
    tells("not in a packet", run("set", save, "$.a", 'SubResource("x")'), 2, "resources are not loaded")


each(backups, differences, broken_off, settings, hints, patches, notation, section_names, references)
finish()
