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


def started(code: str) -> list[str]:
    # A sanitizer's runtime is for Python alone.
    return [sys.executable, "-c", f"import os; os.environ.pop('LD_PRELOAD', None); {code}"]


# The command, started as the console script does, and as `python -m gdvar` does.
SCRIPT = started("from gdvar._command import main; main()")
MODULE = started("import runpy; runpy.run_module('gdvar', run_name='__main__')")


def run(*arguments: str, data: bytes = b"", start: list[str] = SCRIPT) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*start, *arguments], input=data, capture_output=True, timeout=120, check=False)


def test_the_command_is_the_same_version() -> None:
    for start in (SCRIPT, MODULE):
        version = run("--version", start=start)
        assert (version.returncode, version.stderr) == (0, b"")
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
    ended = subprocess.run([*SCRIPT, "--help"], stdout=writer, timeout=120, check=False)
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
