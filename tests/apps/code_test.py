#!/usr/bin/env python3
"""Code in saves: `check` and `show` name what engines run, load or make, and `check --no-code` refuses it.

Usage: code_test.py GDVAR SOURCE_DIR"""
import sys

sys.path.append(sys.path[0] + "/../support")
from by_hand import records
from command import PLAIN, ROOT, check, expect, finish, new_folder, pack, put, run, tells

folder = new_folder()
SCRIPT = "a script in the file, which engines compile and may run"
LOADED = "engines load this script and may run it"
OUTSIDE = "engines load this file, which is none of the game's own and may hold code"
MADE = "engines make an object of this class"


def case(name, content, notes, *words, kind=None):
    """The places of a file with code, as (path, kind, what, meaning)."""
    file = put(name, content)
    said = [f"{file}: {path}: note[{kind}]: {what}: {meaning}" for path, kind, what, meaning in notes]
    done = run("check", *words, file)
    expect(f"check {name}", (done.code, [line for line in done.lines() if "note[" in line], done.err), (0, said, ""))
    many = f"; {len(notes)} place{'s' * (len(notes) != 1)} with code" if notes else ""
    check(f"check {name} says so in its first line", ("with code" in done.lines()[0]) == bool(notes) and many in done.lines()[0], done.lines()[0])
    expect(f"check --no-code {name}", run("check", "--no-code", *words, file).code, 1 if notes else 0)
    shown = run("show", *words, file)
    expect(f"show {name}", (shown.code, [line for line in shown.err.splitlines() if "note[" in line]), (0, said))


case("embedded.tres", '''[gd_resource type="Resource" load_steps=3 format=3]

[sub_resource type="GDScript" id="1"]
script/source = "extends Resource
func _init():
	print(1)
"

[sub_resource type="Resource" id="2"]
script = SubResource("1")

[resource]
gold = 10
extra = SubResource("2")
''', [('$.sub["1"]', "embedded_script", "GDScript", SCRIPT), ('$.sub["2"].script', "loaded_script", 'SubResource("1")', LOADED)])
case("object.cfg", '[a]\nx=Object(GDScript,"script/source":"extends Node\\nfunc _init(): pass","script":null)\ny=1\n',
     [("$.a.x", "embedded_script", "GDScript", SCRIPT)])
case("loaded.cfg", '[a]\nx=Resource("res://a.gd")\ny=Resource("user://b.tres")\nz=Object(Node,"name":"n")\n',
     [("$.a.x", "loaded_script", "res://a.gd", LOADED), ("$.a.y", "outside_file", "user://b.tres", OUTSIDE), ("$.a.z", "made_object", "Node", MADE)])
case("project.godot", '''config_version=5

[application]

config/name="Game"

[input]

jump={
"deadzone": 0.5,
"events": [Object(InputEventKey,"resource_local_to_scene":false,"resource_name":"","device":-1,"keycode":0,"physical_keycode":32,"script":null)
, Object(InputEventJoypadButton,"device":-1,"button_index":0,"script":null)
]
}
''', [])
case("objects.save", pack('{"pet": Object("Resource", "script": "res://pet.gd"), "key": Object("InputEventKey", "device": 0)}'),
     [("$.pet.script", "loaded_script", "res://pet.gd", LOADED)], "--objects", "--dialect", "godot4")
case("several.save", records([pack("1"), pack('[Object("Node", "name": "a")]')]), [("#1 $[0]", "made_object", "Node", MADE)], "--objects", "--dialect", "godot4")
case("plain.save", PLAIN.read_bytes(), [])
case("plain.json", '{"script": "res://a.gd", "type": "GDScript"}', [])

# Binary resources that engines wrote.
resources = ROOT / "tests/data/resources/godot-4.6.3"
tells("a script in a binary resource", run("show", resources / "inner_script.res"), 0, "note[embedded_script]: GDScript: ")
expect("a binary resource without one", run("check", "--no-code", resources / "every.res").code, 0)
expect("and with one", run("check", "--no-code", resources / "inner_script.res").code, 1)

# Several files are told in one line each; one that is refused stays so.
folder = new_folder()
put("a.cfg", '[a]\nx=Resource("res://a.gd")\n')
put("b.cfg", "[a]\nx=1\n")
done = run("check", "-r", ".")
expect("a folder", (done.code, [line.split(": ", 1)[1] for line in done.lines()[:2]]), (0, ["sound; 1 place with code; config", "sound; config"]))
expect("a folder, --no-code", run("check", "--no-code", "-r", ".").code, 1)
expect("none of it, --no-code", run("check", "--no-code", "b.cfg").code, 0)
objects = put("objects.save", pack('Object("Node", "name": "a")'))
done = run("check", "--dialect", "godot4", objects)
expect("Objects are looked at where they are refused", (done.code, [line for line in done.lines() if "note[" in line]), (1, [f"{objects}: $: note[made_object]: Node: {MADE}"]))

# Only the first places are named, all with --verbose.
put("many.cfg", "[a]\n" + "".join(f'x{i}=Resource("res://a{i}.gd")\n' for i in range(30)))
notes = [line for line in run("check", "many.cfg").lines() if "note[" in line or "more places" in line]
expect("the first 20", (len(notes), notes[-1]), (21, "many.cfg: ... and 10 more places with code"))
expect("all", sum("note[loaded_script]" in line for line in run("check", "--verbose", "many.cfg").lines()), 30)
# A name can't write to the terminal.
put("odd.cfg", '[a]\nx=Resource("res://\x1b[2Ja.gd")\n')
check("control characters are escaped", "\x1b" not in run("check", "odd.cfg").out.decode() + run("show", "odd.cfg").err)

finish()
