"""gdvar.aio: how servers end, what they take from one peer, types, queues, whose fault it was."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
from support import SLOW, needs_fast_loop, needs_unix_sockets
from test_aio import Place, certificate, echo, place, raw, run, two_alone

import gdvar
from gdvar import aio

__all__ = ["certificate", "place"]  # fixtures


def is_open(url: str) -> bool:
    """Whether somebody listens at a tcp or ws URL."""
    host, port = url.split("//")[1].split("/")[0].rsplit(":", 1)
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


def is_udp(place_: Place) -> bool:
    return place_.url.startswith("udp")


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


# ---- the end of a server ----


@run
async def test_a_handler_may_close_the_server(place: Place) -> None:
    ended: list[str] = []
    bugs: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: bugs.append(context))

    async def handler(connection: aio.Connection) -> None:
        try:
            async for value in connection:
                if value == "quit":
                    await server.close()
                    ended.append("quit")
                await connection.put_var(value)
        finally:
            ended.append("any")

    async with place.both(handler) as (server, connect):
        clients = [await connect() for _ in range(3)]
        for client in clients:
            await client.put_var(1)
            assert await client.get_var() == 1
        await clients[0].put_var("quit")
        await server.serve_forever()
        assert await clients[0].get_var() == "quit"
        assert ended == ["any", "any", "quit"] and len(server.connections) == 1
        if not place.url.startswith(("udp", "unix")):
            assert not is_open(server.url)
    # Its own goes on, until others close the server.
    assert ended == ["any", "any", "quit", "any"] and not server.connections and not bugs
    for client in clients:
        client.abort()


@run
async def test_two_handlers_that_close_the_server() -> None:
    both = asyncio.Barrier(2)

    async def handler(connection: aio.Connection) -> None:
        try:
            await connection.get_var()
            await both.wait()
        finally:
            await server.close()

    server = await aio.serve(handler, "tcp://127.0.0.1:0")
    clients = [await aio.connect(server.url) for _ in range(2)]
    for client in clients:
        await client.put_var(1)
    await server.serve_forever()
    await server.close()
    assert server.connections == ()
    for client in clients:
        client.abort()


async def deaf(url: str) -> asyncio.StreamWriter:
    """A peer that reads nothing."""
    _, writer = await raw(url)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    writer.write(gdvar.frame(gdvar.dumps(1)))
    return writer


async def flood(connection: aio.Connection) -> None:
    await connection.get_var()
    while True:
        await connection.put_packet(bytes(200_000))


@needs_fast_loop
@run
async def test_a_close_that_is_cancelled_has_closed_the_port() -> None:
    server = await aio.serve(flood, "tcp://127.0.0.1:0", close_timeout=2)
    peer = await deaf(server.url)
    await until(lambda: server.connections)
    await asyncio.sleep(0.2)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await server.close()
    assert not is_open(server.url)
    assert server.connections  # it still gets what was put
    started = time.monotonic()
    await server.close()
    assert not server.connections and 1 < time.monotonic() - started < 5
    peer.transport.abort()


async def close_awaited(server: aio.Server) -> None:
    await server.close()


async def close_in_time(server: aio.Server) -> None:
    await asyncio.wait_for(server.close(), 30 if SLOW else 5)


async def close_in_a_task(server: aio.Server) -> None:
    await asyncio.create_task(server.close())


async def close_in_a_group(server: aio.Server) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(server.close())


async def close_gathered(server: aio.Server) -> None:
    await asyncio.gather(server.close())


async def close_for_a_moment(server: aio.Server) -> None:
    async with asyncio.timeout(0.01):
        await server.close()


@pytest.mark.parametrize(
    "close",
    [
        close_awaited,
        close_in_time,
        close_in_a_task,
        close_in_a_group,
        close_gathered,
        close_for_a_moment,
    ],
)
@pytest.mark.parametrize("url", ["tcp://127.0.0.1:0", "ws://127.0.0.1:0"])
@run
async def test_what_was_put_arrives_however_a_handler_closes_the_server(
    url: str, close: Callable[[aio.Server], Any]
) -> None:
    if url.startswith("ws"):
        pytest.importorskip("websockets.asyncio.server")
    sent = 0

    async def handler(connection: aio.Connection) -> None:
        nonlocal sent
        if await connection.get_var() == "quit":
            await connection.put_var("bye")
            await close(server)
            return
        with pytest.raises(aio.FullError):
            while True:
                connection.put_nowait("x" * 50_000)
                sent += 1
        await connection.get_var()

    server = await aio.serve(handler, url)
    reader, closer = await aio.connect(server.url), await aio.connect(server.url)
    await reader.put_var("much")
    await until(lambda: sent)
    await closer.put_var("quit")
    assert await closer.get_var() == "bye"
    await asyncio.sleep(0.1)
    got = [value async for value in reader]
    assert len(got) == sent
    await server.close()
    for client in (reader, closer):
        client.abort()


@run
async def test_the_address_is_free_after_the_end(place: Place) -> None:
    async with place.both(echo) as (server, connect):
        client = await connect()
        await client.put_var(1)
        assert await client.get_var() == 1
        await client.close()
        url = server.url
    for _ in range(3):  # nobody came
        async with await aio.serve(echo, url, ssl=place.server_ssl):
            pass


@needs_unix_sockets
@run
async def test_a_unix_sockets_file_is_gone_after_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "socket"
    monkeypatch.chdir(tmp_path)
    first = await aio.serve(echo, "unix:socket")
    monkeypatch.chdir("/")
    file.unlink()
    second = await aio.serve(echo, f"unix:{file}")  # takes its place
    await first.close()
    async with await aio.connect(second.url) as client:
        await client.put_var(1)
        assert await client.get_var() == 1
    await second.close()
    assert not file.exists()
    await second.close()

    server = await aio.serve(echo, f"unix:{file}")
    file.unlink()
    file.write_text("somebody else's")
    await server.close()
    assert file.read_text() == "somebody else's"


@run
async def test_a_udp_client_is_gone_after_its_end() -> None:
    async with await aio.serve(echo, "udp://127.0.0.1:0") as server:
        client: Any = await aio.connect(server.url)
        address = client._endpoint.transport.get_extra_info("sockname")
        await client.close()
        await client.close()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as same:
            same.bind(address)


@run
async def test_the_second_close_waits_as_the_first() -> None:
    server = await aio.serve(flood, "tcp://127.0.0.1:0", close_timeout=0.5)
    peer = await deaf(server.url)
    await until(lambda: server.connections)
    await asyncio.sleep(0.2)
    first = asyncio.create_task(server.close())
    await asyncio.sleep(0)
    assert not is_open(server.url)
    await server.close()
    assert server.connections == ()
    await first
    peer.transport.abort()


@needs_fast_loop
@run
async def test_unread_messages_do_not_hold_up_the_end(place: Place) -> None:
    """Both sides leave while more has come than they asked for."""
    if is_udp(place):
        return

    async def ticking(connection: aio.Connection) -> None:
        await connection.get_var()
        for n in range(100_000):
            await connection.put_var(n)
            await asyncio.sleep(0)

    async with place.both(ticking) as (server, connect):
        client = await connect()
        await client.put_var(1)
        await client.get_var()
        await asyncio.sleep(0.3)
        started = time.monotonic()
        await client.close()
        assert time.monotonic() - started < 2

    async def kicking(connection: aio.Connection) -> None:
        await connection.get_var()
        await asyncio.sleep(0.3)

    async with place.both(kicking) as (server, connect):
        client = await connect()
        for _ in range(200):
            await client.put_var("x" * 1000)
        await until(lambda: server.connections)
        started = time.monotonic()
        await until(lambda: not server.connections)
        assert time.monotonic() - started < 2
        client.abort()


# ---- typed values ----


@dataclass
class Request:
    name: str
    hp: Annotated[int, gdvar.Meta(ge=0)] = 1
    pos: gdvar.Vector3 = gdvar.Vector3()
    more: Any = None

    def __post_init__(self) -> None:
        if self.name == "root":
            raise ValueError("nobody is called root")


@run
async def test_typed_values_go_there_and_come_back(place: Place) -> None:
    async def answer(connection: aio.Connection) -> None:
        while True:
            request = await connection.get(Request)
            await connection.put(Request(request.name.upper(), request.hp + 1, request.pos))

    async with place.both(answer, dialect="godot-3.1") as (_, connect):
        async with await connect(dialect="godot-3.1") as client:
            await client.put(Request("ada", 7, gdvar.Vector3(1, 2, 3)))
            assert await client.get(Request) == Request("ADA", 8, gdvar.Vector3(1, 2, 3))
            await client.put(Request("bob"))
            assert (await client.get(dict[str, Any]))["name"] == "BOB"


@run
async def test_typed_values_keep_the_limits() -> None:
    got: asyncio.Queue[Any] = asyncio.Queue()

    async def handler(connection: aio.Connection) -> None:
        while True:
            try:
                got.put_nowait(await connection.get(Request, unknown="refuse"))
            except ValueError as error:
                got.put_nowait(error)

    deep: Any = []
    for _ in range(100):
        deep = [deep]
    limits = gdvar.Limits(64, 1 << 20, 100)
    async with await aio.serve(handler, "tcp://127.0.0.1:0", limits=limits) as server:
        async with await aio.connect(server.url) as client:
            for value in (
                {"name": "a", "more": deep},
                {"name": "a", "more": [0] * 200},
                {"name": "a", "hp": -1},
                {"name": "a", "other": 1},
                {"name": "root"},
            ):
                await client.put_var(value)
            await client.put_packet(
                gdvar.dumps({"name": "a", "more": gdvar.Object("Node")}, objects=True)
            )
            await client.put_var({"name": "still in step"})
            errors = [await got.get() for _ in range(6)]
            assert [getattr(error, "code", None) for error in errors] == [
                "depth_limit",
                "node_limit",
                "number_out_of_range",
                "unknown_key",
                None,
                "objects_forbidden",
            ]
            assert await got.get() == Request("still in step")


# ---- queues ----


@run
async def test_a_put_that_times_out_is_not_queued(place: Place) -> None:
    """A peer that does not read makes a server hold `max_queued` and a packet, and no more."""
    if is_udp(place):
        return
    most, size = 1 << 16, 100_000
    report: asyncio.Queue[tuple[int, int]] = asyncio.Queue()

    async def handler(connection: aio.Connection) -> None:
        await connection.get_var()
        sent = missed = 0
        while missed < 50:
            try:
                async with asyncio.timeout(0.02):
                    await connection.put_packet(bytes(size))
                sent += 1
            except TimeoutError:
                missed += 1
        transport: Any = getattr(connection, "_writer", None) or getattr(connection, "_socket")
        report.put_nowait((sent, transport.transport.get_write_buffer_size()))
        connection.abort()

    async with place.both(handler, max_queued=most, close_timeout=0.1) as (_, connect):
        client = await connect()
        await client.put_var(1)
        _, waiting = await report.get()
        assert waiting <= most + size + 100
        client.abort()


@run
async def test_put_nowait_says_when_it_would_wait(place: Place) -> None:
    if is_udp(place):
        return
    full: asyncio.Queue[int] = asyncio.Queue()

    async def handler(connection: aio.Connection) -> None:
        assert await connection.get_var() == 1
        for n in range(1000):
            try:
                connection.put_nowait("x" * 50_000)
            except aio.FullError as error:
                assert isinstance(error, asyncio.QueueFull) and error.code == "buffer_full"
                full.put_nowait(n)
                break
            await asyncio.sleep(0)
        await connection.get_var()

    async with place.both(handler, max_queued=1 << 16) as (_, connect):
        client = await connect()
        await client.put_var(1)
        count = await full.get()
        for _ in range(count):
            assert await client.get_var() == "x" * 50_000
        client.put_nowait("enough")
        await client.close()
        with pytest.raises((aio.ClosedError, ConnectionError)):
            client.put_nowait(1)


@run
async def test_one_packet_to_many(place: Place) -> None:
    async def handler(connection: aio.Connection) -> None:
        async for value in connection:
            if value == "all":
                assert aio.broadcast(server.connections, {"to": "all"}) == []

    async with place.both(handler) as (server, connect):
        clients = [await connect() for _ in range(4)]
        for client in clients:
            await client.put_var("hello")
        await until(lambda: len(server.connections) == 4)
        await clients[0].put_var("all")
        for client in clients:
            assert await client.get_var() == {"to": "all"}
        with pytest.raises(gdvar.EncodeError):
            aio.broadcast(server.connections, object())
        for client in clients:
            client.abort()


@pytest.mark.parametrize(
    ("other", "options", "value"),
    [
        ("udp://127.0.0.1:0", {}, "x" * 100_000),
        ("tcp://127.0.0.1:0", {"dialect": "godot-3.1"}, gdvar.Vector2i(1, 2)),
    ],
)
@run
async def test_a_value_that_one_can_not_get_is_sent_to_nobody(
    other: str, options: dict[str, Any], value: Any
) -> None:
    async with (
        await aio.serve(echo, "tcp://127.0.0.1:0") as first,
        await aio.serve(echo, other, **options) as second,
    ):
        clients = [await aio.connect(first.url), await aio.connect(second.url, **options)]
        for client in clients:
            await client.put_var(1)
            assert await client.get_var() == 1
        with pytest.raises(gdvar.EncodeError):
            aio.broadcast([*first.connections, *second.connections], value)
        assert aio.broadcast([*first.connections, *second.connections], "to all") == []
        for client in clients:
            assert await client.get_var() == "to all"
            client.abort()


@run
async def test_those_who_do_not_read_miss_a_broadcast() -> None:
    async def wait(connection: aio.Connection) -> None:
        await connection.get_var()

    async with await aio.serve(
        wait, "tcp://127.0.0.1:0", max_queued=1 << 16, close_timeout=0.1
    ) as server:
        client = await aio.connect(server.url)
        _, writer = await raw(server.url)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await until(lambda: len(server.connections) == 2)
        missed: list[aio.Connection] = []
        rounds = 0
        while not missed:
            missed = aio.broadcast(server.connections, "x" * 100_000)
            rounds += 1
            assert await client.get_var() == "x" * 100_000
        assert len(missed) == 1 and missed[0] in server.connections and rounds < 500
        client.abort()
        writer.transport.abort()


# ---- what a peer may do ----


async def arrivals(
    place_: Place, packets: list[bytes], pause: float, **bounds: float
) -> list[float]:
    """When a server's handler got each of the packets."""
    times: list[float] = []

    async def handler(connection: aio.Connection) -> None:
        async for _ in connection:
            times.append(time.monotonic())

    async with place_.both(handler, max_queued=1 << 20, **bounds) as (_, connect):
        async with await connect() as client:
            for packet in packets:
                await client.put_packet(packet)
                await asyncio.sleep(pause)
            await asyncio.sleep(0.8)
    return times


