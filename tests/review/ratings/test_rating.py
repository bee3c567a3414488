"""Rating a caption: only a whole number from 0 to 5, once, and nothing of it is lost."""

import math
from uuid import uuid4

import pytest
from django.db import DataError, IntegrityError, connection, transaction
from django.utils import timezone

from annotate.errors import AnnotateError, LeaseLost, WorkInvalid
from annotate.models import Assignment, AuditEvent, WorkItem
from review.ratings.models import Rating
from review.ratings.scale import MAX_REMARK_LENGTH
from review.ratings.services import submit_rating
from review.studies.models import StudyCaption
from tests.review.ratings.rating import describe, hold_rating, make_examples, open_study, rate
from tests.work import expire

pytestmark = pytest.mark.django_db

NO_RATINGS = [6, -1, 5.0001, 5.0, "5", "٥", True, None, math.nan, math.inf, [5], {"value": 5}]
NO_TYPED_RATINGS = ["5.0001", "6", "-1", "true", "", " 5", "5 ", " 5 5", "٥", "5_0", "+5", "nan"]


@pytest.fixture
def caption(project, anna, rita):
    make_examples(project)
    [caption] = describe(project, 1)
    open_study(project, 1, people=2)
    return caption


@pytest.fixture
def held(caption, anna):
    return hold_rating(anna, caption)


def submit(held, value, remark="", key=None):
    return submit_rating(
        assignment_id=held.pk,
        annotator=held.annotator,
        key=key or uuid4(),
        base_version=0,
        content={"value": value, "remark": remark},
    )


def nothing_stored(held):
    held.refresh_from_db()
    return not Rating.objects.exists() and held.state == Assignment.State.HELD


def test_a_rating_is_stored_with_its_remark(
    held, caption, anna, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks() as after:
        submit(held, "4", "  The cap is red. ")
    rating = Rating.objects.get()
    assert (rating.caption, rating.rater, rating.assignment) == (caption, anna, held)
    assert (rating.value, rating.remark) == (4, "The cap is red.")
    assert rating.study == StudyCaption.objects.get().study
    held.refresh_from_db()
    assert held.state == Assignment.State.SUBMITTED
    assert held.draft == {"value": "4", "remark": "The cap is red."}
    event = AuditEvent.objects.get(verb="submit")
    assert (event.actor, event.after) == (anna, {"caption": caption.pk, "value": 4})
    assert [callback.args for callback in after] == [
        (held.item.project_id, "ratings"),
        (held.item.project_id, "agreement"),
    ]


@pytest.mark.parametrize("value", range(6))
def test_the_whole_scale_is_taken(held, value):
    rate(held, value)
    assert Rating.objects.get().value == value


@pytest.mark.parametrize("value", NO_RATINGS, ids=repr)
def test_what_is_no_whole_number_from_0_to_5_is_refused(held, value):
    with pytest.raises(WorkInvalid, match="Choose one of the six, from 0 to 5"):
        rate(held, value)
    assert nothing_stored(held)


@pytest.mark.parametrize("typed", NO_TYPED_RATINGS, ids=repr)
def test_a_form_is_taken_exactly_as_its_buttons_send_it(held, typed):
    with pytest.raises(WorkInvalid, match="Choose one of the six"):
        submit(held, typed)
    assert nothing_stored(held)


def test_a_form_without_a_rating_is_refused(held):
    with pytest.raises(WorkInvalid) as refused:
        submit_rating(
            assignment_id=held.pk,
            annotator=held.annotator,
            key=uuid4(),
            base_version=0,
            content={"remark": "x" * (MAX_REMARK_LENGTH + 1)},
        )
    assert [problem.field for problem in refused.value.problems] == ["value", "remark"]


def insert(held, value):
    """Past every check but the database's own."""
    sampled = StudyCaption.objects.get()
    row = [
        sampled.caption_id,
        sampled.study_id,
        held.annotator_id,
        held.pk,
        value,
        "",
        timezone.now(),
    ]
    names = "caption_id, study_id, rater_id, assignment_id, value, remark, created_at"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO review_rating ({names}) VALUES (%s, %s, %s, %s, %s, %s, %s)", row
        )


@pytest.mark.parametrize("value", [6, -1, 255, None])
def test_the_database_refuses_them_too(held, value):
    with pytest.raises(IntegrityError):
        insert(held, value)
    assert nothing_stored(held)


@pytest.mark.parametrize("value", [5.0001, math.nan, "five"])
def test_the_database_stores_no_fraction(held, value):
    if connection.vendor == "postgresql" and value == 5.0001:
        pytest.skip("PostgreSQL rounds a number into its column")
    with pytest.raises((IntegrityError, DataError)):
        insert(held, value)
    assert nothing_stored(held)


def test_the_same_submit_twice_is_one_rating(held):
    key = uuid4()
    rate(held, 4, key=key)
    rate(held, 4, key=key)
    assert Rating.objects.count() == 1
    assert AuditEvent.objects.filter(verb="submit").count() == 1
    with pytest.raises(LeaseLost, match="already submitted"):
        rate(held, 5)
    assert Rating.objects.get().value == 4


def test_after_the_hold_has_ended_nothing_is_stored(held):
    expire(held)
    with pytest.raises(LeaseLost):
        rate(held, 4)
    assert not Rating.objects.exists()


def test_a_caption_goes_behind_those_that_nobody_has_rated(held, caption, rita):
    rate(held, 4)
    item = WorkItem.objects.get(kind="rate")
    assert (item.priority, item.state) == (0, "open")
    rate(hold_rating(rita, caption), 3)
    item.refresh_from_db()
    assert (item.priority, item.state) == (-1, "done")


def test_work_that_names_no_caption_or_is_in_no_study_is_refused(held):
    StudyCaption.objects.all().delete()
    with pytest.raises(AnnotateError, match="No study needs this rating"):
        rate(held, 4)
    WorkItem.objects.update(subject=0)
    with pytest.raises(AnnotateError, match="names no caption of its clip"):
        rate(held, 4)
