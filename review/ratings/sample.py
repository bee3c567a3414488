"""Draw the captions of a rating study, and order them for rating."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from annotate.corpus.precedence import current_captions
from annotate.models import Caption, Clip, Project
from inference.queries import clips_to_describe
from review.ratings.models import RatingExample
from review.studies.models import Study, StudyCaption


class Drawn(NamedTuple):
    """Keys."""

    caption: int
    clip: int


def captions_to_draw(project: Project, kind: Caption.Kind) -> QuerySet[Caption]:
    """Return the newest captions of clips, or of whole videos, that no rating study has drawn and
    whose rating no training example has revealed, ordered by key.
    """
    if kind == Caption.Kind.FULL_VIDEO:
        clips: QuerySet[Clip] = Clip.objects.filter(
            project=project, video__excluded_because="", excluded_because="", start_frame=0
        )
    else:
        clips = clips_to_describe(project)
    drawn = StudyCaption.objects.filter(study__project=project, study__kind=Study.Kind.RATING)
    examples = RatingExample.objects.filter(project=project)
    return (
        current_captions(clips, kind)
        .filter(word_count__gt=0)
        .exclude(pk__in=drawn.values("caption"))
        .exclude(pk__in=examples.values("caption"))
        .order_by("pk")
    )


def draw_captions(
    clips: Sequence[Drawn], videos: Sequence[Drawn], *, n_clips: int, n_videos: int, seed: int
) -> list[Drawn]:
    """Draw captions of clips and of whole videos in a random order that spreads both evenly. Raises
    ValueError if there are too few.
    """
    chance = random.Random(seed)
    groups = chance.sample(clips, n_clips), chance.sample(videos, n_videos)
    placed = [
        ((place + 0.5) / len(group), number, drawn)
        for number, group in enumerate(groups)
        for place, drawn in enumerate(group)
    ]
    return [drawn for *_, drawn in sorted(placed)]
