"""WebSocket for gdvar.aio, by the package `websockets`. Imported for a URL that needs it."""

from __future__ import annotations

import asyncio
import contextlib
import ssl as tls
from collections.abc import Iterable, Mapping
from functools import partial
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_web
from websockets.asyncio.connection import Connection as WebConnection
from websockets.asyncio.server import ServerConnection, broadcast
from websockets.asyncio.server import serve as serve_web
from websockets.datastructures import Headers
from websockets.exceptions import (
    ConcurrencyError,
    ConnectionClosed,
    ConnectionClosedOK,
    InvalidHandshake,
)
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event, State
from websockets.typing import Origin
from websockets.uri import parse_uri

from gdvar._guards import Rate
from gdvar.aio import Connection, Server, _Carried, _Guarded, _log, _name, _Options, _starter_of_tls
from gdvar.errors import DecodeError, LimitError

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["connect", "serve"]

_MESSAGES = 4
"""Unread messages before reading stops."""
_SLICE = 4096
"""Bytes processed before the bounds are checked again: a socket gives 256 KiB at once."""


class _Paced(WebConnection):
    """A socket that is read no faster than the peer may send, and not while answers to its pings
    pile up because it does not read.

    All bytes count for the rate; so do, as packets, pings and parts of messages, which cost as
    much.
    """

    def __init__(self, options: _Options, *args: Any, **names: Any) -> None:
        super().__init__(*args, **names)
        self.rate = Rate(options.bounds)
        self.answered = 0
        self._unread = bytearray()
        self._is_held = False
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        # Unread messages hold up the rest, too.
        self.recv_messages.resume = lambda: self.loop.call_soon(self._read_on)

    def data_received(self, data: bytes) -> None:
        self._unread += data
        self._read_on()

    def _read_on(self) -> None:
        while self._may_read() and not self.transport.is_closing():
            if not self._unread:
                self.transport.resume_reading()
                return
            self._take()
        self.transport.pause_reading()

    def _may_read(self) -> bool:
        if self._is_held or self.recv_messages.paused:
            return False
        seconds = self.rate.wait()
        if seconds > 0 and self._timer is None:
            self._timer = self.loop.call_later(seconds, self._read_later)
        return seconds <= 0

    def _read_later(self) -> None:
        self._timer = None
        self._read_on()

    def _take(self) -> None:
        data = bytes(self._unread[:_SLICE])
        del self._unread[:_SLICE]
        if self.state is not State.CONNECTING:
            self.rate.take(len(data), 0)
        super().data_received(data)

    def process_event(self, event: Event) -> None:
        if isinstance(event, Frame):
            if event.opcode not in (Opcode.TEXT, Opcode.BINARY):
                self.rate.take(0, 1)
            if event.opcode is Opcode.PING:
                self.answered += len(event.data) + 2
                self._is_held = self.paused
        super().process_event(event)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._is_held:
            self._is_held = False
            self.loop.call_soon(self._read_on)

    def eof_received(self) -> None:
        while self._unread:  # TLS reports the end although nothing is read
            self._take()
        super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unread.clear()
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)


class _Client(_Paced, ClientConnection):
    """A client's side."""


class _WebSocket(_Carried):
    """Each message is a packet, text or not, as for Godot."""

    def __init__(self, socket: _Client | _Bounded, options: _Options) -> None:
        super().__init__(_name(socket.remote_address), options, socket.transport)
        self._socket = socket
        self._rate = socket.rate
        if socket.request is not None:
            self.path = socket.request.path
            self.headers = _joined(socket.request.headers)

    def taken(self) -> int:
        return super().taken() + self._socket.answered

    async def _receive(self) -> bytes:
        try:
            message = await self._socket.recv(decode=False)
        except ConnectionClosed as closed:
            if self._why is not None or isinstance(closed, ConnectionClosedOK):
                raise self._closed() from closed
            raise _reason(closed, self._options.max_packet) from closed
        self._rate.take(0, 1)  # its bytes were counted on arrival
        return message

    def _put(self, packet: Buffer) -> None:
        if self._socket.state is not State.OPEN:
            raise self._closed()
        data = bytes(packet)
        self._sent += len(data) + 2
        broadcast([self._socket], data)

    async def _wait_for_room(self) -> None:
        while self._is_full():
            await self._socket.drain()
            await asyncio.sleep(0)

    async def close(self) -> None:
        # The peer's answer follows all its messages, and nothing is read while too many are unread.
        unread = asyncio.get_running_loop().create_task(self._discard())
        try:
            await self._socket.close()
        except asyncio.CancelledError:
            self.abort()
            raise
        finally:
            unread.cancel()

    async def _discard(self) -> None:
        with contextlib.suppress(ConnectionClosed, ConcurrencyError):
            while True:
                await self._socket.recv(decode=False)
                await asyncio.sleep(0)


