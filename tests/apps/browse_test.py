#!/usr/bin/env python3
"""`gdvar browse`, played in a terminal of tmux: keys go in, the screen is read.

Nothing waits for a time; each step waits until the screen shows what it should, for at most 30 seconds, under Wine 120.

Usage: browse_test.py GDVAR SOURCE_DIR"""
import os, pathlib, re, shutil, signal, subprocess, sys, time, unicodedata

sys.path.append(sys.path[0] + "/../support")
from by_hand import array, dictionary, integer, record, string
from command import EVIL, GDVAR, PLAIN, SAVES, WINDOWS, cannot_show, check, each, expect, finish, new_folder, put, run, skip

SOCKET = f"gdvar-browse-{os.getpid()}"

if not shutil.which("tmux"):
    skip("tmux is not installed")

home = str(new_folder())
os.environ.update({"LC_ALL": "C.UTF-8", "HOME": home, "XDG_CONFIG_HOME": home, "HISTFILE": ""})


def tmux(*words, **more):
    return subprocess.run(["tmux", "-L", SOCKET, "-f", "/dev/null", *words], capture_output=True, text=True, **more)


def until(what, condition, detail=lambda: ""):
    deadline = time.monotonic() + (0 if cannot_show(what) else 120 if WINDOWS else 30)
    while not condition():
        if time.monotonic() > deadline:
            check(what, False, detail())
            return False
        time.sleep(0.01)
    check(what, True)
    return True


class Terminal:
    """A shell in a terminal, in which commands are typed."""
    count = 0

    def __init__(self, width=100, height=30, env=""):
        Terminal.count += 1
        self.name = f"t{Terminal.count}"
        tmux("new-session", "-d", "-s", self.name, "-x", str(width), "-y", str(height),
             f"env PS1='READY> ' {env} bash --norc --noprofile -i")
        tmux("set-option", "-t", self.name, "status", "off")
        tmux("resize-window", "-t", self.name, "-x", str(width), "-y", str(height))
        self.shows("READY>")

    def screen(self, *options):
        return tmux("capture-pane", "-p", "-t", self.name, *options).stdout

    def shows(self, text):
        pattern = text if isinstance(text, re.Pattern) else re.compile(re.escape(text))
        return until(f"{self.name} shows {text}", lambda: pattern.search(self.screen()), self.screen)

    def hides(self, text):
        return until(f"{self.name} no longer shows {text}", lambda: text not in self.screen(), self.screen)

    def keys(self, *names):
        if not WINDOWS:
            tmux("send-keys", "-t", self.name, *names)
            return
        for name in names:
            tmux("send-keys", "-t", self.name, name)
            if name == "Escape":  # Wine takes it and the next key for one with Alt
                time.sleep(0.3)

    def type(self, text):
        tmux("send-keys", "-t", self.name, "-l", "--", text)

    def start(self, *words, shows="q quit"):
        """Nothing of before is on the screen, so that it is not taken for what comes."""
        self.type("clear")
        self.keys("Enter")
        until(f"{self.name} is cleared", lambda: self.screen().strip() == "READY>", self.screen)
        self.type(" ".join(words))
        self.keys("Enter")
        return self.shows(shows)

    def back(self):
        """The shell is back, with a terminal that shows what is typed."""
        if WINDOWS:  # Wine's console takes keys, and holds the terminal, for a moment longer
            return until(f"{self.name} is back", lambda: self.keys("Enter") or time.sleep(0.3) or "READY>" in self.screen(), self.screen)
        self.keys("Enter")
        self.shows("READY>")
        self.type("stty -a | grep -o -- ' [-]*echo ' ; echo status $?")
        self.keys("Enter")
        return self.shows(re.compile(r"^ echo *\nstatus 0", re.M))

    def end(self):
        tmux("kill-session", "-t", self.name)


def get(file, path):
    return run("get", file, path)[1].decode().strip()


