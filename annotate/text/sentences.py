"""Split a text into sentences, with syntok."""

from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise

import regex
from syntok import segmenter
from syntok.tokenizer import Tokenizer

from annotate.text.words import INVISIBLE, find_words

SPLITTER = f"syntok {version('syntok')}, lines 2"
"""Name and version of the rule, stored with everything that counts or numbers sentences."""

# syntok waits for white space and a capital letter, which these scripts do not have.
_STOP = regex.compile(r"[。！？｡।॥؟۔][。！？｡।॥؟۔.!?]*[”’」』）)\]\"']*")
# syntok takes these as abbreviations, but captions use them as words: "adjusts her cap. She turns".
_WORD_STOP = regex.compile(r"(?<![\p{L}\p{N}.'’-])(?:art|cap|gal|set|tab)\.(?=\s+\p{Lu})")
_LINE = regex.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_VISIBLE = regex.compile(rf"[^\s{INVISIBLE}]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and its half-open range in the text, in code points."""

    start: int
    end: int
    text: str


def split_sentences(text: str) -> list[Sentence]:
    """Return the sentences of `text` in order; `text[s.start:s.end] == s.text`.

    A line break always ends a sentence; a line without punctuation is one sentence. Between the
    sentences there is only white space and, on lines of nothing else, invisible characters.
    """
    return [
        Sentence(start, end, text[start:end])
        for line in _LINE.finditer(text)
        for start, end in _sentence_ranges(text, line.start(), line.end())
    ]


def _sentence_ranges(text: str, start: int, end: int) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    # Use only the starts of sentences from syntok: its tokens may omit dashes, underscores and
    # zero-width spaces, which a caption must not lose.
    starts = [start + offset for offset in _starts(text[start:end])]
    for left, right in pairwise([*starts, end]):
        piece = text[left:right]
        stripped = piece.strip()
        if not stripped or not (ranges or _VISIBLE.search(stripped)):
            continue
        left += piece.index(stripped)
        right = left + len(stripped)
        if ranges and not find_words(stripped):
            # An emoji, a mark or an invisible character belongs to what it follows.
            ranges[-1] = (ranges[-1][0], right)
        else:
            ranges.append((left, right))
    return ranges


def _starts(line: str) -> list[int]:
    tokens = Tokenizer(replace_not_contraction=False).tokenize(line)
    starts = {sentence[0].offset for sentence in list(segmenter.segment(tokens))[1:]}
    stops = {stop.end() for pattern in (_STOP, _WORD_STOP) for stop in pattern.finditer(line)}
    return sorted({0} | starts | stops)
