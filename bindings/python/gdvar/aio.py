"""Connections to Godot for asyncio: `put_var` and `get_var`.

    async with gdvar.aio.connect("tcp://127.0.0.1:4000") as connection:
        await connection.put_var({"hello": "Godot"})
        async for value in connection:
            print(value)

Over TCP, TLS, Unix sockets, UDP and WebSocket. Which of Godot's classes talks to which URL:
docs/networking.md. WebSocket needs the package `websockets`, 15 or newer. No thread is started.

Reading and writing have no time limits of their own: use asyncio.timeout. Every call that waits may
be cancelled; the connection is in step after that.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import errno
import importlib
import logging
import os
import pathlib
import socket
import ssl as tls
import types
import urllib.parse
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeVar, cast, overload

from gdvar._gdvar import StreamFramer, decode, dumps, encode, frame, loads
from gdvar._guards import Bounds, Places, Rate, Rates, Silence, check_above_0
from gdvar.errors import DecodeError, EncodeError, Error, LimitError, MismatchError
from gdvar.values import NETWORK, Limits

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "ClosedError",
    "Connection",
    "FullError",
    "Opening",
    "Server",
    "broadcast",
    "connect",
    "serve",
]

_T = TypeVar("_T")
_Opened = TypeVar("_Opened", bound="Connection | Server", covariant=True)

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())  # logs are printed only on request

_CHUNK = 1 << 16
"""Bytes that are read from a stream at once."""
_LARGEST_DATAGRAM = 65_507
_STREAK = 64
"""Packets that a connection gives before others have a turn, however many have arrived."""
_REPLACEABLE = 5.0
"""Seconds of silence after which a UDP peer may be replaced by a new one."""
_SILENT_UDP = 120.0
"""Seconds of silence after which a UDP peer is gone where no time is set: nothing else ends it."""
_MAPPED = bytes(10) + b"\xff\xff"
"""Before an IPv4 address that an IPv6 socket gives."""


class ClosedError(Error, EOFError):
    """The connection was closed in good order, or a UDP peer is gone; `async for` ends by it."""


class FullError(Error, asyncio.QueueFull):
    """`max_queued` bytes wait to be sent already; the packet was not taken."""


class _Options(NamedTuple):
    dialect: str
    limits: Limits | None
    objects: bool
    strict: bool
    big_endian: bool
    max_packet: int
    max_queued: int
    bounds: Bounds = Bounds()


class _Blame:
    """Marks the exceptions of a connection, so that a server knows whose they are."""

    __slots__ = ("_connection",)

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            error._gdvar_connection = self._connection  # type: ignore[attr-defined]


class Connection(ABC):
    """A connection that carries packets. `connect` makes it, or a server's handler is given it.

    One task at a time may read, others may write meanwhile.

    Attributes:
        peer: the other side's address, "127.0.0.1:4000".
        path, headers: of the request that began a WebSocket: "/game?room=1", and a mapping of its
            headers, by names in any case; the values of a name that repeats are joined by ", ".
            Behind a proxy, `headers` has the player's address. For other transports "" and no
            headers.
    """

    path: str = ""
    headers: Mapping[str, str] = types.MappingProxyType({})

    def __init__(self, peer: str, options: _Options) -> None:
        self.peer = peer
        self._options = options
        self._reading: dict[str, Any] = {
            name: getattr(options, name) for name in ("dialect", "limits", "objects", "strict")
        }
        self._streak = 0
        self._rate = Rate(options.bounds)
        self._blame = _Blame(self)

    # ---- packets ----

    async def get_packet(self) -> bytes:
        """The next packet, as it came.

        Raises ClosedError at the end; TruncatedError if the stream ended inside a packet;
        LimitError for a packet over `max_packet`, and DecodeError for a length that no packet has.
        After these two a stream is closed, because nobody knows where its next packet begins. An
        error that ends the connection is raised once, by later calls ClosedError.
        """
        with self._blame:
            await self._take_turn()
            return await self._get()

    async def put_packet(self, packet: Buffer) -> None:
        """Sends a packet. Waits first while more than `max_queued` bytes wait for the peer.

        Cancelled while it waits, the packet is not sent. Raises ClosedError if the connection is
        closed, EncodeError for a packet that no datagram holds, ConnectionError.
        """
        with self._blame:
            self._check(packet)
            await self._wait_for_room()
            self._put(packet)

    def put_packet_nowait(self, packet: Buffer) -> None:
        """The same without waiting. Raises FullError where it would wait."""
        with self._blame:
            self._check(packet)
            if self._is_full():
                most = self._options.max_queued
                raise FullError(f"{most} bytes wait for {self.peer}", code="buffer_full")
            self._put(packet)

    @abstractmethod
    async def close(self) -> None:
        """Closes the connection after what was put has been sent; waits for that.

        A peer that does not read makes it wait for ever. Cancelled, it closes at once.
        """

    @abstractmethod
    def abort(self) -> None:
        """Closes the connection at once. Packets that wait to be sent are lost."""

    # ---- values ----

    async def get_var(self) -> Any:
        """The next value. Raises what `get_packet` raises, and DecodeError for a packet that is no
        value within the limits. The connection is in step after that: the next call gives the next
        value."""
        packet = await self.get_packet()
        with self._blame:
            return self.decode(packet)

    async def put_var(self, value: Any) -> None:
        """Sends a value. Raises EncodeError, and what `put_packet` raises."""
        await self.put_packet(self.encode(value))

    def put_nowait(self, value: Any) -> None:
        """The same without waiting. Raises FullError where `put_var` would wait."""
        self.put_packet_nowait(self.encode(value))

    @overload
    async def get(
        self,
        type: type[_T],
        *,
        unknown: Literal["ignore", "refuse"] = "ignore",
        repeated: Literal["last", "refuse"] = "last",
        dec_hook: Callable[[Any, Any], Any] | None = None,
    ) -> _T: ...
    @overload
    async def get(
        self,
        type: Any,
        *,
        unknown: Literal["ignore", "refuse"] = "ignore",
        repeated: Literal["last", "refuse"] = "last",
        dec_hook: Callable[[Any, Any], Any] | None = None,
    ) -> Any: ...
    async def get(
        self,
        type: Any,
        *,
        unknown: Literal["ignore", "refuse"] = "ignore",
        repeated: Literal["last", "refuse"] = "last",
        dec_hook: Callable[[Any, Any], Any] | None = None,
    ) -> Any:
        """The next value as a type, as `gdvar.decode` makes it, with the connection's dialect and
        limits.

        Raises what `get_packet` raises, DecodeError, MismatchError, and what the type's own code
        raises. The connection is in step after that.
        """
        packet = await self.get_packet()
        with self._blame:
            return decode(
                packet, type, unknown=unknown, repeated=repeated, dec_hook=dec_hook, **self._reading
            )

    async def put(
        self, obj: Any, *, type: Any = None, enc_hook: Callable[[Any], Any] | None = None
    ) -> None:
        """Sends an object as `gdvar.encode` writes it: a dataclass, an enum, ...

        `type`: what it is declared as; None: its class. Raises MismatchError, EncodeError, and what
        `put_packet` raises.
        """
        options = self._options
        packet = encode(
            obj, type=type, dialect=options.dialect, objects=options.objects, enc_hook=enc_hook
        )
        await self.put_packet(packet)

    def decode(self, packet: Buffer) -> Any:
        """The value of a packet, as `get_var` reads it. Raises DecodeError."""
        return loads(packet, **self._reading)

    def encode(self, value: Any) -> bytes:
        """The packet of a value, as `put_var` writes it. Raises EncodeError."""
        return dumps(value, dialect=self._options.dialect, objects=self._options.objects)

    # ---- what each transport does ----

    @abstractmethod
    async def _get(self) -> bytes:
        """The next packet. Waits before it takes one, not after, so that it can be cancelled."""

    @abstractmethod
    def _put(self, packet: Buffer) -> None:
        """Queues a packet, whatever waits already. Raises ClosedError."""

    @abstractmethod
    def _is_full(self) -> bool: ...

    @abstractmethod
    async def _wait_for_room(self) -> None: ...

    def _check(self, packet: Buffer) -> None:
        """Raises EncodeError for a packet that can't be sent."""

    async def _take_turn(self) -> None:
        # Received packets are returned without waiting: a peer that floods would block the event
        # loop.
        self._streak += 1
        if self._streak >= _STREAK:
            self._streak = 0
            await asyncio.sleep(0)

    async def _wait_for_rate(self) -> None:
        while (seconds := self._rate.wait()) > 0:
            await asyncio.sleep(seconds)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self.get_var()
        except ClosedError:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            await self.close()
        else:
            self.abort()


