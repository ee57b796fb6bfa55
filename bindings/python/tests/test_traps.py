"""What would lose data without a word: changes of a save's values, sums of vectors, defaults."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gdvar
from gdvar import Vector2, Vector2d, Vector2i, Vector3, Vector4

INT = gdvar.ContainerType("builtin", "int")
STRING = gdvar.ContainerType("builtin", "String")
VALUE: dict[str, Any] = {
    "hp": 7,
    "bag": ["rope", {"n": [1]}],
    "typed": gdvar.Array([1, 2], INT),
    "by name": gdvar.Dictionary({"a": 1}, STRING, INT),
    "pairs": gdvar.Pairs([([1], 2), (1, "int"), (1.0, "float")]),
    "names": gdvar.PackedStringArray(["a", "b"]),
    "node": gdvar.Object("Node", {"x": [1]}),
    "none": gdvar.Object(),
    "pos": Vector3(1, 2, 3),
}


def containers(value: Any) -> list[Any]:
    """All lists and dicts in a value."""
    found: list[Any] = []
    left = [value]
    while left:
        x = left.pop()
        if isinstance(x, dict):
            left += x.values()
        elif isinstance(x, (list, tuple)):
            left += x
        if isinstance(x, (list, dict)):
            found.append(x)
    return found


def saves() -> list[tuple[Any, list[Any]]]:
    """Saves that hold VALUE, and all ways to get at it."""
    packet = gdvar.read_save(gdvar.dumps(VALUE, objects=True), objects=True)
    records = gdvar.read_save(gdvar.make_save("records", [VALUE, "end"], objects=True), objects=True)
    project = gdvar.read_save(b"[a]\nb={\"hp\": 7, \"bag\": [[1]]}\n")
    return [
        (packet, [packet[0], packet.get("$"), next(iter(packet))]),
        (records, [records[0], records.get("#0 $"), records[-2]]),
        (project, [dict(project.items())[name] for name in project.names if name] or [project[0]]),
    ]


def test_values_of_a_save_are_frozen_and_say_so() -> None:
    list_changes: list[Callable[[Any], Any]] = [
        lambda x: x.append(1),
        lambda x: x.extend([1]),
        lambda x: x.insert(0, 1),
        lambda x: x.pop(),
        lambda x: x.remove(1),
        lambda x: x.clear(),
        lambda x: x.sort(),
        lambda x: x.reverse(),
        lambda x: x.__setitem__(0, 1),
        lambda x: x.__setitem__(slice(0, 1), [1]),
        lambda x: x.__delitem__(0),
        lambda x: x.__iadd__([1]),
        lambda x: x.__imul__(2),
    ]
    dict_changes: list[Callable[[Any], Any]] = [
        lambda x: x.__setitem__("hp", 9999),
        lambda x: x.__delitem__("hp"),
        lambda x: x.update(hp=9999),
        lambda x: x.pop("hp"),
        lambda x: x.popitem(),
        lambda x: x.setdefault("new", 1),
        lambda x: x.clear(),
        lambda x: x.__ior__({"hp": 9999}),
    ]
    for save, ways in saves():
        before = save.bytes()
        for value in ways:
            found = containers(value)
            assert found
            for each in found:
                for change in list_changes if isinstance(each, list) else dict_changes:
                    shown = repr(each)
                    with pytest.raises(TypeError, match=r"would not be saved: use save\.set\("):
                        change(each)
                    assert repr(each) == shown
        assert save.bytes() == before and not save.changed


def test_types_of_frozen_containers_stay() -> None:
    value = saves()[0][0][0]
    for key, name in [("typed", "type"), ("by name", "value_type"), ("pairs", "key_type")]:
        with pytest.raises(TypeError, match="would not be saved"):
            setattr(value[key], name, gdvar.UNTYPED)
        with pytest.raises(TypeError, match="would not be saved"):
            delattr(value[key], name)


def test_frozen_values_are_equal_to_others() -> None:
    save, ways = saves()[0]
    for value in ways:
        assert value == VALUE and VALUE == value
        for key in VALUE:
            assert value[key] == VALUE[key] and isinstance(value[key], type(VALUE[key])), key
        assert gdvar.dumps(value, objects=True) == gdvar.dumps(VALUE, objects=True)
        assert gdvar.encode(value, objects=True) == gdvar.dumps(VALUE, objects=True)
        assert gdvar.encode(value["bag"][1]["n"], type=list[int]) == gdvar.dumps([1])
        assert isinstance(value["node"].properties, dict)
        assert value["typed"].type == INT and value["by name"].value_type == INT
    assert repr(save[0]["bag"]) == "['rope', {'n': [1]}]"
    assert json.loads(json.dumps(save[0]["bag"])) == VALUE["bag"]
    assert save.get("$.bag") == VALUE["bag"]


def all_plain(value: Any) -> bool:
    return all(type(each).__module__ in ("builtins", "gdvar.values") for each in containers(value))


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_copies_can_be_changed(protocol: int) -> None:
    save = saves()[0][0]
    assert not all_plain(save[0])
    for copied in (copy.deepcopy(save[0]), pickle.loads(pickle.dumps(save[0], protocol))):
        assert copied == VALUE and all_plain(copied)
        assert gdvar.dumps(copied, objects=True) == gdvar.dumps(VALUE, objects=True)
        copied["hp"] = 9999
        copied["bag"][1]["n"].append(2)
        save[0] = copied
        assert save.get("$.hp") == 9999 and save.get("$.bag[1].n") == [1, 2]
        save[0] = VALUE
    shallow = copy.copy(save[0])
    shallow["hp"] = 1
    assert type(shallow) is dict and type(copy.copy(save[0]["typed"])) is gdvar.Array
    assert type(save[0].copy()) is dict and type(save[0]["bag"][:]) is list


def test_what_is_no_value_of_a_save_can_be_changed() -> None:
    save = saves()[0][0]
    assert all_plain(gdvar.loads(save.packet(0), objects=True))
    assert all_plain(save.diff(gdvar.read_save(gdvar.dumps({"hp": [1]}))))


# ---- new saves ----


@pytest.mark.parametrize("kind", ["records", "json-lines"])
@pytest.mark.parametrize(
    "values_",
    [
        {"hp": 1, "gold": 2},
        gdvar.Dictionary({"hp": 1}),
        gdvar.Pairs([("hp", 1)]),
        "text",
        gdvar.StringName("text"),
        b"bytes",
        Vector2(1, 2),
        gdvar.PackedInt32Array([1]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_make_save_takes_no_single_value_for_many(kind: str, values_: Any) -> None:
    with pytest.raises(TypeError, match="put it into a list"):
        gdvar.make_save(kind, values_)
    if kind == "records":
        save = gdvar.read_save(gdvar.make_save(kind, [values_, 0]))
        assert save.packet(0) == gdvar.dumps(values_)
    assert len(gdvar.read_save(gdvar.make_save(kind, (each for each in (1, 2))))) == 2


# ---- vectors ----


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda: Vector3(1, 2, 3) + Vector3(4, 5, 6), Vector3(5, 7, 9)),
        (lambda: Vector3(1, 2, 3) - Vector3(4, 5, 7), Vector3(-3, -3, -4)),
        (lambda: Vector3(1, 2, 3) * 2, Vector3(2, 4, 6)),
        (lambda: 0.5 * Vector3(1, 2, 3), Vector3(0.5, 1, 1.5)),
        (lambda: Vector3(1, 2, 3) * Vector3(2, 3, 4), Vector3(2, 6, 12)),
        (lambda: Vector3(1, 2, 3) / 2, Vector3(0.5, 1, 1.5)),
        (lambda: -Vector4(1, 2, 3, 4), Vector4(-1, -2, -3, -4)),
        (lambda: Vector2(1, 2) + (1, 1), Vector2(2, 3)),
        (lambda: (1, 1) + Vector2(1, 2), Vector2(2, 3)),
        (lambda: (1, 1) - Vector2(1, 3), Vector2(0, -2)),
        (lambda: Vector2(1, 2) + Vector2d(1, 1), Vector2d(2, 3)),
        (lambda: Vector2d(1, 2) + Vector2(1, 1), Vector2d(2, 3)),
        (lambda: Vector2d(1, 2) * 2, Vector2d(2, 4)),
        (lambda: Vector2i(1, 2) + Vector2i(3, 4), Vector2i(4, 6)),
        (lambda: Vector2i(7, -7) / 2, Vector2i(3, -3)),
        (lambda: Vector2i(7, -7) / Vector2i(-2, -2), Vector2i(-3, 3)),
        (lambda: Vector2i(1, 2) * 3, Vector2i(3, 6)),
        (lambda: Vector2i(1, 2) * 0.5, Vector2(0.5, 1)),
        (lambda: Vector2i(1, 2) / 0.5, Vector2(2, 4)),
        (lambda: gdvar.Color(0.5, 0.25, 0, 1) * 2, gdvar.Color(1, 0.5, 0, 2)),
        (lambda: -gdvar.Color(0.25, 0.5, 0.75, 1), gdvar.Color(0.75, 0.5, 0.25, 0)),
        (lambda: gdvar.Quaternion(1, 2, 3, 4) * 2, gdvar.Quaternion(2, 4, 6, 8)),
        (lambda: Vector2(1, 2) * np.float64(2), Vector2(2, 4)),
        (lambda: Vector2(1, 2) * np.int32(2), Vector2(2, 4)),
        (lambda: sum([Vector2(1, 2), Vector2(3, 4)], Vector2()), Vector2(4, 6)),
    ],
)
def test_vectors_calculate_as_in_godot(made: Callable[[], Any], expected: Any) -> None:
    result = made()
    assert type(result) is type(expected) and result == expected
    assert gdvar.loads(gdvar.dumps({"pos": result}))["pos"] == expected


@pytest.mark.parametrize(
    "made",
    [
        lambda: Vector3(1, 2, 3) + (1,),
        lambda: Vector3(1, 2, 3) + Vector2(1, 2),
        lambda: Vector2(1, 2) + Vector2i(1, 2),
        lambda: Vector2i(1, 2) + Vector2(1, 2),
        lambda: (1, 2, 3) + Vector2(1, 2),
        lambda: Vector3(1, 2, 3) + 1,
        lambda: Vector3(1, 2, 3) + [1, 2, 3],
        lambda: Vector3(1, 2, 3) * "x",
        lambda: gdvar.Quaternion() * gdvar.Quaternion(),
        lambda: gdvar.Rect2() + gdvar.Rect2(),
        lambda: gdvar.Rect2() * 2,
        lambda: 2 * gdvar.Rect2(),
        lambda: (1,) + gdvar.Transform3D(),
        lambda: gdvar.Plane() * 2,
        lambda: gdvar.Basis() + gdvar.Basis(),
    ],
)
def test_nothing_is_joined_or_repeated(made: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        made()


def test_lists_take_them_in_as_other_tuples() -> None:
    for value in (Vector2(1, 2), gdvar.Rect2(), gdvar.Basis(), gdvar.Color()):
        found: list[Any] = [0]
        found += value
        found.extend(value)
        assert found == [0, *value, *value]


def test_numpy_calculates_with_vectors() -> None:
    for made in (np.array([1, 2]) + Vector2(1, 2), Vector2(1, 2) + np.array([1, 2])):
        assert isinstance(made, np.ndarray) and made.tolist() == [2, 4]


@pytest.mark.parametrize(
    "name", ["Vector2", "Vector4i", "Rect2", "Basis", "Projectiond", "Color", "Quaternion"]
)
def test_math_types_are_tuples_still(name: str) -> None:
    cls = getattr(gdvar, name)
    value: Any = cls()
    assert issubclass(cls, tuple) and value == tuple(value) and hash(value) == hash(tuple(value))
    assert value._replace() == value and type(value._replace()) is cls
    assert pickle.loads(pickle.dumps(value)) == value and type(copy.deepcopy(value)) is cls
    assert repr(value).startswith(f"{name}(") and not hasattr(value, "__dict__")
    assert inspect.getdoc(cls)


def test_dataclasses_copy_a_node_path() -> None:
    @dataclasses.dataclass
    class Player:
        path: gdvar.NodePath

    path = gdvar.NodePath("/root/Player:position:x")
    assert dataclasses.asdict(Player(path)) == {"path": path}


# ---- objects ----


def test_each_object_has_properties_of_its_own() -> None:
    for changed in (gdvar.Object("Sprite"), gdvar.Object()):
        properties: Any = changed.properties
        properties["x"] = 1
    assert gdvar.Object("Node2D").properties == {} == gdvar.Object().properties
    null = gdvar.dumps(gdvar.Object(), objects=True)
    assert gdvar.loads(null, objects=True) == gdvar.Object()
    node = gdvar.Object("Node", {"a": 1})
    assert pickle.loads(pickle.dumps(node)) == node and node._replace(class_name="A").properties == {"a": 1}
