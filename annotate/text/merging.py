"""The rows of the Merge page: aligned sentences of two write-ups and the expert's text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from annotate.text.align import align, align_timed
from annotate.text.content import EDITED_SIMILARITY, similarity
from annotate.text.parts import PARTS, join_parts
from annotate.text.sentences import split_sentences
from annotate.text.spans import Span, Timed, joined_frames, make_spans, with_times

_EXACT = 2.0  # above any similarity: equal content words don't make the same sentence


class Row(TypedDict):
    """One aligned pair by sentence index within the part, and the merged text (may be empty).

    `before` holds replaced texts of the row, in the page's own form; it moves with the row's text.
    """

    a: int | None
    b: int | None
    a_text: str
    b_text: str
    text: str
    before: NotRequired[str]


class Origin(TypedDict):
    """The origin of a merged sentence; `a` and `b` are sentence indices within the part."""

    part: str
    text: str
    origin: Literal["a", "b", "both", "edited", "new"]
    a: int | None
    b: int | None


Rows = dict[str, list[Row]]


@dataclass(frozen=True, slots=True)
class WriteUpText:
    """The parts of one write-up, and the spans of its joined text."""

    parts: Mapping[str, str]
    spans: Sequence[Span] | None = None

    def timed(self) -> dict[str, list[Timed]]:
        """Return the sentences of each part with their frames."""
        sentences = [
            (part, sentence.text)
            for part in PARTS
            for sentence in split_sentences(self.parts.get(part, ""))
        ]
        text = join_parts(self.parts) if self.spans else ""
        timed = with_times(text, self.spans, [sentence for _, sentence in sentences])
        by_part: dict[str, list[Timed]] = {part: [] for part in PARTS}
        for (part, _), sentence in zip(sentences, timed, strict=True):
            by_part[part].append(sentence)
        return by_part


NO_TEXT = WriteUpText({})


def propose_rows(a: WriteUpText, b: WriteUpText) -> Rows:
    """Align the sentences of each part of two write-ups; the merged text is left empty."""
    a_timed, b_timed = a.timed(), b.timed()
    return {part: _aligned_rows(a_timed[part], b_timed[part]) for part in PARTS}


def realign_rows(rows: Mapping[str, list[Row]], a: WriteUpText, b: WriteUpText) -> Rows:
    """Align again after an author's rewrite; keep every non-empty merged text, in order.

    A text stays with the pair whose sources are most similar to its former ones; without such a
    pair it becomes a separate row at its place. Raises ValueError for an unknown part.
    """
    _refuse_unknown(rows)
    return {
        part: _carry_texts(rows.get(part, []), proposed)
        for part, proposed in propose_rows(a, b).items()
    }


def current_rows(rows: Mapping[str, list[Row]], a: WriteUpText, b: WriteUpText) -> Rows:
    """Return the rows as they were left, realigned only in parts whose sources have changed.

    So a person's order of the rows lasts until their sentences change. Empty rows are left out.
    Raises ValueError for an unknown part.
    """
    _refuse_unknown(rows)
    current = {}
    a_timed, b_timed = a.timed(), b.timed()
    for part in PARTS:
        of_part = rows.get(part, [])
        if _shows(of_part, _texts(a_timed[part]), _texts(b_timed[part])):
            current[part] = [row for row in of_part if _holds_anything(row)]
        else:
            current[part] = _carry_texts(of_part, _aligned_rows(a_timed[part], b_timed[part]))
    return current


def merged_parts(rows: Mapping[str, list[Row]]) -> dict[str, str]:
    """Return the merged write-up: per part the texts of its rows, stripped, one space between."""
    _refuse_unknown(rows)
    return {
        part: " ".join(row["text"].strip() for row in rows.get(part, []) if row["text"].strip())
        for part in PARTS
    }


def merged_spans(
    text: str, origins: Iterable[Origin], a: WriteUpText, b: WriteUpText
) -> list[Span]:
    """Return the spans of the merged text: each sentence has the frames of its sources."""
    a_timed, b_timed = a.timed(), b.timed()

    def frames_of(origin: Origin) -> Timed:
        sides = ((a_timed, origin["a"]), (b_timed, origin["b"]))
        frames = [timed[origin["part"]][n][1] for timed, n in sides if n is not None]
        return origin["text"], joined_frames(*frames)

    return make_spans(text, map(frames_of, origins)) if a.spans or b.spans else []


def provenance(rows: Mapping[str, list[Row]]) -> list[Origin]:
    """Return for each merged sentence whether it is an author's own, edited, or new.

    A sentence equal to a source sentence of the same part, except for white space, is "a", "b" or
    "both"; one with a similarity of at least EDITED_SIMILARITY is "edited", with the indices of
    those sources; anything else is "new".
    """
    by_row = origins_by_row(rows)
    return [origin for part in PARTS for row in by_row[part] for origin in row]


def origins_by_row(rows: Mapping[str, list[Row]]) -> dict[str, list[list[Origin]]]:
    """Return the origins of `provenance`, per part and row; a row without text has none."""
    _refuse_unknown(rows)
    return {
        part: [
            [
                _origin(part, sentence.text, row, rows[part])
                for sentence in split_sentences(row["text"])
            ]
            for row in rows.get(part, [])
        ]
        for part in PARTS
    }


def _texts(timed: Iterable[Timed]) -> list[str]:
    return [sentence for sentence, _ in timed]


def _aligned_rows(a: list[Timed], b: list[Timed]) -> list[Row]:
    a_texts, b_texts = _texts(a), _texts(b)
    if len(a) == len(b) == 1:  # two overviews correspond even if they share no word
        return [Row(a=0, b=0, a_text=a_texts[0], b_text=b_texts[0], text="")]
    return [
        Row(
            a=pair.a,
            b=pair.b,
            a_text="" if pair.a is None else a_texts[pair.a],
            b_text="" if pair.b is None else b_texts[pair.b],
            text="",
        )
        for pair in align_timed(a, b)
    ]


def _holds_anything(row: Row) -> bool:
    has_source = row["a"] is not None or row["b"] is not None
    return has_source or bool(row["text"].strip() or row.get("before"))


def _shows(rows: list[Row], a: list[str], b: list[str]) -> bool:
    """Return whether the rows have each of these source sentences exactly once, and no others."""

    def placed_sentences(index: list[tuple[int | None, str]]) -> list[tuple[int, str]]:
        return sorted((place, text) for place, text in index if place is not None)

    of_a = placed_sentences([(row["a"], row["a_text"]) for row in rows])
    of_b = placed_sentences([(row["b"], row["b_text"]) for row in rows])
    return of_a == list(enumerate(a)) and of_b == list(enumerate(b))


def _carry_texts(old_rows: list[Row], proposed: list[Row]) -> list[Row]:
    written = [row for row in old_rows if row["text"].strip() or row.get("before")]
    carried: list[Row] = []
    pairs = align(len(written), len(proposed), lambda i, j: _alike(written[i], proposed[j]))
    for pair in pairs:
        row = (
            Row(a=None, b=None, a_text="", b_text="", text="")
            if pair.b is None
            else proposed[pair.b]
        )
        if pair.a is not None:
            row["text"] = written[pair.a]["text"]
            if "before" in written[pair.a]:
                row["before"] = written[pair.a]["before"]
        carried.append(row)
    return carried


def _alike(old: Row, new: Row) -> float:
    """Return the mean similarity over the old row's sources; 0 if it had none."""
    scores = [
        similarity(before, after) if after else 0.0
        for before, after in ((old["a_text"], new["a_text"]), (old["b_text"], new["b_text"]))
        if before
    ]
    return sum(scores) / len(scores) if scores else 0.0