def broadcast(connections: Iterable[Connection], value: Any) -> list[Connection]:
    """Sends a value to all of the connections, without waiting.

    Gives those that did not get it: more than `max_queued` bytes wait for them, or they are closed.
    A value is encoded once for each dialect. Raises EncodeError, then nobody has got it.
    """
    packets: dict[tuple[str, bool], bytes] = {}
    to_send: list[tuple[Connection, bytes]] = []
    for connection in connections:
        kind = connection._options.dialect, connection._options.objects
        if kind not in packets:
            packets[kind] = connection.encode(value)
        connection._check(packets[kind])
        to_send.append((connection, packets[kind]))
    missed: list[Connection] = []
    for connection, packet in to_send:
        try:
            connection.put_packet_nowait(packet)
        except (FullError, ClosedError, OSError):
            missed.append(connection)
    return missed


# ---- streams ----


class _Carried(Connection):
    """A connection with a transport of its own."""

    def __init__(self, peer: str, options: _Options, transport: asyncio.Transport) -> None:
        super().__init__(peer, options)
        self._transport = transport
        self._sent = 0
        self._why: ClosedError | None = None
        self._is_over = False

    def is_paused(self) -> bool:
        """True if more has arrived than was requested, so that reading has stopped."""
        return not self._transport.is_reading()

    def waiting(self) -> int:
        """Bytes that wait to be sent."""
        return self._transport.get_write_buffer_size()

    def taken(self) -> int:
        """Sent bytes: grows while the peer takes something."""
        return self._sent - self.waiting()

    def end(self, why: ClosedError) -> None:
        """Closes the connection at once; `why` is raised after the received packets."""
        self._why = why
        self.abort()

    def abort(self) -> None:
        self._transport.abort()

    def _is_full(self) -> bool:
        return self.waiting() > self._options.max_queued

    async def _get(self) -> bytes:
        if self._is_over:
            raise self._closed()
        try:
            await self._wait_for_rate()
            return await self._receive()
        except (DecodeError, OSError):
            self._is_over = True
            self.abort()
            raise

    @abstractmethod
    async def _receive(self) -> bytes:
        """The next packet. After DecodeError and OSError there is none."""

    def _closed(self) -> ClosedError:
        why = self._why or ClosedError("the connection is closed", code="closed")
        return why.with_traceback(None)


