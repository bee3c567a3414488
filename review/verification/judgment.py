"""A machine caption judged sentence by sentence (LoVR, section 3.2.2 and appendix B.3). Pure.

Each sentence is ok or has one or more types of error:

- A, the text is wrong: a correction is due
- B, redundant: the sentence is trimmed, or deleted when all of it is redundant
- C, something is missing next to it: a missing segment before or after it
- D, off topic: corrected or deleted

A sentence has one correction, even with several types. The sentences are those of
`split_sentences`; a missing segment's place is the number of the sentence it comes before, or the
number of sentences for the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotate.text.diff import DiffSpan, word_diff
from annotate.text.sentences import Sentence
from annotate.text.spans import Timed

TYPES = ("A", "B", "C", "D")
CONTENT_TYPES = frozenset("ABC")
DELETED = "0"
"""The mark for a deleted sentence in the column Correction of the paper's table."""

NO_FRAME = -1
"""Where no frame is chosen yet."""

# Comparing more words would make the page too slow.
MAX_DIFF_LENGTH = 40_000

# No space is inserted after these, because their scripts have none.
_STOPS_WITHOUT_SPACE = tuple("。！？｡")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a sentence. `types` is empty for ok, None while undecided.

    `correction` is the whole corrected sentence, empty if it stays unchanged. `span` has the clip's
    frames (half-open) that the sentence is about, None if unmarked; an edge that isn't chosen yet
    is NO_FRAME.
    """

    types: frozenset[str] | None
    correction: str = ""
    is_deleted: bool = False
    span: tuple[int, int] | None = None

    @property
    def code(self) -> str:
        """The types as the paper joins them: A#B#C; empty for ok and for undecided."""
        return join_types(self.types or frozenset())


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that the caption leaves out, at a place of its text, with the clip's frames
    (half-open, from the clip's start) that show it.
    """

    place: int
    text: str
    start_frame: int
    end_frame: int


@dataclass(frozen=True, slots=True)
class Judgment:
    """One person's judgment of a caption: a verdict for each sentence, missing segments by place,
    and whether the caption is on the clip's theme (None: not answered).
    """

    verdicts: tuple[Verdict, ...]
    missing: tuple[Missing, ...] = ()
    fits_theme: bool | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a rebuilt caption; `was` is the text before, None if unchanged."""

    text: str
    was: str | None = None


@dataclass(frozen=True, slots=True)
class ErrorCounts:
    """The errors of one caption. The paper leaves open whether A#B is one error or two:
    `content_errors` counts it twice, `content_error_sentences` once.
    """

    sentences: int
    a: int
    b: int
    c: int
    d: int
    content_error_sentences: int

    @property
    def content_errors(self) -> int:
        return self.a + self.b + self.c

    @property
    def topic_errors(self) -> int:
        """Each sentence has at most one D, so both ways of counting agree."""
        return self.d


def join_types(types: frozenset[str]) -> str:
    return "#".join(sorted(types))


def parse_types(code: str) -> frozenset[str]:
    """Parse the result of `join_types`. Raises ValueError with the fix."""
    if not code:
        return frozenset()
    letters = code.split("#")
    if not set(letters) <= set(TYPES) or len(set(letters)) < len(letters):
        raise ValueError(f"“{code}” is not an error type; join A, B, C and D with #, as in A#B.")
    return frozenset(letters)


def count_errors(verdicts: Sequence[Verdict]) -> ErrorCounts:
    """Count the sentences with each type. Raises ValueError if one is undecided."""
    decided = [verdict.types for verdict in verdicts if verdict.types is not None]
    if len(decided) < len(verdicts):
        raise ValueError(f"Undecided sentences: {len(verdicts) - len(decided)}.")
    a, b, c, d = (sum(letter in types for types in decided) for letter in TYPES)
    return ErrorCounts(
        sentences=len(decided),
        a=a,
        b=b,
        c=c,
        d=d,
        content_error_sentences=sum(bool(types & CONTENT_TYPES) for types in decided),
    )


def rebuild(text: str, sentences: Sequence[Sentence], judgment: Judgment) -> str:
    """Return the caption with its corrections, deletions and insertions; exactly `text` if all are
    ok.
    """
    return "".join(piece.text for piece in rebuilt_pieces(text, sentences, judgment))


def rebuilt_pieces(text: str, sentences: Sequence[Sentence], judgment: Judgment) -> Iterator[Piece]:
    """Return the rebuilt caption in pieces that show what changed.

    The white space between two sentences stays. After a deletion it is the gap with the most line
    breaks, so that paragraphs stay separate. A missing segment is joined to the sentence after it
    with a space, or at the end to the one before it.
    """
    if not sentences:
        yield Piece(text)
        return
    inserted = {missing.place: missing.text for missing in judgment.missing}
    gaps = gaps_of(text, sentences)
    last = ""  # the text before
    waiting: list[str] = []  # the gaps since then
    yield Piece(gaps[0])
    for number, (sentence, verdict) in enumerate(zip(sentences, judgment.verdicts, strict=True)):
        waiting += [gaps[number]] if number else []
        if number in inserted:
            yield Piece((_gap(last, waiting) or _joint(last)) + inserted[number], was="")
            last, waiting = inserted[number], []
        if verdict.is_deleted:
            gone = _joint(last) + sentence.text if last else sentence.text + _joint(sentence.text)
            yield Piece("", was=gone)
            continue
        yield Piece(_gap(last, waiting))
        last, waiting = verdict.correction or sentence.text, []
        yield Piece(last, was=sentence.text if verdict.correction else None)
    if len(sentences) in inserted:
        yield Piece(_joint(last) + inserted[len(sentences)], was="")
    yield Piece(gaps[-1])


def judged_times(sentences: Sequence[Timed], judgment: Judgment) -> list[Timed]:
    """Return the passages of the rebuilt caption in order, with their frames: those that the
    verdict marks, else those of the original sentence."""
    inserted = {missing.place: missing for missing in judgment.missing}
    timed: list[Timed] = []
    for number, (text, frames) in enumerate(sentences):
        if number in inserted:
            timed.append(_timed_segment(inserted[number]))
        verdict = judgment.verdicts[number]
        if not verdict.is_deleted:
            is_marked = verdict.span and NO_FRAME not in verdict.span
            timed.append((verdict.correction or text, verdict.span if is_marked else frames))
    end = inserted.get(len(sentences))
    return [*timed, _timed_segment(end)] if end else timed


def _timed_segment(missing: Missing) -> Timed:
    return missing.text, (missing.start_frame, missing.end_frame)


def gaps_of(text: str, sentences: Sequence[Sentence]) -> list[str]:
    """Return the text before each sentence, and after the last."""
    before = [0, *(sentence.end for sentence in sentences)]
    behind = [*(sentence.start for sentence in sentences), len(text)]
    return [text[start:end] for start, end in zip(before, behind, strict=True)]


def _gap(last: str, waiting: Sequence[str]) -> str:
    if last and waiting:
        return max(waiting, key=lambda gap: gap.count("\n"))
    return _joint(last)


def _joint(last: str) -> str:
    return "" if not last or last.endswith(_STOPS_WITHOUT_SPACE) else " "


def caption_changes(
    text: str, sentences: Sequence[Sentence], judgment: Judgment
) -> list[DiffSpan] | None:
    """Return the changes from the machine caption to the corrected one; None if it is too long.

    Each sentence is compared only with its own correction: a comparison of the whole texts would
    match words of different sentences.
    """
    pieces = list(rebuilt_pieces(text, sentences, judgment))
    if len(text) + sum(len(piece.text) for piece in pieces) > MAX_DIFF_LENGTH:
        return None
    return [span for piece in pieces for span in _spans_of(piece)]


def sentence_changes(text: str, correction: str) -> list[DiffSpan]:
    if len(text) + len(correction) > MAX_DIFF_LENGTH:
        return [DiffSpan("delete", text), DiffSpan("insert", correction)]
    return word_diff(text, correction)


def _spans_of(piece: Piece) -> Iterator[DiffSpan]:
    if piece.was and piece.text:
        yield from sentence_changes(piece.was, piece.text)
    elif piece.was:
        yield DiffSpan("delete", piece.was)
    elif piece.text:
        yield DiffSpan("equal" if piece.was is None else "insert", piece.text)
