"""Real engines on the other side of gdvar.aio: Godot's client with our server, and the other way.

They run tests/net/peers4.gd and peers3.gd, as the live tests in C++ do. Without the engines
(scripts/engines; Debian's godot3-server) the tests are skipped.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from vectors import SOURCE, Vector, vectors

import gdvar
from gdvar import aio

pytestmark = pytest.mark.live
pytest.importorskip("websockets.asyncio.client")


class Kind(NamedTuple):
    """What the engines' scripts call a transport, and what it is here."""

    name: str
    scheme: str
    big_endian: bool = False


class Engine(NamedTuple):
    """`values`: how many values the script sends as a client."""

    name: str
    script: str
    recording: str
    dialect: str
    values: int
    kinds: list[Kind]


COMMON = [
    Kind("tcp", "tcp"),
    Kind("tcp_big", "tcp", big_endian=True),
    Kind("packets", "tcp"),
    Kind("tls", "tls"),
    Kind("udp", "udp"),
    Kind("ws", "ws"),
]
ENGINES = [
    Engine(
        "godot-4.6.3",
        "peers4.gd",
        "godot-4.6.3",
        "godot-4.4",
        56,
        [*COMMON, Kind("unix", "unix"), Kind("wss", "wss")],
    ),
    Engine("godot-3.6.2", "peers3.gd", "godot-3.6.2", "godot-3.1", 38, COMMON),
    Engine("godot-3.2.3", "peers3.gd", "godot-3.2.3", "godot-3.1", 38, COMMON),
]


