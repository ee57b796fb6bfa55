"""Text: what the engines print of their values, and what they read from text, sound or damaged."""

from __future__ import annotations

import json
from collections import Counter
from typing import Literal

import pytest
from support import same
from vectors import DATA, vectors

import gdvar

# Engines, and the family of their text where it is not the dialect's.
ENGINES = [
    ("godot-4.6.3", None),
    ("godot-3.6.2", None),
    ("godot-3.2.3", "3.2"),
    ("pandemonium-5.3", None),
]


def unsaid(engine: str, name: str) -> bool:
    """Where the text says what the packet does not (tests/data/README.md)."""
    if name == "object_as_id":
        return True
    if engine == "godot-4.6.3":
        return name in (
            "typed_array_node_empty",
            "typed_array_resource_null",
            "typed_dictionary_int_resource",
        )
    return engine == "pandemonium-5.3" and name == "pool_vector4i"


@pytest.mark.parametrize(("engine", "family"), ENGINES)
def test_what_the_engines_print(engine: str, family: Literal["3.2"] | None) -> None:
    compared = 0
    for vector in vectors(engine):
        if unsaid(engine, vector.name):
            continue
        value = gdvar.loads(vector.data, dialect=vector.dialect, objects=True)
        text = gdvar.var_to_str(value, dialect=vector.dialect, family=family)
        assert text == vector.text, vector.name
        compared += 1
    assert compared > 350


@pytest.mark.parametrize(
    ("engine", "dialect"), [("godot-4.6.3", "godot-4.4"), ("godot-3.6.2", "godot-3.1")]
)
def test_what_is_read_is_what_the_engine_reads(engine: str, dialect: str) -> None:
    """Damaged text is refused, also where the engine makes something of it. What is not refused is
    what the engine reads."""
    seen: Counter[str] = Counter()
    for line in (
        (DATA / "vectors" / f"{engine}-text.ndjson").read_text(encoding="utf-8").splitlines()
    ):
        row = json.loads(line)
        if "t" not in row:
            continue
        theirs = gdvar.loads(bytes.fromhex(row["b"]), dialect=dialect)
        try:
            ours = gdvar.str_to_var(row["t"], dialect=dialect)
        except gdvar.TextError as error:
            assert 0 < error.line <= row["t"].count("\n") + 1 and error.column > 0
            seen["refused"] += 1
            continue
        # The engine's packet is without full objects.
        ours = gdvar.loads(gdvar.dumps(ours, dialect=dialect), dialect=dialect)
        if same(ours, theirs):
            seen["same"] += 1
        else:
            # Only an engine knows which classes there are.
            assert "class_name" in repr(ours) or "class_name" in repr(theirs), row["t"]
            seen["class"] += 1
    assert seen["same"] > 1000 and seen["class"] < 60 and seen["refused"] > 2000, seen
