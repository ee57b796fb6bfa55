"""Document and View: which keys and indexes they take."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import gdvar

DOCUMENT = gdvar.Document(gdvar.dumps({"a": ["x", "y", "z"]}))


class Index:
    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


def test_an_array_takes_what_a_list_takes_as_an_index() -> None:
    view = DOCUMENT["a"]
    for index in (0, 2, -3, False, Index(2), Index(-3)):
        assert view[index] == view.value()[index]
    for index in (3, -4, Index(3), 2**70, -(2**70)):
        with pytest.raises(IndexError) as error:
            view[index]
        assert isinstance(error.value, gdvar.PathError)
        assert error.value.code == "index_out_of_range"
    numpy = pytest.importorskip("numpy")
    assert [view[i] for i in numpy.arange(3)] == ["x", "y", "z"]


@pytest.mark.parametrize("key", [1.0, "x", None, (0,)], ids=repr)
def test_what_is_no_index_is_refused_in_words(key: Any) -> None:
    with pytest.raises(gdvar.PathError, match="Array has elements by int, not by") as error:
        DOCUMENT["a"][key]
    assert error.value.code == "wrong_type"


def test_exceptions_of_an_index_come_through() -> None:
    class Breaks:
        def __index__(self) -> int:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        DOCUMENT["a"][Breaks()]


def test_what_has_no_keys_says_so() -> None:
    with pytest.raises(TypeError, match="the Array has no keys"):
        DOCUMENT["a"].keys()


def test_errors_say_where() -> None:
    document = gdvar.Document(gdvar.dumps({"players": [{"hp": 1}]}))
    with pytest.raises(gdvar.MissingKeyError, match=r"^\$\.players\[0\]: .* no 'hpp'") as missing:
        document["players"][0]["hpp"]
    assert missing.value.path == "$.players[0]"
    with pytest.raises(gdvar.IndexRangeError) as range_:
        document["players"][7]
    assert range_.value.path == "$.players"
    with pytest.raises(gdvar.PathError) as no_path:
        document.get("$.a b c[")
    assert no_path.value.code == "bad_path"
    assert document.get("$.a b c[", 1) == 1
    assert list(inspect.signature(gdvar.Document.get).parameters) == ["self", "path", "default"]
