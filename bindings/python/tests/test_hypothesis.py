"""Random values and random bytes, both ways, in every dialect."""

# Strategies are of any type.
# pyright: basic

from __future__ import annotations

import functools
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import DIALECTS, mutate, same
from vectors import SANITIZED, all_vectors

import gdvar
from gdvar import ContainerType, NodePath, Object, Pairs, StringName

Strategy = st.SearchStrategy[Any]
LARGE = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
    HealthCheck.nested_given,
]

real32 = st.floats(width=32, allow_nan=False)
real64 = st.floats(allow_nan=False)
int32 = st.integers(-(2**31), 2**31 - 1)
int64 = st.integers(-(2**63), 2**63 - 1)
id64 = st.integers(0, 2**64 - 1)
object_id = st.integers(-(2**63), 2**63 - 1)
# Text of any characters that UTF-8 has. Short ones repeat, so that what is kept for texts is used.
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.sampled_from(
    ["", "a", "hp", "name"]
)
name = text.filter(bool)


def build(kind: Any, *parts: Strategy) -> Strategy:
    return st.tuples(*parts).map(lambda given: kind(*given))


def math_types(real: Strategy, wide: bool) -> dict[str, Strategy]:
    def kind(type_name: str) -> Any:
        return getattr(gdvar, type_name + ("d" if wide else ""))

    vectors = {
        "Vector2": build(kind("Vector2"), real, real),
        "Vector3": build(kind("Vector3"), real, real, real),
        "Vector4": build(kind("Vector4"), real, real, real, real),
        "Quaternion": build(kind("Quaternion"), real, real, real, real),
    }
    v2, v3, v4 = vectors["Vector2"], vectors["Vector3"], vectors["Vector4"]
    basis = build(kind("Basis"), v3, v3, v3)
    return {
        **vectors,
        "Rect2": build(kind("Rect2"), v2, v2),
        "Plane": build(kind("Plane"), v3, real),
        "AABB": build(kind("AABB"), v3, v3),
        "Transform2D": build(kind("Transform2D"), v2, v2, v2),
        "Basis": basis,
        "Transform3D": build(kind("Transform3D"), basis, v3),
        "Projection": build(kind("Projection"), v4, v4, v4, v4),
    }


def packed(kind: Any, element: Strategy, **options: Any) -> Strategy:
    return st.lists(element, max_size=6).map(lambda items: kind(items, **options))


@functools.cache
def leaves() -> dict[str, Strategy]:
    """Strategies for each type, the widths apart."""
    narrow, wide = math_types(real32, False), math_types(real64, True)
    v2i = build(gdvar.Vector2i, int32, int32)
    found: dict[str, Strategy] = {
        "Nil": st.none(),
        "bool": st.booleans(),
        "int of 32 bits": int32 | st.integers(-3, 3),
        "int of 64 bits": st.integers(2**31, 2**63 - 1) | st.integers(-(2**63), -(2**31) - 1),
        "float of 32 bits": real32 | st.sampled_from([0.0, -0.0, 1.0, 0.5]),
        "float of 64 bits": real64 | st.just(0.1),
        "String": text,
        "StringName": text.map(StringName),
        "NodePath": build(
            NodePath.of, st.lists(text, max_size=3), st.lists(text, max_size=2), st.booleans()
        ),
        **narrow,
        **{f"{type_name}d": strategy for type_name, strategy in wide.items()},
        "Vector2i": v2i,
        "Rect2i": build(gdvar.Rect2i, v2i, v2i),
        "Vector3i": build(gdvar.Vector3i, int32, int32, int32),
        "Vector4i": build(gdvar.Vector4i, int32, int32, int32, int32),
        "Color": build(gdvar.Color, real32, real32, real32, real32),
        "RID without an id": build(gdvar.RID),
        "RID": build(gdvar.RID, st.integers(1, 2**64 - 1)),
        "Callable": build(gdvar.Callable),
        "Signal": build(gdvar.Signal, text, object_id),
        "EncodedObjectAsID": build(gdvar.EncodedObjectAsID, object_id),
        "null": build(Object),
        "PackedByteArray": st.binary(max_size=20).map(gdvar.PackedByteArray),
        "PackedInt32Array": packed(gdvar.PackedInt32Array, int32),
        "PackedInt64Array": packed(gdvar.PackedInt64Array, int64),
        "PackedFloat32Array": packed(gdvar.PackedFloat32Array, st.floats(width=32)),
        "PackedFloat64Array": packed(gdvar.PackedFloat64Array, st.floats()),
        "PackedStringArray": st.lists(text, max_size=5).map(gdvar.PackedStringArray),
        "PackedColorArray": packed(
            gdvar.PackedColorArray, st.tuples(real32, real32, real32, real32)
        ),
        "PackedVector2iArray": packed(gdvar.PackedVector2iArray, st.tuples(int32, int32)),
        "Image": build(
            gdvar.Image,
            st.integers(0, 3),
            st.just(0),
            st.integers(0, 9),
            st.integers(0, 9),
            st.binary(max_size=9),
        ),
    }
    for n, kind in (
        (2, gdvar.PackedVector2Array),
        (3, gdvar.PackedVector3Array),
        (4, gdvar.PackedVector4Array),
    ):
        found[kind.__name__] = packed(kind, st.tuples(*[real32] * n))
        found[f"{kind.__name__}d"] = packed(kind, st.tuples(*[real64] * n), wide=True)
    return found


