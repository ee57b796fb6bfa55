"""The programs in examples/, run as a user runs them."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support import needs_unix_sockets
from vectors import saves

import gdvar
from gdvar import aio

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def test_the_program_in_the_readme(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, EXAMPLES / "readme.py"], capture_output=True, text=True, cwd=tmp_path
    )
    assert (run.returncode, run.stderr) == (0, "")
    readme = (EXAMPLES.parents[2] / "README.md").read_text()
    shown = readme.split("```python bindings/python/examples/readme.py", 1)[1].split("It prints\n", 1)[1]
    lines = [line[4:] for line in shown.lstrip("\n").split("\n\n", 1)[0].splitlines()]
    assert run.stdout.splitlines() == lines


def edit(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, EXAMPLES / "edit_save.py", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_save_editor(tmp_path: Path) -> None:
    engine = next(engine for engine in saves() if engine.engine == "godot-4.6.3")
    (tmp_path / "password").write_text(engine.password + "\n")
    secret: list[str | Path] = ["--password-file", tmp_path / "password"]
    for file in engine.files:
        if file.stem in ("plain", "gcpf_zstd", "gdec_pass"):
            path = Path(shutil.copy(file, tmp_path))
            shown = edit(path, *secret)
            assert shown.returncode == 0 and shown.stdout.startswith("3 values, godot-4.4, in ")
            done = edit(path, "#0 $.players[3].hp", "9999", *secret)
            assert (done.returncode, done.stderr) == (0, "")
            found = edit(path, "#0 $.players[2:5].hp", *secret).stdout.splitlines()
            assert found[1] == "$.players[3].hp = 9999" and len(found) == 3
            assert Path(f"{path}.old").read_bytes() == file.read_bytes()
            assert edit(path, "#0 $.players[3].hp", "--erase", *secret).returncode == 0
            with gdvar.open_save(path, **engine.opening(file)) as save:
                assert "hp" not in save[0]["players"][3]


def test_the_save_editor_refuses(tmp_path: Path) -> None:
    path = tmp_path / "game.save"
    path.write_bytes(gdvar.dumps({"hp": 1}))
    for arguments, why in (
        (["$.hpp", "1"], "did you mean .hp"),
        (["$.hp", '"many"'], "retype"),
        (["$.hp", "[1,"], "bad_syntax"),
    ):
        refused = edit(path, *arguments)
        assert refused.returncode == 1 and why in refused.stderr
    assert "No such file" in edit(tmp_path / "none").stderr
    assert path.read_bytes() == gdvar.dumps({"hp": 1})


@needs_unix_sockets
def test_the_echo_server(tmp_path: Path) -> None:
    pytest.importorskip("websockets.asyncio.server")
    urls = ["tcp://127.0.0.1:0", "udp://127.0.0.1:0", "ws://127.0.0.1:0", f"unix:{tmp_path}/socket"]
    process = subprocess.Popen(
        [sys.executable, EXAMPLES / "echo_server.py", *urls],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None

    async def talk(url: str) -> None:
        async with asyncio.timeout(30), await aio.connect(url) as connection:
            await connection.put_var({"hello": url})
            assert await connection.get_var() == {"hello": url}
            await connection.put_packet(b"\xff\xff\xff\xff")
            assert await connection.get_var() == "unknown_type"

    try:
        lines = [process.stdout.readline() for _ in urls]
        listening = [line.removeprefix("listening on ").strip() for line in lines]
        assert [url.split(":")[0] for url in listening] == ["tcp", "udp", "ws", "unix"]
        for url in listening:
            asyncio.run(talk(url))
            assert "came" in process.stdout.readline()
            if not url.startswith("udp"):
                assert "is gone: the " in process.stdout.readline()
    except BaseException:
        process.kill()
        raise
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, "")
