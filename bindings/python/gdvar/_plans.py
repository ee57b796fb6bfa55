"""Plans: instructions for the extension to decode and encode a type.

A plan is a list of rules, each a dict for one type, which refer to others by their index. It is
made here from the annotations; bindings/python/src/plan.cpp reads it.
"""

import collections.abc
import dataclasses
import enum
import math
import typing
from collections.abc import Callable
from typing import Any

from gdvar import _gdvar, values
from gdvar._hints import (
    WRAPPERS,
    Scope,
    hints_of,
    is_named_tuple,
    is_typed_dict,
    is_union,
    key_of,
    literal_values,
    name_of,
    takes_none,
)
from gdvar.typed import Meta

# ---- what is known about types ----

_TYPES: tuple[str, ...] = _gdvar._TYPES
_ID = {name: i for i, name in enumerate(_TYPES)}
_INT_MIN, _INT_MAX = -(2**63), 2**63 - 1
_ARRAYS: tuple[str, ...] = ("Array", "PackedTypedArray")
_TEXTS = ("String", "StringName")

_MATH = {
    getattr(values, name + suffix): name
    for name in _TYPES
    for suffix in ("", "d")
    if name not in ("Object", "RID", "Callable", "Signal", "NodePath", "Array", "Dictionary")
    and not name.startswith("Packed")
    and name not in ("Image", "InputEvent", "StringName")
    and hasattr(values, name + suffix)
}
_AS_IS = {
    values.NodePath: "NodePath",
    values.RID: "RID",
    values.Callable: "Callable",
    values.Signal: "Signal",
    values.Object: "Object",
    values.EncodedObjectAsID: "Object",
    values.Image: "Image",
    values.InputEvent: "InputEvent",
    values.PackedStringArray: "PackedStringArray",
    values.PackedTypedArray: "PackedTypedArray",
    values.Array: "Array",
    values.Dictionary: "Dictionary",
    values.Pairs: "Dictionary",
}
for _name in _TYPES:
    if _name.startswith("Packed") and hasattr(_gdvar, _name):
        _AS_IS[getattr(_gdvar, _name)] = _name
_ELEMENTS = {
    "PackedByteArray": "int",
    "PackedInt32Array": "int",
    "PackedInt64Array": "int",
    "PackedFloat32Array": "float",
    "PackedFloat64Array": "float",
    "PackedStringArray": "String",
    "PackedVector2Array": "Vector2",
    "PackedVector3Array": "Vector3",
    "PackedColorArray": "Color",
    "PackedVector4Array": "Vector4",
    "PackedVector2iArray": "Vector2i",
    "PackedVector3iArray": "Vector3i",
    "PackedVector4iArray": "Vector4i",
}
# The kind of rule, the class to make, and whether others are written, too.
_SEQUENCES = {
    list: ("list", list, 0),
    set: ("set", set, 0),
    frozenset: ("set", frozenset, 0),
    collections.abc.Iterable: ("list", list, 1),
    collections.abc.Collection: ("list", list, 1),
    collections.abc.Sequence: ("list", list, 1),
    collections.abc.MutableSequence: ("list", list, 1),
    collections.abc.Set: ("set", frozenset, 1),
    collections.abc.MutableSet: ("set", set, 1),
}
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_WITHOUT_HASH = {"list", "dict", "pairs", "typed_dict"}
_EXACT_KEYS = {"bool", "int", "str", "string_name", "enum", "flag", "literal"}

_REFUSED, _VALUE, _FACTORY, _LEFT_OUT = range(4)

_Rule = dict[str, Any]


def _bits(names: collections.abc.Iterable[str]) -> int:
    return sum(1 << _ID[name] for name in set(names) if name in _ID)


def _wrap_pairs(made: Any) -> Any:
    pairs: list[tuple[Any, Any]] = list(made.items())
    if not isinstance(made, values.Dictionary):
        return values.Pairs(pairs)
    return values.Pairs(pairs, made.key_type, made.value_type)


_WRAP: dict[Any, Callable[[Any], Any]] = {
    values.Array: values.Array,
    values.Dictionary: values.Dictionary,
    values.Pairs: _wrap_pairs,
}


# ---- limits ----


