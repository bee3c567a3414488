"""POST assignments/<id>/heartbeat/: somebody is at work."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.models import Assignment
from tests.cast import client_of, make_clip
from tests.work import expire, hold, let_pass, make_work, post_json

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(project, anna):
    return hold(anna, make_work(make_clip(project)), minutes=1)


def beat(person, assignment, **body):
    return post_json(client_of(person), "heartbeat", assignment, body)


def test_it_keeps_the_hold_and_counts(anna, held):
    let_pass(held, 20.5)
    beat(anna, held, active_seconds=20, watched=[[0, 50]])
    let_pass(held, 10.5)
    response = beat(anna, held, active_seconds=10, watched=[[40, 60], [100, 9999]])
    held.refresh_from_db()
    assert held.active_seconds == 30
    assert held.watched == [[0, 60], [100, 250]]
    assert held.lease_expires_at > timezone.now() + timedelta(minutes=29)
    assert response.json()["lease_expires_at"][:19] == held.lease_expires_at.isoformat()[:19]


def test_no_beat_counts_more_time_than_lies_between_two(anna, held):
    let_pass(held, 3600)
    beat(anna, held, active_seconds=86_400)
    held.refresh_from_db()
    assert held.active_seconds == 120


def test_many_beats_at_once_count_no_more_time_than_has_passed(anna, held):
    let_pass(held, 5)
    began = timezone.now() - timedelta(seconds=5)
    for _ in range(15):
        beat(anna, held, active_seconds=120)
    held.refresh_from_db()
    assert 5 <= held.active_seconds <= (timezone.now() - began).total_seconds()


def test_what_was_watched_fits_the_time_that_has_passed(anna, held):
    let_pass(held, 1)
    began = timezone.now() - timedelta(seconds=1)
    beat(anna, held, watched=[[50, 1_000_000_000]])
    held.refresh_from_db()
    [[start, end]] = held.watched
    assert start == 50
    # At double speed, and 25 frames a second.
    assert 50 <= end - start <= 50 * (timezone.now() - began).total_seconds()


def test_beats_in_turn_lose_nothing_of_what_was_watched_at_double_speed(anna, held):
    for number in range(1, 6):
        let_pass(held, 1)
        beat(anna, held, active_seconds=1, watched=[[0, 50 * number]])
    held.refresh_from_db()
    assert (held.active_seconds, held.watched) == (5, [[0, 250]])


def test_a_late_beat_renews_a_hold_that_nobody_took_back(project, anna):
    late = hold(anna, make_work(make_clip(project)), minutes=-5)
    assert beat(anna, late).status_code == 200
    late.refresh_from_db()
    assert late.holds_lease


def test_after_the_hold_has_ended_it_says_so(anna, held):
    expire(held)
    response = beat(anna, held, active_seconds=10)
    assert (response.status_code, response.json()["code"]) == (410, "lease_lost")
    assert Assignment.objects.get().state == "expired"
    assert Assignment.objects.get().active_seconds == 0


@pytest.mark.parametrize(
    "body",
    [
        {"active_seconds": -1},
        {"active_seconds": "many"},
        {"watched": "all"},
        {"watched": [[1]]},
        {"watched": [["a", "b"]]},
        {"watched": [[0, 1]] * 1001},
    ],
)
def test_nonsense_is_refused_and_counts_nothing(anna, held, body):
    assert beat(anna, held, **body).status_code == 400
    held.refresh_from_db()
    assert (held.active_seconds, held.watched) == (0, [])


def test_who_may(anna, ben, olaf, held):
    assert [beat(person, held).status_code for person in (ben, olaf, anna)] == [404, 404, 200]