class _Stream(_Carried):
    """TCP, TLS and Unix sockets: packets behind a length."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, options: _Options
    ) -> None:
        transport = cast(asyncio.Transport, writer.transport)
        super().__init__(_name(writer.get_extra_info("peername")), options, transport)
        self._reader = reader
        self._writer = writer
        self._framer = StreamFramer(big_endian=options.big_endian, max_packet=options.max_packet)
        transport.set_write_buffer_limits(high=options.max_queued)

    async def _receive(self) -> bytes:
        while (packet := next(self._framer, None)) is None:
            data = await self._reader.read(_CHUNK)
            if not data:
                if self._why is not None:
                    raise self._closed()
                self._framer.finish()
                raise ClosedError("the peer closed the connection", code="closed")
            self._framer.feed(data)
            self._rate.take(len(data), 0)
        self._rate.take(0, 1)
        return packet

    def _put(self, packet: Buffer) -> None:
        if self._writer.is_closing():
            raise self._closed()
        framed = frame(packet, big_endian=self._options.big_endian)
        self._sent += len(framed)
        self._writer.write(framed)

    async def _wait_for_room(self) -> None:
        if self._writer.is_closing():
            return  # `_put` raises it
        await self._writer.drain()
        while self._is_full():  # of several that waited, the first may have filled the queue again
            await asyncio.sleep(0)
            await self._writer.drain()

    async def close(self) -> None:
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            pass  # it is closed nevertheless
        except asyncio.CancelledError:
            self.abort()
            raise


# ---- datagrams ----


class _Datagrams(Connection):
    """One UDP peer: each datagram is a packet.

    Datagrams that arrive while `max_queued` bytes are unread are dropped, as any datagram may be.
    """

    def __init__(
        self, endpoint: _Endpoint, address: Any, options: _Options, rate: Rate | None = None
    ) -> None:
        super().__init__(_name(address), options)
        self._rate = rate or self._rate
        self._endpoint = endpoint
        self._address = address
        self._arrived: collections.deque[bytes | Exception] = collections.deque()
        self._bytes = 0
        self._closed: ClosedError | None = None
        self._waiter: asyncio.Future[None] | None = None
        self.last = asyncio.get_running_loop().time()

    def arrive(self, packet: bytes) -> None:
        self.last = asyncio.get_running_loop().time()
        if self._rate.take_if_it_fits(len(packet)):
            self.queue(packet)

    def queue(self, packet: bytes) -> None:
        """Queues a packet already taken from the rate."""
        if len(packet) > self._options.max_packet:
            self.fail(_over_limit(len(packet), self._options.max_packet))
        elif self._bytes + len(packet) + 64 <= self._options.max_queued:
            self._bytes += len(packet) + 64  # including the cost of an object
            self._arrived.append(packet)
            self._wake()

    def fail(self, error: Exception) -> None:
        """An error that the next call of `get_packet` raises."""
        if self._bytes + 64 <= self._options.max_queued:
            self._bytes += 64
            self._arrived.append(error)
            self._wake()

    def end(self, why: ClosedError) -> None:
        """After this, received packets are returned, then `why` is raised."""
        self._closed = self._closed or why
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _get(self) -> bytes:
        while not self._arrived:
            if self._closed is not None:
                raise self._closed.with_traceback(None)
            if self._waiter is not None:
                raise RuntimeError("another task is reading from the connection")
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        packet = self._arrived.popleft()
        self._bytes -= 64
        if isinstance(packet, Exception):
            raise packet
        self._bytes -= len(packet)
        return packet

    def _check(self, packet: Buffer) -> None:
        size = memoryview(packet).nbytes
        if size > _LARGEST_DATAGRAM:
            raise EncodeError(f"a packet of {size} bytes fits no datagram", code="too_large")

    def _put(self, packet: Buffer) -> None:
        if self._closed is not None:
            raise self._closed.with_traceback(None)
        self._endpoint.transport.sendto(bytes(packet), self._address)

    def _is_full(self) -> bool:
        return self._closed is None and not self._endpoint.may_write.is_set()

    async def _wait_for_room(self) -> None:
        while self._is_full():
            await self._endpoint.may_write.wait()

    async def close(self) -> None:
        self.abort()
        if self._endpoint.transport.is_closing():  # a client's; a server's serves others, too
            await self._endpoint.lost.wait()

    def abort(self) -> None:
        self.end(ClosedError("the connection is closed", code="closed"))
        self._endpoint.forget(self, self._address)


class _Endpoint(asyncio.DatagramProtocol):
    """A UDP socket: that of a client with its one peer, or of a server with any number."""

    transport: asyncio.DatagramTransport

    def __init__(self, options: _Options) -> None:
        self.options = options
        self.peers: collections.OrderedDict[Any, _Datagrams] = collections.OrderedDict()
        self.may_write = asyncio.Event()
        self.may_write.set()
        self.lost = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # asyncio's own transport is not a subclass of the one, but has the functions of the other.
        self.transport = cast(asyncio.DatagramTransport, transport)
        cast(asyncio.WriteTransport, transport).set_write_buffer_limits(self.options.max_queued)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()
        self.may_write.set()
        for peer in list(self.peers.values()):
            peer.end(ClosedError("the connection is closed", code="closed"))

    def pause_writing(self) -> None:
        self.may_write.clear()

    def resume_writing(self) -> None:
        self.may_write.set()

    def forget(self, peer: _Datagrams, address: Any) -> None:
        if self.peers.get(address) is peer:  # and not a later one from the same address
            del self.peers[address]


class _ClientEndpoint(_Endpoint):
    """A client's socket, which hears its peer alone; the peer's address is None here."""

    def datagram_received(self, data: bytes, addr: Any) -> None:
        for peer in self.peers.values():
            peer.arrive(data)

    def error_received(self, exc: Exception) -> None:
        for peer in self.peers.values():
            peer.fail(exc)  # nobody listens there; somebody may later

    def forget(self, peer: _Datagrams, address: Any) -> None:
        super().forget(peer, address)
        self.transport.close()


class _ServerEndpoint(_Endpoint):
    """A server's socket. Every address that sends is a peer until it has been silent for long.

    Peers are ordered by their last datagrams. If there are `most`, a new one replaces the one that
    has been silent longest, if that is 5 seconds or more; otherwise it is ignored. So forged
    addresses can't push out active peers. The same holds for the peers of one host and
    `max_per_address`. A peer's rate stays with its host: a new port, or a handler that closes the
    connection, brings no gain.
    """

    def __init__(
        self, options: _Options, begin: Callable[[Connection], None], most: int
    ) -> None:
        super().__init__(options)
        self._begin = begin
        self._most = most
        self._idle = options.bounds.idle_timeout or _SILENT_UDP
        self._timer: asyncio.TimerHandle | None = None
        self._hosts: dict[str | None, collections.OrderedDict[Any, None]] = {}
        self._rates = Rates(options.bounds, most)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        host = _host_of(addr)
        peer = self.peers.get(addr)
        if peer is not None:
            self.peers.move_to_end(addr)
            self._hosts[host].move_to_end(addr)
            peer.arrive(data)
            return
        rate = self._rates.take(host)
        if not rate.take_if_it_fits(len(data)) or not self._make_room(host):
            self._rates.give_back(host, rate)
            return
        peer = self.peers[addr] = _Datagrams(self, addr, self.options, rate)
        self._hosts.setdefault(host, collections.OrderedDict())[addr] = None
        self._watch()
        peer.queue(data)
        self._begin(peer)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def forget(self, peer: _Datagrams, address: Any) -> None:
        if self.peers.get(address) is peer:
            self._remove(address)

    def _remove(self, address: Any) -> _Datagrams:
        host = _host_of(address)
        of_host = self._hosts[host]
        del of_host[address]
        if not of_host:
            del self._hosts[host]
        peer = self.peers.pop(address)
        self._rates.give_back(host, peer._rate)
        return peer

    def _silence(self, address: Any) -> float:
        return asyncio.get_running_loop().time() - self.peers[address].last

    def _drop(self, address: Any, why: str) -> None:
        self._remove(address).end(ClosedError(why, code="timed_out"))

    def _make_room(self, host: str | None) -> bool:
        most = self.options.bounds.max_per_address
        of_host = self._hosts.get(host, ())
        if most is not None and len(of_host) >= most:
            return self._replace(of_host)
        return len(self.peers) < self._most or self._replace(self.peers)

    def _replace(self, peers: Iterable[Any]) -> bool:
        """Drops the longest silent one of these, if it was silent for long."""
        oldest = next(iter(peers), None)
        if oldest is None or self._silence(oldest) < _REPLACEABLE:
            return False
        self._drop(oldest, "a new peer took the place of this one, which was silent")
        return True

    def _watch(self) -> None:
        """Ends the peers that have been silent for too long; looks again when the next may be."""
        if self._timer is not None:
            return
        while self.peers:
            oldest = next(iter(self.peers))
            left = self._idle - self._silence(oldest)
            if left > 0:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(left, self._watch_again)
                return
            self._drop(oldest, f"nothing came from the peer for {self._idle:g} seconds")

    def _watch_again(self) -> None:
        self._timer = None
        self._watch()


# ---- connecting and serving ----


def _name(address: Any) -> str:
    """An address for people."""
    if isinstance(address, tuple):
        host, port = cast("tuple[str, int]", address)[:2]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return str(address or "")


def _over_limit(size: int, most: int) -> LimitError:
    return LimitError(f"a packet of {size} bytes, over {most}", code="size_limit")


def _split(url: str) -> tuple[str, str, int]:
    """A URL's scheme, host and port; of "unix:PATH" the path in the host's place."""
    if url.startswith("unix:"):
        if not hasattr(socket, "AF_UNIX"):  # CPython for Windows
            raise OSError(errno.EAFNOSUPPORT, "this system has no Unix sockets", url)
        return "unix", url.removeprefix("unix:"), -1
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("tcp", "tls", "udp", "ws", "wss") or not parts.hostname:
        raise ValueError(f"not tcp://HOST:PORT, tls, udp, ws, wss or unix:PATH: {url!r}")
    default = {"ws": 80, "wss": 443}.get(parts.scheme)
    port = parts.port if parts.port is not None else default
    if port is None:
        raise ValueError(f"there is no port in {url!r}")
    return parts.scheme, parts.hostname, port


def _check_options(options: _Options, ssl: object, scheme: str) -> None:
    """Raises ValueError, TypeError for options that would fail for each packet or peer."""
    check_above_0(int, max_packet=options.max_packet, max_queued=options.max_queued)
    if ssl is not None and not isinstance(ssl, tls.SSLContext):
        raise TypeError(f"ssl must be an ssl.SSLContext, not {type(ssl)}")
    if ssl is not None and scheme not in ("tls", "wss"):
        raise ValueError(f"ssl is for tls:// and wss://, not for {scheme}")
    packet = dumps(None, dialect=options.dialect)
    try:
        loads(packet, dialect=options.dialect, limits=options.limits)
        StreamFramer(max_packet=options.max_packet)
    except LimitError:
        pass  # to admit not even that
    except OverflowError as error:
        raise ValueError(f"limits and max_packet: {error}") from error


def _check_origins(origins: object) -> tuple[str, ...] | None:
    """Raises ValueError, TypeError for a text that no browser sends as its page's origin."""
    if origins is None:
        return None
    if isinstance(origins, str) or not isinstance(origins, Iterable):
        raise TypeError(f"origins must be a list of texts, not {origins!r}")
    checked: list[str] = []
    for origin in cast("Iterable[object]", origins):
        if not isinstance(origin, str):
            raise TypeError(f"origins must be texts, not {type(origin)}")
        parts = urllib.parse.urlsplit(origin)
        if origin != "null" and (not parts.scheme or origin != f"{parts.scheme}://{parts.netloc}"):
            raise ValueError(f"origins are like https://example.com, not {origin!r}")
        checked.append(origin)
    return tuple(checked)


