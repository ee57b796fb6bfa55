"""Starts the command `gdvar` that is in the package: `_bin/gdvar`.

The command reads its own arguments and standard streams; its exit code is that of the process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import NoReturn

from gdvar import _gdvar

__all__ = ["main", "path"]


def path() -> str:
    """The path of the command.

    Raises:
        FileNotFoundError: the package was built without the command.
    """
    name = "gdvar.exe" if os.name == "nt" else "gdvar"
    # Beside the extension: in an editable installation and in a build folder the modules are elsewhere.
    found = os.path.join(os.path.dirname(os.path.abspath(_gdvar.__file__)), "_bin", name)
    if not os.path.isfile(found):
        raise FileNotFoundError(f"this package was built without the command: {found}")
    return found


def main() -> NoReturn:
    """Runs the command with the arguments of this process, and ends the process with its exit code."""
    try:
        command = path()
    except FileNotFoundError as missing:
        sys.exit(f"gdvar: {missing}\nA wheel of gdvar has the command; other ways to get it: docs/install.md")
    arguments = [command, *sys.argv[1:]]
    if os.name == "nt":
        # exec on Windows returns to the shell before the command has ended. Ctrl-C is the command's.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with subprocess.Popen(arguments) as running:
            sys.exit(running.wait())
    # Python ignores these, which the command would inherit: `gdvar ... | head` would be an error.
    for name in ("SIGPIPE", "SIGXFSZ"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.execv(command, arguments)
