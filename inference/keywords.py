"""Keywords and phrases of a caption, from a language model or by TF-IDF.

EVQAScore compares them with the frames (metrics/evqascore.py); their source is part of the score's
signature.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import regex

from annotate.text.content import normal_form, stem, stems_of
from annotate.text.lexicon import FRAME_WORDS, FUNCTION_WORDS

MAX_KEYWORDS = 64
MAX_KEYWORD_LENGTH = 80
"""Characters; a longer text is a sentence, not a keyword."""

KEYWORD_PROMPT = """\
Name the main words and phrases of a video caption: who and what is seen, what they look like, \
what they do, and where. Use the caption's own words and add nothing to them. Leave out words that \
speak of the video itself. Answer with one line, separated by commas, and nothing else.

Caption: A boy in a striped jumper kicks a ball against a brick wall while his dog watches from \
the grass. The ball bounces back and rolls past him.
Answer: boy, striped jumper, kicks a ball, brick wall, dog, watches, grass, ball bounces back

Caption: The video shows a cook at a market stall. She pours batter onto a hot plate, spreads it \
in a circle and sprinkles spring onions over it.
Answer: cook, market stall, pours batter, hot plate, spreads, circle, sprinkles spring onions

Caption: {caption}
Answer:"""
"""`KEYWORD_PROMPT.format(caption=...)`; in wording our own, in form (two examples, comma separated)
that of EVQAScore's released code, which asks at temperature 0.9 and top-p 0.9, 256 tokens."""

_NO_SPACES = r"\p{Han}\p{Hiragana}\p{Katakana}"
PLAIN_WORD = regex.compile(
    rf"(?V1)[{_NO_SPACES}]|[[\p{{L}}\p{{M}}\p{{N}}]--[{_NO_SPACES}]]+"
    r"(?:(?<=\d)[.,]\d+)*(?:['’]\p{L}+)?"
)
"""A word, or one side of a hyphen. annotate.text.words is exact about what counts as a word in any
script, and ten times slower: this one reads every caption of a project."""

_BETWEEN = regex.compile(r"[ \t\u00a0\-\u2010\u2011]*")
_SEPARATOR = regex.compile(r"[,，、\r\n]+")
_LABEL = regex.compile(r"^\s*(?:answer|key ?words?(?: and phrases)?)\s*:", regex.IGNORECASE)
_NUMBERING = regex.compile(r"^(?:[-*•]+|\d{1,2}[.)])\s+")
_SPEAKS_OF_THE_VIDEO = stems_of(FRAME_WORDS)
_QUOTES = "\"'`“”‘’ \t.;*"


@dataclass(frozen=True)
class Frequencies:
    """The number of texts with each word stem: (stem, texts), sorted by stem."""

    documents: int
    counts: tuple[tuple[str, int], ...]

    @cached_property
    def digest(self) -> str:
        """SHA-256 in hex, the same for equal frequencies in every process."""
        lines = [str(self.documents), *(f"{word} {count}" for word, count in self.counts)]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    @cached_property
    def _by_stem(self) -> dict[str, int]:
        return dict(self.counts)

    def weight(self, word: str) -> float:
        """Return the inverse document frequency of a stem, ln((1 + N) / (1 + n)) + 1: at least
        1.
        """
        return math.log((1 + self.documents) / (1 + self._by_stem.get(word, 0))) + 1


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    stem: str


def document_frequencies(texts: Iterable[str]) -> Frequencies:
    """Count, for each stem of a content word, the texts that it occurs in."""
    documents = 0
    counts: Counter[str] = Counter()
    for text in texts:
        documents += 1
        counts.update(
            {word for each in set(PLAIN_WORD.findall(text)) if (word := _content_stem(each))}
        )
    return Frequencies(documents, tuple(sorted(counts.items())))


def tfidf_keywords(text: str, corpus_frequencies: Frequencies, limit: int = 20) -> list[str]:
    """Return at most `limit` keywords of an English text in lower case, highest weight first.

    A candidate is a content word, or two adjacent content words on one line. Function words and
    words about the video itself (annotate.text.lexicon) don't count, and inflections are the same
    word. Its weight is its number of occurrences times the sum of its words' inverse document
    frequencies. Ties go to the earlier candidate, then to the phrase. Chosen phrases don't overlap,
    and a word that occurs only in phrases chosen before it is left out. Empty for a text without
    content words. Raises ValueError for limit < 1.
    """
    if limit < 1:
        raise ValueError(f"limit is {limit}; ask for at least 1 keyword")
    words = _content_words(text)
    places = _candidates(text, words)

    def weight(stems: tuple[str, ...]) -> float:
        return len(places[stems]) * sum(corpus_frequencies.weight(each) for each in stems)

    order = sorted(places, key=lambda stems: (-weight(stems), places[stems][0], -len(stems)))
    chosen: list[str] = []
    taken: set[int] = set()
    for stems in order:
        length = len(stems)
        free = [at for at in places[stems] if taken.isdisjoint(range(at, at + length))]
        if not free:
            continue
        if length > 1:
            taken.update(place for at in free for place in range(at, at + length))
        first, last = words[free[0]], words[free[0] + length - 1]
        phrase = " ".join(text[first.start : last.end].lower().split())
        chosen.append(phrase.removesuffix("'s").removesuffix("’s"))
        if len(chosen) == limit:
            break
    return chosen


def parse_keywords(reply: str) -> list[str]:
    """Return the keywords of a language model's comma-separated reply, in its order.

    Line breaks separate too. Numbering, quotation marks and white space around keywords are
    removed. Empty keywords, repeats (ignoring case), those over MAX_KEYWORD_LENGTH characters and
    those after the first MAX_KEYWORDS are dropped. Empty if there is no usable keyword.
    """
    kept: dict[str, str] = {}
    for piece in _SEPARATOR.split(_LABEL.sub("", reply)):
        keyword = " ".join(_NUMBERING.sub("", piece.strip()).strip(_QUOTES).split())
        if 0 < len(keyword) <= MAX_KEYWORD_LENGTH:
            kept.setdefault(keyword.casefold(), keyword)
    return list(kept.values())[:MAX_KEYWORDS]


def _content_words(text: str) -> list[_Word]:
    return [
        _Word(match.start(), match.end(), word)
        for match in PLAIN_WORD.finditer(text)
        if (word := _content_stem(match[0]))
    ]


def _content_stem(written: str) -> str:
    """Return the stem of a word that describes content, empty for any other word."""
    word = normal_form(written)
    stemmed = "" if word in FUNCTION_WORDS else stem(word)
    return "" if stemmed in _SPEAKS_OF_THE_VIDEO else stemmed


def _candidates(text: str, words: list[_Word]) -> dict[tuple[str, ...], list[int]]:
    """Return the candidates by their stems, with the indices of `words` where each begins."""
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for at, word in enumerate(words):
        places[(word.stem,)].append(at)
        if at + 1 < len(words):
            after = words[at + 1]
            if _BETWEEN.fullmatch(text, word.end, after.start) and word.stem != after.stem:
                places[(word.stem, after.stem)].append(at)
    return places