@needs_fast_loop
@run
async def test_a_peer_that_sends_too_much_is_read_more_slowly(place: Place) -> None:
    times = await arrivals(place, [gdvar.dumps(1)] * 60, 0, packets_per_second=100, burst=0.2)
    if is_udp(place):
        assert 15 <= len(times) <= 40  # the rest was dropped
    else:
        assert len(times) == 60
        assert times[-1] - times[0] > 0.3  # 20 at once, 40 at 100 a second


@run
async def test_bytes_are_counted_as_well(place: Place) -> None:
    packets = [gdvar.dumps("x" * 5_000)] * 10
    times = await arrivals(place, packets, 0.001, bytes_per_second=100_000, burst=0.1)
    if is_udp(place):
        assert 1 <= len(times) < 10
    else:
        assert len(times) == 10 and times[-1] - times[0] > 0.2


@needs_fast_loop
@run
async def test_a_silent_peer_is_gone(place: Place) -> None:
    why: list[str] = []

    async def handler(connection: aio.Connection) -> None:
        try:
            while True:
                await connection.get_var()
        except aio.ClosedError as closed:
            why.append(closed.code)
            with pytest.raises(aio.ClosedError):
                await connection.put_var(1)

    async with place.both(handler, idle_timeout=0.4) as (server, connect):
        busy, silent = await connect(), await connect()
        await silent.put_var(1)
        for _ in range(10):
            await busy.put_var(1)
            await asyncio.sleep(0.1)
        assert why == ["timed_out"] and len(server.connections) == 1
        busy.abort()
        silent.abort()


