"""Dataclasses, to and from the JSON that a row stores."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from annotate.errors import Refused

Stored = TypeVar("Stored")


def as_json(value: object) -> Any:
    """Return a dataclass as the plain data that is stored."""
    return msgspec.to_builtins(value, enc_hook=_plain)


def from_json(stored: object, kind: type[Stored], what: str) -> Stored:
    """Return stored JSON as this dataclass. Raises Refused, which names `what` and the field that
    can't be read.
    """
    try:
        return msgspec.convert(stored, kind)
    except msgspec.ValidationError as error:
        raise Refused(f"{what} can’t be read: {error}.") from error


def _plain(value: object) -> str:
    if isinstance(value, str):  # a Kind
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} can't be stored.")
