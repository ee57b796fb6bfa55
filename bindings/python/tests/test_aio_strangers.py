"""gdvar.aio: peers that nobody knows yet. They take no more of a server than others."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import ssl
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from support import needs_unix_sockets
from test_aio import Place, certificate, echo, run
from test_aio_servers import until

import gdvar
from gdvar import aio
from gdvar._guards import Bounds, Rates

__all__ = ["certificate"]  # a fixture


@pytest.fixture(params=["tls", "wss"])
def secure(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(request.param, tmp_path, request)


def port_of(url: str) -> int:
    return int(url.split("//")[1].split("/")[0].rsplit(":", 1)[1])


class Silent:
    """TCP connections that say nothing."""

    def __init__(self) -> None:
        self.open: list[asyncio.StreamWriter] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def connect(self, url: str, count: int) -> None:
        for _ in range(count):
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(url))
            self.open.append(writer)
            self._tasks.append(asyncio.create_task(self._wait_for_end(reader, writer)))

    async def _wait_for_end(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            await reader.read()
        except OSError:
            pass
        self.open.remove(writer)
        writer.close()

    def close(self) -> None:
        for writer in self.open:
            writer.transport.abort()


# ---- handshakes ----


@pytest.mark.parametrize("bound", ["max_per_address", "max_connections"])
@run
async def test_handshakes_that_are_not_over_count(secure: Place, bound: str) -> None:
    async with secure.both(echo, **{bound: 3}) as (server, connect):
        silent = Silent()
        await silent.connect(server.url, 8)
        await until(lambda: len(silent.open) == 3)
        await asyncio.sleep(0.1)
        assert len(silent.open) == 3
        with pytest.raises((aio.ClosedError, OSError)):
            async with await connect() as client:
                await client.put_var(1)
                await client.get_var()
        silent.open[0].transport.abort()  # makes room for another
        await until(lambda: len(silent.open) == 2)
        await asyncio.sleep(0.1)
        async with await connect() as client:
            await client.put_var(1)
            assert await client.get_var() == 1
            assert len(silent.open) == 2
        silent.close()


@run
async def test_a_handshake_has_a_time(secure: Place) -> None:
    async with secure.both(echo, max_connections=1, handshake_timeout=0.4) as (server, connect):
        silent = Silent()
        started = time.monotonic()
        await silent.connect(server.url, 1)
        await until(lambda: not silent.open)
        assert 0.3 < time.monotonic() - started < 5
        async with await connect() as client:  # its place is free
            await client.put_var(1)
            assert await client.get_var() == 1


@run
async def test_what_is_no_handshake_has_no_place(secure: Place) -> None:
    async with secure.both(echo, max_connections=1) as (server, connect):
        for sent in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00\x02\x01\x00", b""):
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(server.url))
            writer.write(sent)
            writer.write_eof()
            try:
                await reader.read()
            except OSError:
                pass
            writer.close()
            await asyncio.sleep(0.05)
            async with await connect() as client:
                await client.put_var(1)
                assert await client.get_var() == 1


@pytest.mark.parametrize("ends", [False, True])
@run
async def test_a_packet_that_comes_with_the_end_of_the_handshake(
    tmp_path: Path, request: pytest.FixtureRequest, ends: bool
) -> None:
    place = Place("tls", tmp_path, request)
    got: list[object] = []

    async def handler(connection: aio.Connection) -> None:
        async for value in connection:
            got.append(value)
            await connection.put_var(value)

    async with place.both(handler) as (server, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(server.url))
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        assert place.client_ssl is not None
        client = place.client_ssl.wrap_bio(incoming, outgoing, server_hostname="localhost")
        while True:
            try:
                client.do_handshake()
                break
            except ssl.SSLWantReadError:
                writer.write(outgoing.read())
                incoming.write(await reader.read(1 << 16))
        client.write(gdvar.frame(gdvar.dumps("early")))
        if ends:
            with pytest.raises(ssl.SSLWantReadError):
                client.unwrap()
        writer.write(outgoing.read())  # the handshake's last message, and all behind it
        if ends:
            writer.write_eof()
        await until(lambda: got == ["early"])
        await until(lambda: not (ends and server.connections))
        writer.transport.abort()


# ---- Unix sockets ----


@needs_unix_sockets
@run
async def test_a_path_in_use_is_refused(tmp_path: Path) -> None:
    url = f"unix:{tmp_path}/socket"
    async with await aio.serve(echo, url) as server:
        for _ in range(2):
            with pytest.raises(OSError, match="in use") as refused:
                await aio.serve(echo, url)
            assert refused.value.errno == errno.EADDRINUSE
            async with await aio.connect(url) as client:
                await client.put_var(1)
                assert await client.get_var() == 1
        await until(lambda: not server.connections)
    async with await aio.serve(echo, url):
        pass


@needs_unix_sockets
@run
async def test_a_path_is_in_use_while_nobody_is_accepted(tmp_path: Path) -> None:
    path = str(tmp_path / "socket")
    with contextlib.ExitStack() as sockets:
        busy = sockets.enter_context(socket.socket(socket.AF_UNIX))
        busy.bind(path)
        busy.listen(0)
        for _ in range(4):  # as many as wait to be accepted, and more
            waiting = sockets.enter_context(socket.socket(socket.AF_UNIX))
            waiting.setblocking(False)
            waiting.connect_ex(path)
        with pytest.raises(OSError, match="in use"):
            await aio.serve(echo, f"unix:{path}")
        assert Path(path).is_socket()


@needs_unix_sockets
@run
async def test_a_path_that_was_left_behind_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
        killed.listen()
    assert path.is_socket()
    async with await aio.serve(echo, f"unix:{path}") as server:
        async with await aio.connect(server.url) as client:
            await client.put_var(1)
            assert await client.get_var() == 1
    assert not path.exists()


@run
async def test_a_system_without_unix_sockets_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "AF_UNIX", raising=False)
    for use in (aio.connect("unix:socket"), aio.serve(echo, "unix:socket")):
        with pytest.raises(OSError, match="no Unix sockets") as refused:
            await use
        assert refused.value.errno == errno.EAFNOSUPPORT


@run
async def test_a_file_is_no_path_of_a_server(tmp_path: Path) -> None:
    path = tmp_path / "precious"
    path.write_text("mine")
    with pytest.raises(OSError):
        await aio.serve(echo, f"unix:{path}")
    assert path.read_text() == "mine"


# ---- addresses ----


NEIGHBOURS = [f"2001:db8:0:1:{n}::{n}" for n in range(1, 5)]
STRANGERS = ["2001:db8:0:2::1", "fe80::1%eth0", "::1", "10.0.0.1", "10.0.0.2", "::ffff:10.0.0.3"]


class Accepted(asyncio.Transport):
    """A transport from an address."""

    def __init__(self, host: str) -> None:
        super().__init__({"peername": (host, 4000, 0, 0) if ":" in host else (host, 4000)})
        self.is_open = True

    def abort(self) -> None:
        self.is_open = False

    def is_closing(self) -> bool:
        return True


@run
async def test_a_network_of_ipv6_is_one_address() -> None:
    server = aio.Server(echo, 100, 2, None, 0)

    def accepts(host: str) -> bool:
        transport = Accepted(host)
        aio._Incoming(server, lambda *_: None).connection_made(transport)
        return transport.is_open

    assert [accepts(host) for host in NEIGHBOURS] == [True, True, False, False]
    for host in STRANGERS:
        assert accepts(host) and accepts(host) and not accepts(host), host
    assert not accepts("10.0.0.3")  # which was ::ffff:10.0.0.3


@run
async def test_a_network_of_ipv6_is_one_address_of_datagrams() -> None:
    bounds = Bounds(max_per_address=2)
    options = aio._Options("godot-4.4", None, False, False, False, 1000, 1000, bounds)
    heard: list[str] = []
    endpoint = aio._ServerEndpoint(options, lambda peer: heard.append(peer.peer), 100)
    for host in [*NEIGHBOURS, "::1"]:
        endpoint.datagram_received(gdvar.dumps(1), (host, 4000, 0, 0))
    assert heard == [f"[{host}]:4000" for host in [*NEIGHBOURS[:2], "::1"]]
    endpoint.connection_lost(None)


# ---- datagrams ----


async def send_for(seconds: float, url: str, ports: int) -> None:
    """Sends datagrams that are no values from so many ports, 2000 a second or so."""
    with contextlib.ExitStack() as stack:
        sockets: list[socket.socket] = []
        for _ in range(ports):
            sockets.append(stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)))
            sockets[-1].setblocking(False)
            sockets[-1].connect(("127.0.0.1", port_of(url)))
        until_ = time.monotonic() + seconds
        turn = 0
        while time.monotonic() < until_:
            for _ in range(20):
                turn += 1
                with contextlib.suppress(OSError):
                    sockets[turn % ports].send(b"no value" * 4)
            await asyncio.sleep(0.01)


async def closes_at_once(connection: aio.Connection) -> None:
    pass


@pytest.mark.parametrize("handler", [echo, closes_at_once])
@pytest.mark.parametrize("ports", [1, 200])
@run
async def test_rates_outlive_peers(
    handler: Callable[[aio.Connection], Coroutine[Any, Any, None]], ports: int
) -> None:
    started = 0

    async def counted(connection: aio.Connection) -> None:
        nonlocal started
        started += 1
        await handler(connection)

    bounds: dict[str, Any] = {"packets_per_second": 10, "burst": 0.5, "max_per_address": 4}
    async with await aio.serve(counted, "udp://127.0.0.1:0", **bounds) as server:
        await send_for(2, server.url, ports)
        await asyncio.sleep(0.1)
        # 5 at first and 10 a second, for each of the peers that there are at a time.
        assert 5 <= started <= 30 * (4 if ports > 1 else 1)
        before = started
        await asyncio.sleep(0.5)
        await send_for(0.2, server.url, 1)  # it has saved up something meanwhile
        await asyncio.sleep(0.1)
        assert started > before


@run
async def test_rates_that_are_left_are_bounded_in_number() -> None:
    rates = Rates(Bounds(packets_per_second=1, burst=1), 3)
    for n in range(100):
        taken = [rates.take(f"10.0.0.{n}") for _ in range(2)]
        assert all(rate.take_if_it_fits(1) for rate in taken)
        for rate in taken:
            rates.give_back(f"10.0.0.{n}", rate)
    assert sum(len(left) for left in rates._left.values()) == 3
    assert not rates.take("10.0.0.99").take_if_it_fits(1)
    assert rates.take("10.0.0.97").take_if_it_fits(1)  # forgotten