@run
async def test_a_peer_that_waits_to_be_read_is_not_silent(place: Place) -> None:
    if is_udp(place):
        return
    count = 0

    async def handler(connection: aio.Connection) -> None:
        nonlocal count
        await connection.get_var()
        await asyncio.sleep(0.8)
        async for _ in connection:
            count += 1

    async with place.both(handler, idle_timeout=0.3) as (_, connect):
        async with await connect() as client:
            for _ in range(100):
                await client.put_packet(gdvar.dumps("x" * 5_000))
        await until(lambda: count == 99)


async def echo_after_errors(connection: aio.Connection) -> None:
    """A handler that goes on after what it takes for packets that are no values."""
    while True:
        try:
            async for value in connection:
                await connection.put_var(value)
            return
        except (gdvar.DecodeError, OSError):
            await asyncio.sleep(0)


@run
async def test_an_error_that_ends_a_connection_is_raised_once(place: Place) -> None:
    if is_udp(place):
        return
    raised: list[type[Exception]] = []

    async def handler(connection: aio.Connection) -> None:
        for _ in range(4):
            try:
                await connection.get_var()
            except Exception as error:
                raised.append(type(error))
        with pytest.raises(aio.ClosedError):
            await connection.put_var(1)

    async with place.both(handler, max_packet=1000) as (server, connect):
        client = await connect()
        await client.put_packet(bytes(2000))
        await until(lambda: raised and not server.connections)
        assert raised == [gdvar.LimitError] + 3 * [aio.ClosedError]
        client.abort()

    async with place.both(echo_after_errors, max_packet=1000) as (server, connect):
        client = await connect()
        await client.put_var(1)
        assert await client.get_var() == 1
        await client.put_packet(bytes(2000))
        async with asyncio.timeout(5):
            await until(lambda: not server.connections)
        # The client's own end may be an error; after that it is closed.
        ends: list[BaseException] = []
        for _ in range(3):
            with pytest.raises((aio.ClosedError, ConnectionError)) as end:
                await client.get_var()
            ends.append(end.value)
        assert all(isinstance(end, aio.ClosedError) for end in ends[1:])
        client.abort()