def _merge(said: list[Any]) -> Meta | None:
    """All limits at once: the narrowest of each."""
    metas = [each for each in said if isinstance(each, Meta)]
    if not metas:
        return None

    def narrowest(name: str, choose: Any) -> Any:
        given = [getattr(meta, name) for meta in metas if getattr(meta, name) is not None]
        return choose(given) if given else None

    lowest = {name: narrowest(name, max) for name in ("ge", "gt", "min_length")}
    highest = {name: narrowest(name, min) for name in ("le", "lt", "max_length")}
    return Meta(**lowest, **highest)


def _limit_int(rule: _Rule, meta: Meta) -> bool:
    lows = [math.ceil(meta.ge)] if meta.ge is not None else []
    lows += [math.floor(meta.gt) + 1] if meta.gt is not None else []
    highs = [math.floor(meta.le)] if meta.le is not None else []
    highs += [math.ceil(meta.lt) - 1] if meta.lt is not None else []
    if not lows and not highs:
        return False
    rule["bounded"] = 1
    rule["low"] = min(max([_INT_MIN, *lows]), _INT_MAX)
    rule["high"] = max(min([_INT_MAX, *highs]), _INT_MIN)
    if lows and highs:
        rule["expected"] = f"int from {rule['low']} to {rule['high']}"
    else:
        rule["expected"] = f"int from {rule['low']}" if lows else f"int up to {rule['high']}"
    return True


def _limit_float(rule: _Rule, meta: Meta) -> bool:
    said = []
    low, high = -math.inf, math.inf
    if meta.ge is not None:
        low, words = meta.ge, f"at least {meta.ge:g}"
        said.append(words)
    if meta.gt is not None and meta.gt >= low:
        low, rule["low_open"], said = meta.gt, 1, [f"more than {meta.gt:g}"]
    if meta.le is not None and (meta.lt is None or meta.le < meta.lt):
        high = meta.le
        said.append(f"at most {meta.le:g}")
    elif meta.lt is not None:
        high, rule["high_open"] = meta.lt, 1
        said.append(f"less than {meta.lt:g}")
    if not said:
        return False
    rule.update(bounded=1, real_low=low, real_high=high, expected="float " + " and ".join(said))
    return True


_UNITS = {"str": "characters", "string_name": "characters", "bytes": "bytes"}
_SIZED = {*_UNITS, "list", "set", "tuple_of", "dict", "pairs"}


def _limit_length(rule: _Rule, meta: Meta) -> bool:
    if meta.min_length is None and meta.max_length is None:
        return False
    least, most = meta.min_length or 0, meta.max_length
    rule["least"] = least
    rule["bounded"] = 1
    unit = _UNITS.get(rule["kind"], "elements")
    if most is None:
        rule["expected"] += f" of at least {least} {unit}"
    else:
        rule["most"] = most
        size = f"at most {most}" if not least else f"{least} to {most}"
        rule["expected"] += f" of {size if least != most else most} {unit}"
    return True


def _limit(rule: _Rule, meta: Meta) -> bool:
    """Limits a rule; False: the limits make no sense for it."""
    if rule["kind"] == "int":
        return _limit_int(rule, meta)
    if rule["kind"] == "float":
        return _limit_float(rule, meta)
    return rule["kind"] in _SIZED and _limit_length(rule, meta)


# ---- the compiler ----


