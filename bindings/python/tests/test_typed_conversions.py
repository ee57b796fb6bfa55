"""decode takes the pairs of docs/conversions.md, which is made of C++'s own table, and no others."""

from __future__ import annotations

import re
from typing import Any

import pytest
from vectors import SOURCE

import gdvar

# The Python type for the C++ types of a row, by the first of these that the row names.
PYTHON: dict[str, Any] = {
    "`std::nullptr_t`": None,
    "`bool`": bool,
    "`std::int8_t`": int,
    "`float`, `double`": float,
    "`std::string`": str,
    "`StringName`": gdvar.StringName,
    "`NodePath`": gdvar.NodePath,
    "`RID`": gdvar.RID,
    "`Callable`": gdvar.Callable,
    "`Signal`": gdvar.Signal,
    "`Dictionary`": dict[Any, Any],
    "`Object`": gdvar.Object,
    "`PackedStringArray`": gdvar.PackedStringArray,
    "`PackedArray<std::uint8_t>`": gdvar.PackedByteArray,
    "`PackedArray<std::int32_t>`": gdvar.PackedInt32Array,
    "`PackedArray<std::int64_t>`": gdvar.PackedInt64Array,
    "`PackedArray<float>`": gdvar.PackedFloat32Array,
    "`PackedArray<double>`": gdvar.PackedFloat64Array,
    "`PackedArray<Vector2>`": gdvar.PackedVector2Array,
    "`PackedArray<Vector3>`": gdvar.PackedVector3Array,
    "`PackedArray<Vector4>`": gdvar.PackedVector4Array,
    "`PackedArray<Color>`": gdvar.PackedColorArray,
}
MATH = [
    "Vector2", "Vector2i", "Rect2", "Rect2i", "Vector3", "Vector3i", "Transform2D", "Vector4",
    "Vector4i", "Plane", "Quaternion", "AABB", "Basis", "Transform3D", "Projection", "Color",
]  # fmt: skip
ELEMENTS: dict[str, Any] = {
    "PackedByteArray": int,
    "PackedInt32Array": int,
    "PackedInt64Array": int,
    "PackedFloat32Array": float,
    "PackedFloat64Array": float,
    "PackedStringArray": str,
    "PackedVector2Array": gdvar.Vector2,
    "PackedVector3Array": gdvar.Vector3,
    "PackedColorArray": gdvar.Color,
    "PackedVector4Array": gdvar.Vector4,
}

# A value of each Variant type, such that no check of a number fails.
VALUES: dict[str, Any] = {
    "Nil": None,
    "bool": True,
    "int": 1,
    "float": 1.0,
    "String": "a",
    "StringName": gdvar.StringName("a"),
    "NodePath": gdvar.NodePath("a"),
    "RID": gdvar.RID(1),
    "Callable": gdvar.Callable(),
    "Signal": gdvar.Signal("s", 1),
    "Object": gdvar.Object("Node", {}),
    "Dictionary": {"a": 1},
    "Array": [],
    **{name: getattr(gdvar, name)() for name in MATH},
    **{name: getattr(gdvar, name)([]) for name in ELEMENTS},
}


def rows() -> dict[str, set[str]]:
    """For the C++ types of each row the Variant types that they are made from."""
    text = (SOURCE / "docs" / "conversions.md").read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for types, given, _ in re.findall(r"^\| (`.*?) \| (.*?) \| (.*?) \|$", text, re.M):
        found.setdefault(types, set()).update(given.split(", "))
    return found


def types() -> dict[str, tuple[Any, set[str]]]:
    """Python types by a name, with the Variant types that they take."""
    found: dict[str, tuple[Any, set[str]]] = {}
    for cpp, given in rows().items():
        for name in MATH:
            if cpp.split(", ")[0] == f"`{name}`":
                found[name] = (getattr(gdvar, name), given)
        for first, python in PYTHON.items():
            if cpp.startswith(first):
                found[first] = (python, given)
    by_element = dict(found)
    sequence = next(given for cpp, given in rows().items() if cpp.startswith("`std::vector`"))
    for key, (python, given) in by_element.items():
        if python in {int, float, str, *(getattr(gdvar, name) for name in MATH)}:
            element_names = {name for name, each in ELEMENTS.items() if _name(each) in given}
            found[f"list of {key}"] = (list.__class_getitem__(python), {"Array", *element_names} & {*sequence})
    found["list of any"] = (list[Any], {"Array"})
    return found


def _name(element: Any) -> str:
    return {int: "int", float: "float", str: "String"}.get(element) or str(element.__name__)


TYPES = types()


def test_the_table_was_found() -> None:
    assert set(PYTHON) | set(MATH) <= set(TYPES)
    assert set(VALUES) >= {name for _, given in TYPES.values() for name in given} - {
        "PackedTypedArray", "Image", "InputEvent",
        "PackedVector2iArray", "PackedVector3iArray", "PackedVector4iArray",
    }  # fmt: skip


@pytest.mark.parametrize("key", TYPES)
def test_takes_what_the_table_has(key: str) -> None:
    python, given = TYPES[key]
    for name, value in VALUES.items():
        packet = gdvar.dumps(value, objects=True)
        if name in given:
            gdvar.decode(packet, python, objects=True)
            continue
        with pytest.raises(gdvar.MismatchError) as caught:
            gdvar.decode(packet, python, objects=True)
        assert (caught.value.code, caught.value.found) == ("wrong_type", name)
