"""Recorded packets, and their values as flat lists: every value in order of the bytes, containers with their
counts. So what gdvar says and what another reader says can be compared."""

import json
import math
import struct
import sys

sys.path.append(sys.path[0] + "/../support")
from by_hand import records
from command import ROOT, run

DATA = ROOT / "tests/data"
ENGINES = {"godot-4.6.3": "godot-4.4", "godot-3.6.2": "godot-3.1", "godot-3.2.3": "godot-3.1",
           "pandemonium-5.3": "pandemonium-5"}


def vectors(engine):
    lines = (DATA / "vectors" / f"{engine}.ndjson").read_text().splitlines()[1:]
    return [json.loads(line) for line in lines]


def packets(engine):
    return [bytes.fromhex(vector["bytes"]) for vector in vectors(engine)]


def unframed(data):
    out, at = [], 0
    while at < len(data):
        (n,) = struct.unpack_from("<I", data, at)
        out.append(data[at + 4 : at + 4 + n])
        at += 4 + n
    return out


OWN_NAMES = {"Quat": "Quaternion", "Transform": "Transform3D", "TypedArray": "Array",
             "PoolIntArray": "PackedInt32Array", "PoolRealArray": "PackedFloat32Array"}


def common_name(name):
    return OWN_NAMES.get(name) or (name.replace("Pool", "Packed") if name.startswith("Pool") else name)


def number(value):
    return math.nan if value is None else float(value)


def shown_text(text):
    """For the engines a string ends at a NUL."""
    return text.split("\0")[0]


INT_LANES = {"Vector2i", "Rect2i", "Vector3i", "Vector4i", "PackedByteArray", "PackedInt32Array", "PackedInt64Array",
             "PackedVector2iArray", "PackedVector3iArray", "PackedVector4iArray"}
PREFIXES = {"i": ("int", int), "f": ("float", number), "s": ("String", shown_text), "sn": ("StringName", shown_text),
            "np": ("NodePath", shown_text)}


def from_json(value, out):
    """The typed JSON of `gdvar json`."""
    if value is None:
        out.append(("Nil",))
    elif isinstance(value, bool):
        out.append(("bool", value))
    elif isinstance(value, str):
        name, convert = PREFIXES[value.split(":", 1)[0]]
        out.append((name, convert(value.split(":", 1)[1])))
    elif isinstance(value, list):
        out.append(("Array", len(value)))
        for each in value:
            from_json(each, out)
    elif "props" in value:
        out.append(("Object", value["type"], len(value["props"]) // 2))
        for name, each in zip(value["props"][::2], value["props"][1::2]):
            out.append(("property", shown_text(name)))
            from_json(each, out)
    elif value["type"] == "Object":
        out.append(("Object", int(value["id"])))
    elif value["type"] in ("Array", "Dictionary", "PackedTypedArray"):
        out.append((value["type"], len(value["args"]) // (2 if value["type"] == "Dictionary" else 1)))
        for each in value["args"]:
            from_json(each, out)
    elif value["type"] == "PackedStringArray":
        out.append((value["type"], [shown_text(each) for each in value["args"]]))
    elif "args" in value:
        convert = int if value["type"] in INT_LANES else number
        components = [convert(each) for each in value["args"]]
        if value["type"] in ("Basis", "Transform3D"):
            # JSON has Godot's axes, the wire rows.
            components = [components[i] for i in (0, 3, 6, 1, 4, 7, 2, 5, 8)] + components[9:]
        out.append((value["type"], components))
    else:
        out.append((value["type"],))
    return out


def as_shown(values):
    """As tshark shows numbers: floats by 15 digits."""
    def shown(each):
        if isinstance(each, float):
            return "nan" if each != each else "%.15g" % each
        return [shown(one) for one in each] if isinstance(each, list) else each

    return rounded([tuple(shown(each) for each in value) for value in values])


def rounded(values):
    """Where a component is a float32, its text is that of the nearest float32, whoever wrote the digits."""
    def component(each):
        if not isinstance(each, str) or each == "nan" or abs(float(each)) > 3.4028235e38:
            return each
        return "%.9g" % struct.unpack("<f", struct.pack("<f", float(each)))[0]

    apart = {"PackedFloat64Array", "PackedStringArray"}
    return [(v[0], [component(each) for each in v[1]]) if len(v) > 1 and isinstance(v[1], list) and v[0] not in apart else v
            for v in values]


def gdvar_json(all_packets, dialect):
    done = run("json", "--as", "records", "--objects", "--lines", "--dialect", dialect, "-", stdin=records(all_packets))
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.lines()]
