"""Compare stored numbers with computed ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import isclose
from typing import Any

# Sums can come out in another order on another processor, so the last digits may differ.
RELATIVE, ABSOLUTE = 1e-9, 1e-12
MISSING = "nothing"


@dataclass(frozen=True)
class Difference:
    """`key`: the keys that lead to the value, joined by dots."""

    key: str
    expected: object
    found: object


def differences(
    expected: Any, found: Any, left_out: Collection[str] = (), keys: tuple[str, ...] = ()
) -> Iterator[Difference]:
    """Yield every value that differs. `expected`: what is stored. `left_out`: keys that aren't
    compared; * is any key. `keys`: those that lead to the values."""
    if _is_left_out(keys, left_out):
        return
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in sorted({*expected, *found}):
            values = expected.get(name, MISSING), found.get(name, MISSING)
            yield from differences(*values, left_out, (*keys, name))
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield Difference(".".join(keys), f"{len(expected)} values", f"{len(found)} values")
            return
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from differences(one, other, left_out, (*keys, str(place)))
    elif not _same(expected, found):
        yield Difference(".".join(keys), expected, found)


def _same(expected: object, found: object) -> bool:
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, int | float) and isinstance(found, int | float):
        if isinstance(expected, int) and isinstance(found, int):
            return expected == found
        return isclose(expected, found, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    return type(expected) is type(found) and expected == found


def _is_left_out(keys: tuple[str, ...], left_out: Collection[str]) -> bool:
    return any(
        len(pattern) == len(keys)
        and all(part in ("*", own) for part, own in zip(pattern, keys, strict=True))
        for pattern in (name.split(".") for name in left_out)
    )
