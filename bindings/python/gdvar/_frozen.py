"""Containers of the values of a save. They are copies, so a change would not reach the save: they refuse it.

Each is equal to what `loads` gives, and of a subclass of it. Copies, and what pickle gives back, are plain.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, ClassVar, NoReturn

from gdvar.values import UNTYPED, Array, ContainerType, Dictionary, PackedStringArray, PackedTypedArray, Pairs

__all__ = [
    "FrozenArray",
    "FrozenDict",
    "FrozenDictionary",
    "FrozenList",
    "FrozenPackedStringArray",
    "FrozenPackedTypedArray",
    "FrozenPairs",
]

_WHY = (
    "this is a copy of a save's value, and a change of it would not be saved: use save.set(path, value), or change "
    "a copy.deepcopy(...) of the whole value and put it back (save[0] = value)"
)


def _refuse(self: object, *args: object, **names: object) -> NoReturn:
    raise TypeError(_WHY)


class FrozenList(list[Any]):
    __slots__ = ()

    append = clear = extend = insert = pop = remove = reverse = sort = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return (list, (list(self),))


class FrozenDict(dict[Any, Any]):
    __slots__ = ()

    clear = pop = popitem = setdefault = update = _refuse
    __setitem__ = __delitem__ = __ior__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return (dict, (dict(self),))


class FrozenPackedStringArray(FrozenList, PackedStringArray):
    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return (PackedStringArray, (list(self),))


class _Typed:
    """A container with types, which are set when it is made."""

    __slots__ = ()
    _plain: ClassVar[Any]
    _base: ClassVar[Any] = list
    _names: ClassVar[tuple[str, ...]] = ("key_type", "value_type")

    def __init__(self, items: Any = (), *types: ContainerType) -> None:
        self._base.__init__(self, items)
        for name, type in zip_longest(self._names, types, fillvalue=UNTYPED):
            object.__setattr__(self, str(name), type)

    __setattr__ = __delattr__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        types = (getattr(self, name) for name in self._names)
        return (self._plain, (self._base(self), *types))


class FrozenArray(_Typed, FrozenList, Array[Any]):
    __slots__ = ()
    _plain = Array
    _names = ("type",)


class FrozenPackedTypedArray(FrozenArray, PackedTypedArray[Any]):
    __slots__ = ()
    _plain = PackedTypedArray


class FrozenDictionary(_Typed, FrozenDict, Dictionary[Any, Any]):
    __slots__ = ()
    _plain = Dictionary
    _base = dict


class FrozenPairs(_Typed, FrozenList, Pairs[Any, Any]):
    __slots__ = ()
    _plain = Pairs