def an_edit(folder):
    """Search, change, undo, redo, save, quit."""
    save = folder / "game.save"
    shutil.copy(PLAIN, save)
    original = save.read_bytes()
    t = Terminal()
    t.start(GDVAR, "browse", "game.save")
    t.shows("godot-4.4 records")
    t.keys("/")
    t.type("player_1_3")
    t.shows("#0 $.players[3].name")
    t.keys("Enter")
    t.keys("Down")
    t.shows("#0 $.players[3].hp ")
    t.shows("04 00 00 00")  # the bytes beside it: the key's header
    t.keys("Enter")
    t.shows(re.compile(r"hp = 97"))
    t.keys("C-u")
    t.type('"many"')
    t.keys("Enter")
    t.shows("this is an int, the value is a String. Put it there all the same?")
    t.keys("n")
    t.keys("C-u")
    t.type("what")
    t.keys("Enter")
    t.shows("error[")
    t.keys("C-u")
    t.type("9999")
    t.keys("Enter")
    t.shows("#0 $.players[3].hp: 97 -> 9999")
    t.shows("1 change not saved")
    expect("nothing is written before it is saved", save.read_bytes(), original)
    t.keys("u")
    t.shows("undone: #0 $.players[3].hp: 97 -> 9999")
    t.hides("not saved")
    t.keys("C-r")
    t.shows("again: #0 $.players[3].hp: 97 -> 9999")
    t.keys("q")
    t.shows("One change is not saved.")
    t.keys("Escape")
    t.shows("q quit")
    t.keys("s")
    t.shows("keep the old file as (empty: not at all): game.save.old")
    t.keys("Enter")
    t.shows("saved; the old file is game.save.old")
    expect("the new value", get(save, "#0 $.players[3].hp"), "9999")
    expect("the backup", (folder / "game.save.old").read_bytes(), original)
    code, out, _ = run("diff", folder / "game.save.old", save)
    expect("nothing else has changed", (code, out.decode()), (4, "~ #0 $.players[3].hp: 97 -> 9999\n"))
    t.keys("q")
    t.back()
    t.end()


def keys_in_one_go(folder):
    """What is typed before a search has ended is done to what it finds."""
    shutil.copy(PLAIN, folder / "k.save")
    t = Terminal()
    t.start(GDVAR, "browse", "k.save")
    t.type("/player_1_5\re")
    t.shows('.name = "player_1_5"')
    t.keys("Escape", "q")
    t.back()
    t.end()


def add_and_delete(folder):
    save = folder / "more.save"
    shutil.copy(PLAIN, save)
    t = Terminal(80, 24)
    t.start(GDVAR, "browse", "--path", "'#0 $.players[0]'", "--backup", "more.old", "more.save")
    t.keys("a")
    t.shows("new key:")
    t.type("title")
    t.keys("Enter")
    t.shows("new value of title:")
    t.type('"Dr."')
    t.keys("Enter")
    t.shows('#0 $.players[0].title: added "Dr."')
    t.keys("r")
    t.shows('key: "title"')
    t.keys("C-u")
    t.type("rank")
    t.keys("Enter")
    t.shows('renamed to "rank"')
    t.keys("Home", "/")
    t.type("mana")
    t.shows("not found")  # until then, keys would wait for the search and be dropped with it
    t.keys("Enter")
    t.keys("g")
    t.keys("C-u")
    t.type("#0 $.players[1]")
    t.keys("Enter")
    t.shows(re.compile(r"#0 \$\.players\[1\] "))
    t.keys("d")
    t.shows("#0 $.players[1]: removed")
    t.keys("q")
    t.shows("3 changes are not saved.")
    t.keys("s")
    t.back()
    expect("added and renamed", get(save, "#0 $.players[0].rank"), '"Dr."')
    expect("deleted", get(save, "#0 $.players[1].name"), get(PLAIN, "#0 $.players[2].name"))
    expect("--backup", (folder / "more.old").read_bytes(), PLAIN.read_bytes())
    # The backup of an earlier session is not replaced unasked.
    t.start(GDVAR, "browse", "--path", "'#0 $.players[0]'", "--backup", "more.old", "more.save")
    t.keys("d")
    t.shows("#0 $.players[0]: removed")
    t.keys("s")
    t.shows("more.old is there already; another name?")
    t.shows("more.old-2")
    t.keys("Enter")
    t.shows("saved; the old file is more.old-2")
    expect("the earlier backup", (folder / "more.old").read_bytes(), PLAIN.read_bytes())
    t.keys("q")
    t.back()
    t.end()


