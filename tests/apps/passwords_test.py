#!/usr/bin/env python3
"""The passwords file: its format, which passwords are tried, who may read it, and that no message holds one.

Usage: passwords_test.py GDVAR SOURCE_DIR"""
import getpass, os, pathlib, shutil, sys

sys.path.append(sys.path[0] + "/../support")
import command
from command import DRIVE, PLAIN, WINDOWS, check, expect, finish, new_folder, put, tells

all_messages = []


def run(*words, **more):
    done = command.run(*words, **more)
    all_messages.append(done.err)
    return done


folder = new_folder()
home = folder / "home"
os.environ["HOME"] = str(home)
config = home / ".config/gdvar"
config.mkdir(parents=True)
file = config / "passwords"


def write(text, to=file, mode=0o600):
    to.write_bytes(text if isinstance(text, bytes) else text.encode())
    to.chmod(mode)


def secret(name, password, container="gdec-4", text='{"hp": 7}'):
    put("pass", password + "\n")
    code, out, err = run("pack", "--dialect", "godot4", "--container", container, "--password-file", folder / "pass",
                         "-o", folder / name, stdin=text.encode())
    expect(f"pack {name}", (code, err), (0, ""))
    return folder / name


save = secret("game.save", "hunter2")
old = secret("old.save", "hunter2", "gdec-3")
expect("no passwords file", run("get", save, "$.hp"),
       (1, b"", f"{save}: error[bad_key]: the file is encrypted (GDEC): use --password-file, --key-file, GDVAR_PASSWORD or the passwords file (--passwords)\n"))

# A file without a password is told as such, and one whose passwords are all for other files.
ways = "use --password-file, --key-file, GDVAR_PASSWORD or the passwords file (--passwords)\n"
for text, why in (("", "~/.config/gdvar/passwords holds no password (it is empty or has only comments)"), ("# one day\n\n \n", "~/.config/gdvar/passwords holds no password (it is empty or has only comments)"),
                  ("*.sav = hunter2\n", "no password in ~/.config/gdvar/passwords is for a file of this name")):
    write(text)
    for words in (["get", save, "$.hp"], ["check", save], ["recover", save, "-o", folder / "never"]):
        expect(f"{words[0]} with {text!r}", run(*words), (1, b"", f"{save}: error[bad_key]: the file is encrypted (GDEC): {why}; {ways}"))
    expect("nothing of it where it is not read", run("get", "--no-passwords", save, "$.hp")[2], f"{save}: error[bad_key]: the file is encrypted (GDEC): {ways}")

# The password that fits is named, for each command, and the save is written back with it.
write("# my games\n\nother = 12345\nmygame = hunter2\n")
note = "note: opened with password 'mygame' of ~/.config/gdvar/passwords\n"
for one in (save, old):
    expect("get", run("get", one, "$.hp"), (0, b"7\n", f"{one}: {note}"))
    before = one.read_bytes()
    expect("set", run("set", "--dialect", "godot4", one, "$.hp", "8"), (0, b"", f"{one}: {note}{one}: $.hp: 7 -> 8\n"))
    check("is encrypted still", one.read_bytes()[:4] == b"GDEC" and one.read_bytes() != before)
    expect("opens with the same password", run("get", "--no-passwords", one, "$.hp", GDVAR_PASSWORD="hunter2")[:2], (0, b"8\n"))
    run("set", one, "$.hp", "7")
expect("unwrap", run("unwrap", save)[0::2], (0, f"{save}: {note}"))
for words in (["show"], ["text"], ["json"], ["annotate"], ["check"], ["stats"], ["check", "--recursive"]):
    code, out, err = run(*words, save)
    expect(f"{words[0]}", (code, err.startswith(f"{save}: {note}")), (0, True))
code, out, err = run("diff", save, old)
expect("diff", (code, err), (0, f"{save}: {note}{old}: {note}"))
expect("standard input", run("get", "-", "$.hp", stdin=save.read_bytes()), (0, b"7\n", f"<stdin>: {note}"))
code, out, err = run("convert", "--to", "godot3", "--container", "gdec-3", save, "-o", folder / "converted.save")
expect("convert takes the password along", (code, (folder / "converted.save").read_bytes()[:4]), (0, b"GDEC"))
expect("into the other encryption", run("get", folder / "converted.save", "$.hp")[:2], (0, b"7\n"))
expect("other files have no use for it", run("check", PLAIN)[2], "")

# The user's choice goes first: a password of its own, another file, none.
tells("GDVAR_PASSWORD alone is tried", run("get", save, "$.hp", GDVAR_PASSWORD="hunter3"), 1, "error[bad_checksum]: The checksum")
put("pass", "hunter2\n")
expect("--password-file", run("get", "--password-file", folder / "pass", save, "$.hp"), (0, b"7\n", ""))
expect("--no-passwords", run("get", "--no-passwords", save, "$.hp")[0], 1)
more = folder / "more"
write("second = hunter2\n", more)
expect("--passwords", run("get", "--passwords", more, save, "$.hp"),
       (0, b"7\n", f"{save}: note: opened with password 'second' of {more}\n"))