class Opening(Coroutine[Any, Any, _Opened]):
    """The result of `connect` and `serve`: `await` gives the connection or server itself, and
    `async with` closes it at its end."""

    def __init__(self, opening: Coroutine[Any, Any, _Opened]) -> None:
        self._opening = opening
        self.__name__: str = getattr(opening, "__name__", type(self).__name__)  # for a Task's repr

    def __await__(self) -> Generator[Any, Any, _Opened]:
        return self._opening.__await__()

    def send(self, value: Any, /) -> Any:
        return self._opening.send(value)

    def throw(self, *error: Any) -> Any:
        return self._opening.throw(*error)

    def close(self) -> None:
        self._opening.close()

    async def __aenter__(self) -> _Opened:
        self._opened = await self._opening
        return self._opened

    async def __aexit__(self, *error: Any) -> None:
        await self._opened.__aexit__(*error)


def connect(
    url: str,
    *,
    dialect: str = "godot-4.4",
    limits: Limits | None = NETWORK,
    objects: bool = False,
    strict: bool = False,
    big_endian: bool = False,
    max_packet: int = 1 << 20,
    max_queued: int = 1 << 18,
    ssl: tls.SSLContext | None = None,
) -> Opening[Connection]:
    """Connects to a URL: "tcp://HOST:PORT", "tls://HOST:PORT", "udp://HOST:PORT",
    "ws://HOST:PORT/PATH", "wss://HOST:PORT/PATH" or "unix:PATH".

    Args:
        dialect: of the packets, both ways.
        limits, objects, strict: of what is read, as for `loads`.
        big_endian: the order of a stream's lengths (StreamPeer.big_endian; PacketPeerStream:
            False).
        max_packet: bytes of a packet that is accepted.
        max_queued: bytes that wait to be sent before `put_var` waits. No more than these and a
            packet do. For UDP, those that arrived, too.
        ssl: for tls and wss; None: a context that trusts the system's certificates.

    Raises OSError, ValueError and TypeError for the URL and the arguments, ImportError for ws
    without its package.
    """
    options = _Options(dialect, limits, objects, strict, big_endian, max_packet, max_queued)
    return Opening(_connect(url, ssl, options))