@pytest.mark.parametrize("sent", [b"\x10\0\0\0\4\0", b"\x10\0", b"\xff\xff\xff\xff", b"GET / HTTP"])
@run
async def test_a_stream_that_broke_is_over(sent: bytes) -> None:
    async with await aio.serve(echo_after_errors, "tcp://127.0.0.1:0") as server:
        _, writer = await raw(server.url)
        await until(lambda: server.connections)
        writer.write(sent)
        writer.close()
        async with asyncio.timeout(5):
            await until(lambda: not server.connections)


async def raw_web(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A WebSocket client that writes its frames itself."""
    reader, writer = await raw(url.replace("ws:", "tcp:"))
    writer.write(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def web_frame(opcode: int, payload: bytes) -> bytes:
    """A client's frame: one fragment, masked with zeros."""
    size = len(payload)
    head = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([0x80 | opcode]) + head + bytes(4) + payload


BINARY, PING = 2, 9


async def send_until_stuck(writer: asyncio.StreamWriter, data: bytes, most: int) -> int:
    """Sends the same data again and again until it is not taken for a while; how often."""
    count = 0
    while count < most:
        writer.write(data)
        count += 1
        try:
            async with asyncio.timeout(0.5):
                await writer.drain()
        except (TimeoutError, ConnectionError):
            break
    return count


def waiting_for(connection: aio.Connection) -> int:
    transport: Any = getattr(connection, "_transport")
    return int(transport.get_write_buffer_size())


@run
async def test_pongs_do_not_pile_up() -> None:
    pytest.importorskip("websockets.asyncio.server")
    most = 1 << 16
    async with await aio.serve(
        echo,
        "ws://127.0.0.1:0",
        max_queued=most,
        bytes_per_second=None,
        packets_per_second=None,
        close_timeout=0.1,
    ) as server:
        reader, writer = await raw_web(server.url)
        pings = web_frame(PING, bytes(125)) * 2000
        count = await send_until_stuck(writer, pings, 200)
        while count < 200 and not waiting_for(server.connections[0]):  # the server is slow
            count += await send_until_stuck(writer, pings, 200 - count)
        assert count < 200
        assert 0 < waiting_for(server.connections[0]) <= most + (1 << 13)
        # A peer that reads gets each answer, and is heard again.
        writer.write(web_frame(BINARY, gdvar.dumps(7)))
        for _ in range(count * 2000):
            assert await reader.readexactly(127) == b"\x8a\x7d" + bytes(125)
        assert (await reader.readexactly(10))[2:] == gdvar.dumps(7)
        writer.transport.abort()


@pytest.mark.parametrize(
    ("bounds", "payload"),
    [
        ({"bytes_per_second": 20_000, "packets_per_second": None}, bytes(125)),
        ({"bytes_per_second": None, "packets_per_second": 100}, b""),
    ],
)
@run
async def test_pings_count_for_the_rates(bounds: dict[str, Any], payload: bytes) -> None:
    pytest.importorskip("websockets.asyncio.server")
    async with await aio.serve(
        echo, "ws://127.0.0.1:0", burst=0.1, close_timeout=0.1, **bounds
    ) as server:
        reader, writer = await raw_web(server.url)
        writer.write(web_frame(PING, payload) * 20_000)
        got = 0
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.7):
                while data := await reader.read(1 << 16):
                    got += len(data)
        assert 0 < got // (2 + len(payload)) < 2000
        writer.transport.abort()