def narrow(folder):
    """Nothing that is asked or explained is cut in the middle."""
    for width in (80, 60):
        name = f"progress-{width}.save"
        shutil.copy(PLAIN, folder / name)
        t = Terminal(width, 24)
        t.start(GDVAR, "browse", name, shows="quit")
        t.keys("?")
        t.shows("more: Down")
        t.shows(re.compile(r"\bVector2\(1, 2\)"))
        t.keys("PageDown", *["Down"] * 40)
        t.shows("not yet saved")
        t.hides("more: Down")
        t.keys("Escape", "d")
        t.shows("was removed; u brings it back")
        t.keys("s")
        t.shows("keep the old file as (empty: not at all):")
        t.shows(name + ".old")
        t.keys("Escape", "q")
        t.shows("not saved.")
        t.keys("d")
        t.back()
        t.end()


def another_program_changes_it(folder):
    save = folder / "both.save"
    shutil.copy(PLAIN, save)
    t = Terminal()
    t.start(GDVAR, "browse", "--path", "'#0 $.version'", "both.save")
    expect("set is not held up", run("set", save, "#0 $.players[0].hp", "1")[0], 0)
    t.keys("e", "C-u")
    t.type("2")
    t.keys("Enter")
    t.shows("-> 2")
    t.keys("s")
    t.shows("keep the old file")
    t.keys("C-u", "Enter")
    t.shows("another program has changed the file, so nothing was written")
    expect("its change stays", get(save, "#0 $.players[0].hp"), "1")
    t.keys("S")
    t.shows("both.save.new")
    t.keys("Enter")
    t.shows("written to both.save.new")
    expect("nothing is lost", get(folder / "both.save.new", "#0 $.version"), "2")
    t.keys("q")
    t.shows("not saved")
    t.keys("d")
    t.back()
    t.end()


def a_secret(folder):
    shutil.copy(SAVES / "godot-4.6.3/gdec_pass.save", folder / "secret.save")
    t = Terminal()
    t.start(GDVAR, "browse", "secret.save", shows="Password of secret.save:")
    t.type("wrong")
    t.keys("Enter")
    t.shows("This password does not open it")
    t.type("correct horse 12")
    t.keys("BSpace", "Enter")
    t.shows("gdec-4 > godot-4.4 records")
    check("the password is never shown", "horse" not in t.screen("-S", "-"), t.screen("-S", "-"))
    t.keys("q")
    t.back()
    t.start(GDVAR, "browse", "secret.save", shows="Password of secret.save:")
    t.keys("C-c")
    t.shows("no password was given")
    t.back()
    put("pass.txt", "correct horse 1\n")
    t.start(GDVAR, "browse", "--password-file", "pass.txt", "secret.save")
    t.shows("gdec-4 > godot-4.4 records")
    t.keys("q")
    t.back()
    t.end()


def pid_of(terminal):
    shell = tmux("list-panes", "-t", terminal.name, "-F", "#{pane_pid}").stdout.strip()
    return int(pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text().split()[0])


