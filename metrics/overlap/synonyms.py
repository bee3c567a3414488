"""Synonyms for METEOR, from the files of a WordNet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Synonyms:
    """`words`: for each lower-case word its synonyms. `name` identifies their source in results:
    "WordNet 3.0".
    """

    name: str
    words: Mapping[str, Collection[str]] = field(repr=False)


def wordnet_synonyms(lines: Iterable[str], name: str = "WordNet 3.0") -> Synonyms:
    """Return the synonyms in the lines of a WordNet's data files: `data.noun`, `data.verb`,
    `data.adj` and `data.adv`, concatenated, as in Debian's package `wordnet-base`.

    Two words are synonyms if they are in the same set. Terms of several words are left out, since
    captions are compared word by word, and inflected forms are not looked up. Raises ValueError for
    a line in another format, and if there is no set at all.
    """
    synonyms: dict[str, set[str]] = {}
    for number, line in enumerate(lines, 1):
        # The license at the start of a file is indented.
        if line.strip() and not line.startswith("  "):
            same = {word for word in _words(line, number) if "_" not in word}
            for word in same:
                synonyms.setdefault(word, set()).update(same - {word})
    if not synonyms:
        raise ValueError("no set of synonyms was given: pass the lines of data.noun and the others")
    return Synonyms(name, {word: frozenset(same) for word, same in synonyms.items()})


def _words(line: str, number: int) -> list[str]:
    """Return the words of a line in the format of wndb(5WN): offset, file, part of speech, number
    of words in hexadecimal, then alternately word and sense; adjectives can end in a marker such as
    (a).
    """
    fields = line.split()
    try:
        n_words = int(fields[3], 16)
        words = fields[4 : 4 + 2 * n_words : 2]
        if not int(fields[0]) >= 0 or not n_words or len(words) != n_words:
            raise ValueError
    except (IndexError, ValueError):
        raise ValueError(f"line {number} is not of a WordNet data file: {line[:40]!r}") from None
    return [word.split("(")[0].lower() for word in words]
