"""The rows of the Merge page: aligned sentences of two write-ups and the expert's text."""

from collections.abc import Mapping
from typing import Literal, NotRequired, TypedDict

from annotate.text.align import align, align_sentences
from annotate.text.content import similarity
from annotate.text.parts import PARTS
from annotate.text.sentences import split_sentences

EDITED_SIMILARITY = 0.4
"""From here on a merged sentence counts as an edited source sentence, below it as new."""

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


def propose_rows(a_parts: Mapping[str, str], b_parts: Mapping[str, str]) -> Rows:
    """Align the sentences of each part of two write-ups; the merged text is left empty."""
    return {
        part: _aligned_rows(_sentences(a_parts, part), _sentences(b_parts, part)) for part in PARTS
    }


def realign_rows(
    rows: Mapping[str, list[Row]], a_parts: Mapping[str, str], b_parts: Mapping[str, str]
) -> Rows:
    """Align again after an author's rewrite, keeping every non-empty merged text, in order.

    A text stays with the pair whose sources are most similar to its former ones; without such a
    pair, it becomes a separate row at its place. Raises ValueError for an unknown part.
    """
    _refuse_unknown(rows)
    return {
        part: _carry_texts(rows.get(part, []), proposed)
        for part, proposed in propose_rows(a_parts, b_parts).items()
    }


def current_rows(
    rows: Mapping[str, list[Row]], a_parts: Mapping[str, str], b_parts: Mapping[str, str]
) -> Rows:
    """Return the rows as they were left, realigned only in parts whose sources have changed.

    So a person's order of the rows lasts until their sentences change. Empty rows are left out.
    Raises ValueError for an unknown part.
    """
    _refuse_unknown(rows)
    current = {}
    for part in PARTS:
        of_part = rows.get(part, [])
        a, b = _sentences(a_parts, part), _sentences(b_parts, part)
        if _shows(of_part, a, b):
            current[part] = [row for row in of_part if _holds_anything(row)]
        else:
            current[part] = _carry_texts(of_part, _aligned_rows(a, b))
    return current


def merged_parts(rows: Mapping[str, list[Row]]) -> dict[str, str]:
    """Return the merged write-up: per part the texts of its rows, stripped, one space between."""
    _refuse_unknown(rows)
    return {
        part: " ".join(row["text"].strip() for row in rows.get(part, []) if row["text"].strip())
        for part in PARTS
    }


def provenance(rows: Mapping[str, list[Row]]) -> list[Origin]:
    """Return for each merged sentence whether it is an author's own, edited, or new.

    Equal to a source sentence of the same part but for white space is "a", "b" or "both"; at
    least EDITED_SIMILARITY like one is "edited", with the indices of the sources it is like;
    anything else is "new".
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


def _sentences(parts: Mapping[str, str], part: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(parts.get(part, ""))]


def _aligned_rows(a: list[str], b: list[str]) -> list[Row]:
    if len(a) == len(b) == 1:  # two overviews correspond even if they share no word
        return [Row(a=0, b=0, a_text=a[0], b_text=b[0], text="")]
    return [
        Row(
            a=pair.a,
            b=pair.b,
            a_text="" if pair.a is None else a[pair.a],
            b_text="" if pair.b is None else b[pair.b],
            text="",
        )
        for pair in align_sentences(a, b)
    ]


def _holds_anything(row: Row) -> bool:
    has_source = row["a"] is not None or row["b"] is not None
    return has_source or bool(row["text"].strip() or row.get("before"))


def _shows(rows: list[Row], a: list[str], b: list[str]) -> bool:
    """Return whether the rows hold each of these source sentences once and no others."""

    def shown(index: list[tuple[int | None, str]]) -> list[tuple[int, str]]:
        return sorted((place, text) for place, text in index if place is not None)

    return shown([(row["a"], row["a_text"]) for row in rows]) == list(enumerate(a)) and shown(
        [(row["b"], row["b_text"]) for row in rows]
    ) == list(enumerate(b))


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
