"""Ratings from 0 to 5, and whether a video is dynamic (LoVR, appendices B.4 and B.1)."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from annotate.corpus.pieces import left_out_captions
from annotate.models import DynamicsVerdict, Project
from annotate.programs import that_count
from metrics.ratings import SCALE
from review.ratings.models import Rating
from review.reports.answers import Question
from review.reports.questions import Read, Task, rater_key


def _ratings(project: Project) -> QuerySet[Rating]:
    left_out = left_out_captions(project).values("pk")
    ratings = Rating.objects.filter(caption__project=project).exclude(caption__in=left_out)
    return that_count(ratings, project, "rater")


def _read_ratings(project: Project) -> list[Any]:
    """Read the ratings of all studies; a person rates a caption once over all of them."""
    rows = _ratings(project).order_by("caption", "rater")
    return [
        [caption, rater_key(rater), value]
        for caption, rater, value in rows.values_list("caption", "rater", "value")
    ]


def _ask_ratings(rows: list[Any]) -> Read:
    labels = [(rater, caption, value) for caption, rater, value in rows]
    return Read([Question("rating", list(SCALE), labels, ordered=True)])


def _dynamics(project: Project) -> QuerySet[DynamicsVerdict]:
    """Return the verdicts, including those on excluded videos, since these verdicts are why they
    are excluded.
    """
    verdicts = DynamicsVerdict.objects.filter(video__project=project)
    return that_count(verdicts, project, "assignment__annotator")


def _read_dynamics(project: Project) -> list[Any]:
    """Read the newest verdict of each person about each video."""
    rows = _dynamics(project).order_by("pk")
    newest = {
        (video, person): is_dynamic
        for video, person, is_dynamic in rows.values_list(
            "video", "assignment__annotator", "is_dynamic"
        )
    }
    return [
        [video, rater_key(person), is_dynamic]
        for (video, person), is_dynamic in sorted(newest.items())
    ]


def _ask_dynamics(rows: list[Any]) -> Read:
    labels = [
        (rater, video, "dynamic" if is_dynamic else "static") for video, rater, is_dynamic in rows
    ]
    return Read([Question("dynamics", ["dynamic", "static"], labels)])


RATINGS = Task("ratings", _ratings, _read_ratings, _ask_ratings)
DYNAMICS = Task("dynamics", _dynamics, _read_dynamics, _ask_dynamics)
