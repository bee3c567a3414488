"""Training examples, studies of ratings and ratings, for tests."""

from __future__ import annotations

from uuid import uuid4

from annotate.models import Assignment, Caption, Clip, Project, User, WorkItem
from annotate.text.words import count_words
from review.ratings.models import RatingExample, TrainingAnswer
from review.ratings.services import rate_caption
from review.ratings.studies import open_rating_study
from review.studies.models import Study
from tests.cast import make_clip
from tests.hand_work import machine_caption
from tests.work import hold

TEXT = "A diver jumps. She turns twice."


def whole_caption(clip: Clip, text: str = TEXT) -> Caption:
    return Caption.objects.create(
        project_id=clip.project_id,
        clip=clip,
        kind=Caption.Kind.FULL_VIDEO,
        source=Caption.Source.MACHINE,
        text=text,
        word_count=count_words(text),
    )


def describe(project: Project, clips: int, videos: int = 0, make=make_clip) -> list[Caption]:
    """Make captions of this many clips, and of this many other whole videos."""
    general = [machine_caption(make(project), f"{TEXT} Clip {n}.") for n in range(clips)]
    whole = [whole_caption(make(project), f"{TEXT} Video {n}.") for n in range(videos)]
    return general + whole


def make_example(project: Project, value: int = 3, place: int = 0, make=make_clip, **fields):
    caption = fields.pop("caption", None) or machine_caption(make(project), f"{TEXT} Example.")
    return RatingExample.objects.create(
        project=project,
        caption=caption,
        value=value,
        place=place,
        **{"explanation": "She turns once, not twice.", **fields},
    )


def make_examples(project: Project, *values: int, make=make_clip) -> list[RatingExample]:
    return [
        make_example(project, value, place, make=make)
        for place, value in enumerate(values or (5, 3, 0))
    ]


def train(person: User, project: Project) -> None:
    """Take the person through the training."""
    for example in RatingExample.objects.filter(project=project, is_used=True):
        TrainingAnswer.objects.create(example=example, rater=person, value=example.value)


def open_study(project: Project, clips: int, videos: int = 0, **fields) -> Study:
    return open_rating_study(
        project=project, admin=None, **{"clips": clips, "videos": videos, **fields}
    )


def hold_rating(person: User, caption: Caption) -> Assignment:
    return hold(person, WorkItem.objects.get(kind="rate", subject=caption.pk))


def rate(held: Assignment, value: object, **options) -> Assignment:
    return rate_caption(
        assignment_id=held.pk,
        annotator=held.annotator,
        value=value,
        **{"key": uuid4(), "base_version": 0, **options},
    )
