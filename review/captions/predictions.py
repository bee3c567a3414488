"""Read a file of predictions row by row: JSONL, or a JSON array. Its content is untrusted. Pure.

A row is an object with the name of a clip and a model's text about it, under any of the keys that
CaReBench's and LoVR's files use; further keys are ignored.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from annotate.datasets.faults import Faults
from annotate.text.storable import is_storable, storable
from review.errors import ReviewError

# In order of precedence: a LoVR row has both a path and the video that contains it.
CLIP_KEYS = ("clip", "video", "path", "vid")
CAPTION_KEYS = ("caption", "cap", "pred")
# Of CaReBench's metadata.json, as in every release of its form.
BENCHMARK_KEYS = ("spatial_caption", "temporal_caption")
MAX_BYTES = 1024 * 1024 * 1024
MAX_ARRAY_BYTES = 32 * 1024 * 1024
MAX_BEGIN_LENGTH = 64 * 1024
MAX_ROW_LENGTH = 4 * 1024 * 1024
MAX_CAPTION_LENGTH = 400_000
MAX_ROWS = 500_000
MAX_FAULTS = 1_000
BOM = b"\xef\xbb\xbf"
ONE_A_LINE = "Write one object per line, with line breaks inside a caption as \\n."


@dataclass(frozen=True)
class Prediction:
    """`clip` exactly as in the file, under the key `field`; `row` is its place."""

    row: str
    field: str
    clip: str
    text: str


class TwiceInOneObject(ValueError):
    """A key occurs twice in one object."""


def read_predictions(file: BinaryIO, size: int, faults: Faults) -> Iterator[Prediction]:
    """Yield the rows of a file, which is at its beginning and has `size` bytes.

    A row's fault goes to `faults`, and reading continues, up to MAX_FAULTS. Raises ReviewError if
    the file as a whole can't be read.
    """
    if size > MAX_BYTES:
        raise ReviewError(f"The file is larger than {MAX_BYTES // 2**20:,} MiB. Split it.")
    rows = json_rows(file, size, faults)
    for number, (row, data) in enumerate(rows, 1):
        _refuse_benchmark(row, data)
        if number > MAX_ROWS:
            raise ReviewError(f"The file has more than {MAX_ROWS:,} rows. Split it.")
        if len(faults.collected) >= MAX_FAULTS:
            return
        if read := read_row(row, data, faults):
            yield read


def json_rows(
    file: BinaryIO, size: int, faults: Faults, *, has_numbers: bool = False
) -> Iterator[tuple[str, Any]]:
    """Yield each row of a JSON list, or each line of JSONL, with its place. Numbers are read as
    None, or as floats if the file `has_numbers`. Raises ReviewError if the file as a whole can't be
    read."""
    is_array = _first_sign(file) == b"["
    file.seek(0)
    _refuse_other_text(file.read(MAX_BEGIN_LENGTH))
    file.seek(0)
    decoder = _WITH_NUMBERS if has_numbers else _JSON
    if is_array:
        return _array_rows(file, size, decoder)
    return _line_rows(file, faults, decoder)


def json_object(file: BinaryIO, size: int) -> dict[str, Any] | None:
    """Return the file's single JSON object, its numbers as floats; None if the file is something
    else, such as JSONL."""
    is_object = size <= MAX_ARRAY_BYTES and _first_sign(file) == b"{"
    file.seek(0)
    if not is_object:
        return None
    try:
        data = _WITH_NUMBERS.decode(_text(file.read().removeprefix(BOM), "The file"))
    except (ValueError, RecursionError):
        return None
    finally:
        file.seek(0)
    return data if isinstance(data, dict) else None


def _refuse_benchmark(row: str, data: Any) -> None:
    """Raise ReviewError for a row of a CaReBench benchmark: its three texts are human, and two
    would be lost."""
    parts = [key for key in BENCHMARK_KEYS if isinstance(data, dict) and key in data]
    if parts:
        raise ReviewError(
            f"This is the metadata.json of a benchmark in CaReBench’s format, not a file of model "
            f"captions: {row} has {' and '.join(parts)}. Nothing was imported. Choose the file "
            "that the model wrote, with one caption per clip. If the model writes spatial and "
            "temporal captions, import one file of each, with the text under “caption”. Import the "
            "human captions of this file under “Human captions”."
        )


def _first_sign(file: BinaryIO) -> bytes:
    while chunk := file.read(4096):
        if first := chunk.removeprefix(BOM).lstrip()[:1]:
            return first
    raise ReviewError("The file is empty. Choose the file with the captions.")


def _refuse_other_text(begin: bytes) -> None:
    """Raise ReviewError for a file that has no list or object where it begins."""
    if b"{" not in begin and b"[" not in begin:
        _text(begin.rpartition(b"\n")[0] or begin, "Line 1")
        raise ReviewError("The file isn’t JSON: it must begin with [ or {. Choose another file.")


def _line_rows(
    file: BinaryIO, faults: Faults, decoder: json.JSONDecoder
) -> Iterator[tuple[str, Any]]:
    """Yield the lines. Only a line feed ends a line: texts can contain characters that Python also
    takes as an end.
    """
    number = 0
    while line := file.readline(MAX_ROW_LENGTH + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(BOM)
        row = f"line {number}"
        if len(line) > MAX_ROW_LENGTH:
            raise ReviewError(
                f"Line {number} is longer than {MAX_ROW_LENGTH // 2**20} MiB. Write one caption "
                "per line, as JSONL."
            )
        if not line.strip():
            continue
        try:
            yield row, decoder.decode(_text(line, f"Line {number}"))
        except TwiceInOneObject as error:
            faults.add(row, str(error), "It occurs twice in one object. Keep one.")
        except json.JSONDecodeError as error:
            faults.add(row, "", f"It isn't JSON ({error.msg}). {ONE_A_LINE}")
        except RecursionError:
            faults.add(row, "", "Its lists are nested too deeply for a caption.")
        if len(faults.collected) >= MAX_FAULTS:
            return


def _array_rows(file: BinaryIO, size: int, decoder: json.JSONDecoder) -> Iterator[tuple[str, Any]]:
    if size > MAX_ARRAY_BYTES:
        raise ReviewError(
            f"A JSON list may have at most {MAX_ARRAY_BYTES // 2**20} MiB. Write it as JSONL, "
            "one object per line, which may be larger."
        )
    try:
        data = decoder.decode(_text(file.read().removeprefix(BOM), "The file"))
    except TwiceInOneObject as error:
        raise ReviewError(f"“{error}” occurs twice in one object. Keep one.") from None
    except json.JSONDecodeError as error:
        raise ReviewError(f"Line {error.lineno} isn't JSON: {error.msg}.") from None
    except RecursionError:
        raise ReviewError("Its lists are nested too deeply for captions.") from None
    if not data:
        raise ReviewError("The list is empty. Choose the file with the captions.")
    for number, entry in enumerate(data, 1):
        yield f"entry {number}", entry


def _text(data: bytes, where: str) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise ReviewError(f"{where} isn't UTF-8 text. Save the file in UTF-8.") from None
    if "\0" in text:
        raise ReviewError(f"{where} contains NUL characters. Save the file as text in UTF-8.")
    return text


def _no_text(number: str) -> None:
    """Parse no number: no field needs one, so a number of a million digits costs nothing."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise TwiceInOneObject(storable(twice[:80]))
    return unique