def _joined(headers: Headers) -> Mapping[str, str]:
    """Headers with one value for a name: lines of the same name are one list (RFC 9110, 5.3)."""
    joined = Headers((name, ", ".join(headers.get_all(name))) for name in headers)
    return MappingProxyType(joined)


def _reason(closed: ConnectionClosed, max_packet: int) -> Exception:
    """The exception for a WebSocket that ended with an error."""
    # Why this side closed the connection, if it was the first to do so.
    code = 0 if closed.sent is None or closed.rcvd_then_sent else closed.sent.code
    if code == 1009:
        return LimitError(f"a message over {max_packet} bytes", code="size_limit")
    if code in (1002, 1007):
        return DecodeError(f"not WebSocket: {closed}", code="bad_packet")
    return ConnectionResetError(str(closed))


class _Bounded(_Guarded, _Paced, ServerConnection):
    """A server's side."""

    def __init__(self, server: Server, options: _Options, *args: Any, **names: Any) -> None:
        super().__init__(options, *args, **names)
        self._server = server


def _common(options: _Options) -> dict[str, Any]:
    """Arguments of connecting and serving. Godot's classes have no compression, and answer pings
    only when they are polled."""
    return {
        "compression": None,
        "ping_interval": None,
        "max_size": options.max_packet,
        "max_queue": _MESSAGES,
        "write_limit": options.max_queued,
        "logger": _log.getChild("websockets"),
    }


async def connect(url: str, context: tls.SSLContext | None, options: _Options) -> Connection:
    try:
        socket = await connect_web(
            url,
            ssl=context,
            proxy=None,
            create_connection=cast(type[ClientConnection], partial(_Client, options)),
            **_common(options),
        )
    except InvalidHandshake as refused:
        raise ConnectionRefusedError(f"{url}: {refused}") from refused
    return _WebSocket(cast(_Client, socket), options)


async def serve(
    server: Server,
    options: _Options,
    host: str,
    port: int,
    path: str,
    context: tls.SSLContext | None,
    origins: Iterable[str] | None,
    handshake_timeout: float,
) -> None:
    async def came(socket: ServerConnection) -> None:
        task = asyncio.current_task()
        assert task is not None
        bounded = cast(_Bounded, socket)
        connection = _WebSocket(bounded, options)
        if server._closed.is_set():
            connection.abort()
            return
        bounded.watch(connection)
        server._tasks[task] = connection
        try:
            await server._run(connection)
        finally:
            server._let_go(task)

    # As clients send it, who percent-encode what is not ASCII.
    target = parse_uri(f"ws://localhost{path}").path

    def refuse(socket: ServerConnection, request: Request) -> Response | None:
        if target in ("", "/") or request.path.partition("?")[0] == target:
            return None
        return socket.respond(HTTPStatus.NOT_FOUND, "there is nothing at this path\n")

    # asyncio refuses 0, which here means not to wait for a peer's last bytes.
    shutdown_timeout = max(server._close_timeout, 0.001)
    server._start_tls = _starter_of_tls(context, handshake_timeout, shutdown_timeout)
    listener = await serve_web(
        came,
        host,
        port,
        origins=None if origins is None else [None, *(Origin(origin) for origin in origins)],
        process_request=refuse,
        open_timeout=handshake_timeout,
        close_timeout=server._close_timeout,
        create_connection=cast(type[ServerConnection], partial(_Bounded, server, options)),
        **_common(options),
    )
    server.url = _name(next(iter(listener.sockets)).getsockname())

    def stop() -> None:
        listener.close(close_connections=False)

    server._stop = stop
