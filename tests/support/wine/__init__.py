"""gdvar.exe as a command of this Linux: Wine in a folder of its own, the variables of a home in Windows' terms, editors of Linux, and the
checks that Wine can't show, each with its reason."""
import fcntl, os, pathlib, re, subprocess

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "gdvar"
PREFIX = CACHE / "wine/prefix"
# Wine 8 ends about one program in 10,000 with exit code 1 before its first instruction, also one that only reads and prints (1 of 13,869).
# With err+virtual it says so.
NOT_STARTED = "failed to map the shared user data"
ENVIRONMENT = {"WINEPREFIX": str(PREFIX), "WINEDEBUG": "-all,err+virtual", "WINEDLLOVERRIDES": "mscoree,mshtml="}
ZIG = {"ZIG_GLOBAL_CACHE_DIR": str(CACHE / "zig/cache"), "ZIG_LOCAL_CACHE_DIR": str(CACHE / "zig/cache")}
# Wine takes these from its registry, not from Linux. The first key is made anew by each start of its server.
REGISTRY = """REGEDIT4

[HKEY_CURRENT_USER\\Volatile Environment]
"APPDATA"=hex(2):%s
"USERPROFILE"=hex(2):%s

[HKEY_CURRENT_USER\\Environment]
"TEMP"=hex(2):%s
"TMP"=hex(2):%s
"""
# XDG_RUNTIME_DIR comes first as on Linux, where texts for an editor are there.
WRAPPER = """#!/bin/sh
{environment}
export GDVAR_TEST_ENDED='Z:{folder}' GDVAR_TEST_EDITOR_SH='Z:\\bin\\sh {here}/editor.sh'
export GDVAR_TEST_HOME="Z:$HOME" GDVAR_TEST_SETTINGS="Z:${{XDG_CONFIG_HOME:-$HOME/.config}}"
export GDVAR_TEST_TEMP="Z:${{XDG_RUNTIME_DIR:-${{TMPDIR:-/tmp}}}}"
# Wine looks there for its server.
[ -z "$TMPDIR" ] || export GDVAR_TEST_TMPDIR="$TMPDIR"
unset TMPDIR
[ -z "$EDITOR" ] || export GDVAR_TEST_EDITOR="$EDITOR" EDITOR='Z:{editor} EDITOR'
[ -z "${{VISUAL% }}" ] || export GDVAR_TEST_VISUAL="$VISUAL" VISUAL='Z:{editor} VISUAL'
exec wine '{command}' "$@"
"""


def expanded(variable):
    return ",".join(f"{byte:02x}" for byte in f"%{variable}%\0".encode())


