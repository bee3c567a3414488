"""Spot checks: what is drawn, who judges it, and what it says about each person."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.models import AuditEvent
from review.errors import ReviewError
from review.spot_checks.queries import next_item, people_checked
from review.spot_checks.services import draw_spot_check, end_spot_check, judge_item
from tests.cast import client_of, make_person, make_video
from tests.hand_work import DYNAMIC, hold_check, judge

KIND = "dynamics"


@pytest.fixture
def ben(project):
    return make_person("Ben", project, "annotator")


@pytest.fixture
def finished(project, anna, ben):
    """Anna and Ben have judged the same five videos."""
    for _ in range(5):
        video = make_video(project)
        for person in (anna, ben):
            judge(hold_check(person, video), DYNAMIC)


@pytest.fixture
def draw(project, ada, finished):
    def drawn(per_person=3, seed=1):
        return draw_spot_check(
            project=project, kind=KIND, per_person=per_person, seed=seed, admin=ada
        )

    return drawn


def judge_all(check, reviewer, *verdicts):
    for is_right in verdicts:
        item = next_item(check, reviewer)
        judge_item(item=item, is_right=is_right, remark="", reviewer=reviewer)


def keys(check):
    return list(check.items.values_list("assignment", flat=True))


def test_the_same_seed_draws_the_same_work_of_everybody(draw):
    check = draw()
    assert [(row.person, row.drawn) for row in people_checked(check)] == [("Anna", 3), ("Ben", 3)]
    assert keys(draw()) == keys(check)
    assert keys(draw(seed=2)) != keys(check)


def test_a_small_check_is_the_beginning_of_a_larger_one(draw):
    assert set(keys(draw(per_person=1))) < set(keys(draw(per_person=2)))


def test_work_for_which_somebody_is_still_asked_is_not_drawn(draw, project, anna):
    judge(hold_check(anna, make_video(project)), DYNAMIC)
    assert len(keys(draw(per_person=100))) == 10


def test_nothing_finished_is_refused(project, ada):
    with pytest.raises(ReviewError, match="nothing to check"):
        draw_spot_check(project=project, kind=KIND, per_person=30, seed=0, admin=ada)


def test_more_than_nine_of_ten_right_earn_the_bonus_once_all_are_judged(draw, rita):
    check = draw(per_person=5)
    judge_all(check, rita, *[True] * 9)
    assert None in {row.earns_bonus for row in people_checked(check)}
    judge_all(check, rita, False)
    rows = people_checked(check)
    assert sorted(row.earns_bonus for row in rows) == [False, True]
    [low, high] = next(row.interval for row in rows if row.right == 5)
    # Wilson's interval of 5 of 5: [1 / (1 + z² / 5), 1].
    assert (round(low, 4), high) == (0.5655, 1.0)


def test_nobody_judges_clips_on_which_they_worked(draw, anna):
    check = draw()
    assert next_item(check, anna) is None
    with pytest.raises(ReviewError, match="somebody else must check it"):
        judge_item(item=check.items.first(), is_right=True, remark="", reviewer=anna)


def test_a_judgment_can_be_replaced_until_the_check_ends(draw, ada, rita):
    check = draw()
    item = next_item(check, rita)
    judge_item(item=item, is_right=True, remark="", reviewer=rita)
    judge_item(item=item, is_right=False, remark="It stands still.", reviewer=rita)
    with pytest.raises(ReviewError) as refused:
        judge_item(item=item, is_right=True, remark="x" * 501, reviewer=rita)
    assert str(refused.value) == "The remark has 501 characters. Shorten it to 500."
    item.refresh_from_db()
    assert (item.is_right, item.remark) == (False, "It stands still.")
    page = client_of(rita).get(
        reverse("review:spot_check_item", args=[check.project.slug, item.pk])
    )
    assert "It stands still." in page.text
    assert AuditEvent.objects.filter(verb="judge spot check").count() == 2
    for _ in range(2):
        end_spot_check(check=check, admin=ada)
    assert AuditEvent.objects.filter(verb="end spot check").count() == 1
    assert client_of(rita).get(page.request["PATH_INFO"]).status_code == 302
    with pytest.raises(ReviewError, match="has ended"):
        judge_item(item=item, is_right=True, remark="", reviewer=rita)


def test_a_reviewer_judges_one_after_the_other_without_names(draw, project, rita):
    check = draw(per_person=1)
    client = client_of(rita)
    address = reverse("review:judge_next", args=[project.slug, check.pk])
    page = client.get(address)
    assert "Dynamic." in page.text
    assert "Anna" not in page.text
    assert "Ben" not in page.text
    item = page.context["item"]
    send = reverse("review:judge_spot_check_item", args=[project.slug, item.pk])
    assert "Choose right or wrong" in client.post(send, {"remark": "Why?"}).text
    following = client.post(send, {"verdict": "wrong", "remark": "It stands still."}, follow=True)
    assert following.context["item"] != item
    last = reverse(
        "review:judge_spot_check_item", args=[project.slug, following.context["item"].pk]
    )
    done = client.post(last, {"verdict": "right"}, follow=True)
    assert "Nothing is left for you to judge" in done.text


def test_an_admin_draws_on_the_page_and_reads_the_results(project, ada, rita, finished):
    client = client_of(ada)
    send = reverse("review:draw_spot_check", args=[project.slug])
    assert client.post(send, {"kind": KIND, "per_person": 0, "seed": 0}).status_code == 422
    page = client.post(send, {"kind": KIND, "per_person": 2, "seed": 0}, follow=True)
    assert "0 of 4 items judged" in page.text
    judge_all(page.context["check"], rita, False)
    results = client.get(page.request["PATH_INFO"])
    assert "Not all judged" in results.text
    assert [item.judged_by for item in results.context["wrong"]] == [rita]


def test_the_list_takes_the_same_queries_with_more_checks(draw, project, ada):
    client, address = client_of(ada), reverse("review:spot_checks", args=[project.slug])
    counts = []
    for more in (1, 2):
        for _ in range(more):
            draw()
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        counts.append(len(queries))
    assert counts[0] == counts[1]
