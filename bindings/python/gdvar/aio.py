"""Connections to Godot for asyncio: `put_var` and `get_var`.

    async with await gdvar.aio.connect("tcp://127.0.0.1:4000") as connection:
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
import importlib
import logging
import ssl as tls
import types
import urllib.parse
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

from gdvar._gdvar import StreamFramer, dumps, frame, loads
from gdvar.errors import DecodeError, EncodeError, Error, LimitError, MismatchError
from gdvar.values import NETWORK, Limits

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["ClosedError", "Connection", "Server", "connect", "serve"]

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())  # what nobody asked to see is not printed

_CHUNK = 1 << 16
"""Bytes that are read from a stream at once."""
_LARGEST_DATAGRAM = 65_507
_STREAK = 64
"""Packets that a connection gives before others have a turn, however many have arrived."""
_REPLACEABLE = 5.0
"""Seconds of silence after which a UDP peer may be replaced by a new one."""


class ClosedError(Error, EOFError):
    """The connection was closed in good order, or a UDP peer is gone; `async for` ends by it."""


class _Options(NamedTuple):
    dialect: str
    limits: Limits | None
    objects: bool
    strict: bool
    big_endian: bool
    max_packet: int
    max_queued: int


class Connection(ABC):
    """A connection that carries packets. `connect` makes it, or a server's handler is given it.

    One task at a time may read, others may write meanwhile.

    Attributes:
        peer: the other side's address, "127.0.0.1:4000".
    """

    def __init__(self, peer: str, options: _Options) -> None:
        self.peer = peer
        self._options = options
        self._streak = 0

    @abstractmethod
    async def get_packet(self) -> bytes:
        """The next packet, as it came.

        Raises ClosedError at the end; TruncatedError if the stream ended inside a packet;
        LimitError for a packet over `max_packet`, and DecodeError for a length that no packet has.
        After these two a stream is closed, because nobody knows where its next packet begins.
        """

    @abstractmethod
    async def put_packet(self, packet: Buffer) -> None:
        """Sends a packet. Waits while more than `max_queued` bytes wait for the peer.

        Cancelled while it waits, the packet is sent all the same. Raises ClosedError if the
        connection is closed, EncodeError for a packet that no datagram holds, ConnectionError.
        """

    @abstractmethod
    async def close(self) -> None:
        """Closes the connection after what was put has been sent; waits for that.

        A peer that does not read makes it wait for ever. Cancelled, it closes at once.
        """

    @abstractmethod
    def abort(self) -> None:
        """Closes the connection at once. What waits to be sent is lost."""

    async def get_var(self) -> Any:
        """The next value. Raises what `get_packet` raises, and DecodeError for a packet that is no
        value within the limits. The connection is in step after that: the next call gives the next
        value."""
        return self.decode(await self.get_packet())

    async def put_var(self, value: Any) -> None:
        """Sends a value. Raises EncodeError, and what `put_packet` raises."""
        await self.put_packet(self.encode(value))

    def decode(self, packet: Buffer) -> Any:
        """The value of a packet, as `get_var` reads it. Raises DecodeError."""
        options = self._options
        return loads(
            packet,
            dialect=options.dialect,
            limits=options.limits,
            objects=options.objects,
            strict=options.strict,
        )

    def encode(self, value: Any) -> bytes:
        """The packet of a value, as `put_var` writes it. Raises EncodeError."""
        return dumps(value, dialect=self._options.dialect, objects=self._options.objects)

    async def _take_turn(self) -> None:
        # What has arrived is given without waiting: a peer that floods would keep the event loop.
        self._streak += 1
        if self._streak >= _STREAK:
            self._streak = 0
            await asyncio.sleep(0)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self.get_var()
        except ClosedError:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        if error is None:
            await self.close()
        else:
            self.abort()


# ---- streams ----


class _Stream(Connection):
    """TCP, TLS and Unix sockets: packets behind a length."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, options: _Options
    ) -> None:
        super().__init__(_name(writer.get_extra_info("peername")), options)
        self._reader = reader
        self._writer = writer
        self._framer = StreamFramer(big_endian=options.big_endian, max_packet=options.max_packet)
        writer.transport.set_write_buffer_limits(high=options.max_queued)

    async def get_packet(self) -> bytes:
        await self._take_turn()
        try:
            while (packet := next(self._framer, None)) is None:
                data = await self._reader.read(_CHUNK)
                if not data:
                    self._framer.finish()
                    raise ClosedError("the peer closed the connection", code="closed")
                self._framer.feed(data)
        except DecodeError:
            self.abort()
            raise
        return packet

    async def put_packet(self, packet: Buffer) -> None:
        if self._writer.is_closing():
            raise ClosedError("the connection is closed", code="closed")
        self._writer.write(frame(packet, big_endian=self._options.big_endian))
        await self._writer.drain()

    async def close(self) -> None:
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            pass  # it is closed all the same
        except asyncio.CancelledError:
            self.abort()
            raise

    def abort(self) -> None:
        self._writer.transport.abort()