async def _connect(url: str, ssl: tls.SSLContext | None, options: _Options) -> Connection:
    scheme, host, port = _split(url)
    _check_options(options, ssl, scheme)
    if scheme in ("tls", "wss") and ssl is None:
        ssl = tls.create_default_context()
    if scheme == "udp":
        _, endpoint = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: _ClientEndpoint(options), remote_addr=(host, port)
        )
        peer = _Datagrams(endpoint, None, options)
        peer.peer = _name(endpoint.transport.get_extra_info("peername"))
        endpoint.peers[None] = peer
        return peer
    if scheme in ("ws", "wss"):
        connection: Connection = await _websockets().connect(url, ssl, options)
        return connection
    if scheme == "unix":
        return _Stream(*await asyncio.open_unix_connection(host, limit=_CHUNK), options)
    return _Stream(*await asyncio.open_connection(host, port, ssl=ssl, limit=_CHUNK), options)


def _websockets() -> types.ModuleType:
    """The module for WebSocket, which imports the package of that name."""
    try:
        return importlib.import_module("gdvar._websocket")
    except ImportError as error:
        raise ImportError(
            "ws:// and wss:// need the package websockets, 15 or newer: pip install websockets"
        ) from error


_Handler = Callable[[Connection], Coroutine[Any, Any, None]]
_Report = Callable[[Connection, Exception], object]
_Came = Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]
_StartTls = Callable[
    [asyncio.Transport, asyncio.Protocol], Coroutine[Any, Any, asyncio.Transport | None]
]


