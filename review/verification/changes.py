"""The changes of a caption by a judgment, comparing each sentence only with its own correction.

A comparison of the whole texts would match words of different sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotate.text.diff import DiffSpan, word_diff
from annotate.text.sentences import Sentence
from review.verification.judgement import Judgement, Piece, rebuilt_pieces

# Comparing more words would make the page too slow.
LONGEST_DIFF = 40_000


def caption_changes(
    text: str, sentences: Sequence[Sentence], judgement: Judgement
) -> list[DiffSpan] | None:
    """Return the changes from the machine caption to the corrected one; None if it is too long."""
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
