"""Types for `gdvar.decode` and `gdvar.encode`.

A type is looked at once: its annotations become a plan, which the extension follows from then on.
Which values a type takes is told in docs/conversions.md, as for C++.

>>> import gdvar
>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> @dataclass
... class Player:
...     name: str
...     hp: Annotated[int, gdvar.Meta(ge=0, le=100)] = 100
>>> packet = gdvar.dumps({"name": "Ann", "hp": 7})
>>> gdvar.decode(packet, Player)
Player(name='Ann', hp=7)
>>> gdvar.decode(gdvar.dumps({"name": "Bob"}), Player)
Player(name='Bob', hp=100)
>>> try:
...     gdvar.decode(gdvar.dumps({"name": "Eve", "hp": 101}), Player)
... except gdvar.MismatchError as error:
...     print(error.code, error.path, error.expected, error.found, sep=", ")
number_out_of_range, $.hp, int from 0 to 100, 101
"""

import dataclasses
import math

__all__ = ["Field", "Meta"]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """Limits of a value, in `Annotated`.

    `ge`, `gt`, `le`, `lt`: of an int or float. `min_length`, `max_length`: of characters of a
    text, of bytes, or of elements. In a union they hold for the alternatives that they make sense
    for. ValueError for a limit that is no finite number, or a length below 0.

    >>> from typing import Annotated
    >>> import gdvar
    >>> gdvar.decode(gdvar.dumps([1, 2]), list[Annotated[int, gdvar.Meta(gt=0)]])
    [1, 2]
    """

    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    min_length: int | None = None
    max_length: int | None = None

    def __post_init__(self) -> None:
        for limit in (self.ge, self.gt, self.le, self.lt):
            if isinstance(limit, float) and not math.isfinite(limit):
                raise ValueError(f"a limit is a finite number, not {limit}")
        for length in (self.min_length, self.max_length):
            if length is not None and length < 0:
                raise ValueError(f"a length is 0 or more, not {length}")


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """The key of a field in the packet, in `Annotated`, where it is not the attribute's name.

    >>> from dataclasses import dataclass
    >>> from typing import Annotated
    >>> import gdvar
    >>> @dataclass
    ... class Stats:
    ...     strength: Annotated[int, gdvar.Field("str")]
    >>> gdvar.decode(gdvar.dumps({"str": 3}), Stats)
    Stats(strength=3)
    """

    name: str