def signals(folder):
    """However it ends, the terminal is as it was."""
    shutil.copy(PLAIN, folder / "s.save")
    t = Terminal()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGSEGV, signal.SIGABRT):
        t.start(GDVAR, "browse", "s.save")
        os.kill(pid_of(t), number)
        t.hides("q quit")
        t.back()
    t.start(GDVAR, "browse", "--path", "'#0 $.version'", "s.save")
    t.keys("C-z")
    t.shows("Stopped")
    t.type("stty -a | grep -o -- ' [-]*echo '")
    t.keys("Enter")
    t.shows(re.compile(r"^ echo *$", re.M))
    t.type("fg")
    t.keys("Enter")
    t.shows("q quit")
    t.keys("Enter", "C-u")
    t.type("5")
    t.keys("Enter")
    t.shows("-> 5")
    pid = pid_of(t)
    os.kill(pid, signal.SIGTSTP)
    t.shows("Stopped")
    t.type("fg")
    t.keys("Enter")
    t.shows("1 change not saved")
    os.kill(pid, signal.SIGTERM)
    t.shows("what was not saved is lost")
    t.back()
    expect("nothing was written", (folder / "s.save").read_bytes(), PLAIN.read_bytes())
    t.end()


def sizes(folder):
    shutil.copy(PLAIN, folder / "w.save")
    t = Terminal(120, 30)
    t.start(GDVAR, "browse", "--path", "'#0 $.players[2].name'", "w.save")
    t.shows("in the file's content")
    for width, height in ((60, 20), (40, 10), (20, 5), (10, 3), (3, 2), (1, 1), (2, 8), (200, 50), (100, 30)):
        tmux("resize-window", "-t", t.name, "-x", str(width), "-y", str(height))
        t.keys("?")
        t.keys("Escape")
        t.keys("Enter")
        t.keys("Escape")
        if width >= 20:
            t.shows(".name St")
    t.shows("q quit")
    t.shows("in the file's content")
    t.keys("q")
    t.back()
    t.end()


def hostile(folder):
    """Nothing of the data reaches the terminal but characters to be shown."""
    # A pair with such a key and value; an Array of such values of any width.
    wide = ["日本語のテキスト", "👩‍👩‍👧‍👦 family", "e\u0301" * 5, "Z" + "\u0336" * 200, "ｈａｌｆ", "x" * 5000, "日" * 3000]
    packet = dictionary([string(EVIL) + string(EVIL), string("list") + array(map(string, wide))])
    put("evil.save", record(packet))
    t = Terminal(100, 30)
    tmux("pipe-pane", "-t", t.name, f"cat > {folder}/output")
    t.start(GDVAR, "browse", "--dialect", "godot4", "evil.save", "2>errors")
    t.keys("*")
    t.shows("日本語のテキスト")
    t.shows("\\u001b]0;owned")
    screen = t.screen()
    for line in screen.splitlines():
        check("the line fits", sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1
                                   for c in line) <= 100, line)
    # The bar between tree and bytes stands in one column.
    bars = {sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1
                for c in line[:line.index("│")]) for line in screen.splitlines() if "│" in line}
    expect("columns", len(bars), 1)
    for key in ("Down", "Down", "Down", "Down", "Down", "Down"):
        t.keys(key, "Enter", "Left", "Home", "End", "Escape")
    t.keys("Home", "Down", "r")
    t.shows("key:")
    t.keys("Escape", "Enter", "Home", "Right", "Escape", "q")
    t.back()
    seen = (folder / "output").read_bytes()
    check("the title stays", b"]0;owned" not in seen.replace(b"\\u001b]0;owned", b""))
    check("no reset", b"\x1bc" not in seen)
    for bad in ("\u202e", "\u2066", "\u200f", "\ufeff", "\x9b", "\U000e0041", "\u200d"):
        check(f"no {bad!r}", bad.encode() not in seen)
    t.end()


def large(folder):
    """A million values open at once; End, search and going back take no time that is noticed."""
    count = 1_000_000
    put("large.save", record(array(map(integer, range(count)))))
    t = Terminal()
    t.start(GDVAR, "browse", "--dialect", "godot4", "large.save")
    t.shows("Array (1000000 elements)")
    t.keys("End")
    t.shows("[999999] int 999999")
    t.keys("Home", "/")
    t.type("777777")
    t.shows("#0 $[777777]")
    t.keys("Enter", "Enter")
    t.keys("C-u")
    t.type("5")
    t.keys("Enter")
    t.shows("#0 $[777777]: 777777 -> 5")
    t.keys("/")
    t.type("nowhere to be found")
    t.shows("not found")
    t.keys("Escape")
    t.keys("q", "d")
    t.back()
    t.end()


