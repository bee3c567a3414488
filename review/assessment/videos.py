"""People's check that videos are dynamic (LoVR, appendix B.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from metrics.agreement import krippendorff_alpha, percent_agreement
from review.assessment.quantities import (
    N_BOOTSTRAP,
    SEED,
    Base,
    Quantity,
    Timed,
    agreement,
    seconds,
    share,
)

NO_CHECKS = "No video has a dynamics check yet. Segmenting a video opens one."
NOT_JUDGED = "No video has been judged by two people yet."
SCALE = ("dynamic", "static")
# (rater, the video, one of SCALE)
Verdict = tuple[str, int, str]


@dataclass(frozen=True)
class VideoChecks:
    """`verdicts`: the newest of each rater. `opened`: how many videos
    have a check, `judges`: how many people each needs. `left_out`: the keys of the videos that were
    excluded as not dynamic."""

    opened: int
    judges: int
    verdicts: Sequence[Verdict] = ()
    left_out: Collection[int] = ()
    times: Sequence[Timed] = field(default_factory=list)


def video_rows(checks: VideoChecks) -> list[Quantity]:
    """Return how many videos several people judged, how many were left out, and how far the people
    agree. Excluded videos count: the check excluded them."""
    labels = checks.verdicts
    raters_of = defaultdict(set)
    for rater, video, _ in labels:
        raters_of[video].add(rater)
    judged = [video for video, raters in raters_of.items() if len(raters) >= checks.judges]
    people = len({rater for rater, _, _ in labels})
    left_out = len(set(judged) & set(checks.left_out))
    of_judged = Base(len(judged), sum(len(raters_of[video]) for video in judged), people)
    resampling: dict[str, Any] = {"n_bootstrap": N_BOOTSTRAP, "seed": SEED, "scale": list(SCALE)}
    return [
        share("videos_judged", len(judged), Base(checks.opened, len(labels), people), NO_CHECKS),
        share("videos_left_out", left_out, of_judged, NOT_JUDGED),
        agreement("videos_equal", percent_agreement(labels, **resampling)),
        agreement("videos_alpha", krippendorff_alpha(labels, **resampling)),
        seconds("videos_seconds", checks.times),
    ]
