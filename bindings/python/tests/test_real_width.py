"""Floats of 8 bytes in page dialects, and the ids of Objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import gdvar

WIDE = bytes.fromhex("05000000000000000000f83f9a9999999999b93f")
VALUE = gdvar.Vector2d(1.5, 0.1)
PAGE: dict[str, Any] = {"dialect": "page-4", "real_width": 8}


@dataclass
class Place:
    at: gdvar.Vector2d


def test_it_reaches_every_function() -> None:
    assert gdvar.loads(WIDE, **PAGE) == VALUE
    assert gdvar.dumps(VALUE, **PAGE) == WIDE
    assert gdvar.validate(WIDE, **PAGE) == len(WIDE)
    assert gdvar.annotate(WIDE, **PAGE).error is None
    assert gdvar.check(WIDE, **PAGE).total == 0
    packet = gdvar.encode(Place(VALUE), **PAGE)
    assert gdvar.Document(packet, **PAGE)["at"] == VALUE
    assert gdvar.decode(packet, Place, **PAGE) == Place(VALUE)
    assert gdvar.lookup(packet, "$.at", **PAGE)[0].value == VALUE
    other = gdvar.set_value(packet, "$.at", gdvar.Vector2d(2, 3), **PAGE)
    assert gdvar.patch(packet, gdvar.diff(packet, other, **PAGE), **PAGE) == other
    assert gdvar.loads(gdvar.erase_value(packet, "$.at", **PAGE), **PAGE) == {}
    narrow = gdvar.dumps(gdvar.Vector2(1.5, 0.5), dialect="page-4")
    half = gdvar.dumps(gdvar.Vector2d(1.5, 0.5), **PAGE)
    assert gdvar.convert(narrow, "page-3", dialect="page-4", to_real_width=8) == half
    assert gdvar.loads(gdvar.convert(half, "godot4", **PAGE)) == gdvar.Vector2d(1.5, 0.5)
    save = gdvar.read_save(packet, **PAGE)
    assert save[0] == {"at": VALUE}
    save.set("$.at", gdvar.Vector2d(2, 3))
    assert save.bytes() == other


@pytest.mark.parametrize("dialect", [{}, {"dialect": "godot-4.4"}, {"dialect": "godot3"}, {"dialect": None}])
def test_other_dialects_refuse_it(dialect: dict[str, Any]) -> None:
    for call in (gdvar.loads, gdvar.Document, gdvar.validate, gdvar.annotate, gdvar.check, gdvar.read_save):
        with pytest.raises(ValueError, match=r"page-\* dialects alone"):
            call(WIDE, real_width=8, **dialect)
    for write in (gdvar.dumps, gdvar.encode):
        with pytest.raises(ValueError, match=r"page-\* dialects alone"):
            write(VALUE, real_width=8, **dialect)
    assert gdvar.dumps(1, real_width=4, **dialect) == gdvar.dumps(1, **dialect)


@pytest.mark.parametrize("width", [0, 5, 2**70, "8", None, 8.0])
def test_widths_are_4_and_8(width: Any) -> None:
    with pytest.raises(ValueError, match="real_width is 4 or 8"):
        gdvar.loads(WIDE, dialect="page-4", real_width=width)


def test_a_target_without_it() -> None:
    with pytest.raises(ValueError, match=r"page-\* dialects alone"):
        gdvar.convert(gdvar.dumps(1), "godot3", to_real_width=8)


@pytest.mark.parametrize(("given", "signed"), [(5, 5), (-5, -5), (2**64 - 5, -5), (2**63, -(2**63)), (-(2**63), -(2**63))])
def test_ids_of_objects_are_signed_and_taken_both_ways(given: int, signed: int) -> None:
    assert gdvar.loads(gdvar.dumps(gdvar.EncodedObjectAsID(given))) == gdvar.EncodedObjectAsID(signed)
    assert gdvar.loads(gdvar.dumps(gdvar.Signal("s", given))) == gdvar.Signal("s", signed)
    assert gdvar.to_json(gdvar.EncodedObjectAsID(given)) == f'{{"type":"Object","id":"{signed}"}}'
    assert gdvar.from_json(f'{{"type":"Object","id":"{given}"}}') == gdvar.EncodedObjectAsID(signed)


@pytest.mark.parametrize("given", [2**64, -(2**63) - 1])
def test_ids_have_64_bits(given: int) -> None:
    for value in (gdvar.EncodedObjectAsID(given), gdvar.Signal("s", given)):
        with pytest.raises(gdvar.EncodeError):
            gdvar.dumps(value)
    with pytest.raises(gdvar.EncodeError):
        gdvar.dumps(gdvar.RID(-1))