def pairs(items: list[tuple[Any, Any]]) -> Any:
    """What `loads` makes of a Dictionary: a dict, or Pairs if a dict can't hold it."""
    try:
        made = dict(items)
    except TypeError:
        return Pairs(items)
    return made if len(made) == len(items) else Pairs(items)


def typed_containers(values: Strategy) -> dict[str, Strategy]:
    ints, strings = ContainerType("builtin", "int"), ContainerType("builtin", "String")
    nodes = ContainerType("class_name", "Object", "Node")
    return {
        "Array of int": st.lists(int64, max_size=4).map(lambda v: gdvar.Array(v, ints)),
        "Array of Node": st.lists(build(Object), max_size=2).map(lambda v: gdvar.Array(v, nodes)),
        "Dictionary of String, any": st.dictionaries(text, values, max_size=3).map(
            lambda v: gdvar.Dictionary(v, strings, gdvar.UNTYPED)
        ),
        "Pairs of int, String": st.just(Pairs([(1, "a"), (1, "b")], ints, strings)),
    }


@functools.cache
def values_of(dialect: str) -> Strategy:
    """Values that the dialect has, by examples of each type."""

    def expressible(strategies: dict[str, Strategy]) -> list[Strategy]:
        return [strategy for strategy in strategies.values() if all(map(has, examples(strategy)))]

    def has(value: Any) -> bool:
        try:
            gdvar.dumps(value, dialect=dialect, objects=True)
        except gdvar.EncodeError as error:
            assert error.code == "not_in_dialect", error
            return False
        return True

    leaf = st.one_of(expressible(leaves()))
    has_objects = bool(expressible({"Object": st.just(Object("N", {}))}))

    def containers(inner: Strategy) -> Strategy:
        choices = [
            st.lists(inner, max_size=4),
            st.lists(st.tuples(inner, inner), max_size=4).map(pairs),
            st.dictionaries(st.sampled_from(["hp", "pos", "name", "inventory"]), inner),
            *expressible(typed_containers(leaf)),
        ]
        if has_objects:
            properties = st.lists(st.tuples(text, inner), max_size=3).map(pairs)
            choices.append(build(Object, name, properties))
        return st.one_of(choices)

    return st.recursive(leaf, containers, max_leaves=12)


@functools.cache
def examples(strategy: Strategy) -> list[Any]:
    """A few values of a strategy, the same each time."""
    found: list[Any] = []

    @settings(max_examples=20, database=None, derandomize=True, suppress_health_check=LARGE)
    @given(strategy)
    def take(value: Any) -> None:
        found.append(value)

    take()
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=30 if SANITIZED else 100, suppress_health_check=LARGE)
@given(data=st.data())
def test_values_there_and_back(dialect: str, data: st.DataObject) -> None:
    value = data.draw(values_of(dialect))
    packet = gdvar.dumps(value, dialect=dialect, objects=True)
    read = gdvar.loads(packet, dialect=dialect, objects=True)
    assert same(read, value)
    assert gdvar.dumps(read, dialect=dialect, objects=True) == packet
    assert gdvar.validate(packet, dialect=dialect, objects=True) == len(packet)
    assert same(gdvar.Document(packet, dialect=dialect, objects=True).value(), value)


def assert_harmless(packet: bytes, dialect: str) -> None:
    """Either refused alike by all that reads, or written again as an equal value."""
    try:
        value = gdvar.loads(packet, dialect=dialect, objects=True)
    except gdvar.DecodeError as error:
        for read in (gdvar.validate, gdvar.Document):
            with pytest.raises(type(error)) as other:
                read(packet, dialect=dialect, objects=True)
            assert str(other.value) == str(error)
        return
    assert gdvar.validate(packet, dialect=dialect, objects=True) <= len(packet)
    assert same(gdvar.Document(packet, dialect=dialect, objects=True).value(), value)
    again = gdvar.dumps(value, dialect=dialect, objects=True)
    assert same(gdvar.loads(again, dialect=dialect, objects=True), value), (
        packet.hex(),
        again.hex(),
    )


@settings(max_examples=300 if SANITIZED else 1000)
@given(st.binary(max_size=64), st.sampled_from(DIALECTS))
def test_random_bytes(packet: bytes, dialect: str) -> None:
    assert_harmless(packet, dialect)
    # Few random bytes are a type: the same with one.
    assert_harmless(bytes([len(packet) % 40, 0, 0, 0]) + packet, dialect)


@pytest.mark.parametrize("seed", range(4))
def test_mutated_packets(seed: int) -> None:
    chance = random.Random(seed)
    packets = [v for v in all_vectors() if len(v.data) < 2000]
    for vector in packets:
        for _ in range(8):
            dialect = vector.dialect if chance.random() < 0.8 else chance.choice(DIALECTS)
            assert_harmless(mutate(vector.data, chance), dialect)