@pytest.mark.parametrize("url", ["tcp://127.0.0.1:0", "ws://127.0.0.1:0"])
@needs_fast_loop
@run
async def test_a_peer_that_takes_nothing_is_gone(url: str) -> None:
    ends: list[Any] = []

    async def handler(connection: aio.Connection) -> None:
        try:
            await echo(connection)
        except aio.ClosedError as error:
            ends.append((error.code, str(error)))

    packet = gdvar.dumps("x" * 4000)
    async with await aio.serve(
        handler, url, idle_timeout=1, bytes_per_second=None, packets_per_second=None
    ) as server:
        if url.startswith("ws"):
            pytest.importorskip("websockets.asyncio.server")
            _, writer = await raw_web(server.url)
            data = web_frame(BINARY, packet)
        else:
            writer = await deaf(server.url)
            data = gdvar.frame(packet)
        assert await send_until_stuck(writer, data * 100, 200) < 200
        async with asyncio.timeout(5):
            await until(lambda: ends and not server.connections)
        assert ends == [("timed_out", "the peer took nothing for 1 seconds")]
        writer.transport.abort()


@run
async def test_a_peer_that_takes_little_by_little_stays() -> None:
    async with await aio.serve(
        flood,
        "tcp://127.0.0.1:0",
        idle_timeout=1,
        bytes_per_second=None,
        packets_per_second=None,
        close_timeout=0.1,
    ) as server:
        reader, writer = await raw(server.url)
        data = gdvar.frame(gdvar.dumps("x" * 4000)) * 100
        assert await send_until_stuck(writer, data, 200) < 200
        ends = time.monotonic() + 3
        while time.monotonic() < ends:
            assert len(await reader.read(1 << 16)) > 0
            await asyncio.sleep(0.01)
        assert len(server.connections) == 1
        writer.transport.abort()