class _Compiler:
    """Makes the rules of one plan. A rule refers to others by index; each type has one."""

    def __init__(self) -> None:
        self.rules: list[_Rule] = []
        self.known: dict[Any, int] = {}

    def add(self, kind: str, expected: str, **more: Any) -> int:
        self.rules.append({"kind": kind, "expected": expected, **more})
        return len(self.rules) - 1

    def compile(self, hint: Any, scope: Scope) -> int:
        """The index of the rule for a hint."""
        hint, said = scope.look_through(hint)
        meta = _merge(said)
        key: Any = (hint, meta, scope.cls if "ForwardRef" in repr(hint) else None)
        try:
            if key in self.known:
                return self.known[key]
        except TypeError:  # a hint without a hash has a rule for each place
            key = object()
        self.known[key] = len(self.rules)
        made = self.make(hint, meta, scope, key)
        self.known[key] = made
        return made

    def make(self, hint: Any, meta: Meta | None, scope: Scope, key: Any) -> int:
        if is_union(hint):
            return self.union(hint, meta, scope, key)
        made = self.plain(hint, scope)
        if meta and not _limit(self.rules[made], meta):
            raise TypeError(f"{meta} makes no sense for {name_of(hint)}")
        return made

    def plain(self, hint: Any, scope: Scope) -> int:
        """A rule for anything but a union. Refuses with a TypeError."""
        simple: dict[Any, tuple[str, str]] = {
            Any: ("any", "any value"),
            object: ("any", "any value"),
            None: ("none", "null"),
            type(None): ("none", "null"),
            bool: ("bool", "bool"),
            int: ("int", "int"),
            float: ("float", "float"),
            str: ("str", "String"),
            values.StringName: ("string_name", "StringName"),
        }
        try:
            if hint in simple:
                return self.add(*simple[hint])
        except TypeError:
            pass
        if hint in (bytes, bytearray):
            return self.add("bytes", "PackedByteArray", cls=hint)
        if hint in _MATH:
            return self.add("math", _MATH[hint], type=_ID[_MATH[hint]], cls=hint)
        if hint in _AS_IS:
            return self.as_is(hint)
        if typing.get_origin(hint) is typing.Literal:
            return self.literal(typing.get_args(hint), scope)
        if isinstance(hint, type) and issubclass(hint, enum.Enum):
            return self.enumeration(hint)
        return self.container(hint, scope)

    def as_is(self, cls: Any) -> int:
        name = _AS_IS[cls]
        expected = "EncodedObjectAsID" if cls is values.EncodedObjectAsID else name
        packs = int(name.startswith("Packed") and name != "PackedTypedArray")
        return self.add(
            "as_is", expected, types=_bits([name]), cls=cls, wrap=_WRAP.get(cls), packs=packs
        )

    def container(self, hint: Any, scope: Scope) -> int:
        origin = typing.get_origin(hint) or hint
        arguments = typing.get_args(hint)
        if origin in _SEQUENCES:
            kind, cls, loose = _SEQUENCES[origin]
            made = self.sequence(kind, cls, arguments[0] if arguments else Any, scope)
            self.rules[made]["loose"] = loose
            return made
        if origin is tuple:
            return self.tuple_type(hint, arguments, scope)
        if origin in _MAPPINGS:
            return self.mapping("dict", dict, arguments or (Any, Any), scope)
        if origin is values.Pairs:
            return self.mapping("pairs", values.Pairs, arguments, scope)
        if origin is values.Array:
            made = self.sequence("list", origin, arguments[0], scope)
            return self.typed(made, "item")
        if origin is values.Dictionary:
            made = self.mapping("dict", origin, arguments, scope)
            return self.typed(made, "item", "value")
        if is_typed_dict(origin):
            return self.typed_dict(origin, arguments)
        if is_named_tuple(origin):
            return self.named_tuple(origin, arguments)
        if isinstance(origin, type) and dataclasses.is_dataclass(origin):
            return self.data_class(origin, arguments)
        if isinstance(origin, type):
            return self.add("custom", name_of(hint), cls=origin, wrap=hint)
        raise TypeError(f"gdvar can't decode {name_of(hint)}: it is no type of a Variant's")

    def typed(self, made: int, *parts: str) -> int:
        """Makes the rule one of an Array or Dictionary with the types of its elements."""
        rule = self.rules[made]
        rule["typed"] = tuple(self.element_type(rule[part]) for part in parts)
        return made

    def element_type(self, index: int) -> values.ContainerType:
        if self.rules[index]["kind"] == "choice":  # Godot's types of elements are no unions
            return values.UNTYPED
        natives = self.native(index) - {"PackedTypedArray"}
        if len(natives) != 1 or natives & {"Nil", "Object"}:
            return values.UNTYPED
        return values.ContainerType("builtin", natives.pop())

    # ---- enums and literals ----

    def enumeration(self, cls: Any) -> int:
        members: list[Any] = list(cls)
        kinds: set[type] = {type(member.value) for member in members}
        numbers = all(issubclass(kind, int) and kind is not bool for kind in kinds)
        if issubclass(cls, enum.Flag):
            return self.add("flag", f"int of {cls.__name__}", cls=cls)
        known = {member.value: member for member in members}
        if not members or not (numbers or kinds <= {int, str}):
            raise TypeError(f"gdvar decodes enums of int and str, and {cls.__qualname__} is none")
        if numbers:
            known.update(cls.__members__)
        expected = f"{cls.__name__} ({', '.join(str(key) for key in self.choices(cls, numbers))})"
        bits = (8 if int in kinds or numbers else 0) | (16 if str in kinds or numbers else 0)
        return self.add("enum", expected, cls=cls, known=known, allowed=bits)

    @staticmethod
    def choices(of: Any, numbers: bool) -> list[Any]:
        return list(of.__members__) if numbers else [member.value for member in of]

    def literal(self, given: tuple[Any, ...], scope: Scope) -> int:
        known: dict[Any, Any] = {}
        bits = 0
        for each in given:
            value = each.value if isinstance(each, enum.Enum) else each
            if value is None or isinstance(value, bool):
                bits |= {True: 1, False: 2, None: 4}[value]
            elif isinstance(value, (int, str)):
                known[value] = each
                bits |= 8 if isinstance(value, int) else 16
            else:
                raise TypeError(f"gdvar decodes literals of None, bool, int and str, not {each!r}")
        names = {None: "null", True: "true", False: "false"}
        shown = [
            names[each] if each is None or isinstance(each, bool) else repr(each).replace("'", '"')
            for each in given
        ]
        return self.add("literal", " or ".join(shown), known=known, allowed=bits, given=given)

    # ---- containers ----

    def sequence(self, kind: str, cls: Any, item: Any, scope: Scope) -> int:
        made = self.add(kind, "Array", cls=cls)
        self.rules[made]["item"] = inner = self.compile(item, scope)
        self.rules[made]["packed"] = self.packed(inner)
        if kind == "set":
            self.check_hash(inner, item)
            self.rules[made]["hash_exact"] = int(self.rules[inner]["kind"] in _EXACT_KEYS)
        return made

    def packed(self, item: int) -> int:
        """The packed arrays whose elements the item's rule takes: docs/conversions.md."""
        rule = self.rules[item]
        if rule["kind"] not in ("int", "float", "str", "string_name", "math"):
            return 0
        return _bits(name for name, each in _ELEMENTS.items() if each in self.accepted(item))

    def tuple_type(self, hint: Any, arguments: tuple[Any, ...], scope: Scope) -> int:
        if hint is tuple or (len(arguments) == 2 and arguments[1] is Ellipsis):
            return self.sequence("tuple_of", tuple, arguments[0] if arguments else Any, scope)
        size = len(arguments)
        made = self.add("tuple", f"Array of {size} elements", cls=tuple, required=size)
        self.rules[made]["items"] = [self.compile(each, scope) for each in arguments]
        return made

    def named_tuple(self, cls: Any, arguments: tuple[Any, ...]) -> int:
        made = self.add("tuple", f"Array for {cls.__name__}", cls=cls)
        hints, scope = hints_of(cls, arguments), Scope(cls)
        fields = [hints.get(name, Any) for name in cls._fields]
        defaults: list[Any] = []
        for name, hint in zip(reversed(cls._fields), reversed(fields)):
            if name not in cls._field_defaults and not takes_none(hint):
                break
            defaults.insert(0, cls._field_defaults.get(name))
        self.rules[made]["items"] = [self.compile(each, scope) for each in fields]
        self.rules[made]["required"] = len(fields) - len(defaults)
        self.rules[made]["defaults"] = tuple(defaults)
        return made

    def mapping(self, kind: str, cls: Any, arguments: tuple[Any, ...], scope: Scope) -> int:
        made = self.add(kind, "Dictionary", cls=cls)
        self.rules[made]["item"] = key = self.compile(arguments[0], scope)
        self.rules[made]["value"] = self.compile(arguments[1], scope)
        if kind == "dict":
            self.check_hash(key, arguments[0])
            self.rules[made]["hash_exact"] = int(self.rules[key]["kind"] in _EXACT_KEYS)
        return made

    def check_hash(self, index: int, hint: Any) -> None:
        rule = self.rules[index]
        unhashable = rule["kind"] == "dataclass" and rule["cls"].__hash__ is None
        mutable = rule["kind"] in ("set", "bytes") and rule["cls"] in (set, bytearray)
        if rule["kind"] in _WITHOUT_HASH or unhashable or mutable:
            raise TypeError(f"{name_of(hint)} has no hash, so it can't be a key or in a set")

    # ---- records ----

    def data_class(self, cls: Any, arguments: tuple[Any, ...]) -> int:
        made = self.add("dataclass", f"Dictionary for {cls.__name__}", cls=cls)
        hints, scope = hints_of(cls, arguments), Scope(cls)
        self.refuse_init_vars(cls)
        rows: list[tuple[Any, ...]] = []
        for field in dataclasses.fields(cls):
            hint = hints[field.name]
            if field.init:
                rule = self.compile(hint, scope)
                rows.append(
                    (field.name, key_of(field.name, hint), rule, *self.missing(field, hint))
                )
        self.rules[made]["hidden"] = hidden = []
        for field in dataclasses.fields(cls):
            if not field.init:
                hidden.append((field.name, *self.missing(field, Any)))
        self.rules[made].update(
            fields=self.checked(cls, rows),
            post_init=getattr(cls, "__post_init__", None),
            builds_plainly=int(cls.__new__ is object.__new__),
        )
        return made

    @staticmethod
    def refuse_init_vars(of: Any) -> None:
        fields: dict[str, Any] = of.__dataclass_fields__
        for name, field in fields.items():
            if field._field_type.name == "_FIELD_INITVAR":
                raise TypeError(
                    f"gdvar can't decode {of.__qualname__}: "
                    f"{name} is an InitVar, which no packet keeps"
                )

    @staticmethod
    def missing(field: Any, hint: Any) -> tuple[int, Any]:
        if field.default is not dataclasses.MISSING:
            return _VALUE, field.default
        if field.default_factory is not dataclasses.MISSING:
            return _FACTORY, field.default_factory
        return (_VALUE, None) if hint is not Any and takes_none(hint) else (_REFUSED, None)

    @staticmethod
    def checked(of: Any, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        keys = [row[1] for row in rows]
        for key in keys:
            if keys.count(key) > 1:
                raise TypeError(f"two fields of {of.__qualname__} have the key {key!r}")
        return rows

    def typed_dict(self, cls: Any, arguments: tuple[Any, ...]) -> int:
        made = self.add("typed_dict", f"Dictionary for {cls.__name__}", cls=cls)
        scope = Scope(cls)
        rows: list[tuple[Any, ...]] = []
        for name, hint in hints_of(cls, arguments).items():
            required = name in cls.__required_keys__
            outer = hint
            while typing.get_origin(outer) in (typing.Annotated, *WRAPPERS):
                if typing.get_origin(outer) in (typing.Required, typing.NotRequired):
                    required = typing.get_origin(outer) is typing.Required
                outer = typing.get_args(outer)[0]
            missing = _LEFT_OUT if not required else _VALUE if takes_none(hint) else _REFUSED
            rows.append((name, key_of(name, hint), self.compile(hint, scope), missing, None))
        self.rules[made]["fields"] = self.checked(cls, rows)
        return made

    # ---- unions ----

    def native(self, index: int) -> set[str]:
        """The Variant types that a rule takes unchanged."""
        rule = self.rules[index]
        kind: str = rule["kind"]
        if kind == "as_is":
            return {name for name in _TYPES if rule["types"] >> _ID[name] & 1}
        if kind == "math":
            return {_TYPES[rule["type"]]}
        if kind == "any":
            return set(_TYPES)
        if kind == "custom":
            return set()
        if kind in ("enum", "literal"):
            found = {"int" if isinstance(key, int) else "String" for key in self.values_of(rule)}
            bits = rule["allowed"] if kind == "literal" else 0
            found |= {name for name, bit in (("bool", 3), ("Nil", 4)) if bits & bit}
            return found
        natives: dict[str, set[str]] = {
            "none": {"Nil"},
            "bool": {"bool"},
            "int": {"int"},
            "flag": {"int"},
            "float": {"float"},
            "str": {"String"},
            "string_name": {"StringName"},
            "bytes": {"PackedByteArray"},
            "list": set(_ARRAYS),
            "set": set(_ARRAYS),
            "tuple": set(_ARRAYS),
            "tuple_of": set(_ARRAYS),
        }
        return natives.get(kind, {"Dictionary"})

    @staticmethod
    def values_of(rule: _Rule) -> list[Any]:
        if rule["kind"] == "enum":
            return [member.value for member in rule["cls"]]
        return list(rule["known"])

    def accepted(self, index: int) -> set[str]:
        """The Variant types that a rule takes, some after a conversion."""
        found, rule = self.native(index), self.rules[index]
        if rule["kind"] == "custom":
            return set(_TYPES)
        if found & {"int", "float"}:
            found = found | {"int", "float"}
        if found & set(_TEXTS) or (rule["kind"] == "enum" and rule["allowed"] & 16):
            found = found | set(_TEXTS)
        return found | {name for name in _ELEMENTS if rule.get("packed", 0) >> _ID[name] & 1}

    def union(self, hint: Any, meta: Meta | None, scope: Scope, key: Any) -> int:
        made = self.add("choice", "")
        self.known[key] = made
        hints = self.alternatives(hint, meta, scope)
        alternatives = self.join_literals(hints)
        indexes = [self.compile(each, where) for each, where in alternatives]
        if meta and not any(_is_limited(self.rules[i]) for i in indexes):
            raise TypeError(f"{meta} makes no sense for {name_of(hint)}")
        indexes = self.join_records(hint, self.join_as_is(indexes))
        if len(indexes) == 1 or any(self.rules[i]["kind"] == "any" for i in indexes):
            whole = next((i for i in indexes if self.rules[i]["kind"] == "any"), indexes[0])
            self.rules[made].update(by_type=[whole] * len(_TYPES))
        else:
            self.rules[made].update(by_type=self.by_type(hint, indexes))
        shown = [self.rules[i]["expected"] for i in indexes]
        self.rules[made].update(expected=" or ".join(dict.fromkeys(shown)), items=indexes)
        return made

    def alternatives(self, hint: Any, meta: Meta | None, scope: Scope) -> list[tuple[Any, Scope]]:
        """All alternatives, with nested unions and their limits spread out."""
        found: list[tuple[Any, Scope]] = []
        open_: list[tuple[Any, list[Any]]] = [(hint, [meta] if meta else [])]
        while open_:
            at, limits = open_.pop(0)
            bare, said = scope.look_through(at)
            limits = [*limits, *(each for each in said if isinstance(each, Meta))]
            if is_union(bare):
                open_[:0] = [(each, limits) for each in typing.get_args(bare)]
                continue
            if limits and self.limits_fit(bare, _merge(limits)):
                bare = typing.Annotated[(bare, *limits)]
            found.append((bare, scope))
            if len(found) > 1000:
                raise TypeError(f"{name_of(hint)} is an alias of itself")
        return list(dict.fromkeys(found)) if _hashable(found) else found

    @staticmethod
    def limits_fit(hint: Any, meta: Meta | None) -> bool:
        """True if limits of a union make sense for this alternative."""
        assert meta is not None
        if hint in (int, float):
            return any(each is not None for each in (meta.ge, meta.gt, meta.le, meta.lt))
        origin = typing.get_origin(hint) or hint
        sized = (str, values.StringName, bytes, bytearray, tuple, *_SEQUENCES, *_MAPPINGS)
        return origin in sized and (meta.min_length is not None or meta.max_length is not None)

    @staticmethod
    def join_literals(hints: list[tuple[Any, Scope]]) -> list[tuple[Any, Scope]]:
        literals = [value for hint, _ in hints for value in literal_values(hint)]
        others = [(hint, scope) for hint, scope in hints if not literal_values(hint)]
        if not literals:
            return others
        return [*others, (typing.Literal[tuple(literals)], Scope())]

    def join_as_is(self, indexes: list[int]) -> list[int]:
        """Object | EncodedObjectAsID: the same Variant type, told apart by the class."""
        objects = [i for i in indexes if self.rules[i].get("types") == _bits(["Object"])]
        if len(objects) < 2:
            return indexes
        both = tuple(self.rules[i]["cls"] for i in objects)
        joined = self.add("as_is", "Object", types=_bits(["Object"]), cls=both)
        return [*(i for i in indexes if i not in objects), joined]

    def join_records(self, hint: Any, indexes: list[int]) -> list[int]:
        """Several dataclasses and TypedDicts become one rule that reads their tag."""
        records = [i for i in indexes if self.rules[i]["kind"] in ("dataclass", "typed_dict")]
        if len(records) < 2:
            return indexes
        key, known = self.tag_of(hint, [self.rules[i]["cls"] for i in records])
        items = dict.fromkeys(records)
        shown = " or ".join(repr(value).replace("'", '"') for value in known)
        made = self.add(
            "tagged",
            f"Dictionary with {key} {shown}",
            key=key,
            known={value: records[i] for value, i in known.items()},
            items=list(items),
        )
        return [*(i for i in indexes if i not in records), made]

    def tag_of(self, hint: Any, classes: list[Any]) -> tuple[str, dict[Any, int]]:
        """The key that distinguishes classes, and its value for each."""
        tags: list[dict[str, list[Any]]] = []
        for cls in classes:
            found: dict[str, list[Any]] = {}
            for name, each in hints_of(cls, ()).items():
                literals = [
                    v.value if isinstance(v, enum.Enum) else v for v in literal_values(each)
                ]
                if literals and all(isinstance(v, (int, str)) for v in literals):
                    found[key_of(name, each)] = literals
            tags.append(found)
        for key in tags[0]:
            if not all(key in each for each in tags):
                continue
            known = {value: i for i, each in enumerate(tags) for value in each[key]}
            if len(known) == sum(len(each[key]) for each in tags):
                return key, known
        names = " and ".join(name_of(cls) for cls in classes)
        raise TypeError(
            f"gdvar can't tell {names} apart in {name_of(hint)}: "
            "give each a field of the same name with a Literal of its own"
        )

    def by_type(self, hint: Any, indexes: list[int]) -> list[int | None]:
        """For each Variant type its alternative: one without, or else with a conversion."""
        table: list[int | None] = []
        customs = [i for i in indexes if self.rules[i]["kind"] == "custom"]
        if len(customs) > 1:
            two = " and ".join(self.describe(i) for i in customs[:2])
            raise TypeError(f"gdvar can't tell {two} apart in {name_of(hint)}: a hook makes both")
        for name in _TYPES:
            native = [i for i in indexes if name in self.native(i)]
            if len(native) > 1 and not self.same_math(native):
                two = " and ".join(self.describe(i) for i in native[:2])
                raise TypeError(
                    f"gdvar can't tell {two} apart in {name_of(hint)}: both take {name}"
                )
            table.append(
                next(iter(native or (i for i in indexes if name in self.accepted(i))), None)
            )
        return table

    def same_math(self, indexes: list[int]) -> bool:
        """True for Vector3 and Vector3d, which the packet distinguishes."""
        return all(self.rules[i]["kind"] == "math" for i in indexes)

    def describe(self, index: int) -> str:
        rule = self.rules[index]
        return name_of(rule["cls"]) if rule.get("cls") else str(rule["expected"])


def _is_limited(rule: _Rule) -> bool:
    return bool(rule.get("bounded") or rule.get("least") or "most" in rule)


def _hashable(things: list[Any]) -> bool:
    try:
        hash(tuple(things))
    except TypeError:
        return False
    return True


# ---- plans ----

_plans: dict[Any, Any] = {}
_MOST_PLANS = 1024


def plan_of(hint: Any) -> Any:
    """The plan of a type. A class with fields keeps its own, so that both are freed together."""
    try:
        found = _plans.get(hint)
        remember = True
    except TypeError:  # no hash
        found, remember = None, False
    if found is not None:
        return found
    compiler = _Compiler()
    root = compiler.compile(hint, Scope(hint))
    plan = _gdvar._Plan(hint, compiler.rules, root)
    if compiler.rules[root]["kind"] in ("dataclass", "typed_dict", "tuple") and isinstance(
        hint, type
    ):
        try:
            setattr(hint, "__gdvar_plan__", plan)
            return plan
        except (AttributeError, TypeError):  # a class of C
            pass
    if remember:
        if len(_plans) >= _MOST_PLANS:
            _plans.clear()
        _plans[hint] = plan
    return plan
