"""WebSocket for gdvar.aio, by the package `websockets`. Imported when a URL asks for it."""

from __future__ import annotations

import asyncio
import contextlib
import ssl as tls
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_web
from websockets.asyncio.server import ServerConnection, broadcast
from websockets.asyncio.server import serve as serve_web
from websockets.exceptions import (
    ConcurrencyError,
    ConnectionClosed,
    ConnectionClosedOK,
    InvalidHandshake,
)
from websockets.protocol import State
from websockets.typing import Origin

from gdvar.aio import ClosedError, Connection, Server, _Carried, _Guarded, _log, _name, _Options
from gdvar.errors import DecodeError, LimitError

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["connect", "serve"]

_MESSAGES = 4
"""Messages that wait to be asked for, before no more are read."""


class _WebSocket(_Carried):
    """Each message is a packet, text or not, as for Godot."""

    def __init__(self, socket: ClientConnection | ServerConnection, options: _Options) -> None:
        super().__init__(_name(socket.remote_address), options, socket.transport)
        self._socket = socket

    def _closed_by(self, closed: ConnectionClosed) -> Exception:
        return self._why or _reason(closed, self._options.max_packet)

    async def _get(self) -> bytes:
        await self._wait_for_rate()
        try:
            message = await self._socket.recv(decode=False)
        except ConnectionClosed as closed:
            raise self._closed_by(closed) from closed
        self._rate.take(len(message), 1)
        return message

    def _put(self, packet: Buffer) -> None:
        if self._socket.state is State.CLOSED:
            closed = self._socket.protocol.close_exc
            raise self._closed_by(closed) from closed
        if self._socket.state is not State.OPEN:
            raise ClosedError("the connection is closing", code="closed")
        broadcast([self._socket], bytes(packet))

    async def _wait_for_room(self) -> None:
        while self._is_full():
            await self._socket.drain()
            await asyncio.sleep(0)

    async def close(self) -> None:
        # The peer's answer is behind all that it has sent, and nothing is read while too much of
        # that waits to be asked for.
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


def _reason(closed: ConnectionClosed, max_packet: int) -> Exception:
    """What a WebSocket's end means here."""
    if isinstance(closed, ConnectionClosedOK):
        return ClosedError("the connection is closed", code="closed")
    # Why this side closed the connection, if it was the first to do so.
    code = 0 if closed.sent is None or closed.rcvd_then_sent else closed.sent.code
    if code == 1009:
        return LimitError(f"a message over {max_packet} bytes", code="size_limit")
    if code in (1002, 1007):
        return DecodeError(f"not WebSocket: {closed}", code="bad_packet")
    return ConnectionResetError(str(closed))


class _Room:
    """How many connections a server has, those whose handshake is not over among them."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.taken = 0

    def connection(self, *args: Any, **names: Any) -> _Bounded:
        return _Bounded(self, *args, **names)


class _Bounded(_Guarded, ServerConnection):
    """A connection that takes part of a server's room; without room it ends at once."""

    def __init__(self, room: _Room, *args: Any, **names: Any) -> None:
        super().__init__(*args, **names)
        self._room = room
        self._addresses = room.server._addresses

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._room.taken += 1
        super().connection_made(transport)
        if self._room.taken > self._room.server._most or not self._counted:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._room.taken -= 1
        super().connection_lost(exc)


def _common(options: _Options) -> dict[str, Any]:
    """Arguments of connecting and serving. Godot's classes know no compression, and answer pings
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
        socket = await connect_web(url, ssl=context, proxy=None, **_common(options))
    except InvalidHandshake as refused:
        raise ConnectionRefusedError(f"{url}: {refused}") from refused
    return _WebSocket(socket, options)


async def serve(
    server: Server,
    options: _Options,
    host: str,
    port: int,
    context: tls.SSLContext | None,
    origins: Iterable[str] | None,
    handshake_timeout: float,
) -> None:
    async def came(socket: ServerConnection) -> None:
        task = asyncio.current_task()
        assert task is not None
        connection = _WebSocket(socket, options)
        if server._closed.is_set():
            connection.abort()
            return
        cast(_Bounded, socket).watch(connection)
        server._tasks[task] = connection
        try:
            await server._run(connection)
        finally:
            server._let_go(task)

    room = _Room(server)
    listener = await serve_web(
        came,
        host,
        port,
        ssl=context,
        origins=None if origins is None else [None, *(Origin(origin) for origin in origins)],
        open_timeout=handshake_timeout,
        close_timeout=server._close_timeout,
        create_connection=cast(type[ServerConnection], room.connection),
        **_common(options),
    )
    server.url = _name(next(iter(listener.sockets)).getsockname())

    def stop() -> None:
        listener.close(close_connections=False)

    server._stop = stop
