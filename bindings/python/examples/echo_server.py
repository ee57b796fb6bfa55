"""An echo server for Godot: sends every value back.

    echo_server.py tcp://127.0.0.1:4000 ws://127.0.0.1:4001
    echo_server.py --dialect godot3 --big-endian tcp://127.0.0.1:4002

In Godot: put_var and get_var of StreamPeerTCP, PacketPeerStream, PacketPeerUDP or WebSocketPeer. A
packet that is no value is answered with the name of what is wrong with it.
"""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack

import gdvar
from gdvar import aio

QUIET = 60.0  # seconds without a packet after which a connection is closed


async def echo(connection: aio.Connection) -> None:
    print(f"{connection.peer} came", flush=True)
    while True:
        try:
            async with asyncio.timeout(QUIET):
                value = await connection.get_var()
        except gdvar.DecodeError as error:
            value = error.code
        # A peer that does not read would make this wait for ever.
        async with asyncio.timeout(QUIET):
            await connection.put_var(value)


def gone(connection: aio.Connection, why: Exception) -> None:
    """How each connection ended: by its peer, by silence, by what it sent."""
    print(f"{connection.peer} is gone: {why or type(why).__name__}", flush=True)


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "urls", nargs="+", metavar="URL", help="tcp, udp or ws://HOST:PORT, unix:PATH"
    )
    parser.add_argument("--dialect", default="godot4")
    parser.add_argument("--big-endian", action="store_true", help="lengths on streams")
    args = parser.parse_args()
    async with AsyncExitStack() as servers:
        for url in args.urls:
            server = await servers.enter_async_context(
                await aio.serve(
                    echo,
                    url,
                    dialect=args.dialect,
                    big_endian=args.big_endian,
                    max_connections=100,
                    report=gone,
                )
            )
            print(f"listening on {server.url}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
