"""How a judgement changes a caption, each sentence compared with its own correction alone.

Compared as a whole, words that two sentences share would show changes that nobody made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotate.text.diff import DiffSpan, word_diff
from annotate.text.sentences import Sentence
from review.verification.judgement import Judgement, Piece, rebuilt_pieces

# A difference of more words takes longer than somebody waits for a page.
LONGEST_DIFF = 40_000


def caption_changes(
    text: str, sentences: Sequence[Sentence], judgement: Judgement
) -> list[DiffSpan] | None:
    """From the machine's caption to the one rebuilt; None where it is too long to compare."""
    pieces = list(rebuilt_pieces(text, sentences, judgement))
    if len(text) + sum(len(piece.text) for piece in pieces) > LONGEST_DIFF:
        return None
    return [span for piece in pieces for span in _spans(piece)]


def sentence_changes(text: str, correction: str) -> list[DiffSpan]:
    if len(text) + len(correction) > LONGEST_DIFF:
        return [DiffSpan("delete", text), DiffSpan("insert", correction)]
    return word_diff(text, correction)


def _spans(piece: Piece) -> Iterator[DiffSpan]:
    if piece.was and piece.text:
        yield from sentence_changes(piece.was, piece.text)
    elif piece.was:
        yield DiffSpan("delete", piece.was)
    elif piece.text:
        yield DiffSpan("equal" if piece.was is None else "insert", piece.text)
