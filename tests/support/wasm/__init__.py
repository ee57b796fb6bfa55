"""The command of the npm package without a program for this system: WebAssembly in Node, and the checks that it can't show, each with its
reason."""
import os, pathlib, shutil

# Node of version 20 or later.
NODE = os.environ.get("GDVAR_NODE") or shutil.which("node")


def wrapper(command, folder):
    """A script in that folder that is the command."""
    script = pathlib.Path(folder) / "gdvar"
    script.write_text(f"#!/bin/sh\nexec '{NODE}' '{command}' \"$@\"\n")
    script.chmod(0o755)
    return str(script)


# ---- what can't be shown

SOCKETS = "WASI has no sockets"
PROGRAMS = "WASI starts no other programs"
# By test: a reason, what it is (a check, a function of `each`, a last part, or "" for all), and how many checks that has.
TABLE = {
    "annotate": [("WASI knows no width of a terminal", what, 1) for what in ("60 columns", "*: 67 columns")],
    "browse": [("browse is not in the command as WebAssembly", "", 283)],
    "edit": [(PROGRAMS, "", 690)],
    "files": [("WASI follows no link to a stream, as /dev/stdin is", "one password for all", 1)],
    "hardening": [("the hardening is that of Linux programs", "", 7)],
    "live_command": [(SOCKETS, "", 289)],
    "messages": [(PROGRAMS, what, 1) for what in ("edit", "edit SubResource*")],
    "transcripts": [(SOCKETS, "tests/apps/transcripts/live.txt", 1), (PROGRAMS, "tests/apps/transcripts/edit.txt", 1)],
}
