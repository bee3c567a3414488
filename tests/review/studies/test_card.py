"""The card How many are enough, on its four pages, with both kinds of intervals."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from django.urls import reverse

from metrics.intervals import wilson_interval
from metrics.sequential import widening
from review.reports.few import FEW
from review.reports.services import recompute
from review.reports.small_samples import too_few_reason
from review.spot_checks.queries import next_item
from review.spot_checks.services import draw_spot_check, judge_item
from review.studies.card import Interval, Measure, card_of
from tests.cast import client_of, count_queries, make_clip, make_person, make_video
from tests.hand_work import DYNAMIC, hold_check, judge
from tests.review.comparisons.comparing import next_caption_pair, start_round, vote
from tests.review.ratings.rating import (
    describe,
    hold_rating,
    make_examples,
    open_study,
    rate,
    train,
)
from tests.review.threshold.studying import judge_sample, scored_captions, start_study

pytestmark = pytest.mark.django_db


def card_on(ada, project, page, *keys, **query):
    """The card of a page with the usual intervals, and with those that hold at every look."""
    cards = []
    for holds in (False, True):
        project.intervals_hold_at_every_look = holds
        project.save()
        answer = client_of(ada).get(reverse(page, args=[project.slug, *keys]), query)
        assert "How many are enough" in answer.text
        card = answer.context.get("card") or answer.context["parts"][0].estimated.card
        assert ("hold at every look:" in answer.text) is holds
        cards.append(card)
    return cards


def test_a_width_is_typed_in_the_address(project):
    measure = Measure("items", "Right", "points", "1", 20, 100, "")
    rows = [
        Interval("Anna", 10, 20, 60, population=40),
        Interval("Ben", 40, 45, 55, population=40),
        Interval("Cara", 0, None, None),
    ]
    cards = {
        typed: card_of(project, measure, rows, QueryDict(f"width={typed}&study=3"))
        for typed in ("30", "0", "nan", "101", "x", "")
    }
    # 10 of 40 with 3/4 of the width: 1 / ((1/10 - 1/40) 9/16 + 1/40) = 14.9
    assert [further for _, further in cards["30"].rows] == [5, 0, None]
    assert [card.width for card in cards.values()] == [30, 20, 20, 20, 20, 20]
    assert cards["30"].kept == [("study", "3")]


def test_a_mean_rating_has_an_interval_from_ten_captions_on(project, anna, ada):
    describe(project, FEW + 2)
    make_examples(project)
    train(anna, project)
    study = open_study(project, FEW + 2)
    sampled = list(study.captions.select_related("caption"))
    for count, caption in enumerate(sampled[:FEW], 1):
        rate(hold_rating(anna, caption.caption), 3 + count % 2)
        if count == FEW - 1:
            recompute(project=project, name="ratings")
            usual, always = card_on(ada, project, "review:report_page", "ratings")
            [(interval, further)] = usual.rows
            assert (interval.width, further) == (None, None)
            assert interval.reason == too_few_reason(FEW - 1, "caption")
            assert always.rows[0][0].width is not None
    [report] = recompute(project=project, name="ratings")
    usual, always = card_on(ada, project, "review:report_page", "ratings", width="0.2")
    last = report.result["courses"]["clips"]["steps"][-1]
    [(interval, further)] = usual.rows
    assert (interval.n, interval.low, interval.high) == (FEW, last["low"], last["high"])
    assert further > 0
    assert always.rows[0][0].width > interval.width
    # A report doesn’t depend on the switch.
    [again] = recompute(project=project, name="ratings")
    assert again.inputs_hash == report.inputs_hash


def test_a_threshold_is_looked_at_after_fifths_of_its_captions(project, anna, ada):
    scored_captions(project, [place / 50 for place in range(25)])
    judge_sample(start_study(project, captions=25), anna, below=0.25, most=21)
    recompute(project=project, name="threshold")
    usual, always = card_on(ada, project, "review:report_page", "threshold")
    [(interval, _)] = usual.rows
    [(at_look, _)] = always.rows
    assert (interval.n, at_look.n) == (21, 20)
    assert None not in (interval.width, at_look.width)


@pytest.mark.usefixtures("counted_one_by_one")
def test_a_round_has_the_width_of_its_least_certain_rating(project, rita, ada):
    round = start_round(project, [make_clip(project) for _ in range(FEW + 1)])
    for outcome in ("left", "right", "tie", *["left", "right"] * 4)[:FEW]:
        vote(next_caption_pair(project, rita)[0], outcome)
    [report] = recompute(project=project, name="leaderboard")
    usual, always = card_on(ada, project, "review:report_page", "leaderboard", round.pk)
    fitted = report.result["bradley_terry"]
    widest = max(fitted["high"][model] - fitted["low"][model] for model in fitted["ratings"])
    [(interval, _)] = usual.rows
    assert (interval.n, interval.width) == (FEW, pytest.approx(widest))
    assert always.rows[0][0].width == pytest.approx(widest * widening(FEW, FEW + 1))


def test_a_spot_check_has_the_interval_of_each_person(project, ada, anna, rita):
    people = [anna, make_person("Ben", project, "annotator")]
    for _ in range(6):
        video = make_video(project)
        for person in people:
            judge(hold_check(person, video), DYNAMIC)
    check = draw_spot_check(project=project, kind="dynamics", per_person=6, seed=1, admin=ada)
    page = "review:spot_check", check.pk
    judge_item(item=next_item(check, rita), is_right=True, remark="", reviewer=rita)
    usual, _ = card_on(ada, project, *page)
    [judged] = [interval for interval, _ in usual.rows if interval.n]
    assert (judged.low, judged.high) == tuple(100 * end for end in wilson_interval(1, 1))
    with count_queries() as early:
        client_of(ada).get(reverse(page[0], args=[project.slug, check.pk]))
    while item := next_item(check, rita):
        judge_item(item=item, is_right=True, remark="", reviewer=rita)
    check.refresh_from_db()
    assert check.ended_at is None
    _, always = card_on(ada, project, *page)
    # Everybody's six finished items were drawn, so nothing is uncertain any more.
    assert [interval.name for interval, _ in always.rows] == ["Anna", "Ben"]
    assert [interval.low for interval, _ in always.rows] == pytest.approx([100, 100], abs=0.2)
    assert [further for _, further in always.rows] == [0, 0]
    with count_queries() as late:
        client_of(ada).get(reverse(page[0], args=[project.slug, check.pk]))
    assert int(late) == int(early)
