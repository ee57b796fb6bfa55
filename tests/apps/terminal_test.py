#!/usr/bin/env python3
"""Data, names of files and words of the command line never reach a terminal as control characters.

Hostile text stands in every place that can hold any; every command prints it to a pseudo terminal, and what is made for
people (trees, tables, diagnostics) into pipes, too. None of it may contain controls but line feeds, turn the direction of
writing, be no UTF-8, or begin a line of its own.

Usage: terminal_test.py GDVAR SOURCE_DIR"""
import os, re, subprocess, sys

sys.path.append(sys.path[0] + "/../support")
from by_hand import array, dictionary, integer, padded, project, records, string, u32
from command import EVIL, GDVAR, Terminal, check, finish, last_part, new_folder, on_terminal, put, run, start

NUMBER = integer(7)
# Engines stop at a NUL, so invalid UTF-8 is accepted behind it.
RAW = b"bytes\0\xff\xfe\x9b2J\xc2"
PLACES = {
    "key": dictionary([string(EVIL) + NUMBER]),
    "value": array([string(EVIL), string(RAW)]),
    "raw_key": dictionary([string(RAW) + NUMBER]),
    "array_key": dictionary([array([string(EVIL)]) + NUMBER]),
    "string_name": array([u32(21) + padded(EVIL)]),
    "node_path": array([u32(22, 0x80000002, 1, 1) + padded(EVIL) + padded("b") + padded(EVIL)]),
    "node_path_key": dictionary([u32(22, 0x80000001, 0, 0) + padded(EVIL) + NUMBER]),
    "signal": array([u32(26) + padded(EVIL) + u32(5, 0)]),
    "class": u32(24) + padded(EVIL) + u32(1) + padded("hp") + NUMBER,
    "property": u32(24) + padded("Node") + u32(1) + padded(EVIL) + NUMBER,
    "array_class": u32(28 | 2 << 16) + padded(EVIL) + u32(0),
    "array_script": u32(28 | 3 << 16) + padded("res://" + EVIL) + u32(0),
    "dictionary_class": u32(27 | 2 << 16 | 3 << 18) + padded(EVIL) + padded("res://" + EVIL) + u32(0),
    "strings": u32(34, 1) + padded(EVIL.encode() + b"\0"),
    "deep": dictionary([string("a") + dictionary([string(EVIL) + array([dictionary([string(EVIL) * 2])])])]),
    "broken": dictionary([string(EVIL) + array([string(EVIL), u32(2)])]),
    "twice": dictionary([string(EVIL) + NUMBER] * 2),
}


# ---- running


def in_pipes(words, **env):
    process = start(*words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **env})
    return process.communicate(timeout=60)


ORDERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")


def harmless(what, seen, lines=False):
    """`lines`: the data's own line feeds may appear."""
    seen = re.sub(rb"\x1b\[[0-9;]*m", b"", seen)  # our colours: nothing in EVIL looks like them
    try:
        shown = seen.decode()
    except UnicodeDecodeError as error:
        return check(what, False, f"not UTF-8: {error}: {seen[max(error.start - 40, 0):error.start + 40]!r}")
    order = ORDERS.search(shown)
    check(what, not order, order and repr(shown[max(order.start() - 40, 0):order.start() + 40]))
    if not lines:
        check(what + " (lines)", not re.search("^FORGED", shown, re.M), repr(shown[:300]))


def everywhere(what, words, data=False, **env):
    """`data`: stdout carries data, which a pipe gets unchanged."""
    harmless(what + " on a terminal", on_terminal(*words, **env), lines=data)
    out, err = in_pipes(words, **env)
    harmless(what + " on stderr", err)
    if not data:
        harmless(what + " in a pipe", out)
    return out, err


new_folder()
for name, packet in PLACES.items():
    put(name, packet)
put("seven", NUMBER)
how = ["--as", "packet", "--dialect", "godot4"]
for name in PLACES:
    for words in (["show"], ["annotate"], ["check"], ["stats"]):
        for objects in ([], ["--objects"]):
            out, err = everywhere(f"{' '.join(words + objects)} of {name}", [*words, *how, *objects, name])
        check(f"{words} of {name} shows something", out or name == "broken", err)
    for words in (["text"], ["text", "--full"], ["json"], ["json", "--plain"], ["get", name, "$"], ["stats", "--json"]):
        everywhere(f"{' '.join(words)} of {name}", [*words, *how, "--objects", *([] if name in words else [name])], data=True)
    everywhere(f"diff with {name}", ["diff", *how, "--objects", "seven", name])
    everywhere(f"diff from {name}", ["diff", *how, "--objects", name, "seven"])
    everywhere(f"diff --patch with {name}", ["diff", "--patch", *how, "--objects", "seven", name], data=True)
    for target in ("godot3", "godot-2", "pandemonium"):
        everywhere(f"convert {name} to {target}", ["convert", "-v", "--objects", "--as", "packet", "--from", "godot4", "--to", target,
                                                  "--output", "hex", name])
    everywhere(f"set in {name}", ["set", *how, "--objects", name, "$[" + '"' + EVIL + '"].x', "1", "-o", "out"])
    everywhere(f"del in {name}", ["del", *how, "--objects", name, "$[" + '"' + EVIL + '"].x', "-o", "out"])

