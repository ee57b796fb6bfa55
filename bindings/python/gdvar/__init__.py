"""Godot's Variant wire format, complete, outside the engine.

>>> import gdvar
>>> gdvar.validate(bytes([2, 0, 0, 0, 42, 0, 0, 0]))
8
"""

from __future__ import annotations

from gdvar._gdvar import validate
from gdvar.errors import *  # noqa: F403
from gdvar.errors import __all__ as _errors

__all__ = [*_errors, "validate"]
