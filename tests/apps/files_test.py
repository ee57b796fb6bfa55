#!/usr/bin/env python3
"""Commands with several files and folders: order, headings, the summary, exit codes, --output-dir.
Usage: files_test.py GDVAR SOURCE_DIR"""
import json, os, pathlib, shutil, sys

sys.path.append(sys.path[0] + "/../support")
from command import PLAIN, check, expect, finish, linked, new_folder, pack, put, run, tells


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


folder = new_folder()
pathlib.Path("saves/below/deep").mkdir(parents=True)
names = [f"saves/{i:02}.save" for i in range(40)]
for i, name in enumerate(names):
    put(name, pack(f'{{"hp": {i}}}', "--frame", "records") * (1 + i * 37 % 200))
shutil.copy(PLAIN, "saves/below/my save.bin")
shutil.copy(PLAIN, "saves/below/deep/z.bin")
put("broken", PLAIN.read_bytes()[:-7])

# The order of the arguments, whatever takes longest; a folder's files by name.
for words in (names, ["saves"], ["--jobs", "1", "saves"], ["-j3", *names]):
    code, out, err = run("check", *words)
    expect(f"check {words[:2]}", (code, [line.split(":")[0] for line in out.decode().splitlines()], err),
           (0, names, "gdvar: 40 files: 40 fine\n"))
backwards = names[::-1]
code, out, err = run("get", *backwards, "#0 $.hp")
expect("get has the file before each value", out.decode().splitlines(), [f"{name}\t{int(name[6:8])}" for name in backwards])
expect("get --paths", run("get", "--paths", *names[:2], "#0 $.hp")[1].decode(), "saves/00.save\t#0 $.hp\t0\nsaves/01.save\t#0 $.hp\t1\n")
lines = [json.loads(line) for line in run("json", "--plain", "--lines", *names[:3])[1].splitlines()]
expect("json names file and record", lines[-1], {"file": "saves/02.save", "record": 74, "value": {"hp": 2}})
expect("every record", len(lines), sum(1 + i * 37 % 200 for i in range(3)))
code, out, err = run("stats", *names[:2])
check("stats has headings", code == 0 and out.decode().startswith("==> saves/00.save <==\n1 packet") and "\n==> saves/01.save <==\n" in out.decode(), out)
decoder, text, found = json.JSONDecoder(), run("stats", "--json", *names[:2])[1].decode(), []
while text.strip():
    value, end = decoder.raw_decode(text.lstrip())
    text = text.lstrip()[end:]
    found.append(value["file"])
expect("stats --json names the files", found, names[:2])
expect("one file has none of that", [run("get", names[7], "#0 $.hp"), b"file" in run("json", names[7])[1]], [(0, b"7\n", ""), False])

# Folders: their files, with -r those below; a file alone in a folder is one of several, too.
code, out, err = run("check", "-r", "saves")
expect("-r", ([line.split(":")[0] for line in out.decode().splitlines()], err),
       (names + ["saves/below/deep/z.bin", "saves/below/my save.bin"], "gdvar: 42 files: 42 fine\n"))
expect("one file in a folder", run("get", "saves/below", "#0 $.version"), (0, b"saves/below/my save.bin\t1\n", "gdvar: 1 file: 1 fine\n"))
pathlib.Path("empty/none").mkdir(parents=True)
tells("an empty folder", run("check", "empty"), 1, "no file in this folder; --recursive", out=b"")
code, out, err = run("check", "empty", names[0], names[1])
expect("an empty folder counts beside others", (code, len(out.splitlines()), err.splitlines()),
       (1, 2, ["gdvar: empty: there is no file in this folder; --recursive looks into the folders below it", "gdvar: 2 files: 2 fine"]))
expect("also behind them", (run("check", names[0], "empty")[0], run("get", names[0], "empty", "#0 $.hp")[0], run("check", "empty", "missing")[0]), (1, 1, 3))
expect("convert says so, too", (run("convert", "--to", "godot3", names[0], "empty", "--output-dir", "made")[0], os.path.exists("made/00.save")), (1, True))
loop = pathlib.Path("saves/below/loop")
linked(loop, "..")
expect("links to folders are not followed", run("check", "-r", "saves")[2], "gdvar: 42 files: 42 fine\n")
loop.unlink(missing_ok=True)

