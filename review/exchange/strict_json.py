"""Read JSON that can't be trusted: no key twice, no NaN, no depth that ends the program. Pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO

from annotate.text.storable import storable
from review.errors import ReviewError

MAX_LINE_LENGTH = 4 * 1024 * 1024
BOM = b"\xef\xbb\xbf"


def read_json(data: bytes, name: str) -> Any:
    """Return the one value of a file. Raises ReviewError, which names the file."""
    return _decode(data.removeprefix(BOM), name)


def read_json_lines(file: BinaryIO, name: str) -> Iterator[tuple[int, Any]]:
    """Yield the number and the value of each line. A line ends at a line feed alone. Raises
    ReviewError, which names the file and the line."""
    number = 0
    while line := file.readline(MAX_LINE_LENGTH + 1):
        number += 1
        where = f"{name}, line {number}"
        if len(line) > MAX_LINE_LENGTH:
            raise ReviewError(f"{where}: it is longer than {MAX_LINE_LENGTH // 2**20} MiB.")
        if number == 1:
            line = line.removeprefix(BOM)
        if line.strip():
            yield number, _decode(line, where)


def _decode(data: bytes, where: str) -> Any:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise ReviewError(f"{where}: it isn’t UTF-8 text. Save it in UTF-8.") from None
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise ReviewError(f"{where}: it isn’t JSON ({error.msg}).") from None
    except RecursionError:
        raise ReviewError(f"{where}: its lists are nested too deeply.") from None
    except ValueError as error:
        raise ReviewError(f"{where}: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        [(name, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"“{storable(name[:80])}” occurs twice in one object. Keep one.")
    return unique


def _finite(constant: str) -> float:
    raise ValueError(f"{constant} is not a number in JSON. Replace it.")


def _integer(digits: str) -> int:
    if len(digits) > 18:
        raise ValueError(f"the number {digits[:20]}… is too large.")
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"the number {digits[:20]} is too large.")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_finite, parse_int=_integer, parse_float=_number
)
