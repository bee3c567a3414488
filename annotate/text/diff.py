"""The difference between two texts, word by word."""

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

import regex

from annotate.text.words import WORD_PATTERN

Op = Literal["equal", "insert", "delete"]

LIMIT = 100_000
"""Pairs of equal words; two captions of 1,400 words have some 25,000."""

_TOKEN = regex.compile(rf"{WORD_PATTERN}|\s+|\X", regex.DOTALL)


@dataclass(frozen=True, slots=True)
class DiffSpan:
    """A span of both texts (equal), or of only the new (insert) or the old one (delete)."""

    op: Op
    text: str


def word_diff(a: str, b: str) -> list[DiffSpan]:
    """Return how `a` became `b`.

    The equal and delete spans joined are exactly `a`, the equal and insert spans exactly `b`. A
    changed phrase is one delete and one insert, not a pair per word. Texts that repeat the same few
    words thousands of times are compared coarsely.
    """
    old, new = _TOKEN.findall(a), _TOKEN.findall(b)
    matcher = SequenceMatcher(str.isspace, old, new, autojunk=_is_too_repetitive(old, new))
    spans: list[DiffSpan] = []
    changes = [
        (op == "equal", "".join(old[i:j]), "".join(new[k:m]))
        for op, i, j, k, m in matcher.get_opcodes()
    ]
    for kept, group in groupby(_absorb_spaces(changes), key=lambda change: change[0]):
        stretches = list(group)
        deleted = "".join(stretch[1] for stretch in stretches)
        inserted = "".join(stretch[2] for stretch in stretches)
        if kept:
            spans.append(DiffSpan("equal", deleted))
            continue
        if deleted:
            spans.append(DiffSpan("delete", deleted))
        if inserted:
            spans.append(DiffSpan("insert", inserted))
    return spans


def _is_too_repetitive(old: list[str], new: list[str]) -> bool:
    """Return whether a search through all equal words would take minutes, which never happens with
    prose.
    """
    counts = Counter(new)
    return sum(n * counts[word] for word, n in Counter(old).items() if not word.isspace()) > LIMIT


def _absorb_spaces(changes: list[tuple[bool, str, str]]) -> list[tuple[bool, str, str]]:
    """Treat a lone space between two changes as changed too."""
    last = len(changes) - 1
    return [
        (kept and not (0 < place < last and old.isspace()), old, new)
        for place, (kept, old, new) in enumerate(changes)
    ]
