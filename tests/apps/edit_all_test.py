#!/usr/bin/env python3
"""set --all and del --all, and stats --path: paths that lead to several values.

Usage: edit_all_test.py GDVAR SOURCE_DIR"""
import json, os, pathlib, sys

sys.path.append(sys.path[0] + "/../support")
from by_hand import array, dictionary, integer, project, string
from command import PLAIN, SAVES, check, expect, finish, new_folder, pack, run

new_folder()
save = pathlib.Path("s.save")
before = pack('{"list": [1, 2, 3, 4, 5], "one": [7], "odd": [1, "two"], "typed": Array[int]([1, 2]), "f": [1.5, 2.5],'
              ' "x": {"x": 1, "y": {"x": 2}}, "z": [{"x": 3}], "pos": [Vector3(1, 2, 3), Vector3(4, 5, 6)],'
              ' "names": PackedStringArray("a", "b", "c", "d"), "points": PackedVector2Array(1, 2, 3, 4)}')


def refused(words, *said, code=1, of=None):
    save.write_bytes(before if of is None else of)
    was = (save.read_bytes(), save.stat().st_ino, sorted(os.listdir()))
    got, out, err = run(words[0], "--dialect", "godot4", save, *words[1:])
    check(f"{words} is refused", got == code and not out and all(s in err for s in said), (got, out, err))
    expect(f"{words} leaves the file", (save.read_bytes(), save.stat().st_ino, sorted(os.listdir())), was)


def changed(words, said, path, value, of=None):
    """`value`: what `text --full --path` prints then."""
    save.write_bytes(before if of is None else of)
    got, out, err = run(words[0], "--dialect", "godot4", save, *words[1:])
    expect(f"{words}", (got, out, err), (0, b"", f"s.save: {said}\n"))
    expect(f"{words}: the values", run("get", "--full", save, path)[1].decode(), value + "\n")
    expect(f"{words}: it is sound", run("check", save)[0], 0)


# Without --all nothing changes, and the message says how many and what to do.
refused(["set", "$.list[*]", "9"], "s.save: $.list[*]: 5 values match; --all changes them all\n")
refused(["del", "$.list[1:3]"], "s.save: $.list[1:3]: 2 values match; --all removes them all\n")
refused(["set", "$..x", "9"], "$..x: 4 values match")
# One match needs no --all, and its message has its own path.
changed(["set", "$.one[*]", "9"], "$.one[0]: 7 -> 9", "$.one", "[9]")
changed(["set", "--all", "$.one[*]", "9"], "$.one[0]: 7 -> 9", "$.one", "[9]")
changed(["set", "$.list[1:2]", "9"], "$.list[1]: 2 -> 9", "$.list", "[1, 9, 3, 4, 5]")
changed(["set", "--all", "$.list[1]", "9"], "$.list[1]: 2 -> 9", "$.list", "[1, 9, 3, 4, 5]")
changed(["del", "$.list[-1:]"], "$.list[4]: removed 5", "$.list", "[1, 2, 3, 4]")
changed(["set", "$..y.x", "9"], "$.x.y.x: 2 -> 9", "$.x.y.x", "9")
# Several.
changed(["set", "--all", "$.list[*]", "9"], "$.list[*]: 5 values set", "$.list", "[9, 9, 9, 9, 9]")
changed(["set", "--all", "$.list[::2]", "9"], "$.list[::2]: 3 values set", "$.list", "[9, 2, 9, 4, 9]")
changed(["set", "--all", "$.f[*]", "9"], "$.f[*]: 2 values set", "$.f", "[9.0, 9.0]")
changed(["set", "--all", "--type", "String", "$.odd[*]", '"t"'], "$.odd[*]: 2 values set", "$.odd", '["t", "t"]')
changed(["set", "--all", "$.typed[*]", "9"], "$.typed[*]: 2 values set", "$.typed", "Array[int]([9, 9])")
changed(["set", "--all", "$.pos[*].y", "9"], "$.pos[*].y: 2 values set", "$.pos", "[Vector3(1, 9, 3), Vector3(4, 9, 6)]")
changed(["set", "--all", "$.pos[*].y", "16777217"],
        "$.pos[*].y: 2 values set; 2 values rounded, first $.pos[0].y: 16777216.0 (16777217.0 rounded to 32 bits)",
        "$.pos[1]", "Vector3(4, 16777216, 6)")