_JSON = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_int=_no_text,
    parse_float=_no_text,
    parse_constant=_no_text,
)
_WITH_NUMBERS = json.JSONDecoder(object_pairs_hook=_unique, parse_int=float, parse_float=float)


def read_row(row: str, data: Any, faults: Faults) -> Prediction | None:
    if not isinstance(data, dict):
        faults.add(row, "", "It must be an object with a clip and a caption.")
        return None
    clip = read_clip(row, data, faults)
    text = read_caption(row, data, faults)
    return Prediction(row, *clip, text) if clip and text else None


def read_clip(row: str, data: dict[str, Any], faults: Faults) -> tuple[str, str] | None:
    key = next((key for key in CLIP_KEYS if key in data), None)
    if key is None:
        faults.add(row, "clip", f"It is missing. Name the clip as {_or(CLIP_KEYS)}.")
        return None
    name = data[key]
    if not isinstance(name, str) or not name.strip():
        faults.add(row, key, "It must be the clip's name, as text.")
        return None
    return key, name.strip()


def read_caption(row: str, data: dict[str, Any], faults: Faults) -> str | None:
    keys = [key for key in CAPTION_KEYS if key in data]
    if not keys:
        faults.add(row, "caption", f"It is missing. Give the text as {_or(CAPTION_KEYS)}.")
        return None
    if len(keys) > 1:
        # one of them may be human
        faults.add(row, keys[1], f"{keys[0]} is there too. Keep only the model's text.")
        return None
    text = data[keys[0]]
    if not isinstance(text, str):
        faults.add(row, keys[0], "It must be text.")
        return None
    text = text.replace("\r\n", "\n").strip()
    if mend := text_problem(text):
        faults.add(row, keys[0], mend)
        return None
    return text


def text_problem(text: str) -> str:
    """Return how to fix a caption; "" if it can be stored."""
    if not text:
        return "It is empty. Remove the row if there is no text."
    if len(text) > MAX_CAPTION_LENGTH:
        return f"It has {len(text):,} characters; the limit is {MAX_CAPTION_LENGTH:,}."
    if not is_storable(text):
        return "It contains a character that can't be stored. Remove it."
    return ""


def _or(keys: tuple[str, ...]) -> str:
    return f"{', '.join(keys[:-1])} or {keys[-1]}"
