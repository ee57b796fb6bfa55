#!/usr/bin/env python3
"""Every example that `gdvar COMMAND --help` shows, run as it stands there, in a folder with the files it names.
Usage: examples_test.py GDVAR SOURCE_DIR"""
import gzip, os, pathlib, pty, re, select, shutil, subprocess, sys, tempfile

import checks

gdvar, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
saves = root / "tests/data/saves"
failures, ran = [], 0


def run(*words, **more):
    return subprocess.run([gdvar, *words], capture_output=True, timeout=60, **more)


def prepare(folder):
    """The files that the examples name."""
    shutil.copy(saves / "godot-4.6.3/plain.save", folder / "game.save")
    shutil.copy(saves / "godot-4.6.3/gdec_pass.save", folder / "secret.save")
    shutil.copy(saves / "godot-3.6.2/plain.save", folder / "old.save")
    (folder / "broken.save").write_bytes((folder / "game.save").read_bytes()[:2890])
    (folder / "pass.txt").write_text("correct horse 1\n")
    (folder / "values.txt").write_text('{"a": 1}\n[Vector2(1, 2), &"name"]\n')
    (folder / "settings.json").write_text('{"volume": 0.5, "names": ["Ada"]}')
    (folder / "saves").mkdir()
    shutil.copy(folder / "game.save", folder / "saves")
    shutil.copy(root / "tests/data/resources/godot-4.6.3/pack.pck", folder / "game.pck")
    (folder / "buffer.gz").write_bytes(gzip.compress(b"abc" * 100))
    run("set", "game.save", "#0 $.players[3].hp", "1", "-o", "other.save", cwd=folder)
    run("diff", "--patch", "game.save", "other.save", "-o", "to-other.patch", cwd=folder)


LIVE = ("listen", "send", "proxy", "replay")


def listening(process):
    """The address at which a command says that it listens, and the line in which it does."""
    first = process.stderr.readline()
    return re.search(rb"listening at \w+://([\d.:]+)", first)[1].decode(), first


def listener(*words):
    """A command that listens at a port that is free, and its address."""
    process = subprocess.Popen([gdvar, "listen", *words, "--time", "20"], stderr=subprocess.PIPE)
    return process, listening(process)[0]


def run_live(line, folder, env):
    """An example with connections: as it stands, but for ports that are free, and an end."""
    own, *others = re.findall(r"\w+://([\d.]+:\d+)", line)
    command = line.split()[1]
    packets = run("pack", "--dialect", "godot3", "--output", "hex", input=b"[1, 2]").stdout
    (folder / "packets.bin").write_bytes(bytes.fromhex(packets.decode()))
    partner = None
    if command in ("send", "replay"):
        scheme = re.search(r"(\w+)://", line)[1]
        partner, address = listener(f"{scheme}://127.0.0.1:0", "--answer", "echo", "--form", "none")
        line = line.replace(own, address)
        if command == "replay":
            run("send", f"{scheme}://{address}", "[1]", "--wait", "0.1", "--record", folder / "game.rec")
            line += " --wait 0.2 --form text"
        done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, timeout=60, env=env)
    else:
        if command == "proxy":
            scheme = re.findall(r"(\w+)://", line)[1]
            partner, address = listener(f"{scheme}://127.0.0.1:0")
            line = line.replace(others[0], address)
        line = line.replace(own, "127.0.0.1:0")
        process = subprocess.Popen(["sh", "-c", f"exec {line} --count 1 --time 20"], cwd=folder, env=env,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        address, first = listening(process)
        # The debugger's messages are Arrays of three.
        scheme = re.search(r"(\w+)://", line)[1]
        run("send", f"{scheme}://{address}", '["name", 1, []]', "--wait", "0.2")
        out, err = process.communicate(timeout=30)
        done = subprocess.CompletedProcess(line, process.returncode, out, first + err)
    if partner:
        partner.terminate()
        partner.communicate(timeout=20)
    return done


def run_in_terminal(line, folder, env):
    """An example that needs a terminal: as it stands, and ended by q."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execve("/bin/sh", ["sh", "-c", line], {**env, "TERM": "xterm"})
    seen = b""
    while b"quit" not in seen and (select.select([terminal], [], [], 60)[0] or os.kill(child, 9)):
        try:
            seen += os.read(terminal, 65536)
        except OSError:  # it has ended
            break
    else:
        os.write(terminal, b"q")
    seen += checks.drained(terminal)
    status = os.waitpid(child, 0)[1]
    if b"this build has no browser" in seen:
        status = 0
    return subprocess.CompletedProcess(line, os.waitstatus_to_exitcode(status), seen, seen)


def examples(command):
    text = run(command, "--help").stdout.decode()
    return [line.strip() for line in text.partition("Examples:")[2].splitlines() if line.strip()]


commands = [line.split()[0] for line in run("--help").stdout.decode().lower().partition("subcommands:")[2].splitlines()
            if line.startswith("  ") and line.split() and line[2] != " "]
if len(commands) < 16:
    failures.append(f"only {commands} in --help")
for command in commands:
    found = examples(command)
    if not 1 <= len(found) <= 3:
        failures.append(f"{command}: {len(found)} examples")
    for line in found:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            prepare(folder)
            tool = folder / "bin"
            tool.mkdir()
            (tool / "gdvar").symlink_to(gdvar)
            env = {**os.environ, "PATH": f"{tool}:{os.environ['PATH']}"}
            if command in LIVE:
                done = run_live(line, folder, env)
            elif command == "browse":
                done = run_in_terminal(line, folder, env)
            elif command == "edit":  # an editor that changes nothing, unless the line names one; and a terminal
                terminal, stdin = pty.openpty()
                done = subprocess.run(["sh", "-c", line], cwd=folder, stdin=stdin, capture_output=True, timeout=60,
                                      env={**env, "VISUAL": "", "EDITOR": "true"})
                os.close(terminal), os.close(stdin)
            else:
                done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, timeout=60, env=env)
            ran += 1
            wanted = 4 if command in ("diff", "recover") else 0
            if done.returncode != wanted:
                failures.append(f"{line}: exit code {done.returncode}\n{done.stderr.decode()}")
            words = line.split()
            written = folder / words[words.index("-o") + 1] if "-o" in words else None
            if command in ("set", "del", "patch") and written is None:
                written = folder / next(word for word in words if word.endswith(".save"))
                if written.read_bytes() == (saves / "godot-4.6.3" / {"game.save": "plain.save",
                                            "secret.save": "gdec_pass.save"}[written.name]).read_bytes():
                    failures.append(f"{line}: nothing was changed")
            if written and not (written.exists() and written.stat().st_size):
                failures.append(f"{line}: {written.name} was not written")
            # What a recording of send holds for the client are no packets of the server's.
            silent = command == "edit" or (command == "replay" and "to_client" in line)
            if command == "edit" and b"written" not in done.stderr:
                failures.append(f"{line}: {done.stderr.decode()}")
            if not written and not done.stdout and not silent:
                failures.append(f"{line}: nothing was printed")
for failure in failures:
    print("FAILED", failure)
print(f"{ran} examples, {len(failures)} failed")
sys.exit(bool(failures))