def wrapper(command, folder):
    """A script in that folder that is the command. Wine's own folder is made once, and its server started if it does not run."""
    editor, script, variables = CACHE / "wine/editor.exe", pathlib.Path(folder) / "gdvar", pathlib.Path(folder) / "variables.reg"
    variables.write_text(REGISTRY % tuple(map(expanded, ("GDVAR_TEST_SETTINGS", "GDVAR_TEST_HOME", "GDVAR_TEST_TEMP", "GDVAR_TEST_TEMP"))))

    def run(*words, check=True):
        # Wine's programs in the background would keep a pipe open.
        subprocess.run(words, check=check, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env={**os.environ, **ENVIRONMENT, **ZIG, "DISPLAY": "", "TMPDIR": "/tmp"})

    PREFIX.mkdir(parents=True, exist_ok=True)
    with (PREFIX.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # A server that Wine starts by itself ends with the last command. If one runs, it is this one, of another test.
        run("wineserver", "-p600", check=False)
        if not (PREFIX / "system.reg").exists():
            run("wine", "wineboot", "-i")
        run("wine", "regedit", "/S", f"Z:{variables}")
        if not editor.exists() or editor.stat().st_mtime < (HERE / "editor.c").stat().st_mtime:
            run(CACHE / "native/x86_64-windows-gnu/bin/cc", "-O2", "-s", "-o", editor, HERE / "editor.c")
    environment = "\n".join(f"export {name}='{value}'" for name, value in ENVIRONMENT.items())
    script.write_text(WRAPPER.format(environment=environment, folder=folder, here=HERE, editor=editor, command=command))
    script.chmod(0o755)
    return str(script)


# Additions of Wine's console to its output. It also breaks lines, and counts colours as columns.
CURSOR, COLUMNS = re.compile(rb"\x1b\[(\?25[hl]|K)|\r(?=\r\n)"), 2000

# ---- what can't be shown

LINKS = "Wine 8 shows no symbolic links"
GROUPS = "Wine 8 has no rights of groups"
MODES = "Windows has no file modes"
CONSOLE = "Wine's console breaks lines and adds orders to the cursor"
NAMES = "Windows has no such names"
# In traces of Wine 8: FileRenameInfoEx is refused (87), so is MoveFileExW over a file that is open (5), and gdvar's own lock has it open.
# ReplaceFileW moves the old file away and removes it before it moves the new one.
TWO_STEPS = "Wine 8 replaces a file that is open in two steps, between which it has no name"
MACHINE = "Wine 8 has no hardware profile"
EDITORS = "the usual editor is Notepad"
SIGNALS = "Wine's console, and its signals, are not those of Windows"
# By test: a reason, what it is (a check, a function of `each`, a last part, or "" for all), and how many checks that has.
TABLE = {
    "browse": [(SIGNALS, "signals", 38), (SIGNALS, "t* shows no password was given", 1),
               ("Windows' console has no TERM and no locale", "no_terminal", 9), ("Windows' console has no TERM and no locale", "t* shows > .players", 1),
               ("Windows' console has no TERM and no locale", "ASCII", 1), ("Windows' console gives pasted text as keys", "pasted", 9),
               ("Wine's console does not know tmux's key End", "t* shows [[]999999]*", 1),
               ("Wine's console keeps its size", "sizes", 13), ("Wine's console gives each character one column", "t* shows 日本語のテキスト", 1),
               ("Wine's console gives each character one column", "columns", 1)],
    "command": [(MODES, "its permissions are kept", 1), (LINKS, "a link stay*", 1), (LINKS, "nothing is left behind", 1), (CONSOLE, "progress", 1)],
    "edit": [(SIGNALS, "at a terminal", 82),
             (MODES, "only the user can read it", 1), (MODES, "the file [[]*", 1), (MODES, "a session's folder that others can enter", 1), (MODES, "--container", 1),
             (MODES, "a folder that others can enter", 1), ("Windows has no signals", "was ended by signal 9", 1), (EDITORS, "* if no editor is named", 1),
             (EDITORS, "none at all", 1), ("Windows keeps the folder in which a program is", "by a relative name", 1), ("Wine's locks are not those of Linux", "the file is locked", 1),
             (NAMES, "a strange name", 1)],
    "files": [*((LINKS, what, 1) for what in ("links to folders are not followed", "links are refused", "nothing outside")),
              (NAMES, "so is what is no file", 1), (NAMES, "get escapes names", 1), (NAMES, "as check does", 1)],
    "hardening": [("the hardening is that of Linux programs", "", 7)],
    "replacing": [(LINKS, "the link *", 1), ("Wine says nothing of a file on standard input", "standard input is a file, too", 1), ("Wine itself takes the numbers of closed standard files", "closed standard files", 6), (MODES, "* of a file of mode *", 1), (MODES, "its file", 1), (MODES, "keeps its own mode", 1),
                  (GROUPS, "of another group", 1),
                  *(("Wine keeps no ACLs and attributes of Linux", what, 1) for what in ("the ACL stays", "and stays", "attributes stay"))],
    "terminal": [("Wine 8 has no Unix sockets", "over a Unix socket", 16), (NAMES, "-o /dev/tty prints", 1)],
    "annotate": [(CONSOLE, "*: 67 columns", 1)],
    "transcripts": [("Wine 8 has no Unix sockets", "tests/apps/transcripts/live.txt", 1)],
    "kept_files": [(TWO_STEPS, "its name is there", 1)],
    "live_command": [(MODES, "mode of a.*", 1), ("ENet pauses under Wine for longer than the test waits", "the whole answer", 1)],
    "passwords": [(GROUPS, "mode 6?0", 1), ("a rule of XDG_CONFIG_HOME", "a relative one is ignored", 1),
                  *((MACHINE, what, 1) for what in ("--password-os-id", "set keeps it", "the same by hand", "make one", "and read it",
                                                    "a save of another machine", "the environment's password is not taken instead"))],
}

# By program of the C++ tests: a reason, and which tests (a filter of GoogleTest).
PROGRAMS = {"save_test": [(TWO_STEPS, "AtomicReplace.KilledAtAnyMoment")],
            "platform_test": [("Wine's cmd.exe looks for variables in what a variable holds", "Platform.AShellTakesNoFileForAVariable")],
            # Wine 8 binds each address of the loopback network as 127.0.0.1.
            "net_enet_test": [("Wine 8 sends from 127.0.0.1 alone", "Places.OneAddressHasAShareOfHalfOpenENetConnections:Places.AnAddressHasSoMany*")],
            # A program of Winsock alone: after a reset recv gives 0. Only one that waits meanwhile (WSARecv) gets WSAECONNRESET.
            "net_fault_test": [("Wine 8 tells a reset as an end where nothing waits for bytes", "Ends.AResetIsClosed")]}


def with_editor(line, said):
    """What a line of a shell prints, with the editor that it names in place of the program that starts that."""
    editor = re.search(r"EDITOR='?(\w+)", line)
    return re.sub(r"Z:\S+/editor\.exe EDITOR", editor[1], said) if editor else said
