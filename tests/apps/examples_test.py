#!/usr/bin/env python3
"""Every example that `gdvar COMMAND --help` shows, run as it stands there, in a folder with the files it names.
Usage: examples_test.py GDVAR SOURCE_DIR"""
import contextlib, gzip, os, pathlib, pty, re, shlex, shutil, sys

sys.path.append(sys.path[0] + "/../support")
from command import (PLAIN, ROOT, SAVES, Done, Running, Terminal, check, command_names, finish, in_shell, new_folder, pack, put,
                     run, shell_variables)

SECRET = SAVES / "godot-4.6.3/gdec_pass.save"


def prepare():
    """The files that the examples name."""
    shutil.copy(PLAIN, "game.save")
    shutil.copy(SECRET, "secret.save")
    shutil.copy(SAVES / "godot-3.6.2/plain.save", "old.save")
    put("broken.save", PLAIN.read_bytes()[:2890])
    put("pass.txt", "correct horse 1\n")
    put("values.txt", '{"a": 1}\n[Vector2(1, 2), &"name"]\n')
    put("settings.json", '{"volume": 0.5, "names": ["Ada"]}')
    os.mkdir("saves")
    shutil.copy(PLAIN, "saves/game.save")
    shutil.copy(ROOT / "tests/data/resources/godot-4.6.3/pack.pck", "game.pck")
    put("buffer.gz", gzip.compress(b"abc" * 100))
    put("packets.bin", pack("[1, 2]", dialect="godot3"))
    run("set", "game.save", "#0 $.players[3].hp", "1", "-o", "other.save")
    run("diff", "--patch", "game.save", "other.save", "-o", "to-other.patch")


def address(url):
    return url.partition("//")[2]


def run_client(line, folder):
    """An example that connects: as it stands, but for the address of who listens."""
    scheme, own = re.search(r"(\w+)://([\d.]+:\d+)", line).groups()
    with Running("listen", f"{scheme}://127.0.0.1:0", "--answer", "echo", "--form", "none", seconds=20) as partner:
        url = partner.url()
        line = line.replace(own, address(url))
        if line.startswith("gdvar replay"):
            run("send", url, "[1]", "--wait", "0.1", "--record", "game.rec")
            line += " --wait 0.2 --form text"
        return in_shell(line, folder)


def run_server(line, folder):
    """An example that listens: as it stands, but for ports that are free, and an end."""
    (scheme, own), *targets = re.findall(r"(\w+)://([\d.]+:\d+)", line)
    with contextlib.ExitStack() as partners:
        for target_scheme, target in targets:
            partner = partners.enter_context(Running("listen", f"{target_scheme}://127.0.0.1:0", seconds=20))
            line = line.replace(target, address(partner.url()))
        words = shlex.split(line.replace(own, "127.0.0.1:0"))
        server = partners.enter_context(Running(*words[1:], "--count", 1, seconds=20))
        # The debugger's messages are Arrays of three.
        run("send", f"{scheme}://{address(server.url())}", '["name", 1, []]', "--wait", "0.2")
        code = server.process.wait(timeout=30)
        return Done(code, "\n".join(server.rest(server.lines)).encode(), "\n".join(server.rest(server.said)))


def run_in_terminal(line, folder):
    """An example that needs a terminal: as it stands, and ended by q."""
    terminal = Terminal("sh", "-c", line, **shell_variables(folder))
    none = "this build has no browser"
    if none in (seen := terminal.until("quit", none, most=60)):
        return Done(0, seen.encode(), "")
    terminal.type("q")
    code, out = terminal.end()
    return Done(code, seen.encode() + out, "")


def run_editor(line, folder):
    """With an editor that changes nothing, unless the line names one; and a terminal."""
    terminal, stdin = pty.openpty()
    done = in_shell(line, folder, stdin=stdin, EDITOR="true")
    os.close(terminal), os.close(stdin)
    check(f"{line}: written", "written" in done.err, done.err)
    return done


RUN = {"listen": run_server, "proxy": run_server, "send": run_client, "replay": run_client, "browse": run_in_terminal, "edit": run_editor}


def try_example(command, line):
    folder = new_folder()
    prepare()
    done = RUN.get(command, in_shell)(line, folder)
    check(f"{line}: exit code", done.code == (4 if command in ("diff", "recover") else 0), done)
    words = line.split()
    written = pathlib.Path(words[words.index("-o") + 1]) if "-o" in words else None
    if command in ("set", "del", "patch") and written is None:
        written = pathlib.Path(next(word for word in words if word.endswith(".save")))
        old = {"game.save": PLAIN, "secret.save": SECRET}[written.name]
        check(f"{line}: {written} is changed", written.read_bytes() != old.read_bytes())
    # The client's packets in a recording of send are not the server's.
    silent = command == "edit" or (command == "replay" and "to_client" in line)
    if written:
        check(f"{line}: {written} is written", written.exists() and written.stat().st_size)
    elif not silent:
        check(f"{line}: something is printed", done.out)


commands, ran = command_names(), 0
check("commands in --help", len(commands) >= 16, commands)
for command in commands:
    text = run(command, "--help").out.decode().partition("Examples:")[2]
    found = [line.strip() for line in text.splitlines() if line.strip()]
    check(f"{command}: one to three examples", 1 <= len(found) <= 3, found)
    for line in found:
        try_example(command, line)
        ran += 1
print(f"{ran} examples")
finish()
