"""The project's own rows in its paper's Table 1, from the counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Subquery

from annotate.models import Caption, Project, Video
from review.statistics.columns import Value
from review.statistics.report import (
    CORRECTED,
    HUMAN,
    MACHINE,
    PUBLISHED,
    REFINED,
    VERIFIED,
    Captions,
    Level,
    Statistics,
)
from review.triplets.models import Triplet, TripletSet
from review.triplets.queries import newest_triplets
from review.verification.completeness import complete_clips

PEOPLE = {HUMAN, PUBLISHED, CORRECTED, VERIFIED}
MODELS = {MACHINE, REFINED, CORRECTED, VERIFIED}
METRIC = "mAP@K"
Values = Mapping[str, Value | None]


@dataclass(frozen=True)
class OwnRow:
    """`source`: what was counted, in words."""

    name: str
    source: str
    values: Values


def own_rows(project: Project, statistics: Statistics) -> list[OwnRow]:
    """Return one row about what a release would have now: of finished clips, of a finished set of
    triplets, if there is one, or, where models write the captions, one for clips and one for whole
    videos.
    """
    content = project.pipeline.release.content
    if content == "triplets":
        triplets = newest_triplets(project)
        return [_of_triplets(project, triplets)] if triplets else []
    if content == "scenes":
        levels = (("clips", statistics.clips), ("whole videos", statistics.videos))
        return [OwnRow(project.name, name, _sizes(level)) for name, level in levels]
    return [_of_finished(project)]


def _of_finished(project: Project) -> OwnRow:
    """Count the clips whose human texts are finished, in one statement."""
    merged = Caption.objects.filter(pk=OuterRef("merged_id"))
    rows = list(
        complete_clips(project)
        .order_by()
        .values_list(
            "duration_ms",
            Subquery(merged.values("word_count")),
            Subquery(merged.values("source")),
        )
    )
    clips = len(rows)
    # People write a general caption in the four parts of Stage I.
    is_written = any(source == Caption.Source.MERGED for *_, source in rows)
    name = f"human texts of {clips:,} finished clip{'' if clips == 1 else 's'}"
    if not rows:
        return OwnRow(project.name, name, {"samples": 0})
    values: Values = {
        "samples": clips,
        "seconds": sum(length for length, *_ in rows) / clips / 1000,
        "words": sum(words for _, words, _ in rows) / clips,
        "annotator": "Human",
        "hierarchical": is_written,
        "static_focus": True,
        "dynamic_focus": True,
    }
    return OwnRow(project.name, name, values)


def _sizes(level: Level) -> Values:
    whole = (Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO)
    captions = next((of_kind for of_kind in level.captions if of_kind.kind in whole), None)
    return {
        "samples": level.items,
        "seconds": level.mean_seconds,
        "words": _mean_words(captions) if captions else None,
        "annotator": _annotator(captions) if captions else None,
    }


def _mean_words(captions: Captions) -> float:
    counts = captions.words
    return sum(words * times for words, times in counts.items()) / sum(counts.values())


def _annotator(captions: Captions) -> str | None:
    """Return who made the captions, as LoVR's table says it; None if all were imported."""
    origins = {origin for origin, number in captions.origins.items() if number}
    models = ["VLM"] if origins & MODELS else []
    people = ["Human"] if origins & PEOPLE else []
    return " + ".join(models + people) or None


def _of_triplets(project: Project, triplets: TripletSet) -> OwnRow:
    splits = set(triplets.queries.order_by().values_list("split", flat=True).distinct())
    of_set = Triplet.objects.filter(query__triplets=triplets).order_by()
    evaluated = of_set.exclude(query__split=Video.Split.TRAIN)
    several = evaluated.values("query").annotate(n=Count("pk")).filter(n__gt=1)
    labels = set(of_set.values_list("target__label", flat=True).distinct())
    labels |= set(triplets.queries.order_by().values_list("clip__label", flat=True).distinct())
    values: Values = {
        "type": "Video",
        "triplets": triplets.triplet_count,
        "train": Video.Split.TRAIN in splits,
        "eval": bool(splits - {Video.Split.TRAIN}),
        "multi_gt": several.exists(),
        "metric": METRIC,
        "sub_actions": len(labels - {None}),
    }
    return OwnRow(project.name, f"set {triplets.number} of triplets", values)