# ---- datagrams ----


class _Datagrams(Connection):
    """One UDP peer: each datagram is a packet.

    What arrives while `max_queued` bytes wait to be asked for is dropped, as any datagram may be.
    """

    def __init__(self, endpoint: _Endpoint, address: Any, options: _Options) -> None:
        super().__init__(_name(address), options)
        self._endpoint = endpoint
        self._address = address
        self._arrived: collections.deque[bytes | Exception] = collections.deque()
        self._bytes = 0
        self._closed: ClosedError | None = None
        self._waiter: asyncio.Future[None] | None = None
        self.last = asyncio.get_running_loop().time()

    def arrive(self, packet: bytes) -> None:
        self.last = asyncio.get_running_loop().time()
        if len(packet) > self._options.max_packet:
            self.fail(_over_limit(len(packet), self._options.max_packet))
        elif self._bytes + len(packet) + 64 <= self._options.max_queued:
            self._bytes += len(packet) + 64  # with what an object costs
            self._arrived.append(packet)
            self._wake()

    def fail(self, error: Exception) -> None:
        """An error that the next call of `get_packet` raises."""
        if self._bytes + 64 <= self._options.max_queued:
            self._bytes += 64
            self._arrived.append(error)
            self._wake()

    def end(self, why: ClosedError) -> None:
        """After this, what has arrived is given, then `why` is raised."""
        self._closed = self._closed or why
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def get_packet(self) -> bytes:
        await self._take_turn()
        while not self._arrived:
            if self._closed is not None:
                raise self._closed
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

    async def put_packet(self, packet: Buffer) -> None:
        if self._closed is not None:
            raise self._closed
        data = bytes(packet)
        if len(data) > _LARGEST_DATAGRAM:
            raise EncodeError(f"a packet of {len(data)} bytes fits no datagram", code="too_large")
        await self._endpoint.send(data, self._address)

    async def close(self) -> None:
        self.abort()

    def abort(self) -> None:
        self.end(ClosedError("the connection is closed", code="closed"))
        self._endpoint.forget(self, self._address)