def _is_of_peer(error: BaseException, connection: Connection) -> bool:
    """True if a handler's exception was caused by its peer, not by the server.

    Such are the exceptions of the connection itself: its end, a time limit around it, bytes that
    are not a value, a peer that does not read. A ConnectionError of a database is the server's.
    """
    if isinstance(error, BaseExceptionGroup):
        parts = cast("BaseExceptionGroup[BaseException]", error).exceptions
        return all(_is_of_peer(part, connection) for part in parts)
    if isinstance(error, (DecodeError, MismatchError)):
        return True  # gdvar.decode(await connection.get_packet(), ...)
    of_connections = (ClosedError, FullError, OSError, ValueError)
    if isinstance(error, EncodeError) or not isinstance(error, of_connections):
        return False
    came_from: BaseException | None = error
    if isinstance(error, TimeoutError) and not hasattr(error, "_gdvar_connection"):
        came_from = error.__cause__ or error.__context__  # the exception that asyncio.timeout cancelled
    return getattr(came_from, "_gdvar_connection", None) is connection


class Server:
    """Accepts connections and runs the handler for each one, until it is closed.

    A context manager: its end closes it.

    Attributes:
        url: where it listens, with the port that it was given for port 0.
    """

    def __init__(
        self,
        handler: _Handler,
        most: int,
        per_address: int | None,
        report: _Report | None,
        close_timeout: float,
    ) -> None:
        """`serve` makes it."""
        self.url = ""
        self._handler = handler
        self._most = most
        self._places = Places(most, per_address)
        self._start_tls: _StartTls | None = None
        self._report = report
        self._close_timeout = close_timeout
        self._tasks: dict[asyncio.Task[None], Connection] = {}
        self._cancelled: set[asyncio.Task[Any]] = set()
        self._closers: set[asyncio.Task[Any]] = set()
        self._closed = asyncio.Event()
        self._closed_by_others = False
        self._gone = asyncio.Event()
        self._stop: Callable[[], None] = _nothing
        self._release: Callable[[], None] = self._gone.set

    def _check(self) -> None:
        """Raises ValueError, TypeError for arguments of `serve`."""
        check_above_0(int, max_connections=self._most)
        if self._close_timeout != 0:
            check_above_0(float, close_timeout=self._close_timeout)
        if not callable(self._handler) or not (self._report is None or callable(self._report)):
            raise TypeError("handler and report must be functions")

    @property
    def connections(self) -> tuple[Connection, ...]:
        """The connections whose handlers run."""
        return tuple(self._tasks.values())

    def _begin(self, connection: Connection, most: int) -> None:
        """Starts the handler for a connection; one too many is closed at once."""
        if len(self._tasks) >= most or self._closed.is_set():
            connection.abort()
            return
        task = asyncio.get_running_loop().create_task(self._run(connection))
        self._tasks[task] = connection
        task.add_done_callback(self._let_go)

    def _let_go(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        self._cancelled.discard(task)
        if self._closed.is_set() and not self._tasks:
            self._release()

    async def _run(self, connection: Connection) -> None:
        try:
            await self._handler(connection)
        except Exception as error:
            self._tell(connection, error)
        finally:
            try:
                async with asyncio.timeout(self._close_timeout):
                    await connection.close()
            except (OSError, TimeoutError):
                connection.abort()

    def _tell(self, connection: Connection, error: Exception) -> None:
        """Reports a handler's exception."""
        if _is_of_peer(error, connection):
            if self._report is None:
                _log.info("%s: %s: %s", connection.peer, type(error).__name__, error)
                return
            try:
                self._report(connection, error)
                return
            except Exception as bug:
                error = bug
        asyncio.get_running_loop().call_exception_handler(
            {"message": f"the handler for {connection.peer} failed", "exception": error}
        )

    async def close(self) -> None:
        """Stops listening at once, cancels the handlers, closes their connections, waits for that.

        A handler that calls it is not cancelled by that, but when the server is closed by others,
        too: at the end of an `async with`. Cancelled, it waits no longer, and the closing goes on.
        """
        me = asyncio.current_task()
        assert me is not None
        is_handler = me in self._tasks
        if is_handler:
            self._closers.add(me)
        else:
            self._closed_by_others = True
        if not self._closed.is_set():
            self._closed.set()
            self._stop()
        self._cancel(task for task in self._tasks if task not in self._closers)
        if not self._tasks:
            self._release()
        try:
            await asyncio.sleep(0)  # a WebSocket's listener closes in a task of its own
            # Two handlers that close the server would wait for each other.
            while others := [
                task for task in self._tasks if not (is_handler and task in self._closers)
            ]:
                await asyncio.wait(others)
            if not is_handler:
                await self._gone.wait()
        finally:
            self._closers.discard(me)
            if is_handler and self._closed_by_others:
                self._cancel([me])

    def _cancel(self, tasks: Iterable[asyncio.Task[Any]]) -> None:
        """Cancels handlers, each once: a second time would interrupt their end."""
        for task in tasks:
            if task not in self._cancelled:
                self._cancelled.add(task)
                task.cancel()

    async def serve_forever(self) -> None:
        """Waits until the server is closed."""
        await self._closed.wait()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()


def _nothing() -> None:
    pass


def serve(
    handler: _Handler,
    url: str,
    *,
    dialect: str = "godot-4.4",
    limits: Limits | None = NETWORK,
    objects: bool = False,
    strict: bool = False,
    big_endian: bool = False,
    max_packet: int = 1 << 20,
    max_queued: int = 1 << 18,
    ssl: tls.SSLContext | None = None,
    max_connections: int = 500,
    max_per_address: int | None = 32,
    bytes_per_second: float | None = 1 << 20,
    packets_per_second: float | None = 500,
    burst: float = 10.0,
    origins: Iterable[str] | None = (),
    report: _Report | None = None,
    handshake_timeout: float = 10.0,
    idle_timeout: float | None = 120.0,
    close_timeout: float = 5.0,
) -> Opening[Server]:
    """Listens at a URL, as `connect` takes them; port 0 is any free port. The path of a WebSocket's
    URL is the only one that peers may ask for; without one, all may.

    `handler(connection)` is run for each connection, which is closed when it ends.

    Args:
        max_connections: connections at a time, those whose handshake is not over among them. More
            are closed at once.
        max_per_address: of those, the ones from one IP address, of IPv6 from one network of 64 bits.
            None: no limit, as needed behind a proxy or for many players behind one router.
        bytes_per_second, packets_per_second: what a peer may send. A stream that exceeds them is
            read more slowly, datagrams are dropped. Pings of WebSocket and further parts of a
            message count as packets. None: no limit.
        burst: the seconds for which a peer may have saved that up while it sent less.
        origins: the web pages that may connect by WebSocket ("https://example.com"). Others are
            refused; programs that are no browsers send no origin and may connect. None: all may.
        report: called with a connection and the exception that its handler raised because of the
            peer: what the connection's calls raised, a TimeoutError of asyncio.timeout around one of
            them, DecodeError, MismatchError. None: they are logged (logger "gdvar.aio", level
            INFO). Any other exception of a handler goes to the event loop's exception handler,
            which logs it as an error. The server goes on in both cases.
        handshake_timeout: seconds for the handshakes of TLS and WebSocket.
        idle_timeout: seconds of silence after which a connection is closed (ClosedError with
            "timed_out"): nothing comes although it is read, or the peer takes nothing of what waits
            for it. None: no limit, but 120 seconds for UDP.
        close_timeout: seconds for sending what was put, after the handler.

    The other arguments are those of `connect`; tls and wss need `ssl`.

    UDP: every address that sends is a connection. Addresses may be forged. When there are
    `max_connections`, a new one replaces the one that has been silent longest, if that is 5 seconds
    or more; otherwise it is not heard.

    Raises OSError, ValueError and TypeError for the URL and the arguments, ImportError for ws
    without its package.
    """
    bounds = Bounds(bytes_per_second, packets_per_second, burst, idle_timeout, max_per_address)
    options = _Options(dialect, limits, objects, strict, big_endian, max_packet, max_queued, bounds)
    server = Server(handler, max_connections, max_per_address, report, close_timeout)
    return Opening(_serve(server, url, ssl, options, origins, handshake_timeout))


async def _serve(
    server: Server,
    url: str,
    ssl: tls.SSLContext | None,
    options: _Options,
    origins: Iterable[str] | None,
    handshake_timeout: float,
) -> Server:
    scheme, host, port = _split(url)
    _check_options(options, ssl, scheme)
    options.bounds.check()
    server._check()
    check_above_0(float, handshake_timeout=handshake_timeout)
    origins = _check_origins(origins)
    if scheme in ("tls", "wss") and ssl is None:
        raise ValueError(f"{scheme}:// needs an SSLContext with a certificate")
    path = urllib.parse.urlsplit(url).path if scheme in ("ws", "wss") else ""
    if scheme == "udp":
        await _serve_udp(server, options, host, port)
    elif scheme in ("ws", "wss"):
        web = _websockets()
        await web.serve(server, options, host, port, path, ssl, origins, handshake_timeout)
    else:
        await _serve_streams(server, options, host, port, ssl, handshake_timeout)
    server.url = url if scheme == "unix" else f"{scheme}://{server.url}{path}"
    return server


def _starter_of_tls(
    context: tls.SSLContext | None, handshake_timeout: float, shutdown_timeout: float | None
) -> _StartTls | None:
    """A function that turns an accepted connection into one of TLS."""
    if context is None:
        return None
    return partial(
        asyncio.get_running_loop().start_tls,
        sslcontext=context,
        server_side=True,
        ssl_handshake_timeout=handshake_timeout,
        ssl_shutdown_timeout=shutdown_timeout,
    )


class _Handshake(asyncio.Protocol):
    """Keeps bytes behind a TLS handshake until start_tls has reported its end."""

    def __init__(self, protocol: _Guarded) -> None:
        self._protocol = protocol
        self._early: list[Callable[[], object]] | None = []

    def data_received(self, data: bytes) -> None:
        self._tell(partial(self._protocol.data_received, data))

    def eof_received(self) -> None:
        self._tell(self._protocol.eof_received)

    def connection_lost(self, exc: Exception | None) -> None:
        self._tell(partial(self._protocol.connection_lost, exc))

    def _tell(self, event: Callable[[], object]) -> None:
        if self._early is None:  # asyncio had chosen the receiver before `end`
            event()
        else:
            self._early.append(event)

    def end(self, transport: asyncio.Transport) -> None:
        """The protocol goes on with `transport`."""
        early, self._early = self._early or [], None
        transport.set_protocol(self._protocol)
        self._protocol.begin_talk(transport)
        for event in early:
            event()


class _Guarded(asyncio.Protocol):
    """A server's side of a transport: takes a place of the server, and ends a silent connection.

    TLS starts here: asyncio's own servers report a connection only after its handshake.
    """

    _server: Server
    _host: str | None = None
    _has_place = False
    _talks = False
    _handshake: asyncio.Task[None] | None = None
    _silence: Silence | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        accepted = cast(asyncio.Transport, transport)
        self._host = _host_of(accepted.get_extra_info("peername"))
        self._has_place = self._server._places.take(self._host)
        start_tls = self._server._start_tls
        if not self._has_place:
            accepted.abort()
        elif start_tls is None:
            self.begin_talk(accepted)
        else:
            shaking = self._shake_hands(accepted, start_tls)
            self._handshake = asyncio.get_running_loop().create_task(shaking)

    async def _shake_hands(self, accepted: asyncio.Transport, start_tls: _StartTls) -> None:
        handshake = _Handshake(self)
        secured: asyncio.Transport | None = None
        try:
            secured = await start_tls(accepted, handshake)
        except OSError:
            pass  # no TLS, or not in time
        finally:
            if secured is None:
                accepted.abort()
                self._leave()
        if secured is not None:
            handshake.end(secured)

    def begin_talk(self, transport: asyncio.Transport) -> None:
        """Called when the connection is made, over TLS if there is TLS."""
        self._talks = True
        super().connection_made(transport)

    def watch(self, connection: _Carried) -> None:
        """Ends the connection if its peer has done nothing for `idle_timeout` seconds."""

        def end(why: str) -> None:
            connection.end(ClosedError(why, code="timed_out"))

        idle = connection._options.bounds.idle_timeout
        if idle is not None:
            self._silence = Silence(idle, connection, end)

    def data_received(self, data: bytes) -> None:
        if self._silence is not None:
            self._silence.hear()
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        self._leave()
        if self._talks:
            super().connection_lost(exc)

    def _leave(self) -> None:
        if self._has_place:
            self._has_place = False
            self._server._places.give_back(self._host)


class _Incoming(_Guarded, asyncio.StreamReaderProtocol):
    """A server's stream."""

    def __init__(self, server: Server, came: _Came) -> None:
        super().__init__(asyncio.StreamReader(limit=_CHUNK), came)
        self._server = server

    def begin(self, connection: _Stream) -> None:
        self.watch(connection)
        self._server._begin(connection, self._server._most)


def _host_of(address: Any) -> str | None:
    """The IP address of a peer; of IPv6 the network of 64 bits, which may belong to one host. None:
    it has none."""
    if not isinstance(address, tuple):
        return None
    host = cast("str", address[0])
    if ":" not in host:
        return host
    packed = socket.inet_pton(socket.AF_INET6, host.partition("%")[0])
    if packed.startswith(_MAPPED):
        return socket.inet_ntop(socket.AF_INET, packed[len(_MAPPED) :])
    return packed[:8].hex()


async def _serve_streams(
    server: Server,
    options: _Options,
    host: str,
    port: int,
    context: tls.SSLContext | None,
    handshake_timeout: float,
) -> None:
    """`port` -1: `host` is the path of a Unix socket."""

    def came(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        protocol = cast(_Incoming, writer.transport.get_protocol())
        protocol.begin(_Stream(reader, writer, options))

    def make() -> _Incoming:
        return _Incoming(server, came)

    loop = asyncio.get_running_loop()
    remove = _nothing
    if port < 0:
        _refuse_if_used(host)
        listener = await loop.create_unix_server(make, host)
        remove = _remover_of(host)
    else:
        server._start_tls = _starter_of_tls(context, handshake_timeout, None)
        listener = await loop.create_server(make, host, port)
        server.url = _name(listener.sockets[0].getsockname())

    def stop() -> None:
        remove()
        listener.close()

    server._stop = stop


def _refuse_if_used(path: str) -> None:
    """Raises OSError if somebody listens at a Unix socket's path: asyncio would remove it. The file
    left by a killed server refuses connections."""
    if not pathlib.Path(path).is_socket():
        return
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)  # it would wait while too many others wait to be accepted
        if probe.connect_ex(path) != errno.ECONNREFUSED:
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE), path)


def _remover_of(path: str) -> Callable[[], None]:
    """A function that removes a Unix socket's file, which must be open until then: another server
    may have put its own there, which would have the same number after that."""

    def number() -> tuple[int, int] | None:
        try:
            status = os.stat(path)
        except (OSError, ValueError):  # an abstract socket has no file
            return None
        return status.st_dev, status.st_ino

    def remove() -> None:
        if made is not None and number() == made:
            with contextlib.suppress(OSError):
                os.unlink(path)

    path = os.path.abspath(path)
    made = number()
    return remove


async def _serve_udp(server: Server, options: _Options, host: str, port: int) -> None:
    def begin(connection: Connection) -> None:
        # A replaced peer is not counted, but its handler may need a while to end.
        server._begin(connection, 2 * server._most)

    def make() -> _ServerEndpoint:
        return _ServerEndpoint(options, begin, server._most)

    transport, endpoint = await asyncio.get_running_loop().create_datagram_endpoint(
        make, local_addr=(host, port)
    )
    server.url = _name(transport.get_extra_info("sockname"))
    # The handlers may still send by it.
    server._release = transport.close
    server._gone = endpoint.lost
