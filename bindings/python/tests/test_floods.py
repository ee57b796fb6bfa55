"""Keys that hash alike: what a peer may choose must not make Python's tables slow."""

from __future__ import annotations

import itertools
import struct
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest

import gdvar
from gdvar import aio
from support import SLOW

# Keys that hash alike would take 0.5 s and more.
SOON = 0.4 if SLOW else 0.2
NIL = struct.pack("<I", 0)
POWERS = [2.0 ** (61 * j) for j in range(-16, 17)]
"""Floats whose hash is 1: Python's hashes are modulo 2**61 - 1."""
SHORT_POWERS = [2.0 ** (61 * j) for j in range(-2, 3)]
"""Those that fit 32 bits."""


def whole(number: int) -> bytes:
    return struct.pack("<Ii", 2, number)


def dictionary(keys: Iterable[bytes]) -> bytes:
    keys = list(keys)
    return struct.pack("<II", 27, len(keys)) + b"".join(key + NIL for key in keys)


def vectors(count: int) -> list[bytes]:
    """Keys of 64 bits, all with the hash of Vector4d(1, 1, 1, 1)."""
    all_of_them = itertools.product(POWERS, repeat=4)
    head = struct.pack("<I", 12 | 1 << 16)
    return [head + struct.pack("<dddd", *each) for each in itertools.islice(all_of_them, count)]


def boxes(count: int) -> list[bytes]:
    """The same of 32 bits: AABBs."""
    all_of_them = itertools.product(SHORT_POWERS, repeat=6)
    head = struct.pack("<I", 16)
    return [head + struct.pack("<6f", *each) for each in itertools.islice(all_of_them, count)]


def orbit(size: int, start: int, count: int) -> list[int]:
    """The places that a dict of `size` places tries one after the other when a hash is used up."""
    places = [start]
    while len(places) < count:
        places.append((places[-1] * 5 + 1) % size)
    return places