expect("both", run("get", "--passwords", more, "--no-passwords", save, "$.hp")[0], 2)
code, out, err = run("get", "--passwords", folder / "nowhere", save, "$.hp")
expect("a file that is not there", (code, err), (3, f"{folder}/nowhere: error[io]: No such file or directory\n"))
(folder / "xdg/gdvar").mkdir(parents=True)
write("elsewhere = hunter2\n", folder / "xdg/gdvar/passwords")
check("XDG_CONFIG_HOME", "'elsewhere' of" in run("get", save, "$.hp", XDG_CONFIG_HOME=str(folder / "xdg"))[2])
check("a relative one is ignored", "'mygame' of" in run("get", save, "$.hp", XDG_CONFIG_HOME="xdg")[2])
expect("no home", run("get", save, "$.hp", HOME="")[0], 1)
code, out, err = run("get", save, "$.hp", "-o", file, "--passwords", file)
expect("the output may not replace it", (code, "which is read, too" in err), (2, True))
code, out, err = run("get", save, "$.hp", "-o", file)
expect("nor the user's own", (code, "which is read, too" in err), (2, True))

# None fits.
write("one = a\n")
expect("one password", run("get", save, "$.hp"),
       (1, b"", f"{save}: error[bad_checksum]: password 'one' of ~/.config/gdvar/passwords does not fit, or the file is damaged\n"))
write("one = a\ntwo = b\nthree = c\n")
expect("three passwords", run("get", save, "$.hp"),
       (1, b"", f"{save}: error[bad_checksum]: none of the 3 passwords in ~/.config/gdvar/passwords fits, or the file is damaged\n"))
write("\n# nothing\n")
check("an empty file", "error[bad_key]" in run("get", save, "$.hp")[2])
write("".join(f"n{i} = wrong{i}\n" for i in range(70)) + "last = hunter2\n")
code, out, err = run("get", save, "$.hp")
expect("too many", (code, err.splitlines()[0]),
       (1, f"{save}: note: of 71 passwords in ~/.config/gdvar/passwords only the first 64 are tried"))
write("".join(f"n{i} = wrong{i}\n" for i in range(63)) + "last = hunter2\n")
expect("the last of 64", run("get", save, "$.hp")[:2], (0, b"7\n"))

# Who may read the file.
windows_path = f"{DRIVE}{file}".replace("/", "\\")
closed = (f'icacls "{windows_path}" /inheritance:r /grant:r "{getpass.getuser()}:F"' if WINDOWS else "chmod 600 ~/.config/gdvar/passwords")
for mode in (0o640, 0o604, 0o620, 0o660, 0o644, 0o666):
    write("mygame = hunter2\n", mode=mode)
    expect(f"mode {mode:o}", run("get", save, "$.hp"),
           (3, b"", f"~/.config/gdvar/passwords: error[io]: the passwords are not read: others may read the file; {closed}\n"))
    expect("other saves open", run("check", PLAIN)[0], 0)
    expect("and encrypted ones with a password of their own", run("get", save, "$.hp", GDVAR_PASSWORD="hunter2"), (0, b"7\n", ""))
write("mygame = hunter2\n", mode=0o400)
expect("mode 400", run("get", save, "$.hp")[0], 0)
file.unlink()
os.mkfifo(file, 0o600)
check("a pipe", "this is no regular file" in run("get", save, "$.hp")[2])
file.unlink()
write("mygame = hunter2\n", folder / "real")
file.symlink_to(folder / "real")
expect("a link to a file of the user", run("get", save, "$.hp")[0], 0)
file.unlink()
if os.geteuid() == 0:
    write("mygame = hunter2\n")
    os.chown(file, 65534, 65534)
    expect("the file of another user", run("get", save, "$.hp"),
           (3, b"", "~/.config/gdvar/passwords: error[io]: the passwords are not read: the file belongs to another user\n"))
    file.unlink()

# This machine's id, as OS.get_unique_id() gives it.
id_file = pathlib.Path("/etc/machine-id")
machine = next((line.strip() for line in id_file.read_text().split("\n") if line.strip()), "") if id_file.exists() else ""
if machine:
    one = secret("machine.save", machine)
    expect("--password-os-id", run("get", "--password-os-id", one, "$.hp"), (0, b"7\n", ""))
    expect("set keeps it", run("set", "--password-os-id", "--dialect", "godot4", one, "$.hp", "8"), (0, b"", f"{one}: $.hp: 7 -> 8\n"))
    put("pass", machine)
    expect("the same by hand", run("get", "--password-file", folder / "pass", one, "$.hp"), (0, b"8\n", ""))
    expect("make one", run("pack", "--dialect", "godot4", "--container", "gdec-4", "--password-os-id", "-o", folder / "new.save", stdin=b"[5]")[0], 0)
    expect("and read it", run("get", "--password-os-id", folder / "new.save", "$[0]"), (0, b"5\n", ""))
    tells("a save of another machine", run("get", "--password-os-id", secret("other.save", "0" * 32), "$.hp"), 1, "error[bad_checksum]")
    check("it is never printed", all(machine not in message for message in all_messages))