# The worst exit code; every file is tried; messages stand with their file.
code, out, err = run("check", names[0], "broken", "missing", names[1])
expect("the worst exit code", (code, err.splitlines()[-1]), (3, "gdvar: 4 files: 2 fine, 1 refused, 1 not read or written"))
expect("all are checked", [line.split(":")[0] for line in out.decode().splitlines()], [names[0], "broken", names[1]])
check("messages are in order", err.index("broken:") < err.index("missing:"), err)
expect("refused is the worst", run("check", "broken", names[0])[0], 1)
check("standard input is one of them", run("get", "-", names[3], "$.hp", stdin=run("pack", stdin=b'{"hp": 9}')[1])[1].startswith(b"<stdin>\t9\nsaves/03.save\t3\n"))
expect("only once", run("check", "-", "-")[0], 2)
check("PATH is missed", run("get", names[0])[0] == 2 and "PATH is required" in run("get", names[0])[2])
tells("the output is no input", run("check", *names[:2], "-o", names[1]), 2, "would replace the input")
tells("nor one out of a folder", run("check", "saves", "-o", names[1]), 2, "would replace the input")
expect("-o takes all", (run("get", *names[:2], "#0 $.hp", "-o", "out")[:2], pathlib.Path("out").read_text()), ((0, b""), "saves/00.save\t0\nsaves/01.save\t1\n"))

# A file's name is foreign text, and no line or column of its own.
os.mkdir("odd")
for i, name in enumerate(("a\tb", "c\nd", "e\x1b[2Jf")):
    shutil.copy(names[i], f"odd/{name}")
escaped = ["odd/a\\tb", "odd/c\\nd", "odd/e\\u001b[2Jf"]
expect("get escapes names", run("get", "odd", "#0 $.hp").lines(), [f"{name}\t{i}" for i, name in enumerate(escaped)])
expect("as check does", [line.split(":")[0] for line in run("check", "odd").lines()], escaped)

# Secrets out of a pipe, which can be read once.
os.mkdir("secret")
for i in range(3):
    put(f"secret/{i}", run("wrap", "--container", "gdec-4", "--password-file", "/dev/stdin", names[i], stdin=b"word\n")[1])
expect("one password for all", run("get", "--password-file", "/dev/stdin", "secret", "#0 $.hp", stdin=b"word\n")[:2],
       (0, b"secret/0\t0\nsecret/1\t1\nsecret/2\t2\n"))

# convert --output-dir.
before = tree(pathlib.Path("saves"))
code, out, err = run("convert", "--to", "godot3", "-r", "saves", "--output-dir", "new/three")
expect("convert", (code, out, err), (0, b"", "gdvar: 42 files: 42 fine\n"))
made = tree(pathlib.Path("new/three"))
expect("each under its own name", sorted(made), sorted(before))
check("converted", all(made[name] == run("convert", "--to", "godot3", f"saves/{name}")[1] for name in ("00.save", "below/my save.bin")))
expect("again, over the old ones", run("convert", "--to", "godot3", "-r", "saves", "--output-dir", "new/three")[0], 0)
for what, words in (("the input's folder", ["saves", "--output-dir", "saves"]), ("by another name", ["saves", "--output-dir", "new/../saves/."]),
                    ("two of one name", [names[0], "other/00.save", "--output-dir", "x"]), ("twice", [names[0], names[0], "--output-dir", "x"]),
                    ("standard input", ["-", "--output-dir", "x"]), ("with -o", [names[0], "--output-dir", "x", "-o", "y"]),
                    ("several without", ["saves"]), ("through a link", ["saves/00.save", "--output-dir", "links"]),
                    ("two links to one", [*names[:2], "--output-dir", "pair"]), ("force is no way around", ["saves", "--force", "--output-dir", "saves"])):
    os.makedirs("other", exist_ok=True)
    os.makedirs("links", exist_ok=True)
    os.makedirs("pair", exist_ok=True)
    shutil.copy(names[1], "other/00.save")
    if not os.path.lexists("links/00.save"):
        os.symlink("../saves/05.save", "pair/target")
        os.link("saves/00.save", "links/00.save")
        put("pair/00.save", b"")
        os.link("pair/00.save", "pair/01.save")
    code, out, err = run("convert", "--to", "godot3", *words, stdin=b"")
    check(f"refused: {what}", code == 2 and err and not os.path.exists("x") and not os.path.exists("y"), (code, err))
