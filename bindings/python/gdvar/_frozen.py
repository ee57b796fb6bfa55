"""Containers of the values of a save. They are copies, so a change would not reach the save: they refuse it.

Each is equal to what `loads` gives, and of a subclass of it. Copies, and what pickle gives back, are plain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

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


class FrozenArray(FrozenList, Array[Any]):
    __slots__ = ()
    _plain: type[Array[Any]] = Array

    def __init__(self, items: Iterable[Any] = (), type: ContainerType = UNTYPED) -> None:
        list.__init__(self, items)
        object.__setattr__(self, "type", type)

    __setattr__ = __delattr__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return (self._plain, (list(self), self.type))


class FrozenPackedTypedArray(FrozenArray, PackedTypedArray[Any]):
    __slots__ = ()
    _plain = PackedTypedArray


class FrozenDictionary(FrozenDict, Dictionary[Any, Any]):
    __slots__ = ()

    def __init__(
        self,
        items: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = (),
        key_type: ContainerType = UNTYPED,
        value_type: ContainerType = UNTYPED,
    ) -> None:
        dict.__init__(self, items)
        object.__setattr__(self, "key_type", key_type)
        object.__setattr__(self, "value_type", value_type)

    __setattr__ = __delattr__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return (Dictionary, (dict(self), self.key_type, self.value_type))


class FrozenPairs(FrozenList, Pairs[Any, Any]):
    __slots__ = ()

    def __init__(
        self,
        items: Iterable[tuple[Any, Any]] = (),
        key_type: ContainerType = UNTYPED,
        value_type: ContainerType = UNTYPED,
    ) -> None:
        list.__init__(self, items)
        object.__setattr__(self, "key_type", key_type)
        object.__setattr__(self, "value_type", value_type)

    __setattr__ = __delattr__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return (Pairs, (list(self), self.key_type, self.value_type))
