"""The content of a release in TF-CoVR's form, read from its frozen rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import partial

from review.frozen.models import Release, ReleasedLabel
from review.frozen.query_models import ReleasedModification
from review.releases.triplet_content import (
    SPLITS,
    ClipLine,
    JudgedQuery,
    LabelLine,
    TextLine,
    TripletContent,
    Vectors,
    without_clips,
)
from review.releases.triplet_tally import frozen_facts
from review.triplets.rows import ComposedRow

BATCH_SIZE = 500


def frozen_content(release: Release, *, has_withdrawn: bool = False) -> TripletContent:
    """Return what the release offers; `has_withdrawn`: including what was taken down since."""
    withdrawn = frozenset[int]() if has_withdrawn else release.withdrawn.clips
    names: list[str] = []  # of all clips, by number
    gone: set[str] = set()
    clips: list[ClipLine] = []
    rows = release.triplet_clips.order_by("pk").values_list(
        *("clip", "name", "label__key", "split", "is_in_gallery", "source_video"),
        *("provenance", "number"),
    )
    for clip, name, label, *rest in rows.iterator(chunk_size=BATCH_SIZE):
        names.append(name)
        if clip in withdrawn:
            gone.add(name)
        else:
            clips.append(ClipLine(name, label or "", *rest))
    facts = frozen_facts(release)
    judged = set(
        release.queries.filter(is_verified=True).order_by().values_list("split", flat=True)
    )
    return TripletContent(
        labels=[
            LabelLine(*row)
            for row in ReleasedLabel.objects.filter(release=release)
            .order_by("pk")
            .values_list("key", "caption", "event", "source", "counts_as")
        ],
        clips=clips,
        texts=[
            TextLine(*row)
            for row in ReleasedModification.objects.filter(release=release)
            .order_by("pk")
            .values_list("source__key", "target__key", "kind", "text", "provenance")
        ],
        queries=lambda split: _queries(release, split, names, gone),
        judged_splits=[split for split in SPLITS if split in judged],
        vectors=partial(_vectors, release, gone) if facts and facts.vectors else None,
    )


def _queries(
    release: Release, split: str, names: Sequence[str], gone: Set[str]
) -> Iterator[JudgedQuery]:
    """Yield the queries of a split in their order, without the clips in `gone`. `names`: of all
    clips, by number."""
    rows = (
        release.queries.filter(split=split)
        .order_by("number")
        .values_list(
            "number",
            "verdicts",
            "targets",
            "pk",
            "clip__name",
            "modification__source__key",
            "modification__target__key",
            "modification__kind",
            "modification__target__source",
            "text",
        )
    )
    for number, verdicts, targets, key, clip, source, target, kind, domain, text in rows.iterator(
        chunk_size=BATCH_SIZE
    ):
        own = tuple(names[place] for place in targets)
        row = ComposedRow(key, clip, source, target, kind, domain, text, own)
        if query := without_clips(JudgedQuery(split, number, row, verdicts), gone):
            yield query


def _vectors(release: Release, gone: Set[str]) -> Vectors:
    rows = release.triplet_clips.order_by("number")
    last = -1
    while batch := list(
        rows.filter(number__gt=last).values_list("number", "name", "vector")[:BATCH_SIZE]
    ):
        last = batch[-1][0]
        yield [
            (name, bytes(vector) if vector else b"")
            for _, name, vector in batch
            if name not in gone
        ]