def _origin(part: str, text: str, row: Row, rows: list[Row]) -> Origin:
    # The sentence's own row comes first, so that it wins ties.
    ordered = [row, *(other for other in rows if other is not row)]
    a_index, a_score = _nearest(text, [(other["a"], other["a_text"]) for other in ordered])
    b_index, b_score = _nearest(text, [(other["b"], other["b_text"]) for other in ordered])
    if _EXACT in (a_score, b_score):
        a = a_index if a_score == _EXACT else None
        b = b_index if b_score == _EXACT else None
        both = a_score == b_score
        return Origin(
            part=part, text=text, origin="both" if both else "b" if a is None else "a", a=a, b=b
        )
    a = a_index if a_score >= EDITED_SIMILARITY else None
    b = b_index if b_score >= EDITED_SIMILARITY else None
    edited = a is not None or b is not None
    return Origin(part=part, text=text, origin="edited" if edited else "new", a=a, b=b)


def _nearest(text: str, sources: list[tuple[int | None, str]]) -> tuple[int | None, float]:
    nearest: int | None = None
    score = 0.0
    for index, source in sources:
        if index is None:
            continue
        alike = _EXACT if source.split() == text.split() else similarity(source, text)
        if alike > score:
            nearest, score = index, alike
    return nearest, score


def _refuse_unknown(rows: Mapping[str, list[Row]]) -> None:
    unknown = sorted(set(rows) - set(PARTS))
    if unknown:
        raise ValueError(f"Unknown part {unknown[0]!r}; the parts are {', '.join(PARTS)}.")