# Settings, and a setting's name in front of every message.
raw = EVIL.encode() + b"\xff\x9b"
put("p.binary", project((raw, NUMBER), (raw, string(EVIL)), (raw, b"\xff\0\0\0"), (raw, PLACES["class"])))
for words in (["show"], ["annotate"], ["check"], ["stats"], ["convert", "--to", "godot3", "--output", "hex"], ["diff", "seven"], ["del"], ["set"]):
    more = {"del": ["$"], "set": ["$", "1"]}.get(words[0], [])
    everywhere(f"{words} of settings", [*words, "p.binary", *more])
for words in (["text"], ["text", "--full"], ["json"], ["json", "--plain"], ["get", "p.binary", "$"]):
    everywhere(f"{words} of settings", [*words, *([] if "p.binary" in words else ["p.binary"])], data=True)

# Names of files, with every command, for files that are sound, broken, foreign or missing.
for kind, contents in (("sound", NUMBER), ("broken", PLACES["broken"]), ("other", b"\x1f\x8b\x08\0rest of it"), ("none", None)):
    name = "f" + EVIL.replace("/", "_") + kind
    if contents is not None:
        put(name, contents)
    for words in (["show", name], [name], ["text", "-v", name], ["json", name], ["annotate", name], ["check", name], ["stats", name],
                  ["convert", "--to", "godot3", "--output", "hex", name], ["convert", "--to", EVIL, name], ["get", name, "$.x"],
                  ["set", name, "$.x", "1"], ["del", name, "$.x"], ["diff", name, "seven"], ["diff", "seven", name],
                  ["patch", "seven", name], ["patch", name, "seven"], ["pack", name, "--output", "hex"], ["unwrap", name],
                  ["wrap", "--container", "gcpf-zstd", "--output", "hex", name], ["unwrap", "--raw", "zstd", name],
                  ["text", "--password-file", name, "seven"], ["text", "--key-file", name, "seven"],
                  ["wrap", "--container", "gdec-4", "--key-file", name, "seven"],
                  ["convert", "--to", "godot3", "--renames", name, "seven", "--output", "hex"],
                  ["text", "-o", name + "/x", "seven"], ["replay", name, "tcp://127.0.0.1:1"],
                  ["send", "tcp://127.0.0.1:1", "--from", name],
                  ["listen", "tcp://127.0.0.1:0", "--time", "0.05", "--record", name + "/r"],
                  ["listen", "tls://127.0.0.1:0", "--time", "0.05", "--certificate", name, "--tls-key", name]):
        everywhere(f"{words[0]} with a name of {kind}", words, data=words[0] in ("text", "json", "get", "unwrap"))
        if kind != "none":
            put(name, contents)
        put("seven", NUMBER)

# Words of the command line.
put("secret", b"GDEC" + u32(1) + bytes(48))
for words in ([EVIL], [EVIL, EVIL], ["--" + EVIL], ["show", "--" + EVIL, "seven"], ["show", "--as", EVIL, "seven"], ["show", "--dialect", EVIL, "seven"],
              ["text", "--family", EVIL, "seven"], ["convert", "--to", EVIL, "seven"], ["dialects", EVIL], ["show", "--path", EVIL, "seven"],
              ["show", "--depth", EVIL, "seven"], ["show", "--color", EVIL, "seven"], ["show", "--max-bytes", EVIL, "seven"],
              ["pack", "--container", EVIL, "seven"], ["pack", "--dialect", EVIL, "seven"], ["pack", "--frame", EVIL, "seven"], ["set", "seven", EVIL, "1"], ["set", "seven", "#" + EVIL, "1"],
              ["set", "seven", "$", EVIL], ["set", "seven", "$." + EVIL, "1"], ["get", "seven", EVIL], ["get", "seven", "#9" + EVIL],
              ["del", "seven", EVIL], ["del", "seven", "$." + EVIL], ["listen", EVIL], ["listen", "tcp://" + EVIL], ["send", EVIL, "1"],
              ["send", "tcp://127.0.0.1:1", EVIL], ["proxy", EVIL, EVIL], ["listen", "tcp://127.0.0.1:0", "--dialect", EVIL, "--time", "0.05"],
              ["listen", "tcp://127.0.0.1:0", "--time", EVIL], ["listen", "tcp://127.0.0.1:0", "--form", EVIL]):
    everywhere(f"the words {words[0][:6]} {words[1][:9] if len(words) > 1 else ''}", words)
for name in ("GDVAR_PASSWORD", "GDVAR_KEY"):
    everywhere(f"{name} in the environment", ["show", "secret"], **{name: EVIL})

# Into a terminal by its name.
seen = on_terminal("text", "-o", "/dev/tty", "value")
harmless("-o /dev/tty", seen, lines=True)
check("-o /dev/tty prints", b"FORGED" in seen, seen)
# Data in a pipe is exact.
out, err = in_pipes(["text", "--full", *how, "value"])
check("a pipe gets the text as it is", "\u202e".encode() in out and "\u061c".encode() in out, out)

last_part("over a Unix socket")
# Received data.
folder = new_folder()
put("values", records(PLACES.values()))
for form in ("text", "json", "plain", "annotate"):
    terminal = Terminal(GDVAR, "listen", f"unix:{folder}/{form}", "--dialect", "godot4", "--form", form, "--time", "20", "--count", str(len(PLACES)))
    terminal.until("listening at")
    run("send", f"unix:{folder}/{form}", "--as", "records", "--from", "values", "--dialect", "godot4", "--objects", "--wait", "0.2")
    seen = terminal.end()[1].replace(b"\r\n", b"\n")
    harmless(f"listen --form {form}", seen)
    check(f"listen --form {form} shows them", seen.count(b"FORGED") > 10 or form == "annotate", seen[:2000])

finish()
