"""What loads and dumps keep from call to call never shows: shapes of dicts, short texts, keys."""

from __future__ import annotations

import random
from typing import Any

import pytest

import gdvar
from gdvar import values


def packet(value: Any) -> bytes:
    return gdvar.dumps(value)


def text_packet(text: bytes) -> bytes:
    """A String with these bytes, whatever they are."""
    size = len(text).to_bytes(4, "little")
    return b"\4\0\0\0" + size + text + b"\0" * (-len(text) % 4)


def test_dicts_of_one_shape_have_their_own_values() -> None:
    rows: list[Any] = [
        {"id": i, "hp": 1000, "alive": i % 3 == 0, "name": f"n{i % 5}", "x": 0.5, "none": None}
        for i in range(200)
    ]
    assert gdvar.loads(packet(rows)) == rows
    for i in range(200):
        rows[i]["hp"] = 1000 if i % 2 else i
        rows[i]["none"] = None if i % 7 else "text"
        rows[i]["x"] = [0.0, -0.0, 1.0, 0.5][i % 4]
    assert repr(gdvar.loads(packet(rows))) == repr(rows)


def test_a_dict_inside_one_of_its_own_shape() -> None:
    def nest(depth: int) -> dict[str, Any]:
        return {
            "first": depth % 2 == 0,
            "inner": nest(depth - 1) if depth else None,
            "second": depth // 3,
            "third": 7 if depth > 5 else 8,
        }

    for depth in (1, 2, 3, 20, 3, 20, 20):
        assert gdvar.loads(packet(nest(depth))) == nest(depth)


def test_shapes_that_begin_alike() -> None:
    choose = random.Random(1)
    names = ["id", "name", "hp", "é", "key of some length", "x" * 16, "x" * 17, "x" * 32, "x" * 33]
    for _ in range(500):
        rows: list[Any] = []
        for _ in range(choose.randrange(8)):
            keys = names[: choose.randrange(len(names) + 1)]
            if choose.random() < 0.3:
                choose.shuffle(keys)
            rows.append({key: choose.choice([1, 2.5, None, [], {}, "s"]) for key in keys})
        assert repr(gdvar.loads(packet(rows))) == repr(rows)


def test_a_key_that_repeats_in_a_known_shape() -> None:
    rows = [{"a": 1, "b": 2, "c": 3}] * 4
    assert gdvar.loads(packet(rows)) == rows
    pairs = values.Pairs([("a", 1), ("b", 2), ("a", 3)])
    again = gdvar.loads(packet([*rows, pairs]))
    assert again[:4] == rows
    assert isinstance(again[4], values.Pairs)
    assert list(again[4]) == list(pairs)


def test_what_is_given_may_be_changed() -> None:
    data = packet([{"a": 1, "b": None, "c": "text"}] * 4)
    expected = [{"a": 1, "b": None, "c": "text"}] * 4
    for _ in range(3):
        made = gdvar.loads(data)
        assert made == expected
        for row in made:
            row["a"] = "changed"
            row.clear()
            row["new"] = 1


def test_loads_within_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    def row(i: int, inner: Any) -> dict[str, Any]:
        return {"before": i, "inner": inner, "after": i, "last": i % 2 == 0}

    typed = values.Array([1], values.ContainerType("builtin", "int"))
    other = packet([row(5, 0)] * 6)
    init = values.Array.__init__
    seen = []

    def loading(self: Any, *given: Any) -> None:
        seen.append(gdvar.loads(other))
        init(self, *given)

    data = packet([row(3, typed)] * 6 + [row(4, typed)] * 6)
    expected = gdvar.loads(data)
    monkeypatch.setattr(values.Array, "__init__", loading)
    for _ in range(3):
        assert gdvar.loads(data) == expected
    assert seen
    assert all(each == [row(5, 0)] * 6 for each in seen)


@pytest.mark.parametrize("dialect", ["godot-4.4", "godot-3.1"])
def test_texts_are_what_python_decodes(dialect: str) -> None:
    choose = random.Random(2)
    pieces = [
        *(chr(each).encode() for each in (0x20, 0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10FFFF)),
        b"ascii",
        b"long ascii",
    ]
    # Godot 3 takes surrogates and what is beyond Unicode.
    wrong = [b"\xff", b"\xc3", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe5\x8c"]
    read = 0
    for i in range(4000):
        text = b"".join(choose.choice(pieces) for _ in range(choose.randrange(40)))
        if i % 3 == 0:
            text += choose.choice(wrong) + choose.choice(pieces)
        if i % 10 == 0:
            text *= 20
        try:
            made = gdvar.loads(text_packet(text), dialect=dialect)
        except gdvar.DecodeError as error:
            assert error.code == "bad_utf8"
        else:
            read += 1
            assert made == text.decode("utf-8", "surrogateescape")
    assert read > 2000


def test_keys_of_every_length() -> None:
    for length in range(80):
        for fill in ("k", "é", "北"):
            key = fill * length
            assert gdvar.loads(packet([{key: 1}] * 3)) == [{key: 1}] * 3


def test_keys_whose_memory_is_used_again() -> None:
    for i in range(5000):
        key = f"key {i * 7919}"
        assert gdvar.loads(packet({key: i})) == {key: i}


def test_keys_with_surrogates() -> None:
    key = b"\xed\xa0\x80x".decode("utf-8", "surrogateescape")
    for i in range(3):
        rows = [{"ok": i, key: 2}] * 3
        written = gdvar.dumps(rows, dialect="godot-3.1")
        assert written.count(b"\xed\xa0\x80x") == 3
        assert gdvar.loads(written, dialect="godot-3.1") == rows
        with pytest.raises(gdvar.EncodeError) as caught:
            gdvar.dumps(rows)
        assert caught.value.code == "bad_utf8"
