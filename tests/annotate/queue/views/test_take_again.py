"""POST assignments/<id>/take-again/: go on with one's own expired, skipped or returned work."""

import pytest
from django.urls import reverse

from annotate.models import Assignment, WorkItem
from tests.cast import client_of, make_clip
from tests.work import expire, fill_draft, hold, make_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(project, anna):
    assignment = hold(anna, make_work(make_clip(project), needed=1))
    fill_draft(assignment, overview="Half")
    return assignment


def take_again(person, assignment):
    url = reverse("annotate:take_again", args=[assignment.pk])
    return client_of(person).post(url, follow=True)


def test_expired_work_is_held_again_with_its_draft(anna, held):
    expire(held)
    page = take_again(anna, held).content.decode()
    held.refresh_from_db()
    held.item.refresh_from_db()
    assert held.holds_lease
    assert held.item.open_slots == 0
    assert "Half</textarea>" in page
    assert "readonly" not in page


def test_work_sent_back_is_held_again(anna, emil, held):
    Assignment.objects.filter(pk=held.pk).update(state="returned", returned_by=emil)
    take_again(anna, held)
    held.refresh_from_db()
    assert held.holds_lease


def test_what_somebody_else_took_is_only_read(anna, ben, held):
    expire(held)
    held.item.refresh_from_db()
    hold(ben, held.item)
    page = take_again(anna, held).content.decode()
    assert "Somebody else has taken this clip meanwhile." in page
    assert "Half</textarea>" in page
    held.refresh_from_db()
    assert held.state == "expired"
    assert WorkItem.objects.get().open_slots == 0


@pytest.mark.parametrize("state", ["submitted", "paused"])
def test_what_is_submitted_or_waits_is_not_taken(anna, held, state):
    Assignment.objects.filter(pk=held.pk).update(state=state, submitted_at=held.claimed_at)
    assert "can&#x27;t be taken again" in take_again(anna, held).content.decode()
    held.refresh_from_db()
    assert held.state == state


def test_who_may(anna, ben, olaf, held):
    expire(held)
    assert [take_again(p, held).status_code for p in (ben, olaf, anna)] == [404, 404, 200]
