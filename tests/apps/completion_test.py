#!/usr/bin/env python3
"""The bash completion, driven in a real bash: its function, and a terminal with readline.
Usage: completion_test.py GDVAR SOURCE_DIR"""
import os, re, shutil, subprocess, sys

sys.path.append(sys.path[0] + "/../support")
from command import Terminal, check, expect, finish, new_folder, put, run, skip

bash = shutil.which("bash")
if not bash:
    skip("no bash")
script = run("--generate", "bash")[1].decode()


def completed(*words):
    """The completions of the last word, each as it is."""
    line = " ".join("'" + word.replace("'", "'\\''") + "'" for word in ("gdvar", *words))
    code = f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; _gdvar\n[ ${{#COMPREPLY[@]}} -eq 0 ] || printf '%s\\0' \"${{COMPREPLY[@]}}\""
    done = subprocess.run([bash, "-c", code], capture_output=True, text=True, timeout=60)
    check(f"no message for {words}", not done.stderr, done.stderr)
    return done.stdout.split("\0")[:-1]


folder = new_folder()
os.environ["HOME"] = str(folder)
for name in ("my save.bin", "my other.save", "star*.save", "$HOME.save", "plain.save", "two\nlines", "two\nthree", "one\nline", ".hidden", "-dash.bin"):
    put(name, b"")
os.mkdir("a folder")
for words, wanted in [
        (("show", "my"), ["my other.save", "my save.bin"]), (("show", "my\\ s"), ["my save.bin"]), (("show", '"my s'), ["my save.bin"]),
        (("show", "'my s"), ["my save.bin"]), (("show", "star"), ["star*.save"]), (("show", "\\$H"), ["$HOME.save"]), (("show", "a"), ["a folder"]),
        (("my s",), ["my save.bin"]), (("conv",), ["convert"]), (("pl",), ["plain.save"]), (("p",), ["patch", "pack", "proxy", "plain.save"]),
        (("--dialect", "godot-4.4", "sh"), ["show"]), (("-v", "che"), ["check"]), (("--dialect", "=", "godot4", "ann"), ["annotate"]),
        (("--dialect", "godot-2"), ["godot-2"]), (("--dial",), ["--dialect"]),
        (("--dialect", "godot4", "show", "--as", "rec"), ["records", "records-be"]), (("-v", "check", "--recur"), ["--recursive"]),
        (("show", "--dialect", "=", "godot-2"), ["godot-2"]), (("show", "--dialect=godot-2"), ["--dialect=godot-2"]),
        (("show", "--as=rec"), ["--as=records", "--as=records-be"]), (("show", "my save.bin", "--dep"), ["--depth"]), (("my save.bin", "--dep"), ["--depth"]),
        (("get", "my save.bin", "$.a", "--pa"), ["--password-file", "--password-os-id", "--passwords", "--paths"]), (("convert", "--output", "b"), ["binary", "base64"]),
        (("convert", "--container", "gcpf-z"), ["gcpf-zstd"]), (("pack", "--frame", "rec"), ["records", "records-be"]), (("text", "--family", "pa"), ["pandemonium"]),
        (("listen", "--form", "an"), ["annotate"]), (("convert", "--to", "au"), []), (("show", "-o", "my s"), ["my save.bin"]),
        (("set", "--type", "Vector3"), ["Vector3", "Vector3i"]), (("set", "--type=Vector4"), ["--type=Vector4", "--type=Vector4i"]), (("set", "--type", "nu"), ["null"]),
        (("dialects", "pandemonium-3"), ["pandemonium-3.8", "pandemonium-3.5"]), (("dialects", "my"), []), (("dialects", "--col"), ["--color"]),
        (("show", "two"), ["two\nlines", "two\nthree"]), (("show", ".hid"), [".hidden"]), (("show", "none"), []), (("show", "~/my s"), ["~/my save.bin"]),
        (("show", "-da"), []), (("show", "--", "-da"), ["-dash.bin"]), (("show", "--", "--dep"), []), (("--", "-"), ["-dash.bin"]), (("--", "--dep"), []),
        (("-v", "--", "sh"), ["show"]), (("--", "show", "--dialect", "godot-2"), []), (("--", "-dash.bin", "my s"), ["my save.bin"])]:
    expect(f"completes {words}", sorted(completed(*words)), sorted(wanted))
expect("dialects offers all", sorted(completed("dialects", "")), sorted(word for word in completed("show", "--dialect", "") if word != "auto"))
check("all dialects", len(completed("show", "--dialect", "")) > 12)

# At a prompt: what Tab makes of the line.
put("rc", script + "\nPS1='> '\nbind 'set enable-bracketed-paste off' 2>/dev/null\nset +o history\n")


def typed(text):
    terminal = Terminal(bash, "--noprofile", "--rcfile", "rc", "-i", TERM="dumb", COLUMNS="200")
    terminal.until("> ")
    # The word is printed once the line is run: `gdvar` stands for printf there.
    terminal.type("gdvar() { printf '<%s>' \"$@\"; echo END; }\r")
    terminal.until("> ")
    terminal.type(text + "\t\r")
    shown = terminal.until(">END")
    terminal.type("exit\r")
    terminal.end()
    return re.findall(r"<([^>]*)>", shown)


for line, wanted in [("gdvar show my\\ s", ["show", "my save.bin"]), ('gdvar show "my s', ["show", "my save.bin"]), ("gdvar show star", ["show", "star*.save"]),
                     ("gdvar show --dialect=godot-2", ["show", "--dialect=godot-2"]), ("gdvar convert --to=godot-3.0", ["convert", "--to=godot-3.0"]),
                     ("gdvar annot", ["annotate"]), ("gdvar dialects godot-2", ["dialects", "godot-2"]), ("gdvar set --type Quat", ["set", "--type", "Quaternion"]),
                     ("gdvar show -- -d", ["show", "--", "-dash.bin"]), ("gdvar show one", ["show", "one\r\nline"]), ("gdvar show --as hex a", ["show", "--as", "hex", "a folder/"])]:
    expect(f"Tab behind {line}", typed(line), wanted)

finish()
