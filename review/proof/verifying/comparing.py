"""Compare stored numbers with computed ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import isclose
from typing import Any

# Processors can add sums in another order, so the last digits can differ.
RELATIVE, ABSOLUTE = 1e-9, 1e-12
MISSING = "nothing"


@dataclass(frozen=True)
class Difference:
    """`key`: the keys that lead to the value, joined by dots."""

    key: str
    expected: object
    computed: object


def differences(
    expected: Any, computed: Any, left_out: Collection[str] = (), keys: tuple[str, ...] = ()
) -> Iterator[Difference]:
    """Yield every value that differs. `expected`: the stored values. `left_out`: keys that aren't
    compared; * is any key. `keys`: the path to the values."""
    if _is_left_out(keys, left_out):
        return
    if isinstance(expected, dict) and isinstance(computed, dict):
        for name in sorted({*expected, *computed}):
            values = expected.get(name, MISSING), computed.get(name, MISSING)
            yield from differences(*values, left_out, (*keys, name))
    elif isinstance(expected, list) and isinstance(computed, list):
        if len(expected) != len(computed):
            yield Difference(".".join(keys), f"{len(expected)} values", f"{len(computed)} values")
            return
        for place, (expected_value, computed_value) in enumerate(
            zip(expected, computed, strict=True)
        ):
            yield from differences(expected_value, computed_value, left_out, (*keys, str(place)))
    elif not _same(expected, computed):
        yield Difference(".".join(keys), expected, computed)


def _same(expected: object, computed: object) -> bool:
    if isinstance(expected, bool) or isinstance(computed, bool):
        return expected is computed
    if isinstance(expected, int | float) and isinstance(computed, int | float):
        if isinstance(expected, int) and isinstance(computed, int):
            return expected == computed
        return isclose(expected, computed, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    return type(expected) is type(computed) and expected == computed


def _is_left_out(keys: tuple[str, ...], left_out: Collection[str]) -> bool:
    return any(
        len(pattern) == len(keys)
        and all(part in ("*", own) for part, own in zip(pattern, keys, strict=True))
        for pattern in (name.split(".") for name in left_out)
    )