@needs_fast_loop
@run
async def test_packets_before_an_end_in_bad_order_arrive(place: Place) -> None:
    """A slow handler gets all that a peer sent which left without a word."""
    if is_udp(place):
        return
    got: list[Any] = []
    left = asyncio.Event()

    async def handler(connection: aio.Connection) -> None:
        await left.wait()
        async for value in connection:
            got.append(value)
            await asyncio.sleep(0)

    async with place.both(handler, packets_per_second=1000, burst=0.01) as (server, connect):
        client = await connect()
        for n in range(200):
            await client.put_var(n)
        transport: Any = getattr(client, "_transport")
        transport.close()
        await asyncio.sleep(0.1)
        left.set()
        await until(lambda: not server.connections)
    assert got == list(range(200))


@run
async def test_connections_of_one_address(place: Place) -> None:
    if place.url.startswith("unix"):
        return

    async with place.both(echo, max_per_address=2) as (server, connect):
        first, second = await two_alone(server, connect)
        if is_udp(place):
            first.abort()
            second.abort()
            return
        await first.close()  # makes room for another
        await until(lambda: len(server.connections) == 1)
        fourth = await connect()
        await fourth.put_var(4)
        assert await fourth.get_var() == 4
        second.abort()
        fourth.abort()


@needs_fast_loop
@run
async def test_bounds_can_be_turned_off(place: Place) -> None:
    got = 0

    async def handler(connection: aio.Connection) -> None:
        nonlocal got
        async for _ in connection:
            got += 1

    off = dict.fromkeys(["packets_per_second", "bytes_per_second", "idle_timeout", "max_per_address"])
    async with place.both(handler, max_queued=1 << 20, **off) as (_, connect):
        clients = [await connect() for _ in range(40)]
        for _ in range(200):
            for client in clients:
                await client.put_var(None)
            await asyncio.sleep(0)
        await until(lambda: got == 8000 or is_udp(place))
        for client in clients:
            client.abort()


