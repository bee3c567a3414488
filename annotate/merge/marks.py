"""Separate the words of a write-up that the other one contradicts from those that only differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from annotate.text.diff import DiffSpan


class MarkedSpan(NamedTuple):
    """A piece of a sentence; `op` is that of a DiffSpan, or "contradiction"."""

    op: str
    text: str


def mark_contradictions(spans: Sequence[DiffSpan], phrases: Iterable[str]) -> list[MarkedSpan]:
    """Return the spans of a sentence with the words of each phrase marked as a contradiction. At
    the phrase's first place, mark the words that the other sentence lacks, or all of them if it has
    the same words."""
    text = "".join(span.text for span in spans)
    ops: list[str] = [span.op for span in spans for _ in span.text]
    for phrase in filter(None, phrases):
        place = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE)
        if place:
            within = range(*place.span())
            own = [at for at in within if ops[at] != "equal"]
            for at in own or within:
                ops[at] = "contradiction"
    pieces = []
    for op, letters in groupby(zip(ops, text, strict=True), key=lambda pair: pair[0]):
        pieces.append(MarkedSpan(op, "".join(letter for _, letter in letters)))
    return pieces
