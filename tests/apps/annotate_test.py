#!/usr/bin/env python3
"""The columns of annotate: 80 in a pipe, the terminal's width there, colours, --wide. Nothing of a value is lost.
Usage: annotate_test.py GDVAR SOURCE_DIR"""
import fcntl, functools, os, pathlib, pty, re, struct, subprocess, sys, tempfile, termios

import checks
from checks import check, expect

gdvar, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
run = functools.partial(checks.run, gdvar)
COLOUR = re.compile("\x1b\\[[0-9;]*m")


def on_terminal(columns, *words, env=None):
    child, master = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execve(gdvar, [gdvar, *map(str, words)], {**os.environ, "TERM": "xterm", **(env or {})})
    seen = checks.drained(master)
    os.waitpid(child, 0)
    os.close(master)
    return seen.replace(b"\r\n", b"\n").decode()


def rows(text, column):
    """The text behind the columns, of each row with its continuations."""
    out = []
    for line in text.splitlines():
        if line.startswith("0x"):
            out.append(line[column:])
        else:
            check("a continuation is below the text", line[:column].strip() == "", line)
            out[-1] += line[column:]
    return [re.sub(r"\s+", "", row) for row in out]


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    text = """{"a long key of many words, longer than the column of paths": ["%s", Vector3(1.5, 2.25, 3.125), "%s", "%s"],
              "wide": PackedByteArray(%s)}""" % ("words " * 30, "x" * 90, "é日本" * 20, ", ".join("7" * 40))
    pathlib.Path("v").write_bytes(run("pack", stdin=text.encode())[1])
    plain = root / "tests/data/saves/godot-4.6.3/plain.save"
    for name in ("v", plain):
        wide = run("annotate", "--wide", name)[1].decode()
        narrow = run("annotate", name)[1].decode()
        check("80 columns", max(map(len, narrow.splitlines())) <= 80, max(narrow.splitlines(), key=len))
        expect("a row each", sum(line.startswith("0x") for line in narrow.splitlines()), len(wide.splitlines()))
        check("no colour in a pipe", "\x1b" not in narrow)
        values = [re.sub(r"\s+", "", line) for line in wide.splitlines()]
        for row, whole in zip(rows(narrow, 49), values):
            check("nothing of a row is lost", whole.endswith(row), (row, whole))
        for columns in (60, 80, 100, 133, 300):
            seen = on_terminal(columns, "annotate", name)
            check(f"colours at {columns}", "\x1b[36m" in seen and "\x1b[34m" in seen)
            longest = max(COLOUR.sub("", seen).splitlines(), key=len)
            check(f"{columns} columns", len(longest) <= columns, longest)
        check("NO_COLOR", "\x1b" not in on_terminal(80, "annotate", name, env={"NO_COLOR": "1"}))
        expect("the same as in a pipe", on_terminal(80, "annotate", "--color", "never", name), narrow)
        expect("--color always --wide", COLOUR.sub("", run("annotate", "--color", "always", "--wide", name)[1].decode()), wide)
    check("a cut path keeps its end", re.search(r"^0x\w+ +\S* +\.\.\.\S.*\[1\] ", run("annotate", "v")[1].decode(), re.M), narrow[:400])
    broken = pathlib.Path("v").read_bytes()[:-30]
    code, out, err = run("annotate", "--dialect", "godot4", stdin=broken)
    check("the break is whole", code == 1 and "error[truncated]" in re.sub(r"\n +", "", out.decode()), out)
checks.finish()