class _Endpoint(asyncio.DatagramProtocol):
    """A UDP socket: that of a client with its one peer, or of a server with any number."""

    transport: asyncio.DatagramTransport

    def __init__(self, options: _Options) -> None:
        self.options = options
        self.peers: collections.OrderedDict[Any, _Datagrams] = collections.OrderedDict()
        self._may_write = asyncio.Event()
        self._may_write.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # asyncio's own transport is no subclass of the one, and has the functions of the other.
        self.transport = cast(asyncio.DatagramTransport, transport)
        cast(asyncio.WriteTransport, transport).set_write_buffer_limits(self.options.max_queued)

    def connection_lost(self, exc: Exception | None) -> None:
        self._may_write.set()
        for peer in list(self.peers.values()):
            peer.end(ClosedError("the connection is closed", code="closed"))

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()

    async def send(self, data: bytes, address: Any) -> None:
        self.transport.sendto(data, address)
        await self._may_write.wait()

    def forget(self, peer: _Datagrams, address: Any) -> None:
        if self.peers.get(address) is peer:  # and no later one from the same address
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

    Peers stand in the order of their last datagrams. When there are `most`, a new one replaces the
    one that has been silent longest, if that is 5 seconds or more; otherwise it is not heard. So
    forged addresses can't push out peers that send.
    """

    def __init__(
        self,
        options: _Options,
        begin: Callable[[Connection], None],
        most: int,
        idle_timeout: float,
    ) -> None:
        super().__init__(options)
        self._begin = begin
        self._most = most
        self._idle = idle_timeout
        self._timer: asyncio.TimerHandle | None = None

    def datagram_received(self, data: bytes, addr: Any) -> None:
        peer = self.peers.get(addr)
        if peer is not None:
            self.peers.move_to_end(addr)
            peer.arrive(data)
        elif self._make_room():
            peer = self.peers[addr] = _Datagrams(self, addr, self.options)
            self._watch()
            peer.arrive(data)
            self._begin(peer)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def _silence(self, address: Any) -> float:
        return asyncio.get_running_loop().time() - self.peers[address].last

    def _drop(self, address: Any, why: str) -> None:
        self.peers.pop(address).end(ClosedError(why, code="timed_out"))

    def _make_room(self) -> bool:
        if len(self.peers) < self._most:
            return True
        oldest = next(iter(self.peers), None)
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
        return "unix", url.removeprefix("unix:"), -1
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("tcp", "tls", "udp", "ws", "wss") or not parts.hostname:
        raise ValueError(f"not tcp://HOST:PORT, tls, udp, ws, wss or unix:PATH: {url!r}")
    default = {"ws": 80, "wss": 443}.get(parts.scheme)
    port = parts.port if parts.port is not None else default
    if port is None:
        raise ValueError(f"there is no port in {url!r}")
    return parts.scheme, parts.hostname, port


async def connect(
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
) -> Connection:
    """Connects to a URL: "tcp://HOST:PORT", "tls://HOST:PORT", "udp://HOST:PORT",
    "ws://HOST:PORT/PATH", "wss://HOST:PORT/PATH" or "unix:PATH".

    Args:
        dialect: of the packets, both ways.
        limits, objects, strict: of what is read, as for `loads`.
        big_endian: the order of a stream's lengths (StreamPeer.big_endian; PacketPeerStream:
            False).
        max_packet: bytes of a packet that is accepted.
        max_queued: bytes that wait to be sent before `put_var` waits; of UDP, those that arrived,
            too.
        ssl: for tls and wss; None: a context that trusts the system's certificates.

    Raises OSError, ValueError for the URL, ImportError for ws without its package.
    """
    options = _Options(dialect, limits, objects, strict, big_endian, max_packet, max_queued)
    scheme, host, port = _split(url)
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
        connection: Connection = await _websockets().connect(
            url, ssl if scheme == "wss" else None, options
        )
        return connection
    if scheme == "unix":
        return _Stream(*await asyncio.open_unix_connection(host, limit=_CHUNK), options)
    context = ssl if scheme == "tls" else None
    return _Stream(*await asyncio.open_connection(host, port, ssl=context, limit=_CHUNK), options)


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
_FAULTS = (ClosedError, DecodeError, MismatchError, ConnectionError, TimeoutError)
"""What a handler raises when its peer is at fault, and the server is not."""


class Server:
    """Accepts connections and runs the handler for each one, until it is closed.

    A context manager: its end closes it.

    Attributes:
        url: where it listens, with the port that it was given for port 0.
    """

    def __init__(
        self, handler: _Handler, most: int, report: _Report | None, close_timeout: float
    ) -> None:
        """`serve` makes it."""
        self.url = ""
        self._handler = handler
        self._most = most
        self._report = report
        self._close_timeout = close_timeout
        self._tasks: dict[asyncio.Task[None], Connection] = {}
        self._stop: Callable[[], Awaitable[None]] | None = None
        self._closed = asyncio.Event()

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
        task.add_done_callback(lambda done: self._tasks.pop(done, None))

    async def _run(self, connection: Connection) -> None:
        try:
            await self._handler(connection)
        except _FAULTS as fault:
            if self._report is not None:
                self._report(connection, fault)
            else:
                _log.info("%s: %s", connection.peer, fault)
        except Exception as bug:
            asyncio.get_running_loop().call_exception_handler(
                {"message": f"the handler for {connection.peer} failed", "exception": bug}
            )
        finally:
            try:
                async with asyncio.timeout(self._close_timeout):
                    await connection.close()
            except (OSError, TimeoutError):
                connection.abort()

    async def close(self) -> None:
        """Stops listening, cancels the handlers and closes their connections."""
        if self._closed.is_set():
            return
        self._closed.set()
        running = list(self._tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if self._stop is not None:
            await self._stop()

    async def serve_forever(self) -> None:
        """Waits until the server is closed."""
        await self._closed.wait()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        await self.close()


async def serve(
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
    origins: Iterable[str] = (),
    report: _Report | None = None,
    handshake_timeout: float = 10.0,
    idle_timeout: float = 60.0,
    close_timeout: float = 5.0,
) -> Server:
    """Listens at a URL, as `connect` takes them; port 0 is any free port.

    `handler(connection)` is run for each connection, which is closed when it ends.

    Args:
        max_connections: handlers that run at a time; connections beyond that are closed at once.
        origins: the web pages that may connect by WebSocket ("https://example.com"). Others are
            refused; programs that are no browsers send no origin and may connect.
        report: called with a connection and the exception that its handler raised because of the
            peer: ClosedError, DecodeError, MismatchError, ConnectionError, TimeoutError. None: they
            are logged (logger "gdvar.aio", level INFO). Any other exception of a handler goes to
            the event loop's exception handler. The server goes on in both cases.
        handshake_timeout: seconds for the handshakes of TLS and WebSocket.
        idle_timeout: seconds of silence after which a UDP peer is taken to be gone.
        close_timeout: seconds for sending what was put, after the handler.

    The other arguments are those of `connect`; tls and wss need `ssl`.

    UDP: every address that sends is a connection. Addresses may be forged. When there are
    `max_connections`, a new one replaces the one that has been silent longest, if that is 5 seconds
    or more; otherwise it is not heard.

    Raises OSError, ValueError for the URL, ImportError for ws without its package.
    """
    options = _Options(dialect, limits, objects, strict, big_endian, max_packet, max_queued)
    scheme, host, port = _split(url)
    if scheme in ("tls", "wss") and ssl is None:
        raise ValueError(f"{scheme}:// needs an SSLContext with a certificate")
    server = Server(handler, max_connections, report, close_timeout)
    if scheme == "udp":
        await _serve_udp(server, options, host, port, idle_timeout)
    elif scheme in ("ws", "wss"):
        context = ssl if scheme == "wss" else None
        await _websockets().serve(server, options, host, port, context, origins, handshake_timeout)
    else:
        context = ssl if scheme == "tls" else None
        await _serve_streams(server, options, host, port, context, handshake_timeout)
    path = urllib.parse.urlsplit(url).path if scheme in ("ws", "wss") else ""
    server.url = url if scheme == "unix" else f"{scheme}://{server.url}{path}"
    return server


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
        server._begin(_Stream(reader, writer, options), server._most)

    if port < 0:
        listener = await asyncio.start_unix_server(came, host, limit=_CHUNK)
    else:
        wait = None if context is None else handshake_timeout
        listener = await asyncio.start_server(
            came, host, port, limit=_CHUNK, ssl=context, ssl_handshake_timeout=wait
        )
        server.url = _name(listener.sockets[0].getsockname())

    async def stop() -> None:
        listener.close()
        await listener.wait_closed()

    server._stop = stop


async def _serve_udp(
    server: Server, options: _Options, host: str, port: int, idle_timeout: float
) -> None:
    def begin(connection: Connection) -> None:
        # A peer that was replaced is not counted, but its handler may need a while to end.
        server._begin(connection, 2 * server._most)

    def make() -> _ServerEndpoint:
        return _ServerEndpoint(options, begin, server._most, idle_timeout)

    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        make, local_addr=(host, port)
    )
    server.url = _name(transport.get_extra_info("sockname"))

    async def stop() -> None:
        transport.close()

    server._stop = stop
