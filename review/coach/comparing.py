"""Compare a writer's text with the final text made from it. Pure.

Sentences are aligned in order, as on the page Merge, and edits are recognized as in merges. An
addition in the final text counts only if a detail names a number, a color, a side or the camera.
This is precise rather than complete: a detail counts as written if the writer mentions it anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotate.text.align import align_sentences
from annotate.text.camera import camera_details
from annotate.text.conflicts import Conflict, Detail, details_of, find_conflicts
from annotate.text.content import EDITED_SIMILARITY
from annotate.text.sentences import split_sentences


class Category(StrEnum):
    """Kinds of details, named like their kind of contradiction if there is one."""

    NUMBER = "number"
    SIDE = "side"
    COLOR = "colour"
    CAMERA = "camera"


class Fate(StrEnum):
    """How a sentence was used. Equal up to white space, it is kept; with fewer than
    EDITED_SIMILARITY of its content words, it counts as left out."""

    KEPT = "kept"
    EDITED = "edited"
    LEFT_OUT = "left out"


@dataclass(frozen=True)
class Missing:
    """The number of details of a category in the final text (`of`), and the phrases of those that
    the writer lacks."""

    of: int
    phrases: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """`fates` of the writer's sentences. `lines`: in order, the writer's sentence and the final
    text's version of it, one of them empty if the other text has nothing similar."""

    fates: tuple[Fate, ...]
    lines: tuple[tuple[str, str], ...]
    contradictions: tuple[Conflict, ...]
    missing: Mapping[Category, Missing]

    def count(self, fate: Fate) -> int:
        return self.fates.count(fate)

    @property
    def missed(self) -> int:
        return sum(len(missing.phrases) for missing in self.missing.values())


@dataclass(frozen=True)
class Summary:
    """Sums over several texts. `missing`: category -> (details that the writer doesn't have, all
    details of the final texts)."""

    texts: int
    sentences: int
    fates: Mapping[Fate, int]
    contradictions: Mapping[str, int]
    missing: Mapping[Category, tuple[int, int]]


def compare_texts(own: str, final: str) -> Comparison:
    """Return what survives of `own` in `final`, what `final` contradicts, and what it adds."""
    ours = [sentence.text for sentence in split_sentences(own)]
    theirs = [sentence.text for sentence in split_sentences(final)]
    written = [_details(sentence) for sentence in ours]
    fates: list[Fate] = []
    lines: list[tuple[str, str]] = []
    contradictions: list[Conflict] = []
    phrases: dict[Category, list[str]] = {category: [] for category in Category}
    details: Counter[Category] = Counter()
    for pair in align_sentences(ours, theirs):
        a = ours[pair.a] if pair.a is not None else ""
        b = theirs[pair.b] if pair.b is not None else ""
        is_edit = pair.similarity >= EDITED_SIMILARITY
        lines += [(a, b)] if is_edit else [line for line in ((a, ""), ("", b)) if any(line)]
        if a:
            is_kept = a.split() == b.split()
            fates.append(Fate.KEPT if is_kept else Fate.EDITED if is_edit else Fate.LEFT_OUT)
        if pair.a is not None and pair.b is not None:
            contradictions += find_conflicts(a, b)
        if pair.b is None:
            continue
        aligned = written[pair.a] if pair.a is not None else {}
        for category, of_category in _details(b).items():
            details[category] += len(of_category)
            elsewhere = [detail for sentence in written for detail in sentence[category]]
            phrases[category] += [
                detail.text
                for detail in of_category
                if not _is_written(detail, aligned.get(category, ()), elsewhere)
            ]
    missing = {
        category: Missing(details[category], tuple(phrases[category])) for category in Category
    }
    return Comparison(tuple(fates), tuple(lines), tuple(contradictions), missing)


def summarize(comparisons: Sequence[Comparison]) -> Summary:
    """Add up how several texts were used."""
    fates = Counter(fate for comparison in comparisons for fate in comparison.fates)
    kinds = Counter(
        conflict.kind for comparison in comparisons for conflict in comparison.contradictions
    )
    return Summary(
        texts=len(comparisons),
        sentences=sum(fates.values()),
        fates={fate: fates[fate] for fate in Fate},
        contradictions=dict(kinds.most_common()),
        missing={
            category: (
                sum(len(comparison.missing[category].phrases) for comparison in comparisons),
                sum(comparison.missing[category].of for comparison in comparisons),
            )
            for category in Category
        },
    )


def _details(sentence: str) -> dict[Category, list[Detail]]:
    details = details_of(sentence)
    return {
        Category.NUMBER: details["number"],
        Category.SIDE: details["side"],
        Category.COLOR: details["colour"],
        Category.CAMERA: camera_details(sentence),
    }


def _is_written(detail: Detail, aligned: Iterable[Detail], elsewhere: Iterable[Detail]) -> bool:
    """Return whether the writer has the detail: the same anywhere, or another value of it in the
    same sentence, which is a contradiction rather than a gap."""
    if any(not own.things.isdisjoint(detail.things) for own in aligned):
        return True
    return any(
        not (own.things.isdisjoint(detail.things) or own.values.isdisjoint(detail.values))
        for own in elsewhere
    )
