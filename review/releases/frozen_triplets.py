"""The content of a release in TF-CoVR's form, read from its frozen rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from review.triplets.rows import ComposedRow

AT_ONCE = 500


def frozen_content(release: Release, *, has_withdrawn: bool = False) -> TripletContent:
    """Return what the release offers; `has_withdrawn`: including what was taken down since."""
    every = _clips(release)
    names = [clip.name for clip in every]
    gone = frozenset[str]() if has_withdrawn else withdrawn_names(release)
    clips = [clip for clip in every if clip.name not in gone]
    judged = set(
        release.queries.filter(is_verified=True).order_by().values_list("split", flat=True)
    )
    facts = release.triplet_facts or {}

    def vectors() -> Vectors:
        return frozen_vectors(release, gone)

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
        queries=lambda split: frozen_queries(release, split, names, gone),
        judged_splits=[split for split in SPLITS if split in judged],
        vectors=vectors if facts.get("vectors") else None,
    )


def _clips(release: Release) -> list[ClipLine]:
    columns = (
        *("name", "label__key", "split", "is_in_gallery", "source_video", "provenance"), "number"
    )  # fmt: skip
    rows = release.triplet_clips.order_by("pk").values_list(*columns)
    return [
        ClipLine(name, label or "", *rest)
        for name, label, *rest in rows.iterator(chunk_size=AT_ONCE)
    ]


def withdrawn_names(release: Release) -> frozenset[str]:
    """Return the names of the clips that were taken down."""
    if not release.withdrawn:
        return frozenset()
    names = release.triplet_clips.order_by().values_list("name", "clip")
    return frozenset(name for name, clip in names if clip in release.withdrawn.clips)


def clip_names(release: Release) -> list[str]:
    """Return the names of the clips by their numbers."""
    return list(release.triplet_clips.order_by("number").values_list("name", flat=True))


def frozen_queries(
    release: Release, split: str, names: Sequence[str], gone: frozenset[str]
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
        chunk_size=AT_ONCE
    ):
        own = tuple(names[place] for place in targets)
        row = ComposedRow(key, clip, source, target, kind, domain, text, own)
        if query := without_clips(JudgedQuery(split, number, row, verdicts), gone):
            yield query


def frozen_vectors(release: Release, gone: frozenset[str]) -> Vectors:
    rows = release.triplet_clips.order_by("number")
    last = -1
    while batch := list(
        rows.filter(number__gt=last).values_list("number", "name", "vector")[:AT_ONCE]
    ):
        last = batch[-1][0]
        yield [
            (name, bytes(vector) if vector else b"")
            for _, name, vector in batch
            if name not in gone
        ]
