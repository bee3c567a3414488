"""Reviewers who vote at the same moment, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connection

from annotate.errors import AnnotateError
from annotate.models import Assignment, Role
from review.comparisons.models import CaptionPair, SystemPair, Vote
from tests.cast import make_clip, make_person
from tests.review.comparisons.comparing import next_caption_pair, start_round, vote, vote_for

pytestmark = pytest.mark.django_db(transaction=True)
REVIEWERS, VOTES = 4, 8


def at_once(work, arguments) -> list:
    """What `work` gives for each argument, each in a thread with a connection of its own."""

    def own_connection(argument):
        try:
            return work(argument)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(arguments)) as pool:
        return list(pool.map(own_connection, arguments))


def test_no_pair_gets_a_vote_too_many_and_the_sides_stay_balanced(project):
    clips = [make_clip(project) for _ in range(6)]
    people = [make_person(f"Reviewer{n}", project, Role.REVIEWER) for n in range(REVIEWERS)]
    opened = start_round(project, clips, ("Avocet", "Bittern", "Crane"), votes_per_pair=VOTES)

    def vote_until_done(person) -> int:
        times = 0
        while vote_for(project, person, "Avocet"):
            times += 1
        return times

    assert sum(at_once(vote_until_done, people)) == 3 * VOTES
    counted = opened.pairs.values_list("given", "first_left", "decided")
    assert list(counted) == [(VOTES, VOTES // 2, VOTES)] * 3
    # Of each pair Avocet has won every point.
    points = SystemPair.objects.order_by("pk").values_list("first_points", flat=True)
    assert list(points) == [VOTES, VOTES, VOTES / 2]
    seen = list(CaptionPair.objects.values_list("reviewer", "pair", "clip"))
    assert len(seen) == len(set(seen))


def test_two_tabs_that_submit_at_once_make_one_vote(project, rita):
    start_round(project, [make_clip(project) for _ in range(2)])
    held, _ = next_caption_pair(project, rita)
    tabs = [Assignment.objects.select_related("item", "annotator").get(pk=held.pk) for _ in "ab"]

    def submit(tab) -> str:
        try:
            return vote(tab, "left", key=uuid4()).outcome
        except AnnotateError as error:
            return str(error)

    answers = at_once(submit, tabs)
    assert Vote.objects.count() == 1
    assert "left" in answers
    assert any("already submitted" in answer for answer in answers)