end = "; nothing was written\n"
expect("an input is named once", run("convert", "--to", "godot3", "saves", "--output-dir", "saves")[2], f"gdvar: saves/00.save is an input{end}")
expect("its other name is told", run("convert", "--to", "godot3", "saves/00.save", "--output-dir", "links")[2],
       f"gdvar: links/00.save is an input (saves/00.save){end}")
os.unlink("links/00.save")
expect("the inputs are as they were", tree(pathlib.Path("saves")), before)
pathlib.Path("some").mkdir()
shutil.copy(names[0], "some/good")
shutil.copy("broken", "some/bad")
code, out, err = run("convert", "--to", "godot3", "some", "--output-dir", "half")
expect("what can be converted is", (code, sorted(tree(pathlib.Path("half"))), err.splitlines()[-1]), (1, ["good"], "gdvar: 2 files: 1 fine, 1 refused"))
os.mkdir("lossy")
for name, value in (("a", "1"), ("b", "[Vector2i(1, 2)]"), ("c", '[&"x", Vector2i(1, 2)]')):
    put(f"lossy/{name}", pack(value))
code, out, err = run("convert", "--from", "godot4", "--to", "godot3", "lossy", "--output-dir", "partly")
expect("what loses something is not", (code, sorted(tree(pathlib.Path("partly"))), [line for line in err.splitlines() if "expressed" in line or "gdvar" in line]),
       (1, ["a"], ["lossy/b: 1 value can't be expressed in godot-3.1; it was not written (--lossy substitutes)",
                   "lossy/c: 2 values can't be expressed in godot-3.1; it was not written (--lossy substitutes)",
                   "gdvar: 3 files: 1 fine, 2 refused"]))
code, out, err = run("convert", "--from", "godot4", "--to", "godot3", "lossy/b", "--output-dir", "partly")
expect("one file alone", (code, err.splitlines()[-1]), (1, "gdvar: 1 value can't be expressed in godot-3.1; nothing was written (--lossy substitutes)"))
# Nothing in the folder leads out of it, whoever put it there.
os.makedirs("elsewhere/deep")
for name in ("victim", "deep/00.save"):
    put(f"elsewhere/{name}", b"mine")
outside = tree(pathlib.Path("elsewhere"))
os.makedirs("linked")
os.symlink("../elsewhere/victim", "linked/00.save")
os.symlink("../elsewhere/new", "linked/01.save")
os.symlink("../elsewhere/deep", "linked/below")
os.mkfifo("linked/02.save")
os.makedirs("linked/03.save")
code, out, err = run("convert", "--to", "godot3", "-r", "saves", "--output-dir", "linked")
words = "error[io]: a link or a file stands in the way; it may lead out of --output-dir"
check("links are refused", code == 3 and all(f"linked/{name}: {words}\n" in err for name in ("00.save", "01.save", "below/my save.bin")), err)
check("so is what is no file", "linked/02.save: error[io]: not a regular file" in err and "linked/03.save: error[io]" in err, err)
expect("all else is written", os.path.isfile("linked/04.save") and not os.path.islink("linked/04.save"), True)
expect("nothing outside", tree(pathlib.Path("elsewhere")), outside)
os.mkdir("blocked")
put("blocked/below", b"")
expect("a file where a folder should be", run("convert", "--to", "godot3", "-r", "saves", "--output-dir", "blocked")[0], 3)
os.symlink("new", "named")
expect("the folder itself may be a link", run("convert", "--to", "godot3", names[0], "--output-dir", "named/of a link")[0], 0)
check("it is followed", os.path.isfile("new/of a link/00.save"))
run("convert", "--to", "godot3", "-r", "saves", "--output-dir", "saves/out")
expect("the output folder is no input", (run("convert", "--to", "godot3", "-r", "saves", "--output-dir", "saves/out")[2], os.path.exists("saves/out/out")),
       ("gdvar: 42 files: 42 fine\n", False))

finish()
