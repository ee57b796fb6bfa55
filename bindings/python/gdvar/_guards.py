"""Bounds of a server's peers in gdvar.aio: rates, silence, number."""

from __future__ import annotations

import asyncio
import collections
import math
import numbers
from collections.abc import Callable
from typing import NamedTuple, Protocol

__all__ = ["Bounds", "Places", "Rate", "Rates", "Silence", "check_above_0"]


class Bounds(NamedTuple):
    """The bounds of each peer; None: no bound."""

    bytes_per_second: float | None = None
    packets_per_second: float | None = None
    burst: float = 10.0
    idle_timeout: float | None = None
    max_per_address: int | None = None

    def check(self) -> None:
        """Raises ValueError, TypeError."""
        rates = self._asdict()
        check_above_0(int, or_none=True, max_per_address=rates.pop("max_per_address"))
        check_above_0(float, burst=rates.pop("burst"))
        check_above_0(float, or_none=True, **rates)


def check_above_0(kind: type[int | float], *, or_none: bool = False, **values: object) -> None:
    """Raises ValueError, TypeError for arguments that are not such numbers above 0."""
    class_ = numbers.Integral if kind is int else numbers.Real
    for name, value in values.items():
        if value is None and or_none:
            continue
        words = f"{name} must be {'an int' if kind is int else 'a number'} above 0"
        words += " or None" if or_none else ""
        if isinstance(value, bool) or not isinstance(value, class_):
            raise TypeError(f"{words}, not {type(value)}")
        if not float(value) > 0:
            raise ValueError(f"{words}, not {value}")


class _Bucket:
    """Fills up by `rate` a second; None: always full."""

    __slots__ = ("level", "most", "rate")

    def __init__(self, rate: float | None, burst: float) -> None:
        self.rate = math.inf if rate is None else rate
        self.most = self.level = max(1.0, self.rate * burst)

    def refill(self, seconds: float) -> None:
        self.level = min(self.most, self.level + seconds * self.rate)

    def wait(self) -> float:
        """Seconds until there is 1."""
        return 0.0 if self.level >= 1 else (1 - self.level) / self.rate


class Rate:
    """A peer's remaining allowance: bytes and packets a second, and after a silence the allowance
    of `burst` seconds at once."""

    __slots__ = ("_at", "_bytes", "_packets")

    def __init__(self, bounds: Bounds) -> None:
        self._at = asyncio.get_running_loop().time()
        self._bytes = _Bucket(bounds.bytes_per_second, bounds.burst)
        self._packets = _Bucket(bounds.packets_per_second, bounds.burst)

    def _refill(self) -> None:
        now = asyncio.get_running_loop().time()
        if now > self._at:
            self._bytes.refill(now - self._at)
            self._packets.refill(now - self._at)
            self._at = now

    def wait(self) -> float:
        """Seconds until the next packet may be taken, of any size; mostly 0."""
        if self._bytes.level >= 1 and self._packets.level >= 1:
            return 0.0
        self._refill()
        return max(self._bytes.wait(), self._packets.wait())

    def take(self, size: int, packets: int) -> None:
        self._bytes.level -= size
        self._packets.level -= packets

    def take_if_it_fits(self, size: int) -> bool:
        """For a packet that may be dropped: takes it completely or not at all."""
        self._refill()
        fits = self._bytes.level >= min(size, self._bytes.most) and self._packets.level >= 1
        if fits:
            self.take(size, 1)
        return fits


class Rates:
    """The rates of peers that come and go without a handshake: a new peer of an address continues
    with the allowance of the last one that is gone, whatever their ports.

    So an address sends no more than its simultaneous peers may. At most `most` rates are kept;
    those of the address whose last peer left longest ago are forgotten first.
    """

    def __init__(self, bounds: Bounds, most: int) -> None:
        self._bounds = bounds
        self._most = most
        self._count = 0
        self._left: collections.OrderedDict[str | None, list[Rate]] = collections.OrderedDict()

    def take(self, host: str | None) -> Rate:
        """The rate of a new peer."""
        left = self._left.get(host)
        if left is None:
            return Rate(self._bounds)
        self._count -= 1
        rate = left.pop()
        if not left:
            del self._left[host]
        return rate

    def give_back(self, host: str | None, rate: Rate) -> None:
        """Returns the rate of a peer that is gone."""
        self._left.setdefault(host, []).append(rate)
        self._left.move_to_end(host)
        self._count += 1
        if self._count > self._most:
            self.take(next(iter(self._left)))


class Watched(Protocol):
    """A connection, as Silence sees it."""

    def is_paused(self) -> bool: ...
    def waiting(self) -> int: ...
    def taken(self) -> int: ...


class Silence:
    """Calls `end` with a reason if for `timeout` seconds nothing has come from a peer that was
    read, or a peer has taken none of its waiting bytes.

    A peer that is not read because the handler is slow, and without waiting bytes, is not silent.
    """

    __slots__ = ("_end", "_heard", "_peer", "_taken", "_timeout", "_timer", "_took", "_waited")

    def __init__(self, timeout: float, peer: Watched, end: Callable[[str], None]) -> None:
        loop = asyncio.get_running_loop()
        self._timeout = timeout
        self._peer = peer
        self._end = end
        self._heard = self._took = loop.time()
        self._taken = 0
        self._waited = False
        self._timer = loop.call_later(timeout / 4, self._look)

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self._peer.is_paused():
            self._heard = now
        taken = self._peer.taken()
        if not self._waited or taken > self._taken:
            self._took = now
            self._taken = taken
        self._waited = self._peer.waiting() > 0
        left = min(self._heard, self._took) + self._timeout - now
        if left > 0:
            self._timer = loop.call_later(min(left, self._timeout / 4), self._look)
        elif self._heard <= self._took:
            self._end(f"nothing came from the peer for {self._timeout:g} seconds")
        else:
            self._end(f"the peer took nothing for {self._timeout:g} seconds")

    def hear(self) -> None:
        self._heard = asyncio.get_running_loop().time()

    def cancel(self) -> None:
        self._timer.cancel()


class Places:
    """Counts a server's connections, and of these the ones from each address."""

    def __init__(self, most: int, per_address: int | None) -> None:
        self._most = most
        self._per_address = per_address
        self._taken = 0
        self._counts: dict[str, int] = {}

    def take(self, host: str | None) -> bool:
        """Counts a connection. False, without counting, if there are too many."""
        if self._taken >= self._most:
            return False
        if self._per_address is not None and host is not None:
            count = self._counts.get(host, 0)
            if count >= self._per_address:
                return False
            self._counts[host] = count + 1
        self._taken += 1
        return True

    def give_back(self, host: str | None) -> None:
        """Uncounts a connection that is gone."""
        self._taken -= 1
        if self._per_address is None or host is None:
            return
        left = self._counts.pop(host) - 1
        if left:
            self._counts[host] = left
