"""Count the words of plain text, fast and without packages."""

from __future__ import annotations

import re

# Starts of runs of letters and digits are counted, minus the characters that join two of them. Each
# pattern begins with its character, which `re` then finds as fast as a text.
_PLAIN_RUNS = bytes(ord("a" if n < 128 and chr(n).isalnum() else " ") for n in range(256))
_PLAIN_JOINERS = [
    re.compile(rb"'(?<=[A-Za-z0-9].)(?=[A-Za-z0-9])"),
    re.compile(rb"-(?<=[A-Za-z0-9].)(?=[A-Za-z0-9])"),
    re.compile(rb"\.(?<=[0-9].)(?=[0-9])"),
    re.compile(rb",(?<=[0-9].)(?=[0-9])"),
]
_TO_ASCII = str.maketrans(
    "\u2019\u2010\u2011\u2018\u201c\u201d\u2013\u2014\u2026\u00a0", "'--       "
)


def count_plain_words(text: str) -> int | None:
    """Return how many words `text` has as `annotate.text.words` defines them; None if it is not
    ASCII apart from typographic characters."""
    plain = text if text.isascii() else text.translate(_TO_ASCII)
    if not plain.isascii():
        return None
    ascii_text = plain.encode()
    runs = (b" " + ascii_text.translate(_PLAIN_RUNS)).count(b" a")
    return runs - sum(len(joiner.findall(ascii_text)) for joiner in _PLAIN_JOINERS)