def spread_ints(count: int) -> list[bytes]:
    """ints with hashes of their own, whose places in a dict are taken by those before them.

    The first ones fill the places that a dict tries one after the other when a hash is used up.
    Each of the rest finds all its places taken until then, so it goes on through that run.
    """
    size = 8
    while size * 2 // 3 < count:
        size *= 2
    mask = size - 1
    run = orbit(size, 1, count * 2 // 3)
    taken = set(run)
    rest: list[int] = []
    number = size
    while len(rest) < count - len(run):
        number += 1
        at, left = number & mask, number
        while at in taken and left:
            left >>= 5
            at = (at * 5 + left + 1) & mask
        if at in taken:
            rest.append(number)
    return [whole(each) for each in run + rest]


def took(work: Callable[[], Any]) -> tuple[float, Any]:
    """The least processor time of three runs, and what the last one gave."""
    times: list[float] = []
    made: Any = None
    for _ in range(3):
        before = time.process_time()
        made = work()
        times.append(time.process_time() - before)
    return min(times), made


@pytest.mark.parametrize(
    ("keys", "count"),
    [(vectors, 26_000), (boxes, 15_000), (spread_ints, 30_000)],
    ids=["vectors", "boxes", "ints"],
)
def test_a_packet_of_a_megabyte_takes_no_time(
    keys: Callable[[int], list[bytes]], count: int
) -> None:
    packet = dictionary(keys(count))
    assert len(packet) <= gdvar.NETWORK.bytes
    seconds, made = took(lambda: gdvar.loads(packet, limits=gdvar.NETWORK))
    assert seconds < SOON
    assert isinstance(made, gdvar.Pairs) and len(made) == count
    assert gdvar.dumps(made) == packet
    seconds, made = took(lambda: gdvar.Document(packet, limits=gdvar.NETWORK).value())
    assert seconds < SOON and isinstance(made, gdvar.Pairs)
    assert isinstance(gdvar.decode(packet, Any), gdvar.Pairs)


@pytest.mark.parametrize("keys", [vectors, boxes])
def test_sixty_four_keys_of_one_hash_are_a_dict(keys: Callable[[int], list[bytes]]) -> None:
    made = gdvar.loads(dictionary(keys(64)))
    assert isinstance(made, dict) and len(made) == 64
    assert len({hash(key) for key in made}) == 1
    assert isinstance(gdvar.loads(dictionary(keys(65))), gdvar.Pairs)
    # Others between them change nothing.
    others = [whole(n) for n in range(10_000)]
    mixed = [*others[:5000], *keys(64), *others[5000:]]
    made = gdvar.loads(dictionary(mixed))
    assert isinstance(made, dict) and len(made) == 10_064
    assert isinstance(gdvar.loads(dictionary([*mixed, *keys(65)[64:]])), gdvar.Pairs)


def test_many_groups_of_equal_hashes() -> None:
    head = struct.pack("<I", 12 | 1 << 16)
    keys = [
        head + struct.pack("<dddd", *(scale * part for part in each))
        for scale in range(1, 1000, 2)
        for each in itertools.islice(itertools.product(POWERS, repeat=4), 60)
    ]
    packet = dictionary(keys[:25_000])
    seconds, made = took(lambda: gdvar.loads(packet, limits=gdvar.NETWORK))
    assert seconds < SOON and len(made) == 25_000


@pytest.mark.parametrize(
    "type_", [dict[gdvar.Vector4, None], dict[Any, Any], dict[gdvar.Vector4 | int, Any]]
)
def test_decode_to_a_dict_refuses_them(type_: Any) -> None:
    packet = dictionary(vectors(26_000))
    assert len(gdvar.decode(dictionary(vectors(64)), type_)) == 64

    def refused() -> gdvar.LimitError:
        with pytest.raises(gdvar.LimitError, match="equal hashes") as caught:
            gdvar.decode(packet, type_, limits=gdvar.NETWORK)
        return caught.value

    seconds, error = took(refused)
    assert seconds < SOON
    assert (error.code, error.path, error.offset) == ("node_limit", "$", 0)
    with pytest.raises(gdvar.LimitError) as caught:
        gdvar.decode(struct.pack("<II", 28, 1) + packet, list[type_])
    assert (caught.value.path, caught.value.offset) == ("$[0]", 8)
    assert len(gdvar.decode(packet, gdvar.Pairs[gdvar.Vector4, None])) == 26_000


@pytest.mark.parametrize("type_", [set[gdvar.Vector4], frozenset[gdvar.Vector4], set[Any]])
def test_decode_to_a_set_refuses_them(type_: Any) -> None:
    keys = vectors(26_000)
    packet = struct.pack("<II", 28, len(keys)) + b"".join(keys)
    with pytest.raises(gdvar.LimitError, match="equal hashes"):
        gdvar.decode(packet, type_)
    seconds, _ = took(lambda: pytest.raises(gdvar.LimitError, gdvar.decode, packet, type_))
    assert seconds < SOON


def test_decode_of_a_packed_array_to_a_set_refuses_them() -> None:
    numbers = [each for each in itertools.islice(itertools.product(POWERS, repeat=4), 26_000)]
    packet = gdvar.dumps(gdvar.PackedVector4Array(numbers, wide=True))
    seconds, _ = took(
        lambda: pytest.raises(gdvar.LimitError, gdvar.decode, packet, set[gdvar.Vector4])
    )
    assert seconds < SOON
    same = gdvar.dumps(gdvar.PackedInt32Array([1, 2] * 10_000))
    assert gdvar.decode(same, set[int]) == {1, 2}
    assert gdvar.decode(gdvar.dumps(list(range(10_000)) * 2), set[int]) == set(range(10_000))


@pytest.mark.parametrize(
    "items",
    [
        [i / 1024 for i in range(1000)],
        [i << 32 for i in range(5000)],
        [i << 40 for i in range(5000)],
        [(1_500_000_000_000 + i) << 22 for i in range(5000)],
        [-9223372036401790971 + i * 33554432 for i in range(5000)],
    ],
    ids=["fractions", "high bits", "higher bits", "snowflakes", "object ids"],
)
def test_what_games_have_as_items_is_a_set(items: list[Any]) -> None:
    assert gdvar.decode(gdvar.dumps(items), set[type(items[0])]) == set(items)  # type: ignore[misc]
    packed = gdvar.PackedInt64Array(items) if isinstance(items[0], int) else gdvar.PackedFloat64Array(items)
    assert gdvar.decode(gdvar.dumps(packed), frozenset[type(items[0])]) == set(items)  # type: ignore[misc]


def test_a_key_that_repeats_is_no_flood() -> None:
    packet = dictionary([whole(n % 3) for n in range(1000)])
    assert gdvar.decode(packet, dict[int, None]) == dict.fromkeys(range(3))


@pytest.mark.parametrize(
    "keys",
    [
        list(range(30_000)),
        [n << 20 for n in range(30_000)],
        [n << 40 for n in range(30_000)],
        [-n * 2**32 for n in range(30_000)],
        [n / 1024 for n in range(30_000)],
        [n * 0.1 for n in range(30_000)],
        [gdvar.Vector2i(x, y) for x in range(-100, 100) for y in range(-75, 75)],
        [gdvar.Vector3(x, y, z) for x in range(30) for y in range(30) for z in range(30)],
        [gdvar.Vector3i(x * 64, y * 64, 0) for x in range(150) for y in range(150)],
        [gdvar.Color(r / 30, g / 30, b / 30) for r in range(30) for g in range(30) for b in range(30)],
        [gdvar.RID(n << 32 | 5) for n in range(30_000)],
        [gdvar.StringName(f"name {n}") for n in range(30_000)],
        [gdvar.NodePath(f"/root/{n}:x") for n in range(30_000)],
        [f"text {n}" if n % 2 else n for n in range(30_000)],
    ],
    ids=lambda keys: type(keys[-1]).__name__ + str(keys[-1])[:20],
)
def test_what_games_have_as_keys_stays_a_dict(keys: list[Any]) -> None:
    made = gdvar.loads(gdvar.dumps(dict.fromkeys(keys)))
    assert type(made) is dict and len(made) == len(keys)
    assert gdvar.decode(gdvar.dumps(dict.fromkeys(keys)), dict[object, None]) == made


def test_hashes_are_those_of_tuples() -> None:
    assert hash(gdvar.Vector2(1, 2)) == hash((1, 2))
    assert {gdvar.Vector2(1, 2): "here"}[(1.0, 2.0)] == "here"  # type: ignore[index]


def test_a_connection_gives_pairs() -> None:
    import asyncio

    async def main() -> None:
        async def answer(connection: aio.Connection) -> None:
            async for value in connection:
                await connection.put_var(type(value).__name__)

        async with await aio.serve(answer, "tcp://127.0.0.1:0") as server:
            async with await aio.connect(server.url) as client:
                await client.put_packet(dictionary(vectors(12_000)))
                async with asyncio.timeout(5):
                    assert await client.get_var() == "Pairs"

    asyncio.run(main())
