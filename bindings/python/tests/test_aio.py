"""gdvar.aio: every transport, limits, hostile peers, and what happens when things end."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import functools
import logging
import shutil
import socket
import ssl
import struct
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support import NO_UNIX_SOCKETS, needs_fast_loop

import gdvar
from gdvar import aio

VALUES: list[Any] = [
    None,
    True,
    -5,
    0.1,
    "text",
    gdvar.StringName("name"),
    gdvar.Vector3(1, 2, 3),
    {"a": [1, {"b": gdvar.NodePath("a/b:c")}]},
    "x" * 20_000,
]
TRANSPORTS = ["tcp", "unix", "tls", "udp", "ws", "wss"]


def run(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs an asynchronous test, for a minute at most."""

    @functools.wraps(test)
    def wrapper(*args: Any, **names: Any) -> None:
        async def bounded() -> None:
            async with asyncio.timeout(60):
                await test(*args, **names)

        asyncio.run(bounded())

    return wrapper


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with server.pem and server.key."""
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl command to make a certificate")
    folder = tmp_path_factory.mktemp("certificate")
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext"
    subprocess.run(
        [*command.split(), "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        + ["-keyout", "server.key", "-out", "server.pem"],
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=60,
    )
    return folder


async def echo(connection: aio.Connection) -> None:
    async for value in connection:
        await connection.put_var(value)


async def two_alone(
    server: aio.Server, connect: Callable[[], Awaitable[aio.Connection]]
) -> tuple[aio.Connection, aio.Connection]:
    """Two clients of an echo server, which has no room for a third."""
    first, second = await connect(), await connect()
    for client in (first, second):
        await client.put_var(1)
        assert await client.get_var() == 1
    # TCP says so at the first use, WebSocket at once, UDP never.
    with pytest.raises((aio.ClosedError, OSError)):
        async with asyncio.timeout(1):
            async with await connect() as third:
                await third.put_var(3)
                await third.get_var()
    assert len(server.connections) == 2
    return first, second


class Place:
    """Where a server of a transport listens, and what both sides need."""

    def __init__(self, transport: str, folder: Path, request: pytest.FixtureRequest) -> None:
        self.url = f"unix:{folder}/socket" if transport == "unix" else f"{transport}://127.0.0.1:0"
        if transport == "unix" and not hasattr(socket, "AF_UNIX"):
            pytest.skip(NO_UNIX_SOCKETS)
        if transport in ("ws", "wss"):
            pytest.importorskip("websockets.asyncio.server")
        self.server_ssl = self.client_ssl = None
        if transport in ("tls", "wss"):
            made = request.getfixturevalue("certificate")
            self.server_ssl = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.server_ssl.load_cert_chain(made / "server.pem", made / "server.key")
            self.client_ssl = ssl.create_default_context(cafile=made / "server.pem")

    @asynccontextmanager
    async def both(
        self, handler: Callable[[aio.Connection], Coroutine[Any, Any, None]], **options: Any
    ) -> AsyncGenerator[tuple[aio.Server, Callable[..., Awaitable[aio.Connection]]], None]:
        """A server, and a function that connects to it."""
        async with await aio.serve(handler, self.url, ssl=self.server_ssl, **options) as server:

            async def connect(**own: Any) -> aio.Connection:
                return await aio.connect(server.url, ssl=self.client_ssl, **own)

            yield server, connect


@pytest.fixture(params=TRANSPORTS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(request.param, tmp_path, request)


# ---- every transport ----


@run
async def test_values_go_there_and_come_back(place: Place) -> None:
    async with place.both(echo) as (server, connect):
        async with await connect() as connection:
            for value in VALUES:
                await connection.put_var(value)
                assert await connection.get_var() == value
            assert connection.peer and len(server.connections) == 1


@run
async def test_several_clients_and_dialects(place: Place) -> None:
    async with place.both(echo, dialect="godot-3.1") as (_, connect):
        clients = [await connect(dialect="godot-3.1") for _ in range(5)]
        for n, client in enumerate(clients):
            await client.put_var({"n": n, "pos": gdvar.Vector2(n, n)})
        for n, client in enumerate(clients):
            assert await client.get_var() == {"n": n, "pos": gdvar.Vector2(n, n)}
        for client in clients:
            await client.close()


@needs_fast_loop
@run
async def test_a_flood_leaves_turns_to_others(place: Place) -> None:
    turns, heard = 0, 0
    everything, over = asyncio.Event(), asyncio.Event()
    flood = 3000

    async def others() -> None:
        nonlocal turns
        while not over.is_set():
            await asyncio.sleep(0)
            turns += 1

    async def handler(connection: aio.Connection) -> None:
        nonlocal turns, heard
        await everything.wait()
        turns = 0
        while heard < flood:
            await connection.get_var()
            heard += 1
        over.set()

    async with place.both(handler, max_queued=1 << 20) as (_, connect):
        async with await connect() as connection:
            for _ in range(flood):
                await connection.put_var(None)
                await asyncio.sleep(0)  # or datagrams would be lost
            task = asyncio.create_task(others())
            everything.set()
            await over.wait()
            await task
    assert turns >= flood // 200


@run
async def test_a_packet_that_is_no_value_leaves_the_connection_in_step(place: Place) -> None:
    errors: list[gdvar.DecodeError] = []

    async def handler(connection: aio.Connection) -> None:
        while True:
            try:
                await connection.put_var(await connection.get_var())
            except gdvar.DecodeError as error:
                errors.append(error)

    deep: Any = []
    for _ in range(100):
        deep = [deep]
    async with place.both(handler) as (_, connect):
        client = await connect()
        await client.put_packet(b"\xff\xff\xff\xff")
        await client.put_packet(gdvar.dumps(deep))
        await client.put_packet(gdvar.dumps([0] * 70_000)[:60_000])
        await client.put_packet(gdvar.dumps(gdvar.Object("Node", {}), objects=True))
        await client.put_var("still there")
        assert await client.get_var() == "still there"
        client.abort()
    codes = ["unknown_type", "depth_limit", "node_limit", "objects_forbidden"]
    assert [error.code for error in errors] == codes


@run
async def test_the_end_ends_the_loop(place: Place) -> None:
    if place.url.startswith("udp"):
        return  # which has no end

    async def handler(connection: aio.Connection) -> None:
        for n in range(3):
            await connection.put_var(n)

    async with place.both(handler) as (_, connect):
        client = await connect()
        assert [value async for value in client] == [0, 1, 2]
        for _ in range(2):
            with pytest.raises(aio.ClosedError) as closed:
                await client.get_var()
            assert closed.value.code == "closed"
        await client.close()
        with pytest.raises((aio.ClosedError, ConnectionError)):
            await client.put_var(1)


@run
async def test_waiting_can_be_cancelled(place: Place) -> None:
    async with place.both(echo) as (_, connect):
        client = await connect()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await client.get_var()
        await client.put_var("after it")
        assert await client.get_var() == "after it"
        client.abort()


@run
async def test_too_many_connections(place: Place) -> None:
    async with place.both(echo, max_connections=2) as (server, connect):
        first, second = await two_alone(server, connect)
        await first.put_var("still served")
        assert await first.get_var() == "still served"
        first.abort()
        second.abort()


@run
async def test_what_handlers_raise(place: Place) -> None:
    reported: list[tuple[aio.Connection, Exception]] = []
    bugs: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: bugs.append(context))

    async def handler(connection: aio.Connection) -> None:
        value = await connection.get_var()
        raise KeyError(value)

    def report(connection: aio.Connection, error: Exception) -> None:
        reported.append((connection, error))

    async with place.both(handler, report=report) as (server, connect):
        hostile, buggy = await connect(), await connect()
        await hostile.put_packet(b"\xff\xff\xff\xff")
        await buggy.put_var("a bug")
        while not (reported and bugs) or server.connections:
            await asyncio.sleep(0.01)
        hostile.abort()
        buggy.abort()
    assert [type(error) for _, error in reported] == [gdvar.DecodeError]
    assert isinstance(bugs[0]["exception"], KeyError)


@run
async def test_closing_a_server_ends_its_handlers(place: Place) -> None:
    ended: list[bool] = []

    async def handler(connection: aio.Connection) -> None:
        try:
            await echo(connection)
        finally:
            ended.append(True)

    async with place.both(handler) as (server, connect):
        client = await connect()
        await client.put_var(1)
        assert await client.get_var() == 1
        waiting = asyncio.create_task(server.serve_forever())
        await server.close()
        await waiting
        assert ended == [True] and server.connections == ()
        await server.close()
        client.abort()


# ---- streams ----


async def raw(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = url.removeprefix("tcp://").split(":")
    return await asyncio.open_connection(host, int(port))


@run
async def test_both_byte_orders() -> None:
    async with await aio.serve(echo, "tcp://127.0.0.1:0", big_endian=True) as server:
        reader, writer = await raw(server.url)
        packet = gdvar.dumps("big")
        writer.write(struct.pack(">I", len(packet)) + packet)
        assert await reader.readexactly(4 + len(packet)) == struct.pack(">I", len(packet)) + packet
        writer.close()
        async with await aio.connect(server.url, big_endian=True) as client:
            await client.put_var(1)
            assert await client.get_var() == 1


@pytest.mark.parametrize(
    ("sent", "kind", "code"),
    [
        (b"\xff\xff\xff\x7f", gdvar.LimitError, "size_limit"),
        (b"\xff\xff\xff\xff", gdvar.DecodeError, "bad_length"),
        (b"\x01\x00\x10\x00", gdvar.LimitError, "size_limit"),
        (b"\x08\0\0\0\2\0\0\0", gdvar.TruncatedError, "truncated"),
        (b"\x08\0", gdvar.TruncatedError, "truncated"),
    ],
)
@run
async def test_lengths_that_lie(sent: bytes, kind: type[gdvar.DecodeError], code: str) -> None:
    reported: asyncio.Queue[Exception] = asyncio.Queue()
    async with await aio.serve(
        echo, "tcp://127.0.0.1:0", report=lambda _, error: reported.put_nowait(error)
    ) as server:
        reader, writer = await raw(server.url)
        writer.write(sent)
        if kind is gdvar.TruncatedError:
            writer.write_eof()
        error = await reported.get()
        assert type(error) is kind and isinstance(error, gdvar.Error) and error.code == code
        try:
            assert await reader.read() == b""
        except ConnectionResetError:
            pass
        writer.close()


@needs_fast_loop
@run
async def test_endless_headers_cost_no_memory() -> None:
    seen = 0

    async def handler(connection: aio.Connection) -> None:
        nonlocal seen
        while True:
            assert await connection.get_packet() == b""
            seen += 1

    async with await aio.serve(
        handler, "tcp://127.0.0.1:0", bytes_per_second=None, packets_per_second=None
    ) as server:
        _, writer = await raw(server.url)
        for _ in range(20):
            writer.write(bytes(65536))
            await writer.drain()
        while seen < 20 * 65536 // 4:
            await asyncio.sleep(0.01)
        writer.close()


@run
async def test_a_packet_in_many_parts_and_a_cancelled_read_between() -> None:
    got: asyncio.Queue[Any] = asyncio.Queue()

    async def handler(connection: aio.Connection) -> None:
        while True:
            try:
                async with asyncio.timeout(0.01):
                    got.put_nowait(await connection.get_var())
            except TimeoutError:
                continue

    async with await aio.serve(handler, "tcp://127.0.0.1:0") as server:
        _, writer = await raw(server.url)
        for byte in gdvar.frame(gdvar.dumps("slowly")):
            writer.write(bytes([byte]))
            await asyncio.sleep(0.015)
        assert await got.get() == "slowly"
        writer.close()


@run
async def test_a_peer_that_does_not_read_makes_put_var_wait() -> None:
    stuck: asyncio.Queue[int] = asyncio.Queue()

    async def handler(connection: aio.Connection) -> None:
        sent = 0
        try:
            while True:
                async with asyncio.timeout(0.5):
                    await connection.put_var("x" * 50_000)
                sent += 1
        except TimeoutError:
            stuck.put_nowait(sent)
            raise

    async with await aio.serve(
        handler, "tcp://127.0.0.1:0", max_queued=1 << 16, close_timeout=0.1
    ) as server:
        _, writer = await raw(server.url)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        # The size of the system's buffers, and no more.
        assert await stuck.get() < 2000
        while server.connections:
            await asyncio.sleep(0.01)
        writer.transport.abort()


@run
async def test_a_sender_is_not_read_faster_than_it_is_asked() -> None:
    asked = asyncio.Event()

    async def handler(connection: aio.Connection) -> None:
        await connection.get_var()
        await asked.wait()
        await echo(connection)

    async with await aio.serve(handler, "tcp://127.0.0.1:0") as server:
        _, writer = await raw(server.url)
        packet = gdvar.frame(gdvar.dumps("x" * 50_000))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                while True:
                    writer.write(packet)
                    await writer.drain()
        asked.set()
        writer.transport.abort()


# ---- datagrams ----


@run
async def test_datagrams_of_any_address() -> None:
    async with await aio.serve(echo, "udp://127.0.0.1:0", max_packet=1000) as server:
        first, second = await aio.connect(server.url), await aio.connect(server.url)
        for n, client in enumerate((first, second)):
            await client.put_var(n)
            assert await client.get_var() == n
        assert len(server.connections) == 2
        with pytest.raises(gdvar.EncodeError, match="fits no datagram"):
            await first.put_var("x" * 70_000)
        await first.put_var("x" * 2000)  # over max_packet: its connection ends
        while len(server.connections) == 2:
            await asyncio.sleep(0.01)
        await first.put_var("again")
        assert await first.get_var() == "again"
        await first.close()
        with pytest.raises(aio.ClosedError):
            await first.get_var()
        with pytest.raises(aio.ClosedError):
            await first.put_var(1)
        await second.close()


@run
async def test_nobody_listens_there() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    async with await aio.connect(f"udp://127.0.0.1:{port}") as client:
        await client.put_var(1)
        with pytest.raises(ConnectionRefusedError):
            await client.get_var()
    with pytest.raises(ConnectionRefusedError):
        await aio.connect(f"tcp://127.0.0.1:{port}")


@run
async def test_silent_udp_peers_are_gone() -> None:
    ends: list[str] = []

    async def handler(connection: aio.Connection) -> None:
        try:
            while True:
                await connection.put_var(await connection.get_var())
        except aio.ClosedError as closed:
            ends.append(closed.code)

    async with await aio.serve(handler, "udp://127.0.0.1:0", idle_timeout=0.1) as server:
        async with await aio.connect(server.url) as client:
            await client.put_var(1)
            assert await client.get_var() == 1
            while server.connections:
                await asyncio.sleep(0.01)
            assert ends == ["timed_out"]
            await client.put_var(2)  # a new connection from the same address
            assert await client.get_var() == 2


@run
async def test_a_new_udp_peer_replaces_a_silent_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async with await aio.serve(echo, "udp://127.0.0.1:0", max_connections=2) as server:
        clients = [await aio.connect(server.url) for _ in range(3)]
        for client in clients[:2]:
            await client.put_var(1)
            await client.get_var()
        await clients[2].put_var("not heard")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await clients[2].get_var()
        monkeypatch.setattr(aio, "_REPLACEABLE", 0.0)
        await clients[2].put_var("heard")
        assert await clients[2].get_var() == "heard"
        peers = {connection.peer for connection in server.connections}
        assert len(peers) == 2
        for client in clients:
            await client.close()


async def turns(count: int) -> None:
    """Lets the event loop go round; each time it takes a datagram that has arrived."""
    for _ in range(count):
        await asyncio.sleep(0)


@run
async def test_datagrams_that_nobody_asks_for_are_bounded() -> None:
    go = asyncio.Event()
    got: list[Any] = []

    async def handler(connection: aio.Connection) -> None:
        await go.wait()
        while True:
            got.append(await connection.get_var())

    async with await aio.serve(handler, "udp://127.0.0.1:0", max_queued=4096) as server:
        async with await aio.connect(server.url) as client:
            for n in range(1000):
                await client.put_var(n)
                if n % 50 == 0:
                    await asyncio.sleep(0)
            await turns(2000)
            go.set()
            await turns(2000)
    assert 0 < len(got) <= 4096 // 72 and got == sorted(got)


# ---- WebSocket ----


@run
async def test_messages_that_are_too_long() -> None:
    pytest.importorskip("websockets.asyncio.server")
    reported: asyncio.Queue[Exception] = asyncio.Queue()
    async with await aio.serve(
        echo,
        "ws://127.0.0.1:0/game",
        max_packet=1000,
        report=lambda _, error: reported.put_nowait(error),
    ) as server:
        assert server.url.endswith("/game")
        client = await aio.connect(server.url)
        await client.put_var("x" * 2000)
        error = await reported.get()
        assert isinstance(error, gdvar.LimitError) and error.code == "size_limit"
        with pytest.raises(ConnectionResetError, match="1009"):
            await client.get_var()


@run
async def test_text_messages_are_packets_and_bad_frames_are_not() -> None:
    web = pytest.importorskip("websockets.asyncio.client")
    reported: asyncio.Queue[Exception] = asyncio.Queue()
    async with await aio.serve(
        echo, "ws://127.0.0.1:0", report=lambda _, error: reported.put_nowait(error)
    ) as server:
        async with web.connect(server.url, proxy=None) as socket_:
            await socket_.send(gdvar.dumps(7).decode(), text=True)
            assert await socket_.recv() == gdvar.dumps(7)
            socket_.transport.write(b"\xff\xff\xff\xff")
            assert (await reported.get()).code == "bad_packet"  # type: ignore[attr-defined]


@run
async def test_pages_of_other_origins_are_refused() -> None:
    web = pytest.importorskip("websockets.asyncio.client")
    from websockets.exceptions import InvalidStatus

    async with await aio.serve(
        echo, "ws://127.0.0.1:0", origins=["https://good.example"]
    ) as server:
        with pytest.raises(InvalidStatus):
            await web.connect(server.url, origin="https://bad.example", proxy=None)
        async with web.connect(server.url, origin="https://good.example", proxy=None) as page:
            await page.send(gdvar.dumps(1))
            assert await page.recv() == gdvar.dumps(1)


@run
async def test_without_the_package_websocket_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(sys.modules):
        if name.startswith("websockets") or name == "gdvar._websocket":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "websockets", None)
    with pytest.raises(ImportError, match="pip install websockets"):
        await aio.connect("ws://127.0.0.1:1")
    with pytest.raises(ImportError, match="pip install websockets"):
        await aio.serve(echo, "ws://127.0.0.1:0")


# ---- URLs ----


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:4000", "http://127.0.0.1:1", "tcp://127.0.0.1", "udp://:5", "tcp://x:y"]
)
@run
async def test_urls_that_are_none(url: str) -> None:
    with pytest.raises(ValueError):
        await aio.connect(url)
    with pytest.raises(ValueError):
        await aio.serve(echo, url)


@run
async def test_tls_needs_a_certificate() -> None:
    for url in ("tls://127.0.0.1:0", "wss://127.0.0.1:0"):
        with pytest.raises(ValueError, match="certificate"):
            await aio.serve(echo, url)


# ---- opening ----


@run
async def test_opening_is_a_context_manager_and_awaitable(place: Place) -> None:
    async with aio.serve(echo, place.url, ssl=place.server_ssl) as server:
        async with aio.connect(server.url, ssl=place.client_ssl) as client:
            await client.put_var(1)
            assert await client.get_var() == 1
        with pytest.raises(aio.ClosedError):
            await client.put_var(1)
        opening = asyncio.create_task(aio.connect(server.url, ssl=place.client_ssl))
        async with asyncio.TaskGroup() as group:
            second = group.create_task(aio.connect(server.url, ssl=place.client_ssl))
        third, fourth = await asyncio.gather(
            opening, asyncio.wait_for(aio.connect(server.url, ssl=place.client_ssl), 10)
        )
        for each in (second.result(), third, fourth):
            await each.put_var(2)
            assert await each.get_var() == 2
            await each.close()
        with pytest.raises(LookupError, match="of the body"):
            async with aio.connect(server.url, ssl=place.client_ssl) as client:
                await client.put_var(3)
                assert await client.get_var() == 3
                raise LookupError("of the body")
        with pytest.raises((aio.ClosedError, OSError)):
            await client.get_var()
    assert not server.connections


@run
async def test_opening_that_fails_leaves_nothing(unused_tcp: int) -> None:
    opening = aio.connect(f"tcp://127.0.0.1:{unused_tcp}")
    with pytest.raises(OSError):
        async with opening:
            pytest.fail("nobody listens")
    aio.connect("tcp://127.0.0.1:1").close()  # as of any coroutine: it is not begun
    assert opening.__name__ == "_connect"


@run
async def test_opening_may_be_cancelled() -> None:
    pytest.importorskip("websockets.asyncio.client")
    came = asyncio.get_running_loop().create_future()
    gone = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer):
            await reader.readuntil(b"\r\n\r\n")
            came.set_result((reader, asyncio.current_task()))
            await gone.wait()

    async def opens(url: str) -> None:
        async with aio.connect(url):
            pytest.fail("nobody answers")

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as listener:
        task = asyncio.create_task(opens(f"ws://127.0.0.1:{listener.sockets[0].getsockname()[1]}"))
        reader, serving = await came
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await reader.read() == b""  # the socket is closed
        gone.set()
        await serving
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.fixture
def unused_tcp() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# ---- what a WebSocket asks for ----


@run
async def test_servers_see_the_path_and_headers() -> None:
    web = pytest.importorskip("websockets.asyncio.client")
    seen: asyncio.Queue[tuple[str, str | None]] = asyncio.Queue()

    async def handler(connection: aio.Connection) -> None:
        seen.put_nowait((connection.path, connection.headers.get("x-forwarded-for")))

    async with aio.serve(handler, "ws://127.0.0.1:0") as server:
        headers = {"X-Forwarded-For": "192.0.2.7"}
        async with web.connect(f"{server.url}/game?room=1", additional_headers=headers, proxy=None):
            assert await seen.get() == ("/game?room=1", "192.0.2.7")
        twice = [("X-Forwarded-For", "192.0.2.7"), ("x-forwarded-for", "198.51.100.1")]
        async with web.connect(server.url, additional_headers=twice, proxy=None):
            assert await seen.get() == ("/", "192.0.2.7, 198.51.100.1")
        async with aio.connect(server.url) as client:
            assert client.path == "/"
            assert await seen.get() == ("/", None)
            assert "sec-websocket-key" in client.headers
            with pytest.raises(TypeError):
                client.headers["x"] = "y"  # type: ignore[index]
    async with aio.serve(handler, "tcp://127.0.0.1:0") as server:
        async with aio.connect(server.url) as client:
            assert (client.path, dict(client.headers)) == ("", {})
            assert await seen.get() == ("", None)


@run
async def test_a_server_with_a_path_has_no_other() -> None:
    pytest.importorskip("websockets.asyncio.client")
    async with aio.serve(echo, "ws://127.0.0.1:0/game") as server:
        assert server.url.endswith("/game")
        base = server.url.removesuffix("/game")
        for url in (server.url, f"{server.url}?room=1"):
            async with aio.connect(url) as client:
                await client.put_var(1)
                assert await client.get_var() == 1
        for path in ("", "/admin", "/game/", "/gam", "/game/x", "//game"):
            with pytest.raises(ConnectionRefusedError, match="404"):
                await aio.connect(base + path)
        assert not server.connections


@run
async def test_no_target_of_a_request_stands_for_the_path(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("websockets.asyncio.client")
    fields = "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    fields += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    async with aio.serve(echo, "ws://127.0.0.1:0/game") as server:
        port = int(server.url.removesuffix("/game").rpartition(":")[2])
        targets = ["//evil/game", "x:/game", "\t/game", "//e:99999999/game", "//[", "/game#x", "game"]
        for target, status in [*((each, 404) for each in targets), ("/game", 101), ("/game?x", 101)]:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            with contextlib.closing(writer):
                writer.write(f"GET {target} HTTP/1.1\r\n{fields}".encode())
                assert (await reader.readline()).startswith(b"HTTP/1.1 %d " % status), target
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@run
async def test_a_path_that_clients_encode() -> None:
    pytest.importorskip("websockets.asyncio.client")
    for path in ("/k\u00e4se", "/k%C3%A4se", "/a;b"):
        async with aio.serve(echo, f"ws://127.0.0.1:0{path}") as server, aio.connect(server.url) as client:
            await client.put_var(1)
            assert await client.get_var() == 1


@run
async def test_hooks_of_typed_values(place: Place) -> None:
    async def answer(connection: aio.Connection) -> None:
        when = await connection.get(datetime.date, dec_hook=lambda type_, text: type_.fromisoformat(text))
        await connection.put([when], enc_hook=lambda made: made.isoformat())

    async with place.both(answer) as (_, connect), await connect() as client:
        await client.put(datetime.date(2026, 1, 2), enc_hook=lambda made: made.isoformat())
        assert await client.get_var() == ["2026-01-02"]