else:
    tells("a machine without an id", run("get", "--password-os-id", secret("machine.save", ""), "$.hp"), 1 if id_file.exists() else 3, str(id_file))
for other in ("--password-file", "--key-file"):
    tells(f"not with {other}", run("get", "--password-os-id", other, folder / "pass", save, "$.hp"), 2, "--password-os-id")
expect("the environment's password is not taken instead", run("get", "--password-os-id", save, "$.hp", GDVAR_PASSWORD="hunter2")[0], 1 if machine or id_file.exists() else 3)

# Any password can be written.
for number, (line, password) in enumerate((
        ("a=b", "b"), ("a =  b c ", "b c"), ("a = b=c", "b=c"), ("a = #x", "#x"), ("a = x # y", "x # y"), ("a = \\n", "\\n"),
        ('a = " b "', " b "), (r'a = "\"q\" \\ x"', '"q" \\ x'), ("a = it's", "it's"), ("a = p\u00e4ss", "p\u00e4ss"), ('a = x"y"', 'x"y"'),
        ('"a = b" = c', "c"), ('"my key" = c', "c"), ("a = key", "key"), ("my key ring = c", "c"), ("key = c", "c"), ('a = "b" ', "b"))):
    for end in ("\n", "", "\r\n"):
        write("z = wrong" + (end or "\n") + line + end)
        one = secret(f"{number}.save", password)
        expect(f"{line!r}", run("get", one, "$.hp")[:2], (0, b"7\n"))
key = "31" * 32
put("key", key)
run("pack", "--container", "gdec-3", "--key-file", folder / "key", "-o", folder / "keyed.save", stdin=b'{"hp": 7}')
for line in (f"a key = {key}", f"a  key={key.upper()}", f'"a b" key = {key}'):
    write(line)
    tells(f"a key: {line[:8]}", run("get", folder / "keyed.save", "$.hp"), 0, "opened with key 'a")
write("\ufeffa = hunter2\n")
expect("a byte order mark", run("get", save, "$.hp")[0], 0)

# Patterns: for the file's name, or for its path; passwords of a pattern go first.
for pattern, fits in (("*.save", True), ("game.*", True), ("g?me.save", True), ("*.sav", False), ("ame.save", None), ("?.save", False),
                      (f"{DRIVE}{folder}/*", True), (f"{DRIVE}{folder}/game.save", True), ("/nowhere/*.save", False), ("*/game.save", True), ("~/*", False)):
    write(f"{pattern} = hunter2\n")
    code, out, err = run("get", save, "$.hp")
    expect(f"the pattern {pattern}", (code, fits is None or f"'{pattern}'" in err), (1 if fits is False else 0, fits is not False))
write("~/*.save = hunter2\n")
shutil.copy(save, home / "mine.save")
expect("a pattern in the user's folder", run("get", home / "mine.save", "$.hp")[0], 0)
expect("relative names are made whole", run("get", os.path.relpath(home / "mine.save"), "$.hp")[0], 0)
write('"*.save" = a\n')
check("a name in quotes is no pattern", "password '*.save' of" in run("get", "-", "$.hp", stdin=save.read_bytes())[2])
write("every = hunter2\n*.save = hunter2\n")
check("patterns are tried first", "password '*.save' of" in run("get", save, "$.hp")[2])
check("standard input fits none", "password 'every' of" in run("get", "-", "$.hp", stdin=save.read_bytes())[2])

form = "; lines are as 'mygame = correct horse', or 'mygame key = ' and 64 hex digits"
# Lines that are none. The message holds nothing of the line, which may be a password.
for line, what in (("hunter2", "expected NAME = PASSWORD"), ("= hunter2", "the name is missing"), ("a =", "the password is missing"),
                   ("a key =", "the key is missing"), ("a key = hunter2", "a key is 64 hex digits"), (f"a key = {key}3", "a key is 64 hex digits"),
                   ("a key = " + "hunter2 " * 8, "a key is 64 hex digits"), ('a = "hunter2', "the quoted text has no end"),
                   ('a = "hunter2\\', "the quoted text has no end"), ('"a', "the quoted text has no end"), ('a = "x" hunter2', "more text behind the quoted text"),
                   ('"a" b = hunter2', "expected = or key = behind the name"), ('"" = hunter2', "the name is missing")):
    write(f"# first\n{line}\n")
    expect(f"{line!r}", run("get", save, "$.hp"), (3, b"", f"~/.config/gdvar/passwords:2: error[bad_syntax]: {what}{form}\n"))
write(b"a = \xff\xfe\x00\n" + b"x" * (1 << 20))
check("too large", "size_limit" in run("get", save, "$.hp")[2])

for word in ("hunter", "12345", "wrong1", key):
    check("no message holds a password", all(word not in message for message in all_messages), word)

finish()
