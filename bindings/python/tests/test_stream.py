"""StreamFramer and frame: packets on a stream, however it was split."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors import vectors

import gdvar

PACKETS = [vector.data for vector in vectors("godot-4.6.3")][:60]


def packets_of(pieces: list[bytes], *, big_endian: bool = False) -> list[bytes]:
    framer = gdvar.StreamFramer(big_endian=big_endian)
    out: list[bytes] = []
    for piece in pieces:
        framer.feed(piece)
        out.extend(framer)
    framer.finish()
    return out


@given(st.lists(st.integers(0, 10_000)), st.booleans())
def test_any_split_gives_the_same_packets(cuts: list[int], big_endian: bool) -> None:
    stream = b"".join(gdvar.frame(packet, big_endian=big_endian) for packet in PACKETS)
    places = sorted({0, len(stream), *(cut % len(stream) for cut in cuts)})
    pieces = [stream[a:b] for a, b in zip(places, places[1:], strict=False)]
    assert packets_of(pieces, big_endian=big_endian) == PACKETS


@given(st.lists(st.binary(max_size=300)))
def test_what_is_framed_comes_out(packets: list[bytes]) -> None:
    assert packets_of([b"".join(gdvar.frame(packet) for packet in packets)]) == packets


def test_one_byte_at_a_time() -> None:
    framer = gdvar.StreamFramer()
    stream = gdvar.frame(b"abcd")
    for n, byte in enumerate(stream):
        assert list(framer) == []
        assert framer.need == (4 - n if n < 4 else 8 - n)
        framer.feed(bytes([byte]))
    assert list(framer) == [b"abcd"]
    framer.finish()


def test_lengths_are_bounded_before_anything_is_held() -> None:
    framer = gdvar.StreamFramer(max_packet=100)
    framer.feed(b"\x65\0\0\0")
    with pytest.raises(gdvar.LimitError) as over:
        next(framer)
    assert over.value.code == "size_limit"
    with pytest.raises(gdvar.LimitError):  # it stays
        framer.feed(b"more")
    negative = gdvar.StreamFramer()
    negative.feed(b"ok".join([b"\2\0\0\0", b"\xff\xff\xff\xff"]))
    assert next(negative) == b"ok"
    with pytest.raises(gdvar.DecodeError) as bad:
        list(negative)
    assert (bad.value.code, bad.value.offset) == ("bad_length", 6)


def test_a_stream_that_ends_inside_a_packet() -> None:
    framer = gdvar.StreamFramer()
    framer.feed(gdvar.frame(b"abcd")[:-1])
    assert list(framer) == [] and framer.need == 1
    with pytest.raises(gdvar.TruncatedError) as ended:
        framer.finish()
    assert ended.value.need == 1


def test_arguments() -> None:
    framer = gdvar.StreamFramer()
    framer.feed(memoryview(bytearray(gdvar.frame(bytearray(b"x")))))
    assert list(framer) == [b"x"]
    for wrong in ("text", 5, None):
        with pytest.raises(TypeError):
            framer.feed(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        gdvar.StreamFramer(True)  # type: ignore[call-arg]
    with pytest.raises(OverflowError):
        gdvar.StreamFramer(max_packet=-1)
