"""Read captions and scores from a file row by row: JSONL, a JSON list or CSV. Its content is
untrusted.
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from annotate.datasets.faults import Faults
from annotate.text.csv_rows import Table, TableError
from review.captions.predictions import (
    CAPTION_KEYS,
    MAX_BYTES,
    MAX_CAPTION_LENGTH,
    MAX_FAULTS,
    MAX_ROWS,
    json_rows,
    read_caption,
    read_clip,
)
from review.errors import ReviewError

MAX_KEYWORD_LENGTH = 200


@dataclass(frozen=True)
class Row:
    """`place` is the row's place, `field` the name of the field with its clip. A row of scores has
    a `score`, and a `text` only if it quotes the caption.
    """

    place: str
    field: str
    clip: str
    text: str = ""
    score: float = 0.0
    keywords: tuple[str, ...] = ()


def read_rows(file: BinaryIO, file_name: str, faults: Faults, *, has_scores: bool) -> Iterator[Row]:
    """Yield the rows. A row's fault goes to `faults`, up to MAX_FAULTS. Raises ReviewError if the
    file as a whole can't be read.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if size > MAX_BYTES:
        raise ReviewError(f"The file is larger than {MAX_BYTES // 2**20:,} MiB. Split it.")
    is_csv = file_name.lower().endswith((".csv", ".tsv"))
    pairs = _csv_rows(file, faults) if is_csv else json_rows(file, size, faults, has_numbers=True)
    read = _read_score if has_scores else _read_caption
    for number, (place, data) in enumerate(pairs, 1):
        if number > MAX_ROWS:
            raise ReviewError(f"The file has more than {MAX_ROWS:,} rows. Split it.")
        if len(faults.collected) >= MAX_FAULTS:
            return
        if not isinstance(data, dict):
            faults.add(place, "", "It must be an object with a clip.")
        elif row := read(place, data, faults):
            yield row


def _csv_rows(file: BinaryIO, faults: Faults) -> Iterator[tuple[str, dict[str, str]]]:
    lines = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    try:
        for row in Table(lines, longest=MAX_CAPTION_LENGTH * 4):
            place = f"line {row.line}"
            if row.problem:
                faults.add(place, "", row.problem)
            else:
                yield place, {name: cell for name, cell in row.cells.items() if cell}
            if len(faults.collected) >= MAX_FAULTS:
                return
    except UnicodeDecodeError:
        raise ReviewError("The file isn't UTF-8 text. Save it in UTF-8.") from None
    except TableError as error:
        raise ReviewError(f"The file can’t be read. {error}") from None
    finally:
        lines.detach()


def _read_caption(place: str, data: dict[str, Any], faults: Faults) -> Row | None:
    clip = read_clip(place, data, faults)
    text = read_caption(place, data, faults)
    return Row(place, *clip, text=text) if clip and text else None


def _read_score(place: str, data: dict[str, Any], faults: Faults) -> Row | None:
    before = len(faults.collected)
    clip = read_clip(place, data, faults)
    quotes = any(key in data for key in CAPTION_KEYS)
    text = (read_caption(place, data, faults) or "") if quotes else ""
    score = _score(place, data, faults)
    keywords = _keywords(place, data, faults)
    if clip is None or len(faults.collected) > before:
        return None
    return Row(place, *clip, text=text, score=score, keywords=keywords)


def _score(place: str, data: dict[str, Any], faults: Faults) -> float:
    if "score" not in data:
        faults.add(place, "score", "It is missing. Give the caption's score as a number.")
        return 0.0
    try:
        if isinstance(data["score"], bool):
            raise ValueError("not a number")
        score = float(data["score"])
    except (TypeError, ValueError):
        score = math.nan
    if not math.isfinite(score):
        faults.add(place, "score", "It must be a finite number, such as 0.31.")
    return score


def _keywords(place: str, data: dict[str, Any], faults: Faults) -> tuple[str, ...]:
    keywords = data.get("keywords", [])
    words = keywords.split(",") if isinstance(keywords, str) else keywords
    if not isinstance(words, list) or not all(
        isinstance(word, str) and len(word) <= MAX_KEYWORD_LENGTH and word.isprintable()
        for word in words
    ):
        faults.add(place, "keywords", "It must be a list of words, or words with commas between.")
        return ()
    return tuple(word.strip() for word in words if word.strip())
