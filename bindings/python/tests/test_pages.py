"""The documentation page's editions to the letter: every row of their tables, both directions."""

# Values are of wrong types on purpose.
# mypy: disable-error-code="arg-type"
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportAttributeAccessIssue=false
# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false

from __future__ import annotations

import struct
from typing import Any

import pytest
from support import same

import gdvar
from gdvar import NodePath, Vector2, Vector3

FLAG = 0x10000
Row = tuple[bytes, Any]


class Packet:
    """A packet put together the way the page's tables go: offset by offset."""

    def __init__(self, header: int) -> None:
        self.bytes = struct.pack("<I", header)

    def word(self, *values: int) -> Packet:
        return self.put("I", *(v & 0xFFFFFFFF for v in values))

    def put(self, form: str, *values: float) -> Packet:
        self.bytes += struct.pack(f"<{len(values)}{form}", *values)
        return self

    def f32(self, *values: float) -> Packet:
        return self.put("f", *values)

    def string(self, text: str) -> Packet:
        data = text.encode()
        self.bytes += struct.pack("<I", len(data)) + data + bytes(-len(data) % 4)
        return self


def basis() -> gdvar.Basis:
    """[0][1] of the page is the second component of the first column; gdvar.Basis has rows."""
    return gdvar.Basis(Vector3(1, 4, 7), Vector3(2, 5, 8), Vector3(3, 6, 9))


def common() -> list[Row]:
    """The rows that all editions share, with ids 0, 1 and 4 to 15."""
    path = Packet(15).word(0x80000002, 1, 1).string("root").string("A").string("b")
    return [
        (Packet(0).bytes, None),
        (Packet(1).word(0).bytes, False),
        (Packet(1).word(1).bytes, True),
        (Packet(4).string("abcde").bytes, "abcde"),
        (Packet(5).f32(1, 2).bytes, Vector2(1, 2)),
        (Packet(6).f32(1, 2, 3, 4).bytes, gdvar.Rect2(Vector2(1, 2), Vector2(3, 4))),
        (Packet(7).f32(1, 2, 3).bytes, Vector3(1, 2, 3)),
        (
            Packet(8).f32(1, 2, 3, 4, 5, 6).bytes,
            gdvar.Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)),
        ),
        (Packet(9).f32(1, 2, 3, 4).bytes, gdvar.Plane(Vector3(1, 2, 3), 4)),
        (Packet(10).f32(1, 2, 3, 4).bytes, gdvar.Quaternion(1, 2, 3, 4)),
        (Packet(11).f32(1, 2, 3, 4, 5, 6).bytes, gdvar.AABB(Vector3(1, 2, 3), Vector3(4, 5, 6))),
        (Packet(12).f32(*range(1, 10)).bytes, basis()),
        (Packet(13).f32(*range(1, 13)).bytes, gdvar.Transform3D(basis(), Vector3(10, 11, 12))),
        (Packet(14).f32(0.25, 0.5, 0.75, 1).bytes, gdvar.Color(0.25, 0.5, 0.75, 1)),
        (path.bytes, NodePath("/root/A:b")),
    ]


def flagged_numbers() -> list[Row]:
    return [
        (Packet(2).word(-7).bytes, -7),
        (Packet(2 | FLAG).put("q", 5000000000).bytes, 5000000000),
        (Packet(3).f32(0.5).bytes, 0.5),
        (Packet(3 | FLAG).put("d", 0.1).bytes, 0.1),
    ]


def containers() -> list[Row]:
    return [
        (Packet(18).word(1, 4).string("k").word(1, 1).bytes, {"k": True}),
        (Packet(19).word(2, 0, 1, 1).bytes, [None, True]),
        (
            Packet(20).word(5).put("B", 1, 2, 3, 4, 5, 0, 0, 0).bytes,
            gdvar.PackedByteArray([1, 2, 3, 4, 5]),
        ),
        (Packet(21).word(2, 1, -2).bytes, gdvar.PackedInt32Array([1, -2])),
    ]


def tail_of_3() -> list[Row]:
    return [
        (Packet(22).word(2).f32(0.5, 0.25).bytes, gdvar.PackedFloat32Array([0.5, 0.25])),
        (Packet(23).word(2).string("ab").string("").bytes, gdvar.PackedStringArray(["ab", ""])),
        (Packet(24).word(1).f32(1, 2).bytes, gdvar.PackedVector2Array([(1, 2)])),
        (Packet(25).word(1).f32(1, 2, 3).bytes, gdvar.PackedVector3Array([(1, 2, 3)])),
        (Packet(26).word(1).f32(1, 2, 3, 4).bytes, gdvar.PackedColorArray([(1, 2, 3, 4)])),
    ]