class Live:
    """An engine that is here, with a folder below its root and a certificate in it."""

    def __init__(self, engine: Engine, folder: Path, root: Path, program: list[str]) -> None:
        self.engine = engine
        self.folder = folder
        self.seen = "/" + str(folder.relative_to(root))
        self.program = program
        command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext"
        subprocess.run(
            [*command.split(), "subjectAltName=DNS:localhost,IP:127.0.0.1"]
            + ["-keyout", "server.key", "-out", "server.crt"],
            cwd=folder,
            check=True,
            capture_output=True,
            timeout=60,
        )

    def server_ssl(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "server.crt", self.folder / "server.key")
        return context

    def client_ssl(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.folder / "server.crt"))

    async def run(self, role: str, places: dict[str, str]) -> list[str]:
        """What the script wrote; `places` are ports and paths by the names of kinds."""
        shutil.copy(SOURCE / "tests" / "net" / self.engine.script, self.folder / "script.gd")
        four = self.engine.script == "peers4.gd"
        key = [f"{self.seen}/server.key"] if role == "server" else []
        process = await asyncio.create_subprocess_exec(
            *self.program,
            "--headless" if four else "--no-window",
            "-s",
            f"{self.seen}/script.gd",
            *(["--"] if four else []),
            role,
            f"{self.seen}/out.txt",
            f"{self.seen}/server.crt",
            *key,
            *(f"{name}={place}" for name, place in places.items()),
            cwd=self.folder,
            env={**os.environ, "HOME": self.seen, "LD_PRELOAD": ""},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            async with asyncio.timeout(100):
                output, _ = await process.communicate()
        except BaseException:
            process.kill()
            await process.wait()
            raise
        out = self.folder / "out.txt"
        assert out.exists(), output.decode(errors="replace")
        return out.read_text().splitlines()


@pytest.fixture(params=ENGINES, ids=[engine.name for engine in ENGINES])
def live(request: pytest.FixtureRequest) -> Iterator[Live]:
    engine: Engine = request.param
    if engine.name == "godot-3.2.3":
        root, program = Path("/"), ["/usr/bin/godot3-server"]
        if not os.access(program[0], os.X_OK):
            pytest.skip("godot3-server is not installed")
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        root = Path(os.environ.get("GDVAR_ENGINES") or cache / "gdvar" / "engines")
        name = "godot" if engine.name == "godot-4.6.3" else "godot3-server"
        program = ["chroot", str(root), name]
        if not (root / "usr").is_dir():
            pytest.skip("scripts/engines has not been run")
        if os.geteuid() != 0:
            pytest.skip("only root can enter the engines' tree")
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl command to make a certificate")
    with tempfile.TemporaryDirectory(dir=root / "tmp", prefix="gdvar-live-") as folder:
        yield Live(engine, Path(folder), root, program)


# ---- the engine as a client ----


async def answer(connection: aio.Connection) -> None:
    """Sends values back; what is refused is answered with the error's name."""
    while True:
        try:
            value = await connection.get_var()
        except gdvar.DecodeError as error:
            value = error.code
        await connection.put_var(value)


def test_the_engine_as_a_client(live: Live) -> None:
    async def test() -> list[str]:
        places: dict[str, str] = {}
        async with AsyncExitStack() as servers:
            for kind in live.engine.kinds:
                unix = kind.scheme == "unix"
                server = await servers.enter_async_context(
                    await aio.serve(
                        answer,
                        f"unix:{live.folder}/socket" if unix else f"{kind.scheme}://127.0.0.1:0",
                        dialect=live.engine.dialect,
                        big_endian=kind.big_endian,
                        ssl=live.server_ssl() if kind.scheme in ("tls", "wss") else None,
                    )
                )
                places[kind.name] = f"{live.seen}/socket" if unix else server.url.rsplit(":", 1)[1]
            return await live.run("client", places)

    lines = asyncio.run(test())
    assert [line for line in lines if ":" in line] == []
    for kind in live.engine.kinds:
        assert f"{kind.name} {live.engine.values} objects_forbidden" in lines


# ---- the engine as a server ----


def free_port(kind: Kind) -> int:
    of = socket.SOCK_DGRAM if kind.scheme == "udp" else socket.SOCK_STREAM
    with socket.socket(socket.AF_INET, of) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def sendable(engine: Engine, kind: Kind) -> list[Vector]:
    """The packets that come back as they went: not Objects, which an engine makes ids of, nor the
    padding of Godot 3's NodePaths, which holds whatever was in memory."""
    out: list[Vector] = []
    for vector in vectors(engine.recording):
        if vector.name == "object_as_id" or vector.name.endswith("_full"):
            continue
        if kind.scheme == "udp" and len(vector.data) > 30_000:
            continue
        try:
            if rewritten(engine, vector.data) == vector.data:
                out.append(vector)
        except gdvar.Error:
            continue
    return out


def rewritten(engine: Engine, packet: bytes) -> bytes:
    return gdvar.dumps(gdvar.loads(packet, dialect=engine.dialect), dialect=engine.dialect)


async def reach(live: Live, kind: Kind, url: str) -> aio.Connection:
    """A connection to the engine's server of a kind, which comes up when the one before is done."""
    while True:
        try:
            connection = await aio.connect(
                url,
                dialect=live.engine.dialect,
                big_endian=kind.big_endian,
                ssl=live.client_ssl() if kind.scheme in ("tls", "wss") else None,
            )
        except OSError:
            await asyncio.sleep(0.05)
            continue
        if kind.scheme != "udp":
            return connection
        try:
            # Nobody says whether it is there: it is asked until it answers.
            await connection.put_var(0)
            async with asyncio.timeout(0.5):
                await connection.get_var()
            return connection
        except OSError:  # TimeoutError, too
            connection.abort()


async def send_all(live: Live, kind: Kind, connection: aio.Connection) -> tuple[int, list[str]]:
    """How many packets were sent, and the names of those that came back differently."""
    all_of_it = sendable(live.engine, kind)
    differing: list[str] = []
    for vector in all_of_it:
        await connection.put_packet(vector.data)
        async with asyncio.timeout(10):
            back = await connection.get_packet()
        if rewritten(live.engine, back) != vector.data:
            differing.append(vector.name)
    await connection.put_var("quit")
    try:
        # Some engines forget packets that arrive together with the close.
        async with asyncio.timeout(0.3):
            await connection.get_packet()
    except (TimeoutError, gdvar.Error, ConnectionError):
        pass
    connection.abort()
    return len(all_of_it), differing


def test_the_engine_as_a_server(live: Live) -> None:
    urls: dict[str, str] = {}
    places: dict[str, str] = {}
    for kind in live.engine.kinds:
        if kind.scheme == "unix":
            urls[kind.name], places[kind.name] = f"unix:{live.folder}/socket", f"{live.seen}/socket"
        else:
            port = str(free_port(kind))
            urls[kind.name], places[kind.name] = f"{kind.scheme}://127.0.0.1:{port}", port

    async def test() -> dict[str, Any]:
        outcomes: dict[str, Any] = {}
        running = asyncio.create_task(live.run("server", places))
        try:
            for kind in live.engine.kinds:
                async with asyncio.timeout(40):
                    connection = await reach(live, kind, urls[kind.name])
                    outcomes[kind.name] = await send_all(live, kind, connection)
        except BaseException:
            running.cancel()
            raise
        await running
        return outcomes

    outcomes = asyncio.run(test())
    for kind in live.engine.kinds:
        sent, differing = outcomes[kind.name]
        assert differing == [], kind.name
        assert sent > 250
