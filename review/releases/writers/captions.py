"""A release's captions with their parents and scores, for the native format, and how they were made
and scored, for a manifest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Avg, Count, Max, Min, Q, QuerySet

from annotate.bulk import in_batches
from annotate.models import Caption
from annotate.text.parts import PARTS
from inference.models import QualityScore
from review.frozen.models import Release
from review.frozen.records import ReleasedRecord
from review.releases.pseudonyms import caption_people, pseudonym
from review.releases.released_captions import (
    released_captions,
    taken_down,
    with_parents,
)
from review.releases.writers.key_order import in_order
from review.releases.writers.spans import ABOUT, has_spans, written_spans
from review.releases.writers.tables import Column, Table

# The parts of a caption's origin that name no person.
MADE_BY = ("model", "data_set")
CAPTION = (
    Column("id", "integer", "The caption's number in this release, from 1"),
    Column("kind", "text", "general, spatial, temporal, full_video, proposal, …"),
    Column("source", "text", "human, merged, corrected, machine, imported or published"),
    Column("text", "text", "The caption"),
    Column("words", "integer", "How many words it has"),
    Column("parts", "object", "The four parts of a write-up or a merged text, by name"),
    Column("model", "text", "The model that wrote it", True),
    Column("data_set", "text", "The published data set that it comes from", True),
    Column("author", "text", "The person who wrote it, under a number", True),
    Column("parents", "integers", "The ids of the captions that it was made from"),
    Column("is_released", "boolean", "False: only a parent of a released caption"),
)
SPANS = Column("spans", "spans", f"Of `text`, {ABOUT}", True)
SCORE = (
    Column("caption", "integer", "The id of the caption"),
    Column("scorer", "text", "Scores with the same value can be compared"),
    Column("scorer_name", "text", "The scorer in words"),
    Column("value", "number", "The score when the release was built"),
)
OF_RUN = ("run", "kind", "model", "model_id", "revision", "recipe_hash")


class CaptionNumbers:
    """The frozen captions, and all captions they were made from, by their numbers in the files:
    from 1, in the order of storing. `ids` are those not taken down, themselves or their clip; the
    others keep their numbers."""

    def __init__(self, release: Release) -> None:
        self.released = released_captions(release)
        every = sorted(with_parents(self.released))
        self.numbers = {key: number for number, key in enumerate(every, 1)}
        gone = taken_down(release)
        self.ids = [key for key in every if key not in gone] if gone else every
        self.offered = frozenset(self.ids)

    def of(self, key: int | None) -> int | None:
        return None if key is None else self.numbers[key]

    def offered_number(self, key: int) -> int | None:
        """Return the number of a caption, None if it was taken down."""
        return self.numbers[key] if key in self.offered else None


def caption_table(release: Release, captions: CaptionNumbers) -> Table:
    """Return the captions; the column of spans is there if a caption has any."""
    is_timed = has_spans(captions.ids)
    return Table(
        name="captions",
        about="One line per caption of the release, and per caption that one was made from",
        columns=(*CAPTION, SPANS) if is_timed else CAPTION,
        count=len(captions.ids),
        rows=lambda: _caption_rows(release, captions, is_timed=is_timed),
    )


def score_table(release: Release, captions: CaptionNumbers) -> Table:
    """Return the scores that the captions of `caption_table` had when the release was built."""
    return Table(
        name="scores",
        about="One line per score of a caption",
        columns=SCORE,
        count=sum(_scores(release, batch).count() for batch in in_batches(captions.ids)),
        rows=lambda: _score_rows(release, captions),
    )


def _caption_rows(
    release: Release, captions: CaptionNumbers, *, is_timed: bool
) -> Iterator[tuple[Any, ...]]:
    links = Caption.parents.through.objects
    people = caption_people(release.project)
    for batch in in_batches(captions.ids):
        parents: dict[int, list[int]] = {}
        pairs = links.filter(from_caption__in=batch).order_by("from_caption", "to_caption")
        for child, parent in pairs.values_list("from_caption", "to_caption"):
            if parent in captions.offered:
                parents.setdefault(child, []).append(captions.numbers[parent])
        for caption in Caption.objects.filter(pk__in=batch).order_by("pk"):
            origin = caption.provenance[0] if caption.provenance else {}
            yield (
                captions.of(caption.pk),
                caption.kind,
                caption.source,
                caption.text,
                caption.word_count,
                in_order(caption.parts, PARTS),
                *(origin.get(name) for name in MADE_BY),
                pseudonym(people, caption.author_id),
                parents.get(caption.pk, []),
                caption.pk in captions.released,
                *([written_spans(caption.spans)] if is_timed else []),
            )


def _scores(release: Release, ids: Sequence[int]) -> QuerySet[QualityScore]:
    return QualityScore.objects.filter(caption__in=ids, created_at__lte=release.created_at)


def _score_rows(release: Release, captions: CaptionNumbers) -> Iterator[tuple[Any, ...]]:
    for batch in in_batches(captions.ids):
        rows = _scores(release, batch).order_by("caption", "scorer")
        for caption, *score in rows.values_list("caption", "scorer", "scorer_name", "value"):
            yield (captions.of(caption), *score)


def runs_entry(release: Release, *captions: QuerySet[Any, Any]) -> dict[str, Any]:
    """Return a manifest's entry about the runs that made these captions, if the release froze any:
    the number of captions of each, but not which, because raters can read it."""
    among = Q()
    for keys in captions:
        among |= Q(caption__in=keys)
    origins = release.records.filter(among, file=ReleasedRecord.File.ORIGINS).order_by()
    counts: Counter[tuple[Any, ...]] = Counter(
        tuple(values[name] for name in OF_RUN)
        for values in origins.values_list("values", flat=True).iterator()
    )
    runs = [
        {**dict(zip(OF_RUN, run, strict=True)), "captions": number}
        for run, number in sorted(counts.items(), key=lambda entry: str(entry[0]))
    ]
    return {"captions_by_run": runs} if runs else {}


def score_summary(release: Release, captions: QuerySet[Any, Any]) -> list[dict[str, object]]:
    """Return, by scorer, the scores that these captions had when they were released; not which
    caption has which, since raters may read it.
    """
    scores = QualityScore.objects.filter(caption__in=captions, created_at__lte=release.created_at)
    rows = (
        scores.order_by("scorer_name", "scorer")
        .values("scorer", "scorer_name")
        .annotate(n=Count("pk"), mean=Avg("value"), least=Min("value"), most=Max("value"))
    )
    return [
        {
            "scorer": row["scorer"],
            "scorer_name": row["scorer_name"],
            "captions": row["n"],
            "mean": round(row["mean"], 6),
            "min": round(row["least"], 6),
            "max": round(row["most"], 6),
        }
        for row in rows
    ]