changed(["set", "--all", "$.points[*].x", "9"], "$.points[*].x: 2 values set", "$.points", "PackedVector2Array(9, 2, 9, 4)")
changed(["set", "--all", "$.names[1:3]", '"long text"'], "$.names[1:3]: 2 values set", "$.names",
        'PackedStringArray("a", "long text", "long text", "d")')
# Indices do not shift while elements go.
changed(["del", "--all", "$.list[::2]"], "$.list[::2]: 3 values removed", "$.list", "[2, 4]")
changed(["del", "--all", "$.list[1:3]"], "$.list[1:3]: 2 values removed", "$.list", "[1, 4, 5]")
changed(["del", "--all", "$.list[*]"], "$.list[*]: 5 values removed", "$.list", "[]")
changed(["del", "--all", "$.names[::2]"], "$.names[::2]: 2 values removed", "$.names", 'PackedStringArray("b", "d")')
# A match inside of another one goes with it.
changed(["del", "--all", "$..x"], "$..x: 2 values removed, with 2 more inside of these", "$.z", "[{}]")
changed(["set", "--all", "--type", "int", "$..x", "9"], "$..x: 2 values set, with 2 more inside of these", "$.x", "9")
# All or nothing; the message has the path of the one that is refused.
refused(["set", "--all", "$.odd[*]", "9"], "$.odd[1]: error[wrong_type]: this is a String, the value is an int; --type int puts it there")
refused(["set", "--all", "--type", "String", "$.typed[*]", '"t"'], "$.typed[0]: error[wrong_type]")
refused(["set", "--all", "--type", "Dictionary", "--full", "$.list[*]", '{"a": 1, &"a": 2}'], "$.list[0][@1 key]: ", "error[duplicate_key]")
refused(["set", "--all", "$.list[*]", "oops("], "the value", code=2)
refused(["set", "--all", "$.pos[*].y", "1e300"], "$.pos[0].y: error[number_out_of_range]")
refused(["del", "--all", "$.pos[*].y"], "$.pos[0].y: error[misplaced]: a part of a Vector3 can't be removed")
# Nothing matches.
refused(["set", "--all", "$.list[9:]", "9"], "$.list[9:]: error[missing_key]: nothing is there")
refused(["set", "--all", "$..nothing", "9"], 's.save:0x0: $..nothing: error[missing_key]: no key "nothing" at any depth\n')
refused(["set", "--all", "--create", "$.z[*].new", "9"], 'error[missing_key]: no key "new"')
refused(["del", "--all", "$.nothing[*]"], 's.save:0x0: $.nothing[*]: error[missing_key]: no key "nothing"')

