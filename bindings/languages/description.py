"""The interface of gdvar.h for generators of other languages: bindings/c/interface.json, and the names of math values' parts.

`bindings/csharp/generate.py` and `bindings/go/generate.py` write their languages' files from this.
"""
import json
import pathlib
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# The parts of a math value in the order of its bytes: names of numbers, or (name, type). Those of ints are the same.
PARTS = {
    "Vector2": ["x", "y"],
    "Rect2": [("position", "Vector2"), ("size", "Vector2")],
    "Vector3": ["x", "y", "z"],
    "Transform2D": [("x", "Vector2"), ("y", "Vector2"), ("origin", "Vector2")],
    "Vector4": ["x", "y", "z", "w"],
    "Plane": [("normal", "Vector3"), "d"],
    "Quaternion": ["x", "y", "z", "w"],
    "AABB": [("position", "Vector3"), ("size", "Vector3")],
    "Basis": [("row0", "Vector3"), ("row1", "Vector3"), ("row2", "Vector3")],
    "Transform3D": [("basis", "Basis"), ("origin", "Vector3")],
    "Projection": [("x", "Vector4"), ("y", "Vector4"), ("z", "Vector4"), ("w", "Vector4")],
    "Color": ["r", "g", "b", "a"],
}
NUMBERS = {"Byte": "u8", "Int32": "i32", "Int64": "i64", "Float32": "f32", "Float64": "f64"}


class Shape(NamedTuple):
    """A math value or a packed array of one width. `name`: of the struct, or of the number, that its bytes hold."""

    type: dict
    wide: bool
    packed: bool
    name: str
    number: str


def interface():
    return json.loads((ROOT / "bindings/c/interface.json").read_text())


def enum(described, name):
    return next(each for each in described["enums"] if each["name"] == name)


def math_parts(name):
    """The parts of the struct of that name: [(name, struct or None)]. `Vector2d` has 64-bit floats, `Vector2i` ints."""
    suffix = "" if name in PARTS else name[-1]
    parts = PARTS[name[: len(name) - len(suffix)]]
    return [(part, None) if isinstance(part, str) else (part[0], part[1] + suffix) for part in parts]


def shapes(described):
    """All math values and packed arrays of numbers."""
    for each in enum(described, "gdvar_type")["values"]:
        name = each["doc"]
        packed = name.startswith("Packed")
        element = name.removeprefix("Packed").removesuffix("Array") if packed else name
        if packed and element in NUMBERS:
            yield Shape(each, False, True, NUMBERS[element], NUMBERS[element])
        elif element in PARTS:
            yield Shape(each, False, packed, element, "f32")
            yield Shape(each, True, packed, element + "d", "f64")
        elif element.removesuffix("i") in PARTS:
            yield Shape(each, False, packed, element, "i32")


def pascal(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def main(files):
    """Writes the files {path: text}, if `--update` is given; else says which of them are stale, with status 1."""
    stale = {}
    for path, text in files.items():
        file = ROOT / path
        if not file.exists() or file.read_text() != text:
            stale[file] = text
    if sys.argv[1:] == ["--update"]:
        for file, text in stale.items():
            file.write_text(text)
    elif sys.argv[1:]:
        sys.exit(f"usage: {sys.argv[0]} [--update]")
    elif stale:
        sys.exit("".join(f"{file} is stale: run {sys.argv[0]} --update\n" for file in stale))
