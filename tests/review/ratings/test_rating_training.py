"""The training set: examples with explained answers, each answered once."""

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from annotate.models import AuditEvent, Caption
from annotate.ordering import DOWN, UP
from review.errors import ReviewError
from review.ratings.models import RatingExample, TrainingAnswer
from review.ratings.queries import unanswered_examples
from review.ratings.training_set import (
    add_example,
    answer_example,
    move_example,
    retire_example,
)
from tests.cast import make_clip
from tests.hand_work import machine_caption
from tests.review.ratings.rating import describe, make_example, make_examples, open_study
from tests.review.verification.verifying import verified
from tests.work import make_work, submit_write_up

pytestmark = pytest.mark.django_db


def add(project, person, caption, value=4, explanation="One wrong colour."):
    return add_example(
        project=project, caption=caption, value=value, explanation=explanation, person=person
    )


def order(project):
    used = RatingExample.objects.filter(project=project, is_used=True)
    return list(used.values_list("value", flat=True))


def test_an_example_comes_last(project, rita):
    make_examples(project, 5, 3)
    [caption] = describe(project, 1)
    example = add(project, rita, caption, 1, "  Nothing fits. ")
    assert order(project) == [5, 3, 1]
    assert (example.explanation, example.created_by) == ("Nothing fits.", rita)
    event = AuditEvent.objects.get()
    assert (event.verb, event.after) == ("add example", {"caption": caption.pk, "value": 1})


def test_a_write_up_that_waits_for_its_merge_is_no_example(project, rita, anna):
    clip = make_clip(project)
    submit_write_up(anna, make_work(clip))
    write_up = Caption.objects.get()
    with pytest.raises(ReviewError, match="is waiting for its merge"):
        add(project, rita, write_up)
    make_work(clip, "merge", needed=0, state="done")
    assert add(project, rita, write_up).caption == write_up


def test_what_makes_no_example_is_refused(project, rita, anna):
    [caption] = describe(project, 1)
    clip = make_clip(project)
    fields = {"project": project, "clip": clip, "source": "machine"}
    spatial = Caption.objects.create(kind="spatial", text="A pool.", word_count=2, **fields)
    for refused, explanation, sentence in [
        (caption, "  ", "Explain the rating"),
        (spatial, "Why.", "Choose a caption of a clip or of a whole video"),
        (machine_caption(clip, ""), "Why.", "Choose a caption of a clip or of a whole video"),
    ]:
        with pytest.raises(ReviewError, match=sentence):
            add(project, rita, refused, explanation=explanation)
    add(project, rita, caption)
    with pytest.raises(ReviewError, match="is an example already"):
        add(project, rita, caption)
    assert RatingExample.objects.count() == 1


def test_what_a_study_asks_about_is_not_given_away(project, rita, anna):
    make_examples(project)
    [caption] = describe(project, 1)
    open_study(project, 1)
    with pytest.raises(ReviewError, match="the training can't reveal its rating"):
        add(project, rita, caption)


@pytest.mark.parametrize("value", [6, -1, 5.0001, "5", True, None])
def test_an_example_has_a_rating_of_the_scale(project, rita, value):
    [caption] = describe(project, 1)
    with pytest.raises(ValueError, match="whole number from 0 to 5"):
        add(project, rita, caption, value)
    assert not RatingExample.objects.exists()


@pytest.mark.parametrize("value", [6, -1])
def test_the_database_refuses_an_example_off_the_scale(project, value):
    with pytest.raises(IntegrityError), transaction.atomic():
        make_example(project, value)


def test_examples_are_put_in_order(project, rita):
    first, second, third = make_examples(project, 5, 3, 0)
    move_example(example=third, direction=UP, person=rita)
    assert order(project) == [5, 0, 3]
    move_example(example=first, direction=DOWN, person=rita)
    assert order(project) == [0, 5, 3]
    move_example(example=third, direction=UP, person=rita)
    move_example(example=second, direction=DOWN, person=rita)
    assert order(project) == [0, 5, 3]
    assert AuditEvent.objects.filter(verb="move example").count() == 2
    with pytest.raises(ReviewError, match="Move it up or down"):
        move_example(example=first, direction="sideways", person=rita)


def test_one_out_of_use_is_kept_and_can_not_be_moved(project, rita, anna):
    first, *_ = make_examples(project, 5, 3, 0)
    answer_example(example=first, rater=anna, value=2)
    retire_example(example=first, person=rita)
    retire_example(example=first, person=rita)
    assert order(project) == [3, 0]
    assert TrainingAnswer.objects.get().example == first
    assert AuditEvent.objects.filter(verb="retire example").count() == 1
    with pytest.raises(ReviewError, match="no longer used"):
        move_example(example=first, direction=UP, person=rita)
    assert add(project, rita, first.caption, 4).place == 3


def test_an_answer_is_given_once_and_stays(project, anna, rita):
    first, second, _ = make_examples(project)
    answer_example(example=first, rater=anna, value=2)
    again = answer_example(example=first, rater=anna, value=5)
    assert (again.value, TrainingAnswer.objects.count()) == (2, 1)
    assert unanswered_examples(project, anna).first() == second
    assert unanswered_examples(project, rita).first() == first
    event = AuditEvent.objects.get(verb="answer example")
    assert (event.actor, event.after) == (anna, {"example": first.pk, "value": 2})
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        TrainingAnswer.objects.update(value=5)


@pytest.mark.parametrize("value", [6, -1, 5.0001, "5", True, None])
def test_an_answer_is_a_rating_of_the_scale(project, anna, value):
    example, *_ = make_examples(project)
    with pytest.raises(ValueError, match="whole number from 0 to 5"):
        answer_example(example=example, rater=anna, value=value)
    assert not TrainingAnswer.objects.exists()


def test_one_of_a_clip_that_they_have_worked_on_is_not_answered(project, anna):
    example = make_example(project)
    verified(anna, example.caption.clip)
    with pytest.raises(ReviewError, match="worked on this clip"):
        answer_example(example=example, rater=anna, value=3)
    assert not TrainingAnswer.objects.exists()


def test_one_out_of_use_is_not_answered(project, anna):
    example = make_example(project, is_used=False)
    with pytest.raises(ReviewError, match="removed from the training"):
        answer_example(example=example, rater=anna, value=3)