# Records.
plain = PLAIN.read_bytes()
three = pack("{\"n\": 1, \"l\": [1, 2]}\n{\"m\": 2}\n{\"n\": 3, \"l\": [3]}", "--frame", "records")
expect("three records", run("get", "--as", "records", "-", "#* $.n", stdin=three)[1], b"1\n3\n")
refused(["set", "$.n", "9"], "the file has 3 records; name one, as in '#0 $.n', or all of them: '#* $.n'", code=2, of=three)
refused(["set", "$.l[*]", "9"], "the file has 3 records; name one, as in '#0 $.l[*]'", code=2, of=three)
refused(["set", "#* $.n", "9"], "s.save: #* $.n: 2 values match; --all changes them all", of=three)
changed(["set", "#* $.m", "9"], "#1 $.m: 2 -> 9", "#* $.m", "9", of=three)
changed(["set", "--all", "#* $.n", "9"], "#* $.n: 2 values set", "#* $.n", "9\n9", of=three)
changed(["set", "--all", "#* $.l[*]", "9"], "#* $.l[*]: 3 values set", "#* $.l", "[9, 9]\n[9]", of=three)
changed(["set", "--all", "#-1 $..l", "[9]"], "#2 $.l: [3] -> [9]", "#* $.l", "[1, 2]\n[9]", of=three)
changed(["del", "--all", "#* $.l[0]"], "#* $.l[0]: 2 values removed", "#* $.l", "[2]\n[]", of=three)
changed(["set", "--all", "--type", "int", "#* $", "9"], "#* $: 3 values set", "#* $", "9\n9\n9", of=three)
refused(["set", "--all", "#* $", "9"], "#0 $: error[wrong_type]: this is the whole value", of=three)
refused(["del", "--all", "#* $"], "#0 $: error[misplaced]: the whole value can't be removed", of=three)
refused(["set", "--all", "#* $..n", '"x"'], "#0 $.n: error[wrong_type]", of=three)
refused(["set", "--all", "#9 $.l[*]", "9"], "no record #9", of=three)
# Where no record matches, none is to blame; the only record of a file is.
for words in (["set", "--all", "#* $..no", "9"], ["set", "#* $..no", "9"], ["del", "--all", "#* $..no"], ["get", "#* $..no"]):
    refused(words, "s.save: #* $..no: error[missing_key]: no match in 3 records\n", of=three)
refused(["set", "#* $.m.l", "9"], "s.save: #* $.m.l: error[missing_key]: no match in 3 records\n", of=three)
alone = pack('{"hp": 1}', "--frame", "records")
refused(["set", "#* $.hpp", "9"], "s.save:0x4: #0 $: error[missing_key]: no .hpp (did you mean .hp?)\n", of=alone)
# Records without a match are no error, unless none has one; for every command alike.
save.write_bytes(three)
for words in (["get"], ["json", "--path"], ["text", "--path"], ["show", "--path"], ["stats", "--path"]):
    def at(path):
        return run(words[0], "--dialect", "godot4", *words[1:], *((save, path) if words == ["get"] else (path, save)))
    for path, lines in (("#* $.m", 1), ("#* $.n", 2), ("#* $.l[1]", 1), ("#* $..l", 2)):
        got, out, err = at(path)
        check(f"{words} {path}", (got, err) == (0, "") and (words[0] == "stats" or len([l for l in out.splitlines() if not l.startswith(b" ")]) >= lines), (got, out, err))
    if words[0] == "stats":
        check("stats counts what matches", at("#* $.n")[1].startswith(b"2 matches in 2 packets, "), at("#* $.n"))
    for path in ("#* $.no", "#* $..no", "#* $.l[7]", "#* $.l[7:]"):
        expect(f"{words} {path}", at(path), (1, b"", f"s.save: {path}: error[missing_key]: no match in 3 records\n"))
    got, out, err = at("#1 $.n")
    check(f"{words} of one record", (got, out) == (1, b"") and "#1 $: error[missing_key]: no .n" in err, (got, out, err))
# A record that is broken may have it behind the break.
save.write_bytes(three[:-4])
got, out, err = run("json", "--dialect", "godot4", "--as", "records", "--path", "#* $.l", save)
check("a broken record is still named", got == 1 and out.startswith(b"[") and "#2 $" in err and "no match" not in err, (got, out, err))

# A typed container takes no other type, so --type is not suggested; where it helps, it is.
typed = pack('{"ta": Array[int]([1, 2]), "td": Dictionary[String, int]({"x": 1}), "t": [1]}')
for words in (["--all", "$.ta[*]"], ["$.ta[0]"], ["$.td.x"], ["--all", "$.td[*]"], ["--all", "$..x"]):
    refused(["set", *words, "2.5"], "this is an int, the value is a float\n", of=typed)
    refused(["set", "--type", "float", *words, "2.5"], "error[wrong_type]", of=typed)
refused(["set", "$.t[0]", "2.5"], "this is an int, the value is a float; --type float puts it there\n", of=typed)
changed(["set", "--type", "float", "$.t[0]", "2.5"], "$.t[0]: 1 -> 2.5", "$.t", "[2.5]", of=typed)