@pytest.mark.parametrize(
    "name", ["packets_per_second", "bytes_per_second", "idle_timeout", "max_per_address", "burst"]
)
@run
async def test_bounds_that_are_none(name: str) -> None:
    with pytest.raises(ValueError, match="above 0"):
        await aio.serve(echo, "tcp://127.0.0.1:0", **{name: 0})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"dialect": "godot5"}, ValueError),
        ({"dialect": 4}, TypeError),
        ({"limits": 5}, TypeError),
        ({"limits": (8, 4096, 256)}, TypeError),
        ({"limits": gdvar.Limits(-1)}, ValueError),
        ({"max_packet": -1}, ValueError),
        ({"max_packet": 0}, ValueError),
        ({"max_packet": None}, TypeError),
        ({"max_packet": 1e6}, TypeError),
        ({"max_packet": 1 << 64}, ValueError),
        ({"max_queued": -1}, ValueError),
        ({"max_queued": None}, TypeError),
        ({"ssl": True}, TypeError),
        ({"ssl": ssl.create_default_context()}, ValueError),
    ],
)
@pytest.mark.parametrize("url", ["tcp://127.0.0.1:0", "udp://127.0.0.1:0", "ws://127.0.0.1:0"])
@run
async def test_options_that_are_none(
    url: str, options: dict[str, Any], kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        await aio.serve(echo, url, **options)
    with pytest.raises(kind):
        await aio.connect(url, **options)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"max_connections": None}, TypeError),
        ({"max_connections": 0}, ValueError),
        ({"max_connections": 2.5}, TypeError),
        ({"max_per_address": "32"}, TypeError),
        ({"max_per_address": True}, TypeError),
        ({"burst": None}, TypeError),
        ({"burst": -1}, ValueError),
        ({"bytes_per_second": "1 MiB"}, TypeError),
        ({"packets_per_second": float("nan")}, ValueError),
        ({"idle_timeout": -1}, ValueError),
        ({"handshake_timeout": 0}, ValueError),
        ({"handshake_timeout": None}, TypeError),
        ({"close_timeout": -1}, ValueError),
        ({"close_timeout": None}, TypeError),
        ({"origins": "https://example.com"}, TypeError),
        ({"origins": [1]}, TypeError),
        ({"origins": 1}, TypeError),
        ({"origins": ["example.com"]}, ValueError),
        ({"origins": ["https://example.com/"]}, ValueError),
        ({"origins": ["https://example.com/game"]}, ValueError),
        ({"origins": ["*"]}, ValueError),
        ({"report": 1}, TypeError),
    ],
)
@pytest.mark.parametrize("url", ["tcp://127.0.0.1:0", "ws://127.0.0.1:0"])
@run
async def test_options_of_servers_that_are_none(
    url: str, options: dict[str, Any], kind: type[Exception]
) -> None:
    with pytest.raises(kind, match=next(iter(options)).rstrip("s")):
        await aio.serve(echo, url, **options)


@run
async def test_options_that_are_some(place: Place) -> None:
    async with place.both(
        echo,
        limits=gdvar.Limits(0, 4, 1),
        max_connections=1,
        bytes_per_second=float("inf"),
        burst=1,
        close_timeout=0,
        origins=iter(["null", "file://", "http://localhost:8060", "https://example.com"]),
    ) as (_, connect):
        client = await connect(limits=gdvar.Limits(0, 0, 0))
        await client.put_var(None)
        assert await client.get_packet() == gdvar.dumps(None)
        client.abort()
    with pytest.raises(TypeError):
        await aio.serve(None, place.url, ssl=place.server_ssl)  # type: ignore[arg-type]


@run
async def test_pages_of_any_origin_where_that_is_said() -> None:
    web = pytest.importorskip("websockets.asyncio.client")
    async with await aio.serve(echo, "ws://127.0.0.1:0", origins=None) as server:
        async with web.connect(server.url, origin="https://any.example", proxy=None) as page:
            await page.send(gdvar.dumps(1))
            assert await page.recv() == gdvar.dumps(1)


# ---- whose fault it was ----


async def outcome(
    handler: Callable[[aio.Connection], Any], *, dies: bool = False
) -> tuple[list[Exception], list[Exception]]:
    """What a server of the handler says of its peer's doings, and of its own."""
    peers: list[Exception] = []
    own: list[Exception] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: own.append(context["exception"])
    )
    async with await aio.serve(
        handler,
        "tcp://127.0.0.1:0",
        report=lambda _, error: peers.append(error),
        close_timeout=0.2,
    ) as server:
        client = await aio.connect(server.url)
        await client.put_var({"name": "root", "hp": "many"})
        if dies:
            client.abort()
        await until(lambda: (peers or own) and not server.connections)
        client.abort()
    return peers, own


async def no_database() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    await asyncio.open_connection("127.0.0.1", port)


async def own_connection_error(connection: aio.Connection) -> None:
    await connection.get_var()
    await no_database()


async def own_timeout(connection: aio.Connection) -> None:
    await connection.get_var()
    async with asyncio.timeout(0.01):
        await asyncio.sleep(1)


async def own_error_after_the_peers(connection: aio.Connection) -> None:
    try:
        await connection.get(Request)
    except gdvar.MismatchError:
        await no_database()


async def own_value_that_is_none(connection: aio.Connection) -> None:
    await connection.put_var(object())


async def own_type_that_is_none(connection: aio.Connection) -> None:
    await connection.get(complex)


async def own_value_error(connection: aio.Connection) -> None:
    int(str(await connection.get_var()))


