"""The package as it is installed: the command, the version, what it needs."""

from __future__ import annotations

import importlib.resources
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import gdvar
from gdvar import _command, _gdvar


# The command, started as the console script does. A sanitizer's runtime is for Python alone.
START = [
    sys.executable,
    "-c",
    "import os, sys; os.environ.pop('LD_PRELOAD', None); from gdvar._command import main; main()",
]


def run(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*START, *arguments], input=data, capture_output=True, timeout=120, check=False)


def test_the_command_is_the_same_version() -> None:
    version = run("--version")
    assert version.returncode == 0, version.stderr
    assert version.stdout.decode().split()[-1] == gdvar.__version__


def test_the_command_reads_what_the_package_writes() -> None:
    shown = run("text", "-", data=gdvar.dumps({"hp": 100}))
    assert (shown.returncode, shown.stdout.decode().strip()) == (0, '{\n"hp": 100\n}')


def test_exit_codes_of_the_command_are_those_of_the_process() -> None:
    assert run("check", "-", data=b"\xff\xff").returncode == 1
    assert run("no-such-command").returncode == 2


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there are no signals")
def test_a_pipe_that_nobody_reads_ends_the_command() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run([*START, "--help"], stdout=writer, timeout=120, check=False)
    os.close(writer)
    assert ended.returncode == -signal.SIGPIPE


def test_a_package_without_the_command_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_gdvar, "__file__", str(tmp_path / "_gdvar.abi3.so"))
    with pytest.raises(FileNotFoundError, match="built without the command"):
        _command.path()
    with pytest.raises(SystemExit, match="built without the command"):
        _command.main()


def test_type_checkers_find_the_types() -> None:
    assert importlib.resources.files(gdvar).joinpath("py.typed").is_file()


def test_the_extension_is_for_the_stable_abi() -> None:
    assert _gdvar.__file__ is not None
    assert Path(_gdvar.__file__).name in ("_gdvar.abi3.so", "_gdvar.pyd")
