"""Read JSON of an untrusted file as the dataclasses and named tuples that it should be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from inspect import signature
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from review.proof.verifying.folder import Unreadable

Kind = TypeVar("Kind")
Read = Callable[[Any], Any]
MISSING = object()
_PLAIN = {str: "a text", bool: "true or false", int: "a whole number", float: "a number"}


class Mistyped(Unreadable):
    """A value is missing or of another type. `keys`: those that lead to it."""

    def __init__(self, expected: str) -> None:
        self.expected = expected
        self.keys: list[str] = []

    def __str__(self) -> str:
        return f"{'.'.join(self.keys) or 'The content'} is missing or isn't {self.expected}."


def parsed(value: object, kind: type[Kind]) -> Kind:
    """Return the value as this dataclass or named tuple, without keys that it has no field for.
    Raises Mistyped."""
    made: Kind = reader_of(kind)(value)
    return made


def reader_of(kind: Any) -> Read:
    """Return what reads values of this type, and raises Mistyped for others. A list is read as a
    list or as a tuple, and a whole number that should be a number stays one."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is UnionType:
        [other] = [arg for arg in args if arg is not NoneType]
        read = reader_of(other)
        return lambda value: None if value is None else read(value)
    if origin is tuple and args[-1] is not ...:
        return fields_reader(dict(zip(map(str, range(len(args))), args, strict=True)))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_reader(reader_of(args[1]))
    if origin is not None:
        return _list_reader(reader_of(args[0]), tuple if origin is tuple else list)
    if kind in _PLAIN:
        return _plain_reader(kind)
    if kind in (Any, Hashable):
        return _anything if kind is Any else _key
    made_with = signature(kind).parameters.values()
    optional = [field.name for field in made_with if field.default is not field.empty]
    return fields_reader(get_type_hints(kind), lambda made: kind(**made), optional)


def fields_reader(
    kinds: Mapping[str, Any],
    make: Callable[[dict[str, Any]], Any] = lambda made: tuple(made.values()),
    optional: Collection[str] = (),
) -> Read:
    """Return what reads an object with these fields, or a list of them in this order."""
    readers = {name: reader_of(kind) for name, kind in kinds.items()}

    def read(value: Any) -> Any:
        if isinstance(value, list) and len(value) == len(readers):
            value = dict(zip(readers, value, strict=True))
        if not isinstance(value, dict):
            raise Mistyped("an object with its fields")
        return make(
            {
                name: read_under(name, read_field, value.get(name, MISSING))
                for name, read_field in readers.items()
                if name in value or name not in optional
            }
        )

    return read


def _mapping_reader(read: Read) -> Read:
    def read_mapping(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Mistyped("an object")
        return {key: read_under(key, read, entry) for key, entry in value.items()}

    return read_mapping


def _list_reader(read: Read, make: Callable[[Iterable[Any]], Any]) -> Read:
    def read_list(value: Any) -> Any:
        if not isinstance(value, list):
            raise Mistyped("a list")
        return make([read_under(str(place), read, entry) for place, entry in enumerate(value)])

    return read_list


def _plain_reader(kind: type) -> Read:
    kinds = (int, float) if kind is float else (kind,)

    def read_plain(value: Any) -> Any:
        if type(value) not in kinds:
            raise Mistyped(_PLAIN[kind])
        return value

    return read_plain


def _anything(value: Any) -> Any:
    if value is MISSING:
        raise Mistyped("any value")
    return value


def _key(value: Any) -> Hashable:
    """Return a text or a number, or a tuple of them for a list."""
    if isinstance(value, list):
        return tuple(map(_key, value))
    if value is MISSING or isinstance(value, dict):
        raise Mistyped("a text, a number or a list of them")
    key: Hashable = value
    return key


def read_under(key: str, read: Read, value: Any) -> Any:
    try:
        return read(value)
    except Mistyped as error:
        error.keys.insert(0, key)
        raise
