"""The statistics of a release, counted in its frozen rows: CaReBench's Figure 2 and LoVR's 5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from django.db.models import F

from annotate.corpus.balance import bin_lengths
from annotate.corpus.pieces import LeftOut
from annotate.models import Caption
from review.frozen.models import Release, ReleasedScene
from review.releases.content import signature
from review.statistics.files import Counted
from review.statistics.report import CLIPS, VIDEOS, Captions, Level, Statistics, origin_of

Kind = Caption.Kind
HALVES = {
    Kind.GENERAL: "caption",
    Kind.SPATIAL: "spatial_caption",
    Kind.TEMPORAL: "temporal_caption",
}
Texts = Iterable[tuple[str, int]]


def release_statistics(release: Release) -> Statistics:
    """Return the statistics of a release, like `count_statistics` of a project, in at most three
    queries. Lengths are those of the frozen frames; releases from before frames were frozen have
    those of their clips, which were whole videos. Captions and their sources never change.

    In CaReBench's form a clip is a whole video, so only clips are counted; in TF-CoVR's, clips have
    labels and no captions.
    """
    if release.format == Release.Format.LOVR:
        return _of_scenes(release)
    if release.format == Release.Format.TFCOVR:
        return _of_labeled_clips(release)
    names = [f"{field}__{part}" for field in HALVES.values() for part in ("source", "word_count")]
    rows = list(
        release.clips.order_by().values_list(
            *names,
            "provenance",
            F("clip__end_frame") - F("clip__start_frame"),
            "clip__video__fps_num",
            "clip__video__fps_den",
        )
    )
    lengths = [_length(*row[len(names) :]) for row in rows]
    captions = [
        _captions(kind, ((row[place], row[place + 1]) for row in rows))
        for place, kind in zip(range(0, len(names), 2), HALVES, strict=True)
    ]
    return Statistics(_level(CLIPS, lengths, captions), _level(VIDEOS, [], []), LeftOut(0, 0, 0))


def _of_labeled_clips(release: Release) -> Statistics:
    provenances = release.triplet_clips.order_by().values_list("provenance", flat=True)
    lengths = [_milliseconds(of_clip["frames"], of_clip["fps"]) for of_clip in provenances]
    return Statistics(_level(CLIPS, lengths, []), _level(VIDEOS, [], []), LeftOut(0, 0, 0))


def _of_scenes(release: Release) -> Statistics:
    scenes = list(
        ReleasedScene.objects.filter(video__release=release)
        .order_by()
        .values_list(
            "start_frame",
            "end_frame",
            "video__fps_num",
            "video__fps_den",
            "caption__source",
            "caption__word_count",
        )
    )
    videos = list(
        release.videos.order_by().values_list(
            "full_caption__source", "full_caption__word_count",
            "provenance", "video__frames", "fps_num", "fps_den",
        )
    )  # fmt: skip
    described = [(source, words) for source, words, *_ in videos if source]
    return Statistics(
        _level(
            CLIPS,
            [_milliseconds(end - start, Fraction(n, d)) for start, end, n, d, *_ in scenes],
            [_captions(Kind.GENERAL, ((row[4], row[5]) for row in scenes))],
        ),
        _level(
            VIDEOS,
            [_length(*row[2:]) for row in videos],
            [_captions(Kind.FULL_VIDEO, described)] if described else [],
        ),
        LeftOut(0, 0, 0),
    )


def counted_release(release: Release) -> Counted:
    """Return how the statistics of a release were made, for its files."""
    return Counted(
        name=release.project_name,
        slug=release.project.slug,
        version=release.version,
        is_simulated=release.project.is_simulated,
        at=release.created_at,
        signature=signature(release),
    )


def _length(provenance: dict[str, Any], frames: int, fps_num: int, fps_den: int) -> int:
    """Return the milliseconds of the frozen frames, else of `frames`."""
    if "frames" in provenance:
        return _milliseconds(provenance["frames"], provenance["fps"])
    return _milliseconds(frames, Fraction(fps_num, fps_den))


def _milliseconds(frames: int, fps: str | Fraction) -> int:
    return round(1000 * frames / Fraction(fps))


def _level(level: str, lengths: Sequence[int], captions: Sequence[Captions]) -> Level:
    return Level(
        level=level,
        items=len(lengths),
        total_ms=sum(lengths),
        min_ms=min(lengths, default=0),
        max_ms=max(lengths, default=0),
        bins=bin_lengths(lengths),
        captions=captions,
    )


def _captions(kind: str, texts: Texts) -> Captions:
    origins, words = Counter[str](), Counter[int]()
    for source, word_count in texts:
        origins[origin_of(source)] += 1
        words[word_count] += 1
    return Captions(str(kind), dict(origins), dict(sorted(words.items())))
