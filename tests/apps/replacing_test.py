#!/usr/bin/env python3
"""Files that the command replaces: concurrent commands, output onto the input, attributes of files.

Usage: replacing_test.py GDVAR SOURCE_DIR"""
import json, os, shutil, subprocess, sys

sys.path.append(sys.path[0] + "/../support")
from command import PLAIN, SAVES, WINDOWS, can_show, check, expect, finish, in_shell, linked, new_folder, pack, put, run, start

folder = new_folder()
put("pass", "correct horse 1\n")

# Many commands at once, of any kind, lose nothing.
count = 24
save = folder / "many.save"
for container in ("none", "gcpf-zstd", "gdec-4"):
    secret = ["--password-file", folder / "pass"]
    save.write_bytes(pack("{" + ",".join(f'"k{i}": 0' for i in range(count)) + "}", "--container", container, *secret))
    alias = linked(folder / "alias.save", save)
    running = []
    for i in range(count):
        command = ["del", f"$.k{i}"] if i % 6 == 5 else ["set", f"$.k{i}", str(i + 1)]
        file = alias if i % 2 else save
        running.append(start(command[0], *secret, file, *command[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    for one in running:
        out, err = one.communicate(timeout=120)
        expect(f"one of many in {container}", one.returncode, 0)
    got = json.loads(run("json", "--plain", *secret, save)[1])
    expect(f"all of many in {container}", got, {f"k{i}": i + 1 for i in range(count) if i % 6 != 5})

# A command that only shows a file does not replace it, under any name.
file, hard, folder_dot = folder / "f.save", folder / "hard", folder / "." / "f.save"
shutil.copy(PLAIN, file)
link = linked(folder / "link", "f.save")
os.link(file, hard)
before = file.read_bytes()
for command in ("show", "text", "json", "annotate", "check", "stats", "wrap", "unwrap"):
    more = ["--container", "gcpf-zstd"] if command == "wrap" else []
    for output in (file, link, hard, folder_dot):
        code, out, err = run(command, *more, file, "-o", output)
        expect(f"{command} onto its input as {output.name}", (code, "would replace the input" in err), (2, True))
for words in (["get", file, "#0 $"], ["diff", file, SAVES / "godot-4.6.3/plain_big_endian.save"], ["pack", file]):
    expect(f"{words[0]} onto its input", run(*words, "-o", link)[0], 2)
if can_show("standard input is a file, too"):
    with file.open() as stdin:
        expect("standard input is a file, too", run("text", "-", "-o", file, stdin=stdin)[0], 2)
expect("diff onto the other file", run("diff", PLAIN, file, "-o", file)[0], 2)
code, out, err = run("wrap", "--container", "gdec-4", "--password-file", folder / "pass", file, "-o", folder / "pass")
expect("onto the password", (code, "which is read, too" in err), (2, True))
expect("the file is as it was", file.read_bytes(), before)
expect("another file may be replaced", run("text", file, "-o", folder / "out.txt")[0], 0)
expect("--force", run("text", file, "-o", link, "--force")[0], 0)
check("text is there now", file.read_bytes().startswith(b"{"))
check("the link is one still", link.is_symlink())

# Commands that change saves may do so in place, also through a link.
for command in (["convert", "--from", "godot4", "--to", "godot4"], ["set"], ["del"]):
    shutil.copy(PLAIN, file)
    more = {"set": ["#0 $.level", "7"], "del": ["#0 $.level"]}.get(command[0], [])
    put("one", pack('{"level": 1}', "--frame", "records"))
    target = linked(folder / "one-link", "one")
    code, out, err = run(*command, folder / "one", *more, "-o", target)
    expect(f"{command[0]} in place", (code, err if code else ""), (0, ""))
    check("the link stays", target.is_symlink())
expect("the backup is another file", run("set", folder / "one", "--type", "int", "#0 $", "8", "--backup", folder / "one")[0], 3)

# A backup never replaces an input, either.
put("changes", run("diff", "--patch", folder / "one", folder / "one")[1])
put("old", b"old")
secret = (folder / "pass").read_bytes(), (folder / "changes").read_bytes(), (folder / "one").read_bytes()
for words in (["set", "--password-file", folder / "pass", folder / "one", "#0 $", "8", "--backup", folder / "pass"],
              ["patch", folder / "one", folder / "changes", "--backup", folder / "changes"],
              ["set", folder / "one", "#0 $", "8", "-o", folder / "old", "--backup", folder / "one"]):
    code, out, err = run(*words)
    expect(f"{words[0]} with a backup over what is read", (code, "the backup would replace" in err), (2, True))
expect("what is read stays", secret, ((folder / "pass").read_bytes(), (folder / "changes").read_bytes(),
                                      (folder / "one").read_bytes()))
expect("the backup may be another name of it", (os.link(folder / "one", folder / "one-too"),
       run("set", folder / "one", "--type", "int", "#0 $", "8", "--backup", folder / "one-too")[0])[1], 0)

# On Windows a colon leads to another stream of a file, and some names are those of devices.
other = put("other.txt", "old")
for name in ("name:other.txt", "CON.txt"):
    refused = (3, "it is the name for the backup") if WINDOWS else (0, "")
    code, out, err = run("set", folder / "one", "--type", "int", "#0 $", "9", "--backup", name)
    expect(f"a backup as {name}", (code, refused[1] in err), (refused[0], True))
    code, out, err = run("text", folder / "one", "-o", name, "--force")
    expect(f"-o {name}", (code, "not a regular file" in err, os.path.exists(name)), (refused[0], WINDOWS, not WINDOWS))
expect("another file stays", other.read_bytes(), b"old")

# If standard files are closed, a save must not take their number and get a message.
file.write_bytes(pack('{"level": 1}'))
for closed in ("2>&-", ">&- 2>&-", "<&- >&- 2>&-") if can_show("closed standard files") else ():
    for more in ("'$.level' 1", "'$.nothing' 1"):  # both print a message
        before = file.read_bytes()
        in_shell(f"gdvar set f.save {more} {closed}", folder)
        expect(f"set with {closed}", file.read_bytes(), before)
expect("text with >&-", in_shell("gdvar text f.save >&-", folder).code, 3)
if os.path.exists("/dev/full"):
    with open("/dev/full", "wb") as full:
        for words in (["--help"], ["--version"], ["text", file]):
            expect(f"{words[0]} where nothing fits", start(*words, stdout=full, stderr=subprocess.DEVNULL).wait(timeout=60), 3)

# A path that is not a regular file is refused at once, without waiting.
fifo = folder / "fifo"
os.mkfifo(fifo)
for command in (["set", fifo, "$", "1"], ["del", fifo, "$.a"], ["patch", fifo, folder / "out.txt"], ["set", "/dev/zero", "$", "1"]):
    code, out, err = run(*command, timeout=20)
    expect(f"{command[0]} on {command[1]}", (code, "not a regular file" in err), (3, True))

# Nobody may read a new file who may not read the file that it was made of.
os.umask(0o022)
private, other, changes, new = folder / "private.save", folder / "other.save", folder / "changes", folder / "new"
private.write_bytes(pack('{"level": 1}', "--container", "gcpf-zstd"))
other.write_bytes(pack('{"level": 2}'))
changes.write_bytes(run("diff", "--patch", private, other)[1])
commands = [["unwrap", private], ["convert", private, "--to", "godot-3.1"], ["set", private, "$.level", "7"], ["del", private, "$.level"],
            ["text", private], ["json", private], ["get", private, "$.level"], ["patch", other, changes], ["diff", other, private],
            ["wrap", "--container", "hex", private], ["recover", private], ["pack", "--like", private, "-"], ["unwrap", "-"]]
for mode, made in ((0o600, 0o600), (0o640, 0o640), (0o644, 0o644), (0o666, 0o644), (0o444, 0o644), (0o400, 0o600), (0o604, 0o604), (0o755, 0o644)):
    private.chmod(mode)
    changes.chmod(mode)
    for words in commands:
        new.unlink(missing_ok=True)
        with private.open() as content, open(os.devnull) as nothing, (folder / "text").open("w+") as text:
            text.write('{"level": 3}')
            text.seek(0)
            os.chmod(text.fileno(), 0o644)
            stdin = content if words == ["unwrap", "-"] else text if words[0] == "pack" else nothing
            code, out, err = run(*words, "-o", new, stdin=stdin)
        expect(f"{words[0]} of a file of mode {mode:o}", (code == (4 if words[0] == "diff" else 0), oct(new.stat().st_mode & 0o777) if new.exists() else err), (True, oct(made)))
private.chmod(0o600)
expect("convert --output-dir", run("convert", private, "--to", "godot-3.1", "--output-dir", folder / "dir")[0], 0)
expect("its file", oct((folder / "dir" / "private.save").stat().st_mode & 0o777), "0o600")
other.chmod(0o640)
expect("a file that is there", run("unwrap", private, "-o", other, "--force")[0], 0)
expect("keeps its own mode", oct(other.stat().st_mode & 0o777), "0o640")
if os.geteuid() == 0:
    private.chmod(0o640)
    os.chown(private, -1, 4243)
    new.unlink()
    expect("of another group", (run("unwrap", private, "-o", new)[0], oct(new.stat().st_mode & 0o777)), (0, "0o600"))
    os.chown(private, -1, os.getegid())


# ACL and attributes, where the file system has them.
def tool(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True)


plain = folder / "one"
plain.write_bytes(pack('{"level": 1}'))
if shutil.which("setfacl") and tool("setfacl", "-m", "u:4242:rw,g:4243:r", plain).returncode == 0:
    acl = tool("getfacl", "-cnpE", plain).stdout
    expect("set", run("set", plain, "$.level", "2")[0], 0)
    expect("the ACL stays", tool("getfacl", "-cnpE", plain).stdout, acl)
    expect("convert", run("convert", "--to", "godot4", plain, "-o", plain)[0], 0)
    expect("and stays", tool("getfacl", "-cnpE", plain).stdout, acl)
else:
    print("skipped: no ACLs here (package acl, or the file system)")
if shutil.which("setfattr") and tool("setfattr", "-n", "user.note", "-v", "keep me", plain).returncode == 0:
    expect("set", run("set", plain, "$.level", "3")[0], 0)
    expect("attributes stay", tool("getfattr", "--only-values", "-n", "user.note", plain).stdout, "keep me")
else:
    print("skipped: no extended attributes here (package attr, or the file system)")

finish()