# The second record is refused, so the first one stays as well.
mixed = pack('{"n": 1}\n{"n": "text"}', "--frame", "records")
refused(["set", "--all", "#* $.n", "9"], "#1 $.n: error[wrong_type]", of=mixed)

# Settings of project.binary, and a container with several matches.
settings = project((b"a/b", pack('{"l": [1, 2]}')), (b"c/d", pack("[3, 4]")))
changed(["set", "--all", "c/d $[*]", "9"], "c/d $[*]: 2 values set", "c/d", "[9, 9]", of=settings)
changed(["del", "--all", "a/b $.l[*]"], "a/b $.l[*]: 2 values removed", "a/b", '{"l": []}', of=settings)
refused(["set", "c/d $[*]", "9"], "c/d $[*]: 2 values match", of=settings)
refused(["set", "--all", "e/f $[*]", "9"], "no setting 'e/f'", of=settings)
save.write_bytes((SAVES / "godot-4.6.3/gcpf_zstd.save").read_bytes())
expect("in a container", run("set", "--all", "--dialect", "godot4", "--backup", "old", save, "#0 $.players[*].hp", "5")[::2],
       (0, "s.save: #0 $.players[*].hp: 20 values set\n"))
expect("the container stays", save.read_bytes()[:4], b"GCPF")
expect("only those changed", run("diff", "--color", "never", "old", save)[1].count(b"\n"), 20)
expect("all else stays", run("diff", "--color", "never", "old", save)[1].count(b".hp: "), 20)

# 200,000 matches and twice as many: the bytes are right, and the time is not that of one by one.
for count in (200_000, 400_000):
    save.write_bytes(array(map(integer, range(count))))
    got, out, err = run("set", "--all", "--dialect", "godot4", "--as", "packet", save, "$[::2]", "-1")
    expect("many", (got, err), (0, f"s.save: $[::2]: {count // 2} values set\n"))
    check("many: bytes", save.read_bytes() == array(integer(i if i % 2 else -1) for i in range(count)))
    got, out, err = run("del", "--all", "--dialect", "godot4", "--as", "packet", save, "$[::2]")
    check("many less: bytes", save.read_bytes() == array(map(integer, range(1, count, 2))))


# The earlier values of a repeated key go with the last one, and are counted.
def lone(value):
    return dictionary(string(pair[:1]) + integer(int(pair[2:])) for pair in value.split())


for words, said, left in (
        (["del", "$.a"], "$.a: removed 5, with 2 other values of the same key", b"b=2"),
        (["del", "$[@0]"], "$[@0]: removed 1", b"b=2 a=3 a=5"),
        (["del", "--all", "$..a"], "$.a: removed 5, with 2 other values of the same key", b"b=2")):
    save.write_bytes(lone(b"a=1 b=2 a=3 a=5"))
    got, out, err = run(words[0], "--dialect", "godot4", "--as", "packet", save, *words[1:])
    expect(f"a repeated key: {words}", (got, save.read_bytes()), (0, lone(left)))
    check(f"a repeated key: {words} says so", f"s.save: {said}\n" in err, err)
# One match behind an earlier one, to which its path does not lead.
for words, left in ((["del", "--all", save, "$..x"], '{"a":{},"a":{"y":2}}'), (["set", save, "$..x", "7"], '{"a":{"x":7},"a":{"y":2}}')):
    save.write_text('{"a":{"x":1},"a":{"y":2}}')
    expect(f"an earlier value: {words[0]}", (run(*words)[0], save.read_text()), (0, left))
save.write_text('{"x": {"a": 1, "a": 2}, "y": [{"a": 3, "b": 4, "a": 5, "a": 6}]}')
got, out, err = run("del", "--all", save, "$..a")
expect("of JSON", (got, save.read_text()), (0, '{"x": {}, "y": [{"b": 4}]}'))
check("and says so", "$..a: 2 values removed, with 3 other values of the same keys" in err, err)