async def own_end_of_file(connection: aio.Connection) -> None:
    raise EOFError


@pytest.mark.parametrize(
    ("handler", "kind"),
    [
        (own_connection_error, ConnectionRefusedError),
        (own_timeout, TimeoutError),
        (own_error_after_the_peers, ConnectionRefusedError),
        (own_value_that_is_none, gdvar.EncodeError),
        (own_type_that_is_none, TypeError),
        (own_value_error, ValueError),
        (own_end_of_file, EOFError),
    ],
)
@run
async def test_a_servers_own_errors_are_its_own(
    handler: Callable[[aio.Connection], Any], kind: type[Exception]
) -> None:
    peers, own = await outcome(handler)
    assert peers == [] and [type(error) for error in own] == [kind]


async def silent(connection: aio.Connection) -> None:
    await connection.get_var()
    async with asyncio.timeout(0.01):
        await connection.get_var()


async def silent_in_a_task(connection: aio.Connection) -> None:
    await connection.get_var()
    await asyncio.wait_for(connection.get_var(), 0.01)


async def not_reading(connection: aio.Connection) -> None:
    while True:
        async with asyncio.timeout(0.1):
            await connection.put_packet(bytes(500_000))


async def mismatch(connection: aio.Connection) -> None:
    await connection.get(Request)


async def mismatch_of_a_packet(connection: aio.Connection) -> None:
    gdvar.decode(await connection.get_packet(), Request)


@dataclass
class Picky:
    name: str

    def __post_init__(self) -> None:
        raise ValueError(f"nobody is called {self.name}")


async def refused_by_the_class(connection: aio.Connection) -> None:
    await connection.get(Picky)


async def in_a_group(connection: aio.Connection) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(mismatch(connection))
        group.create_task(asyncio.sleep(10))


async def not_reading_without_waiting(connection: aio.Connection) -> None:
    while True:
        connection.put_packet_nowait(bytes(500_000))


@pytest.mark.parametrize(
    ("handler", "kind"),
    [
        (silent, TimeoutError),
        (silent_in_a_task, TimeoutError),
        (not_reading, TimeoutError),
        (not_reading_without_waiting, aio.FullError),
        (mismatch, gdvar.MismatchError),
        (mismatch_of_a_packet, gdvar.MismatchError),
        (refused_by_the_class, ValueError),
        (in_a_group, ExceptionGroup),
    ],
)
@run
async def test_what_a_peer_did_is_reported(
    handler: Callable[[aio.Connection], Any], kind: type[Exception]
) -> None:
    peers, own = await outcome(handler)
    assert own == [] and [type(error) for error in peers] == [kind]


@run
async def test_a_peer_that_dies_is_reported() -> None:
    async def twice(connection: aio.Connection) -> None:
        while True:
            await connection.get_var()

    peers, own = await outcome(twice, dies=True)
    assert own == [] and isinstance(peers[0], (aio.ClosedError, ConnectionError))


@run
async def test_both_are_seen_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def handler(connection: aio.Connection) -> None:
        if await connection.get_var() == "ours":
            raise ConnectionRefusedError("the database is down")
        await connection.get(Request)

    def told() -> list[logging.LogRecord]:
        # With PYTHONASYNCIODEBUG, asyncio also says that it serves, and what is slow.
        return [
            record
            for record in caplog.records
            if record.name == "gdvar.aio"
            or (record.name == "asyncio" and record.levelno >= logging.ERROR)
        ]

    async with await aio.serve(handler, "tcp://127.0.0.1:0") as server:
        for value in ("ours", 1):
            client = await aio.connect(server.url)
            await client.put_var(value)
            await client.put_var({})
            await until(lambda: len(told()) >= (1 if value == "ours" else 2))
            client.abort()
    ours, theirs = told()[:2]
    assert ours.name == "asyncio" and ours.levelno == logging.ERROR
    assert ours.exc_info and "database is down" in str(ours.exc_info[1])
    assert theirs.name == "gdvar.aio" and theirs.levelno == logging.INFO
    assert "MismatchError: $" in theirs.getMessage()


@run
async def test_a_report_that_fails_is_seen() -> None:
    own: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, c: own.append(c["exception"]))

    def report(connection: aio.Connection, error: Exception) -> None:
        raise KeyError("report")

    async with await aio.serve(echo, "tcp://127.0.0.1:0", report=report) as server:
        client = await aio.connect(server.url)
        await client.put_packet(b"\xff\xff\xff\xff")
        await until(lambda: own)
        assert isinstance(own[0], KeyError)
        client.abort()
