"""Tools of the tests of the command: how it is run, folders and inputs, checks, generated files.

A test is started as NAME_test.py GDVAR SOURCE_DIR [WORD...], and begins with

    sys.path.append(sys.path[0] + "/../support")
    from command import check, expect, finish, run

It counts what it compares by `check`, `expect` and `tells`, which go on after a failure. `finish` prints the failures and one line with
their number, and ends the test with the exit code. With --update, what `generated` compares is written anew.

With the variable GDVAR_COMMAND, that is the command instead. A gdvar.exe runs under Wine, for which tests/support/wine says how, and the
command.js of the npm package as WebAssembly in Node (tests/support/wasm); the closing line then says how many checks were skipped, after
the reasons.
"""
import collections, fcntl, fnmatch, json, os, pathlib, pty, queue, re, select, signal, subprocess, sys, tempfile, termios, threading, time, traceback, typing

import wasm, wine

GDVAR, ROOT = str(pathlib.Path(os.environ.get("GDVAR_COMMAND") or sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
WINDOWS = GDVAR.endswith(".exe")
ELSEWHERE = wine if WINDOWS else wasm if GDVAR.endswith(".js") else None
DRIVE = "Z:" if WINDOWS else ""  # before the whole name of a file
UPDATE = "--update" in sys.argv
SAVES = ROOT / "tests/data/saves"
PLAIN = SAVES / "godot-4.6.3/plain.save"  # three records
PACKET = bytes.fromhex("1b000000010000000400000001000000610000000200000007000000")  # {"a": 7}
# A text that does to a terminal what no data may. A line of it begins with FORGED.
EVIL = "E\x1b]0;owned\x07\x1b[2J\x1bc\x9b2J\x85\u202e\u2066\u200f\u061c\u2028\ufeff\U000e0041\r\x08\x7f\nFORGED: line\tZ"
SKIPPED = 77

# Variables of the person who runs the tests would change what the command does.
for name in ("COLUMNS", "EDITOR", "GDVAR_KEY", "GDVAR_PASSWORD", "NO_COLOR", "TMUX", "VISUAL", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
    os.environ.pop(name, None)

own_folder = tempfile.TemporaryDirectory(prefix="gdvar-test-", ignore_cleanup_errors=True)
if ELSEWHERE:
    GDVAR = ELSEWHERE.wrapper(GDVAR, own_folder.name)

# ---- running


class Done(typing.NamedTuple):
    code: int
    out: bytes
    err: str

    def lines(self):
        return self.out.decode().splitlines()


def run(*words, stdin=b"", timeout=120, cwd=None, **env):
    """Runs the command. `stdin`: bytes, or an open file. `env`: variables beside those of the test."""
    given = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    for _ in range(3 if WINDOWS else 1):
        done = subprocess.run([GDVAR, *map(str, words)], capture_output=True, timeout=timeout, cwd=cwd, env={**os.environ, **env}, **given)
        if wine.NOT_STARTED.encode() not in done.stderr:
            break
    return Done(done.returncode, done.stdout, done.stderr.decode())


def start(*words, **more):
    """The command, running beside the test: a Popen."""
    return subprocess.Popen([GDVAR, *map(str, words)], **more)


def measured(*words, stdin=b"", **env):
    """As `run`, and the peak memory in bytes. The input comes through a pipe, since files on standard input have no limit."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.flush()
        feed = subprocess.Popen(["cat", f"/dev/fd/{given.fileno()}"], pass_fds=[given.fileno()], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
        process = start(*words, stdin=feed.stdout, stdout=out, stderr=err, env={**os.environ, **env})
        feed.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        feed.wait()
        out.seek(0), err.seek(0)
        return process.returncode, out.read(), err.read().decode(), usage.ru_maxrss * 1024


def in_shell(line, folder, *, stdin=subprocess.DEVNULL, merged=False, **env):
    """A line of a shell in that folder, where `gdvar` is the command. `merged`: `out` has what comes on both streams."""
    done = subprocess.run(["sh", "-c", line], cwd=folder, stdin=stdin, stdout=subprocess.PIPE, timeout=60,
                          stderr=subprocess.STDOUT if merged else subprocess.PIPE, env={**os.environ, **shell_variables(folder), **env})
    return Done(done.returncode, done.stdout, (done.stderr or b"").decode())


def shell_variables(folder):
    tools = pathlib.Path(own_folder.name) / "bin"
    if not tools.exists():
        tools.mkdir()
        (tools / "gdvar").symlink_to(GDVAR)
    return {"PATH": f"{tools}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "HOME": str(folder), "TMPDIR": str(folder)}


def command_names():
    return re.findall(r"^  ([a-z]\S*)", run("--help").out.decode().lower().partition("subcommands:")[2], re.M)


class Running:
    """A command with connections that runs beside the test, and ends with it. Its lines come as it prints them."""

    def __init__(self, *words, seconds=60):
        self.process = start(*words, "--time", seconds, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines, self.said = queue.Queue(), queue.Queue()
        for stream, to in ((self.process.stdout, self.lines), (self.process.stderr, self.said)):
            threading.Thread(target=self.pump, args=(stream, to), daemon=True).start()

    @staticmethod
    def pump(stream, to):
        for line in stream:
            to.put(line.rstrip("\n"))
        to.put(None)

    def url(self):
        line = self.said.get(timeout=20)
        assert line and "listening at " in line, line
        return line.split("listening at ")[1].split(",")[0]

    def port(self):
        return int(self.url().rsplit(":", 1)[1])

    @staticmethod
    def rest(of):
        out = []
        while (line := of.get(timeout=30)) is not None:
            out.append(line)
        return out

    def end(self):
        """Its remaining output, after it was told to stop."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=20)
        return self.rest(self.lines)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, *line, columns=0, **env):
        def take_terminal():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup may have run the test

        self.master, slave = pty.openpty()
        columns = columns or WINDOWS and wine.COLUMNS
        if columns:
            termios.tcsetwinsize(slave, (24, columns))
        attributes = termios.tcgetattr(slave)
        attributes[3] |= termios.NOFLSH  # else Ctrl-C may throw away what the program says of it
        termios.tcsetattr(slave, termios.TCSANOW, attributes)
        self.process = subprocess.Popen(line, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                                        preexec_fn=take_terminal, env={**os.environ, "TERM": "xterm", **env})
        os.close(slave)
        self.seen = b""

    def until(self, *texts, most=30):
        """The text that it shows, up to the end of one of these."""
        pattern, end = re.compile(b"|".join(re.escape(text.encode()) for text in texts)), time.monotonic() + most
        while not (found := pattern.search(self.seen)) and select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
            try:
                self.seen = shown(self.seen + os.read(self.master, 65536))
            except OSError:
                break
        check(f"the terminal shows {' or '.join(map(repr, texts))}", found, self.seen)
        at = found.end() if found else len(self.seen)
        seen, self.seen = self.seen[:at], self.seen[at:]
        return seen.decode()

    def type(self, keys):
        os.write(self.master, keys.encode())

    def end(self):
        """The exit code, and what it shows until all that write to it have ended."""
        seen = shown(self.seen + drained(self.master))
        os.close(self.master)
        return self.process.wait(timeout=20), seen


def shown(seen):
    """What a terminal has got from the command, without what Wine's console adds."""
    return wine.CURSOR.sub(b"", seen) if WINDOWS else seen


def drained(terminal):
    """The remaining output of a pseudo-terminal, until all writers have closed it."""
    seen = bytearray()
    try:
        while part := os.read(terminal, 65536):
            seen += part
    except OSError:  # Linux reports the end this way
        pass
    return bytes(seen)


def on_terminal(*words, columns=0, **env):
    """All that a terminal gets from the command, from both streams."""
    return Terminal(GDVAR, *map(str, words), columns=columns, **env).end()[1].replace(b"\r\n", b"\n")


# ---- inputs


def new_folder():
    """An empty folder, which is the current one from here on. It goes when the test ends."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=own_folder.name)).resolve()
    os.chdir(folder)
    return folder


def put(name, data):
    """A file with these bytes or this text."""
    path = pathlib.Path(name)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def linked(name, to):
    """A symbolic link to that file; the file itself where Wine would see no link."""
    if WINDOWS:
        return name.parent / to
    name.unlink(missing_ok=True)
    name.symlink_to(to)
    return name


def pack(text, *words, dialect="godot4"):
    """The packet of a value that `text --full` could print, or what `words` make of it."""
    done = run("pack", "--full", "--objects", "--dialect", dialect, *words, stdin=text.encode())
    assert done.code == 0, (done.code, done.err)
    return done.out


def recorded(engine):
    """The values that an engine has written into its saves, with texts and packets; their key and password."""
    return [json.loads(line) for line in (SAVES / engine / "expected.ndjson").open()]


def real_saves(pattern="*"):
    """Saves of real games, where they are here."""
    folder = pathlib.Path(os.environ.get("GDVAR_SHARED", ROOT.parent / "shared")) / "real"
    return sorted(folder.glob(pattern))


def here(name):
    """A name that the command has printed, as this system has it."""
    return name.removeprefix(DRIVE)


# ---- checks


def row(what):
    """The table's row for a check, a function of `each`, a last part, or, for "", the whole test."""
    of_test = ELSEWHERE.TABLE.get(pathlib.Path(sys.argv[0]).stem.removesuffix("_test"), ()) if ELSEWHERE else ()
    return next((row for row in of_test if fnmatch.fnmatchcase(what, row[1])), (None, "", 1))


def cannot_show(what):
    """The reason why that can't be shown there. None if it can."""
    return row(what)[0]


def size(what):
    """How many checks that has."""
    return row(what)[2]


results = []  # (what, whether it held, detail); tests with threads add to it, too
skips = collections.Counter()  # by reason


def check(what, condition, detail=""):
    if why := cannot_show(str(what)):
        skips[why] += 1
        return
    results.append((what, bool(condition), "" if condition else detail))


def expect(what, got, wanted):
    if got == wanted:
        check(what, True)
    else:
        check(what, False, f"got {got!r}, wanted {wanted!r}")


def tells(what, done, code, *texts, out=None):
    """A run has ended with that code and messages that hold these texts. `out`: all of its output."""
    check(what, done.code == code and all(text in done.err for text in texts) and out in (None, done.out), done)


def can_show(part):
    """Whether a part of a test can be shown. Where the table of tests/support/wine or wasm has it, its checks are skipped."""
    if why := cannot_show(part):
        skips[why] += size(part)
    return not why


def last_part(what):
    """The last part of a test begins. The test ends before it where it can't be shown."""
    if not can_show(what):
        finish()


def generated(path, made):
    """A file of the project is what it would be if it were made now."""
    was = path.read_text() if path.exists() else ""
    if UPDATE and was != made:
        path.write_text(made)
        print(f"{path.relative_to(ROOT)} is written anew")
        was = made
    check(path.relative_to(ROOT), was == made, was != made and f"{first_difference(was, made)}\n"
          f"  To write it anew: python3 {' '.join(sys.argv)} --update")


def first_difference(was, made):
    last, lines = "", [text.splitlines() for text in (was, made)]
    for i in range(max(map(len, lines))):
        a, b = (each[i] if i < len(each) else "(nothing)" for each in lines)
        if a != b:
            return f"line {i + 1}, after {last!r}\n  there {a}\n  now   {b}"
        last = a if a.startswith("$ ") else last
    return "the last line's end"


def each(*tests):
    """Runs each test with a new folder, or those that words of the command line name. An exception ends that test alone."""
    named = [test for test in tests if test.__name__ in sys.argv[3:]]
    for test in named or tests:
        started = time.monotonic()
        if why := cannot_show(test.__name__):
            print(f"{test.__name__} ... skipped {why}")
            skips[why] += size(test.__name__)
            continue
        try:
            test(new_folder())
        except Skipped as skipped:
            print(f"{test.__name__} ... skipped {skipped.why}")  # scripts/test lists such lines
        except Exception:
            check(test.__name__, False, traceback.format_exc())
        print(f"{test.__name__}: {time.monotonic() - started:.1f} s", flush=True)


class Skipped(SystemExit):
    """Ends a test of `each`, or a whole program."""

    def __init__(self, why):
        super().__init__(SKIPPED)
        self.why = why


def skip(why):
    print(f"skipped: {why}")
    raise Skipped(why)


def finish():
    failures = [(what, detail) for what, held, detail in results if not held]
    for what, detail in failures:
        print(f"FAILED {what}: {detail}")
    for why, count in skips.items():
        print(f"{count} skipped: {why}")
    skipped = f", {skips.total()} skipped" if skips else ""
    print(f"{len(results) - len(failures)} passed, {len(failures)} failed{skipped}")
    sys.exit(1 if failures else 0 if results or skips else SKIPPED)


if why := cannot_show(""):
    skips[why] += size("")
    finish()
