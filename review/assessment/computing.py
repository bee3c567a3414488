"""What people judged in the four steps of LoVR's appendix B, from their judgments alone.

The numbers come from the functions of the reports on agreement, thresholds and ratings, so that
both say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from review.assessment.captions import CaptionChecks, corrected_rows, study_rows
from review.assessment.quantities import Quantity
from review.assessment.ratings import StudyRatings, rating_rows
from review.assessment.videos import VideoChecks, video_rows


@dataclass(frozen=True)
class Judgments:
    """All that people judged in a project."""

    videos: VideoChecks
    captions: CaptionChecks
    ratings: StudyRatings


@dataclass(frozen=True)
class Part:
    """One section of the appendix, such as B.1."""

    section: str
    rows: Sequence[Quantity]


@dataclass(frozen=True)
class Assessment:
    """`study`: the rating study of B.4; None without ratings."""

    parts: Sequence[Part]
    study: int | None


def assess(judgments: Judgments) -> Assessment:
    return Assessment(
        parts=[
            Part("B.1", video_rows(judgments.videos)),
            Part("B.2", study_rows(judgments.captions)),
            Part("B.3", corrected_rows(judgments.captions)),
            Part("B.4", rating_rows(judgments.ratings)),
        ],
        study=judgments.ratings.study,
    )
