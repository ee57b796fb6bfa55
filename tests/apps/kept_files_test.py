#!/usr/bin/env python3
"""Files are whole whatever happens: a `set` that is killed, two writers at once, files that may not be written; names and lines as each
system has them.

Usage: kept_files_test.py GDVAR SOURCE_DIR [--rounds N]"""
import json, os, random, shutil, signal, subprocess, sys, time

sys.path.append(sys.path[0] + "/../support")
from command import PLAIN, WINDOWS, can_show, check, each, expect, finish, pack, put, run, start, tells

ROUNDS = int(sys.argv[sys.argv.index("--rounds") + 1]) if "--rounds" in sys.argv else 50


def quiet(*words):
    return start(*words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def killed(folder):
    """A `set` is killed at a moment of its time: the file is the old or the new one."""
    old = pack("{" + ", ".join(f'"key {i}": "{"x" * 100}"' for i in range(8_000)) + ', "hp": 1}')
    save = put("save", old)
    change = ("set", "--dialect", "godot4", save, "$.hp", "2")
    started = time.monotonic()
    expect("set", run(*change)[0], 0)
    moment, new = time.monotonic() - started, save.read_bytes()
    check("it changes the file", new != old)
    ends = {"old": 0, "new": 0, "killed": 0}
    for _ in range(ROUNDS):
        save.write_bytes(old)
        process = quiet(*change)
        time.sleep(moment * random.uniform(0.3, 1.7))
        process.kill()
        ends["killed"] += process.wait() == -signal.SIGKILL
        if not save.exists() and not can_show("its name is there"):
            check("the new file is whole", new in [file.read_bytes() for file in folder.glob(".save.gdvar-*")])
            continue
        now = save.read_bytes()
        check("the old or the new file", now in (old, new), f"{len(now)} bytes")
        ends["old" if now == old else "new"] += 1
        moment *= 1.05 if now == old else 0.95  # around the time at which the file is replaced
    print(f"{ROUNDS} rounds: {ends}")
    check("killed before and after the change", min(ends.values()) >= ROUNDS // 10, ends)
    # Nothing that a killed one has left is in the way of the next.
    save.write_bytes(old)
    expect("set after that", (run(*change)[0], save.read_bytes() == new), (0, True))


def two_writers(folder):
    """Both changes are there, or one was refused and is not."""
    save = put("save", pack('{"a": 0, "b": 0}'))
    for i in range(1, 11):
        both = {key: quiet("set", "--dialect", "godot4", save, f"$.{key}", i) for key in "ab"}
        codes = {key: process.wait(timeout=60) for key, process in both.items()}
        values = json.loads(run("json", "--plain", save).out)
        for key, code in codes.items():
            check("its change is there if it says so", (values[key] == i) == (code == 0), (values, codes))
        check("one succeeds", 0 in codes.values(), codes)


def read_only(folder):
    save = put("save", PACKED)
    save.chmod(0o444)
    refused = WINDOWS or os.geteuid() != 0
    for words in (["set", "--dialect", "godot4", save, "$.a", "8"], ["del", save, "$.a"]):
        done = run(*words)
        check(f"{words[0]} of a file that is read-only", done.code == (3 if refused else 0) and ("error[io]" in done.err) == refused, done)
        check("it is as it was", not refused or save.read_bytes() == PACKED)
    expect("it can be read", run("get", save, "$")[0], 0)
    expect("it stays read-only", save.stat().st_mode & 0o222, 0)


def names(folder):
    long_folder = folder / ("d" * 100) / ("\u0435" * 100)
    long_folder.mkdir(parents=True)
    for name in ("\u0441\u043e\u0445\u0440\u0430\u043d\u0435\u043d\u0438\u0435.save", "\u4fdd\u5b58 \u30c7\u30fc\u30bf.save", "\U0001f600.save", "\u0e44\u0e17\u0e22.save",
                 "a 'b' & (c)%d^.save", long_folder / ("f" * 95 + ".save")):
        save = put(name, PACKED)
        out = save.with_suffix(".out")
        expect(f"get {name}", run("get", save, "$.a"), (0, b"7\n", ""))
        expect(f"set {name}", run("set", "--dialect", "godot4", save, "$.a", "8"), (0, b"", f"{save}: $.a: 7 -> 8\n"))
        expect(f"-o {name}", (run("text", save, "-o", out)[0], out.read_bytes() if out.exists() else None), (0, b'{\n"a": 8\n}\n'))
        check(f"check {name}", str(save) in run("check", "-r", folder).out.decode())
        os.remove(out)
    check("a path of more than 300 characters", len(str(save)) > 300, len(str(save)))
    expect("from its own folder", run("get", save.name, "$.a", cwd=long_folder), (0, b"8\n", ""))
    expect("into a folder", run("convert", "--to", "godot3", folder, "-r", "--output-dir", folder / "made")[0], 0)
    check("with the names", (folder / "made" / save.relative_to(folder)).exists())


def pipes(folder):
    """Lines of Windows are read, and bytes that are no text pass as they are."""
    expect("lines that end as on Windows", run("pack", "--dialect", "godot4", stdin=b'{\r\n"a": 7\r\n}\r\n').out, PACKED)
    put("lines", b'{"a": 7}\r\n{"a": 8}\r\n')
    expect("JSON lines", run("json", "--plain", "--as", "json-lines", "lines", "--lines").out, b'{"a":7}\n{"a":8}\n')
    put("pass", b"word\r\n")
    data = bytes(range(256)) + b"\r\n\n\r\x1a" * 20_000
    for words in (["--container", "gcpf-zstd"], ["--container", "gdec-4", "--password-file", "pass"]):
        wrapped = run("wrap", *words, stdin=data)
        expect(f"bytes through {words[1]}", (wrapped.code, run("unwrap", *words[2:], stdin=wrapped.out).out == data), (0, True))
    put("word", b"word\n")
    expect("a password in a line of Windows", run("unwrap", "--password-file", "word", stdin=wrapped.out).out == data, True)
    expect("an empty input", run("pack", stdin=b"").code, 1)
    tells("no input", run("pack", stdin=subprocess.DEVNULL), 1, "the text ends where a value is expected")
    shutil.copy(PLAIN, "copy")
    with open("copy", "rb") as file:
        expect("a file as standard input", run("check", "-", stdin=file).code, 0)


PACKED = pack('{"a": 7}')
each(killed, two_writers, read_only, names, pipes)
finish()