def tail_of_4() -> list[Row]:
    return [
        (Packet(22).word(2).put("q", 1, -2).bytes, gdvar.PackedInt64Array([1, -2])),
        (Packet(23).word(2).f32(0.5, 0.25).bytes, gdvar.PackedFloat32Array([0.5, 0.25])),
        (Packet(24).word(1).put("d", 0.1).bytes, gdvar.PackedFloat64Array([0.1])),
        (Packet(25).word(2).string("ab").string("").bytes, gdvar.PackedStringArray(["ab", ""])),
        (Packet(26).word(1).f32(1, 2).bytes, gdvar.PackedVector2Array([(1, 2)])),
        (Packet(27).word(1).f32(1, 2, 3).bytes, gdvar.PackedVector3Array([(1, 2, 3)])),
        (Packet(28).word(1).f32(1, 2, 3, 4).bytes, gdvar.PackedColorArray([(1, 2, 3, 4)])),
    ]


def objects_of_4() -> list[Row]:
    return [
        (Packet(17).word(0).bytes, gdvar.Object()),
        (Packet(17 | FLAG).put("q", 77).bytes, gdvar.EncodedObjectAsID(77)),
        (
            Packet(17).string("Node").word(1).string("n").word(1, 1).bytes,
            gdvar.Object("Node", {"n": True}),
        ),
    ]


def wide_numbers() -> list[Row]:
    return [
        (Packet(2).put("q", -7).bytes, -7),
        (Packet(2).put("q", 5000000000).bytes, 5000000000),
        (Packet(3).put("d", 0.5).bytes, 0.5),
        (Packet(3).put("d", 0.1).bytes, 0.1),
    ]


EDITIONS = {
    "page-3": [common, flagged_numbers, containers, tail_of_3],
    "page-4": [common, flagged_numbers, containers, tail_of_4, objects_of_4],
    "page-4-dev": [common, wide_numbers, containers, tail_of_4],
}


def floats_of(value: Any) -> Any:
    """The value with its ints in math values as floats, as `loads` gives them."""
    if isinstance(value, tuple) and not isinstance(
        value, (gdvar.Object, NodePath, gdvar.EncodedObjectAsID)
    ):
        return type(value)(*(floats_of(v) if isinstance(v, tuple) else float(v) for v in value))
    return value


@pytest.mark.parametrize("dialect", EDITIONS)
def test_rows(dialect: str) -> None:
    for rows in EDITIONS[dialect]:
        for packet, value in rows():
            read = gdvar.loads(packet, dialect=dialect, objects=True, strict=True)
            assert same(read, floats_of(value)), (packet.hex(), read, value)
            assert gdvar.dumps(value, dialect=dialect, objects=True) == packet, value


@pytest.mark.parametrize("dialect", EDITIONS)
def test_what_they_call_unsupported_is_refused(dialect: str) -> None:
    refused: list[Row] = [(Packet(16).bytes, gdvar.RID(1))]
    if dialect != "page-4":
        refused.append((Packet(17).word(0).bytes, gdvar.Object()))
    for packet, value in refused:
        with pytest.raises(gdvar.DecodeError) as reading:
            gdvar.loads(packet, dialect=dialect, objects=True)
        assert reading.value.code == "unsupported_type"
        with pytest.raises(gdvar.EncodeError) as writing:
            gdvar.dumps([value], dialect=dialect, objects=True)
        assert (writing.value.code, writing.value.path) == ("not_in_dialect", "$[0]")


@pytest.mark.parametrize("dialect", EDITIONS)
def test_the_old_node_path_is_read_and_never_written(dialect: str) -> None:
    value = gdvar.loads(Packet(15).string("/root/A:b").bytes, dialect=dialect)
    assert same(value, NodePath("/root/A:b"))
    assert gdvar.dumps(value, dialect=dialect) == common()[-1][0]


def test_the_type_is_the_low_sixteen_bits() -> None:
    with pytest.raises(gdvar.DecodeError) as error:
        gdvar.loads(Packet(0x0102).word(1).bytes, dialect="page-4")
    assert error.value.code == "unknown_type"
    assert gdvar.loads(Packet(0x0102).word(1).bytes) == 1