def broken(folder):
    whole = PLAIN.read_bytes()
    put("cut.save", whole[:1000])
    t = Terminal()
    t.start(GDVAR, "browse", "cut.save", shows="q quit")
    t.shows(re.compile(r"read-only: the file is broken off at #0 \$\.players\[\d+\].*: error\[truncated\]"))
    t.shows("gdvar recover")
    t.shows("cut off")
    check("no changes are offered", "delete" not in t.screen() and "save" not in t.screen().splitlines()[-1], t.screen())
    t.keys("*")
    t.shows(".players")
    t.keys("Down", "e")
    t.shows("nothing can be changed: the file is broken off at")
    t.keys("q")
    t.back()
    put("text.save", b"\x89PNG\r\n\x1a\n" + bytes(40))
    t.start(GDVAR, "browse", "text.save", shows="error[not_recognised]")
    t.start(GDVAR, "browse", "nothing.save", shows="error[io]")
    t.start(GDVAR, "browse", ".", shows="this is a folder")
    t.end()


def pasted(folder):
    shutil.copy(PLAIN, folder / "p.save")
    t = Terminal()
    t.start(GDVAR, "browse", "--path", "'#0 $.players[0].name'", "p.save")
    tmux("set-buffer", "-b", "words", "dddq\nq\n")
    tmux("paste-buffer", "-p", "-b", "words", "-t", t.name)
    t.shows("pasted text does nothing here")
    check("no command was run", "not saved" not in t.screen(), t.screen())
    t.keys("Enter", "C-u")
    t.type('"')
    tmux("paste-buffer", "-p", "-b", "words", "-t", t.name)
    t.type('"')
    t.keys("Enter")
    t.shows(re.compile(r"dddq.*q"))
    t.shows("1 change not saved")
    t.keys("q", "d")
    t.back()
    t.end()


def colours(folder):
    shutil.copy(PLAIN, folder / "c.save")
    for env, coloured in (("", True), ("NO_COLOR=1", False)):
        t = Terminal(env=env)
        t.start(GDVAR, "browse", "c.save")
        # Cyan; bright on Windows.
        check(f"colours with {env or 'nothing'}", bool(re.search(r"\x1b\[([\d;]+;)?[39]6m", t.screen("-e"))) == coloured)
        t.keys("q")
        t.back()
        t.end()


def marks(folder):
    """Of ASCII for a user whose locale is. The bytes of a text's packets are shown when asked for."""
    shutil.copy(PLAIN, folder / "m.save")
    put("m.json", '{"hp": 7}\n')
    t = Terminal()
    t.start("LC_ALL=C", GDVAR, "browse", "m.save")
    t.shows("> .players")
    check("ASCII", t.screen().isascii(), t.screen())
    t.keys("q")
    t.back()
    t.start(GDVAR, "browse", "m.json")
    check("no bytes", "│" not in t.screen(), t.screen())
    t.keys("b")
    t.shows("in the packet")
    t.keys("q")
    t.back()
    t.end()


def no_terminal(folder):
    code, _, messages = run("browse", PLAIN)
    expect("no terminal", (code, messages),
           (2, "gdvar: browse needs a terminal; gdvar show prints the values as text\n"))
    expect("standard input", run("browse", "-")[0], 2)
    t = Terminal()
    t.start("TERM=dumb", GDVAR, "browse", str(PLAIN), shows="this terminal (TERM=dumb) can't place text")
    t.start("TERM=unheard-of", GDVAR, "browse", str(PLAIN), shows="this terminal (TERM=unheard-of) is not known")
    t.back()
    t.end()


try:
    # The server ends with its last session, and a new one could still meet it.
    tmux("new-session", "-d", "-s", "stays", "cat")
    each(no_terminal, an_edit, keys_in_one_go, add_and_delete, narrow, another_program_changes_it, a_secret, signals, sizes, hostile, large,
         broken, pasted, marks, colours)
finally:
    tmux("kill-server")
finish()
