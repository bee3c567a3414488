"""A machine caption judged sentence by sentence (LoVR, section 3.2.2 and appendix B.3). Pure.

Each sentence is ok or has one or more types of error:

- A, the text is wrong: a correction is due
- B, redundant: the sentence is trimmed, or deleted when all of it is redundant
- C, something is missing next to it: a missing segment at its place before or behind it
- D, off topic: corrected or deleted

A sentence has one correction, however many types it has. The sentences are those of
`split_sentences`; a missing segment's place is the number of the sentence it comes before, or the
number of sentences for the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotate.text.sentences import Sentence

TYPES = ("A", "B", "C", "D")
CONTENT_TYPES = frozenset("ABC")
DELETED = "0"
"""What stands for a deleted sentence in the column Correction of the paper's table."""

NO_FRAME = -1
"""Where no frame is chosen yet."""

# After these no space is due when something is inserted: their scripts write none.
_STOPS_WITHOUT_SPACE = tuple("。！？｡")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a sentence: `types` empty for ok, None while undecided.

    `correction` is the whole sentence as it should be, empty where it stays as it is. `span` are
    the clip's frames (half-open) that the sentence talks about, None where nobody marked them; an
    edge that isn't chosen yet is NO_FRAME.
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
    """What the caption leaves out, at a place of its text, and the clip's frames (half-open, from
    the clip's beginning) where it is seen."""

    place: int
    text: str
    start_frame: int
    end_frame: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """One person's judgement of one caption: a verdict for each sentence, what is missing by its
    place, and whether the whole keeps to the clip's theme (None: not said)."""

    verdicts: tuple[Verdict, ...]
    missing: tuple[Missing, ...] = ()
    fits_theme: bool | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a rebuilt caption; `was` is what stood there, None where nothing changed."""

    text: str
    was: str | None = None


@dataclass(frozen=True, slots=True)
class ErrorCounts:
    """The errors of one caption. The paper leaves open whether A#B is one error or two, so both
    are there: `content_errors` counts it twice, `content_error_sentences` once.
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
        """A sentence has D or not, so both ways of counting agree."""
        return self.d


def join_types(types: frozenset[str]) -> str:
    return "#".join(sorted(types))


def parse_types(code: str) -> frozenset[str]:
    """The inverse of `join_types`. Raises ValueError with the mend."""
    if not code:
        return frozenset()
    letters = code.split("#")
    if not set(letters) <= set(TYPES) or len(set(letters)) < len(letters):
        raise ValueError(f"“{code}” is not an error type; join A, B, C and D with #, as in A#B.")
    return frozenset(letters)


def count_errors(verdicts: Sequence[Verdict]) -> ErrorCounts:
    """Count the sentences with each type. Raises ValueError when one is undecided."""
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


def rebuild(text: str, sentences: Sequence[Sentence], judgement: Judgement) -> str:
    """The caption with its corrections, deletions and insertions; all ok gives exactly `text`."""
    return "".join(piece.text for piece in rebuilt_pieces(text, sentences, judgement))


def rebuilt_pieces(
    text: str, sentences: Sequence[Sentence], judgement: Judgement
) -> Iterator[Piece]:
    """The rebuilt caption in order, in pieces that say what changed.

    What stood between two sentences still stands between them. Where sentences between them were
    deleted it is the one of their gaps with the most line breaks, so that paragraphs stay apart. A
    missing segment joins the sentence behind it with a space, at the end the one before it.
    """
    if not sentences:
        yield Piece(text)
        return
    inserted = {missing.place: missing.text for missing in judgement.missing}
    gaps = gaps_of(text, sentences)
    last = ""  # the text before
    waiting: list[str] = []  # the gaps since then
    yield Piece(gaps[0])
    for number, (sentence, verdict) in enumerate(zip(sentences, judgement.verdicts, strict=True)):
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


def gaps_of(text: str, sentences: Sequence[Sentence]) -> list[str]:
    """What stands before each sentence, and behind the last."""
    before = [0, *(sentence.end for sentence in sentences)]
    behind = [*(sentence.start for sentence in sentences), len(text)]
    return [text[start:end] for start, end in zip(before, behind, strict=True)]


def _gap(last: str, waiting: Sequence[str]) -> str:
    if last and waiting:
        return max(waiting, key=lambda gap: gap.count("\n"))
    return _joint(last)


def _joint(last: str) -> str:
    return "" if not last or last.endswith(_STOPS_WITHOUT_SPACE) else " "
