"""Annotations as typing has them, looked through: scopes, generics, aliases, Annotated."""

import inspect
import sys
import types
import typing
from collections.abc import Collection
from typing import Any

from gdvar.typed import Field


def name_of(hint: Any) -> str:
    if isinstance(hint, type) and not typing.get_args(hint):
        return hint.__qualname__
    return str(hint).replace("typing.", "")


def is_typed_dict(hint: Any) -> bool:
    return inspect.isclass(hint) and dict in hint.__mro__ and hasattr(hint, "__required_keys__")


def is_named_tuple(hint: Any) -> bool:
    return inspect.isclass(hint) and tuple in hint.__mro__ and hasattr(hint, "_fields")


WRAPPERS: tuple[Any, ...] = tuple(
    getattr(typing, name)
    for name in ("Required", "NotRequired", "ReadOnly", "Final")
    if hasattr(typing, name)
)


def _is_alias(hint: Any) -> bool:
    return type(hint).__name__ == "TypeAliasType" and hasattr(hint, "__value__")


class Scope:
    """The scope of names in strings: a class's module, and the class itself."""

    def __init__(self, cls: Any = None) -> None:
        self.cls = cls

    def resolve(self, text: str) -> Any:
        module = sys.modules.get(getattr(self.cls, "__module__", ""), None)
        holder = types.SimpleNamespace(__annotations__={"x": text})
        try:
            return typing.get_type_hints(
                holder, vars(module) if module else {}, self.names(), include_extras=True
            )["x"]
        except NameError as error:
            raise TypeError(f"gdvar can't resolve the annotation {text!r}: {error}") from error

    def look_through(self, hint: Any) -> tuple[Any, list[Any]]:
        """As `look_through`, and through strings."""
        bare, said = look_through(hint)
        for _ in range(1000):
            if bare is typing.Self and isinstance(self.cls, type):
                return self.cls, said
            if not isinstance(bare, (str, typing.ForwardRef)):
                return bare, said
            text = bare if isinstance(bare, str) else bare.__forward_arg__
            bare, more = look_through(self.resolve(text))
            said = [*more, *said]
        raise TypeError(f"{hint!r} is an alias of itself")

    def names(self) -> dict[str, Any]:
        return {self.cls.__name__: self.cls} if isinstance(self.cls, type) else {}

    def hints(self) -> dict[str, Any]:
        try:
            return typing.get_type_hints(self.cls, localns=self.names(), include_extras=True)
        except NameError as error:
            raise TypeError(
                f"gdvar can't resolve the annotations of {name_of(self.cls)}: {error}"
            ) from error


def _substitute(hint: Any, arguments: dict[Any, Any]) -> Any:
    """The hint with type variables replaced."""
    if isinstance(hint, typing.TypeVar):
        return arguments.get(hint, hint)
    parameters = getattr(hint, "__parameters__", ())
    if not parameters or isinstance(hint, type):
        return hint
    return hint[tuple(arguments.get(parameter, parameter) for parameter in parameters)]


def _arguments_by_class(cls: Any, arguments: tuple[Any, ...]) -> dict[Any, dict[Any, Any]]:
    """The arguments for the type variables of a generic class and each of its generic bases."""
    found: dict[Any, dict[Any, Any]] = {}
    open_: list[tuple[Any, tuple[Any, ...]]] = [(cls, arguments)]
    while open_:
        at, given = open_.pop()
        parameters = getattr(at, "__parameters__", ())
        found[at] = dict(zip(parameters, given))
        for base in getattr(at, "__orig_bases__", ()):
            origin = typing.get_origin(base)
            if isinstance(origin, type) and origin is not typing.Generic:
                inner = tuple(_substitute(a, found[at]) for a in typing.get_args(base))
                open_.append((origin, inner))
    return found


def _names_in(cls: Any) -> Collection[str]:
    """The names that a class itself annotates."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
    own: Collection[str] = cls.__dict__.get("__annotations__", ())
    return own


def hints_of(cls: Any, arguments: tuple[Any, ...]) -> dict[str, Any]:
    hints = Scope(cls).hints()
    known = _arguments_by_class(cls, arguments)
    if not any(known.values()):
        return hints
    out: dict[str, Any] = {}
    for name, hint in hints.items():
        owner = next((c for c in cls.__mro__ if name in _names_in(c)), cls)
        out[name] = _substitute(hint, known.get(owner, {}))
    return out


def look_through(hint: Any) -> tuple[Any, list[Any]]:
    """A hint without Annotated, Required, NewType, aliases and the like; and the arguments of
    Annotated."""
    said: list[Any] = []
    for _ in range(1000):
        origin = typing.get_origin(hint)
        if origin is typing.Annotated:
            said = [*hint.__metadata__, *said]
            hint = hint.__origin__
        elif origin in WRAPPERS:
            hint = typing.get_args(hint)[0]
        elif isinstance(hint, typing.NewType):
            hint = hint.__supertype__
        elif _is_alias(hint):
            hint = hint.__value__
        elif _is_alias(origin):
            hint = origin.__value__[typing.get_args(hint)]
        elif isinstance(hint, typing.TypeVar):
            hint = _of_variable(hint)
        else:
            return hint, said
    raise TypeError(f"{hint} is an alias of itself")


def _of_variable(variable: typing.TypeVar) -> Any:
    if variable.__constraints__:
        return typing.Union[variable.__constraints__]
    return variable.__bound__ if variable.__bound__ is not None else Any


def is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


def takes_none(hint: Any) -> bool:
    hint, _ = look_through(hint)
    if hint is None or hint is type(None):
        return True
    return is_union(hint) and any(takes_none(each) for each in typing.get_args(hint))


def literal_values(hint: Any) -> list[Any]:
    """The values of a Literal; none for other hints."""
    hint, _ = look_through(hint)
    return list(typing.get_args(hint)) if typing.get_origin(hint) is typing.Literal else []


def key_of(name: str, hint: Any) -> str:
    for said in look_through(hint)[1]:
        if isinstance(said, Field):
            name = said.name
    return name