# Tags that stand twice: del says what goes with a sub_resource, and takes one node alone.
pair = '[sub_resource type="Curve" id="x"]\na = 1\n\n[sub_resource type="Curve" id="x"]\na = 2\n\n'
end = '[resource]\nb = 1\n'
save.write_text('[gd_resource type="Curve" format=3]\n\n' + pair + end)
expect("the first sub_resource", run("get", save, "$.sub.x.a")[:2], (0, b"1\n"))
got, out, err = run("check", save)
check("check says so", b"$.sub.x: note[duplicate_key]: engines take the first sub_resource" in out and b"the last of these" not in out, out)
got, out, err = run("del", save, "$.sub.x")
expect("both go", (got, save.read_text()), (0, '[gd_resource type="Curve" format=3]\n\n' + end))
check("and it says so", "with 1 other value of the same key" in err, err)
node = '[node name="A" type="Node" parent="."]\n\n'
scene = '[gd_scene format=3]\n\n[node name="R" type="Node"]\n\n'
save.write_text(scene + node + node.replace("Node", "Node2D"))
got, out, err = run("check", save)
check("check tells nodes", b"$.node.A: note[duplicate_key]: engines make all of these nodes" in out and b"ids or nodes" in out, out)
got, out, err = run("del", save, '$.node["A:2"]')
expect("one node goes", (got, save.read_text()), (0, scene + node[:-1]))

# del of a record as a whole
save.write_text('{"a":1}\r\n{"b":2}\r\n{"c":3}\r\n')
got, out, err = run("del", save, "#1")
expect("a line goes", (got, save.read_bytes(), err), (0, b'{"a":1}\r\n{"c":3}\r\n', 's.save: #1: removed {"b": 2}\n'))
save.write_bytes(plain)
expect("a record goes", (run("del", save, "#-1")[0], save.read_bytes() + plain[save.stat().st_size:]), (0, plain))
expect("one less", len(run("json", "--lines", save)[1].splitlines()), 2)
for left in (1, 0):
    got, out, err = run("del", save, "#0")
    expect(f"{left} left", got, 0 if left else 1)
check("its value is no record", "error[misplaced]" in run("del", save, "#0 $")[2])
check("the last one stays", "the only record can't be removed" in err or "whole value" in err, err)

# stats --path
save.write_bytes(plain)
whole = json.loads(run("stats", "--json", save)[1])
got, out, err = run("stats", "--json", "--path", "#0 $.players[*]", save)
players = json.loads(out)
expect("stats --path", (got, players["matches"], players["packets"], players["by_path"]["$"]),
       (0, 20, 1, whole["by_path"]["$.players[*]"]))
expect("its bytes", (players["bytes"], sum(t["bytes"] for t in players["by_type"].values())),
       (whole["by_path"]["$.players[*]"]["bytes"],) * 2)
expect("its values", players["by_path"]["$.hp"], whole["by_path"]["$.players[*].hp"])
check("no matches without --path", "matches" not in whole)
expect("of all", json.loads(run("stats", "--json", "--path", "#* $", save)[1]) | {"matches": None}, whole | {"matches": None})
check("stats --path as tables", run("stats", "--path", "#0 $.players[*]", save)[1].startswith(b"20 matches in 1 packet, 180 values, 2560 bytes, depth 1\n"))
check("one match", run("stats", "--path", "#0 $.players", save)[1].startswith(b"1 match in 1 packet, "))
# A match inside of another one counts once.
save.write_bytes(before)
inner = json.loads(run("stats", "--json", "--path", "$..x", save)[1])
outer = json.loads(run("stats", "--json", "--path", "$.x", save)[1])
last = json.loads(run("stats", "--json", "--path", "$.z[0].x", save)[1])
expect("matches in matches", (inner["matches"], inner["bytes"]), (4, outer["bytes"] + last["bytes"]))
expect("stats of nothing", run("stats", "--path", "$.nothing", save)[:2], (1, b""))
got, out, err = run("stats", "--path", "$.pos[*].x", save)
check("stats of parts", got == 1 and not out and err.count("\n") == 1 and "$.pos[0].x: error[wrong_type]: this is a part of a value" in err, (got, out, err))
expect("stats of no path", run("stats", "--path", "$.[", save)[0], 2)

finish()
