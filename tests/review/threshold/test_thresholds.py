"""Adopting a threshold: models come first, or people get what is below it, lowest score first."""

import pytest

from annotate.models import WorkItem
from annotate.queue.services import claim_next
from inference.errors import InferenceError
from inference.models import QualityThreshold
from review.threshold.services import Handed, adopt, hand_out_low_captions
from tests.inference.scored import write
from tests.review.threshold.studying import scored_captions, start_study
from tests.review.verification.verifying import ALL_OK, verify
from tests.work import hold

pytestmark = pytest.mark.django_db


def queued() -> list[int]:
    items = WorkItem.objects.filter(kind="verify").order_by("-priority", "id")
    return list(items.values_list("subject", flat=True))


@pytest.fixture
def scores(project):
    return scored_captions(project, [0.15, 0.05, 0.25, 0.35])


@pytest.fixture
def captions(scores):
    return [score.caption_id for score in scores]


def adopt_here(project, scores, value, admin=None):
    return adopt(project=project, scorer=scores[0].scorer, value=value, admin=admin, hand_out=True)[
        1
    ]


def test_the_lowest_score_comes_first(project, scores, captions, anna):
    assert adopt_here(project, scores, 0.3) == Handed(opened=3, withdrawn=0)
    assert queued() == [captions[1], captions[0], captions[2]]
    taken = claim_next(membership=anna.memberships.get(), kind="verify")
    assert taken.item.subject == captions[1]


def test_another_threshold_withdraws_what_nobody_has_begun(project, scores, captions, anna):
    adopt_here(project, scores, 0.3)
    hold(anna, WorkItem.objects.get(subject=captions[2]))
    assert adopt_here(project, scores, 0.1) == Handed(opened=0, withdrawn=1)
    assert queued() == [captions[1], captions[2]]
    assert adopt_here(project, scores, 0.2) == Handed(opened=1, withdrawn=0)
    assert queued() == [captions[1], captions[0], captions[2]]


def test_what_people_have_verified_or_rewritten_is_left_alone(project, scores, captions, anna):
    adopt_here(project, scores, 0.2)
    verify(hold(anna, WorkItem.objects.get(subject=captions[1])), scores[1].caption, ALL_OK)
    write(scores[0].clip, "A newer text by a model.")
    assert hand_out_low_captions(project=project) == Handed(opened=0, withdrawn=1)
    assert queued() == [captions[1]]


def test_captions_of_a_study_keep_their_place(project):
    scores = scored_captions(project, [n / 30 for n in range(30)])
    study = start_study(project, people=3)
    handed = adopt_here(project, scores, 0.5)
    sampled = set(study.captions.values_list("caption", flat=True))
    below = {score.caption_id for score in scores if score.value < 0.5}
    assert handed == Handed(opened=len(below - sampled), withdrawn=0)
    assert set(queued()[:20]) == sampled
    assert set(WorkItem.objects.filter(needed=3).values_list("subject", flat=True)) == sampled
    assert adopt_here(project, scores, 0.0).withdrawn == len(below - sampled)
    assert set(queued()) == sampled


def test_nothing_is_handed_out_before_a_threshold_is_adopted(project, scores):
    assert hand_out_low_captions(project=project) == Handed(0, 0)


def test_models_come_first_where_nobody_says_otherwise(project, scores, captions, anna):
    adopt_here(project, scores, 0.3)
    hold(anna, WorkItem.objects.get(subject=captions[2]))
    handed = adopt(project=project, scorer=scores[0].scorer, value=0.06, admin=None)[1]
    assert handed == Handed(opened=0, withdrawn=1)
    assert queued() == [captions[1], captions[2]]
    handed = adopt(project=project, scorer=scores[0].scorer, value=0.3, admin=None)[1]
    assert handed == Handed(opened=0, withdrawn=0)
    assert queued() == [captions[1], captions[2]]


def test_a_value_that_is_none_changes_nothing(project, scores):
    with pytest.raises(InferenceError, match="A threshold lies between"):
        adopt_here(project, scores, 2)
    assert (QualityThreshold.objects.count(), WorkItem.objects.count()) == (0, 0)
