"""Godot's own names for reading and writing packets."""

from __future__ import annotations

from typing import Any

from gdvar._gdvar import dumps, loads
from gdvar.values import Limits

__all__ = [
    "bytes_to_var",
    "bytes_to_var_with_objects",
    "var_to_bytes",
    "var_to_bytes_with_objects",
]


def bytes_to_var(
    data: Any, *, dialect: str = "godot-4.4", limits: Limits | None = None
) -> Any:
    """The value of a packet, as `loads`. An Object in full is refused (LimitError)."""
    return loads(data, dialect=dialect, limits=limits)


def bytes_to_var_with_objects(
    data: Any, *, dialect: str = "godot-4.4", limits: Limits | None = None
) -> Any:
    """The value of a packet, Objects included: as inert data."""
    return loads(data, dialect=dialect, limits=limits, objects=True)


def var_to_bytes(
    value: Any, *, dialect: str = "godot-4.4", limits: Limits | None = None
) -> bytes:
    """The packet of a value, as `dumps`. An Object in full is refused (EncodeError)."""
    return dumps(value, dialect=dialect, limits=limits)


def var_to_bytes_with_objects(
    value: Any, *, dialect: str = "godot-4.4", limits: Limits | None = None
) -> bytes:
    """The packet of a value, Objects included."""
    return dumps(value, dialect=dialect, limits=limits, objects=True)
