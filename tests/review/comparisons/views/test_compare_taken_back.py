"""Pairs of captions that somebody no longer holds: the lease has expired or the round has ended."""

import pytest
from django.urls import reverse

from review.comparisons.models import CaptionPair, Vote
from review.rounds.services import end_round
from tests.cast import client_of, make_clip
from tests.review.comparisons.comparing import next_caption_pair, page, start_round, submit
from tests.work import expire

pytestmark = pytest.mark.django_db


@pytest.fixture
def claim(project, rita):
    """What the queue gives Rita first: an assignment and its pair of captions."""
    start_round(project, [make_clip(project) for _ in range(3)])
    return next_caption_pair(project, rita)


def test_an_expired_assignment_can_only_be_read(rita, claim):
    held, _ = claim
    assert "readonly" not in page(rita, held).text
    expire(held)
    text = page(rita, held).text
    assert " readonly>" in text
    assert 'data-editable="false"' in text
    assert submit(rita, held, outcome="left").status_code == 410
    assert not Vote.objects.exists()


def test_an_assignment_held_when_the_round_ends_is_taken_back_and_readable(project, rita, claim):
    held, caption_pair = claim
    assert page(rita, held).status_code == 200
    end_round(round=caption_pair.round, admin=None)
    refused = submit(rita, held, outcome="left", remark="The end is missing.")
    assert refused.status_code == 400
    assert "This round has ended, so it takes no more vote" in refused.text
    assert not Vote.objects.exists()
    text = page(rita, held).text
    assert text.count("This round has ended, so it takes no more vote") == 1
    assert "The end is missing.</textarea>" in text
    assert 'data-editable="false"' in text
    work = client_of(rita).get(reverse("annotate:my_work", args=[project.slug])).text
    assert ">Resume</a>" not in work
    assert "Take it again" not in work + text
    assert "No longer needed" in work
    assert ">Open</a>" in work
    again = client_of(rita).post(reverse("annotate:take_again", args=[held.pk]))
    assert again.status_code == 302
    held.refresh_from_db()
    assert held.state == "expired"


def test_a_taken_back_pair_can_be_read_after_its_names_were_seen(rita, claim):
    held, caption_pair = claim
    end_round(round=caption_pair.round, admin=None)
    CaptionPair.objects.filter(pk=caption_pair.pk).update(names_shown_at=caption_pair.created_at)
    text = page(rita, held).text
    assert "This round has ended, so it takes no more vote" in text
    assert "Skip it" not in text
    assert 'name="remark"' in text
