"""Access to ratings, their studies and their training."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.corpus.blindness import visible_captions
from annotate.models import Caption, Membership
from review.access import admin, rater, trainer
from review.ratings.models import RatingExample, TrainingAnswer
from review.ratings.queries import examples_for
from review.studies.models import Study


def rating_study(request: UserRequest, slug: str, study_id: int) -> tuple[Membership, Study]:
    membership = admin(request, slug)
    studies = Study.objects.filter(project=membership.project, kind=Study.Kind.RATING)
    return membership, get_object_or_404(studies, pk=study_id)


def example_caption(request: UserRequest, slug: str, caption_id: int) -> tuple[Membership, Caption]:
    membership = trainer(request, slug)
    captions = visible_captions(membership).select_related("clip__video")
    return membership, get_object_or_404(captions, pk=caption_id)


def kept_example(
    request: UserRequest, slug: str, example_id: int
) -> tuple[Membership, RatingExample]:
    membership = trainer(request, slug)
    return membership, _example(membership, example_id)


def training_example(
    request: UserRequest, slug: str, example_id: int
) -> tuple[Membership, RatingExample]:
    """Return an example of this person's training, or an example that they have answered."""
    membership = rater(request, slug)
    example = _example(membership, example_id)
    answered = TrainingAnswer.objects.filter(example=example, rater=membership.user)
    own = examples_for(membership.project, membership.user).filter(pk=example.pk)
    if not own.exists() and not answered.exists():
        raise Http404("This example is not in your training.")
    return membership, example


def _example(membership: Membership, example_id: int) -> RatingExample:
    examples = RatingExample.objects.select_related("caption__clip__video")
    example = get_object_or_404(examples, pk=example_id, project=membership.project)
    example.project = membership.project
    return example
