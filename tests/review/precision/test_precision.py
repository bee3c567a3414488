"""How many labels are enough: the courses of intervals, rules that stop, and their page."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotate.models import AuditEvent, WorkItem
from metrics.intervals import wilson_interval
from review.errors import ReviewError
from review.precision.figure import round_numbers, written
from review.precision.queries import judgings_of, series_of
from review.precision.services import choose_stopping_rule
from review.reports.few import FEW
from review.reports.services import recompute
from review.reports.small_samples import too_few_reason
from review.spot_checks.queries import next_item
from review.spot_checks.services import draw_spot_check, judge_item
from review.studies.models import StoppingRule
from review.studies.services import stop_study
from tests.api.asking import program_of
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

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

CAPTIONS = 12


@pytest.fixture
def study(project, anna):
    describe(project, CAPTIONS)
    make_examples(project)
    train(anna, project)
    return open_study(project, CAPTIONS)


def only(project):
    [judging] = judgings_of(project)
    return judging


def choose(project, ada, width, action="stop"):
    choose_stopping_rule(
        project=project, judging=only(project), width=width, action=action, admin=ada
    )


def rate_some(study, person, most=CAPTIONS - 2):
    for sampled in study.captions.select_related("caption")[:most]:
        rate(hold_rating(person, sampled.caption), 4)


def test_a_study_without_a_rule_shows_its_interval_over_time(project, study, anna):
    rate_some(study, anna)
    [report] = recompute(project=project, name="ratings")
    assert "|stop:fixed|" in report.signature
    [series] = series_of(only(project))
    assert (series.name, series.course.method) == ("Captions of clips", "fixed")
    assert [step.n for step in series.course.steps] == list(range(1, CAPTIONS - 1))
    # As on Ratings: no interval from fewer than 10 captions.
    assert [step.width for step in series.course.steps] == [None] * (FEW - 1) + [0]
    assert only(project).is_open


@pytest.mark.both_databases
def test_a_rating_study_stops_once_it_is_precise_enough(project, study, anna, ada):
    choose(project, ada, 4.5)
    rate_some(study, anna, 2)
    recompute(project=project, name="ratings")
    assert only(project).rule.reached_at is None
    for sampled in study.captions.select_related("caption")[2 : CAPTIONS - 2]:
        rate(hold_rating(anna, sampled.caption), 4)
    [report] = recompute(project=project, name="ratings")
    assert "|stop:betting, width 4.5, stop|" in report.signature
    judging = only(project)
    assert (judging.is_open, judging.rule.reached_n) == (False, CAPTIONS - 2)
    assert not WorkItem.objects.filter(kind="rate", state=WorkItem.State.OPEN).exists()
    [event] = AuditEvent.objects.filter(verb="reach stopping rule")
    assert (event.object_id, event.after["n"]) == (study.pk, CAPTIONS - 2)
    with pytest.raises(ReviewError, match="has ended"):
        choose(project, ada, None)


@pytest.mark.both_databases
def test_an_admin_who_wants_to_be_asked_is_asked(project, study, anna, ada):
    choose(project, ada, 4.9, action="ask")
    rate_some(study, anna)
    recompute(project=project, name="ratings")
    judging = only(project)
    assert judging.is_open
    page = client_of(ada).get(reverse("review:precision", args=[project.slug])).content.decode()
    assert "Precise enough after" in page
    assert 'id="rule-form"' not in page
    address = reverse("review:set_stopping_rule", args=[project.slug])
    refused = client_of(ada).post(address, {"of": judging.key, "width": "x"})
    assert refused.status_code == 422
    assert [str(message) for message in refused.context["messages"]] == [
        f"{judging.title} is precise enough meanwhile: stop it, or let people finish."
    ]
    assert only(project).rule.width == 4.9
    with pytest.raises(ReviewError, match="its numbers depend on that"):
        choose(project, ada, 3)


def test_a_threshold_study_is_looked_at_as_planned(project, anna, ada):
    scored_captions(project, [place / 50 for place in range(25)])
    started = start_study(project, captions=25)
    choose(project, ada, 0.3)
    judge_sample(started, anna, below=0.25, most=21)
    [report] = recompute(project=project, name="threshold")
    assert "|stop:5 looks at 25, width 0.3, stop|" in report.signature
    [series] = series_of(only(project))
    assert (series.course.method, [step.n for step in series.course.steps]) == ("looks", [20])
    assert series.course.steps[0].width is not None
    assert report.result["per_type"]["rules"]["change_point"]["looks"] == 5
    # 20 captions with a clear jump are enough.
    assert only(project).rule.reached_n == 20
    assert not only(project).is_open


@pytest.mark.both_databases
def test_looks_at_a_threshold_are_planned_before_its_first_verdict(project, anna, ada):
    scored_captions(project, [place / 50 for place in range(25)])
    study = start_study(project, captions=24)
    judge_sample(study, anna, below=0.25, most=1)
    with pytest.raises(ReviewError, match="right after you start the first study"):
        choose(project, ada, 0.1)
    # The estimate counts the captions of both studies.
    stop_study(study=study, admin=ada)
    start_study(project, captions=20)
    newest = judgings_of(project)[0]
    assert newest.is_open
    with pytest.raises(ReviewError, match="right after you start the first study"):
        choose_stopping_rule(project=project, judging=newest, width=0.1, action="stop", admin=ada)


@pytest.mark.both_databases
@pytest.mark.usefixtures("counted_one_by_one")
def test_a_round_ends_once_it_is_precise_enough(project, rita, ada):
    round = start_round(project, [make_clip(project) for _ in range(FEW + 1)])
    choose(project, ada, 1999)
    for outcome in ("left", "right", "tie") * 3:
        vote(next_caption_pair(project, rita)[0], outcome)
    recompute(project=project, name="leaderboard")
    # The leaderboard has no interval of votes on 9 clips either, so nothing can be narrow enough.
    round.refresh_from_db()
    assert round.ended_at is None
    [series] = series_of(only(project))
    assert (series.course.width, series.reason) == (None, too_few_reason(9))
    assert (
        too_few_reason(9)
        in client_of(ada).get(reverse("review:precision", args=[project.slug])).text
    )
    vote(next_caption_pair(project, rita)[0], "left")
    [report] = recompute(project=project, name="leaderboard")
    assert "|stop:mixture, width 1999, stop|" in report.signature
    round.refresh_from_db()
    assert round.ended_at
    [series] = series_of(only(project))
    last = series.course.last
    assert (last.n, last.low, series.course.method) == (10, -last.high, "mixture")


@pytest.fixture
def check(project, ada, anna):
    ben = make_person("Ben", project, "annotator")
    for _ in range(6):
        video = make_video(project)
        for person in (anna, ben):
            judge(hold_check(person, video), DYNAMIC)
    return draw_spot_check(project=project, kind="dynamics", per_person=6, seed=1, admin=ada)


def test_a_spot_check_ends_once_everybody_is_known(project, check, ada, rita):
    assert [series.name for series in series_of(only(project))] == ["Anna", "Ben"]
    choose(project, ada, 0.1)
    for number in range(12):
        check.refresh_from_db()
        assert check.ended_at is None, number
        judge_item(item=next_item(check, rita), is_right=True, remark="", reviewer=rita)
    # Everybody's six finished items were drawn, so nothing is uncertain any more.
    check.refresh_from_db()
    assert check.ended_at
    lows = [series.course.steps[-1].low for series in series_of(only(project))]
    assert lows == pytest.approx([1, 1], abs=0.002)


def test_a_spot_check_without_a_rule_has_the_interval_of_its_results(project, check, rita):
    judge_item(item=next_item(check, rita), is_right=True, remark="", reviewer=rita)
    courses = [series.course for series in series_of(only(project))]
    [first] = [course.last for course in courses if course.steps]
    assert (first.low, first.high) == wilson_interval(1, 1)


@pytest.mark.parametrize(
    ("low", "high", "numbers"),
    [
        (0.153, 0.254, ["0.15", "0.20", "0.25", "0.30"]),
        (-748, 748, ["−1,000", "−500", "0", "500", "1,000"]),
        (1, 1, ["0.0", "0.5", "1.0", "1.5", "2.0"]),
        (0.6, 1.0, ["0.6", "0.7", "0.8", "0.9", "1.0"]),
    ],
)
def test_the_ticks_of_a_chart_are_round_numbers(low, high, numbers):
    ticks, digits = round_numbers(low, high)
    assert [written(number, digits) for number in ticks] == numbers


def test_a_width_that_has_no_meaning_is_refused_and_kept(project, check, ada):
    page = client_of(ada).post(
        reverse("review:set_stopping_rule", args=[project.slug]),
        {"of": only(project).key, "width": "1.5", "action": "stop"},
    )
    assert page.status_code == 422
    text = page.content.decode()
    assert "Give a width above 0 and at most 1 of the share" in text
    assert 'value="1.5"' in text
    assert not StoppingRule.objects.exists()


@pytest.mark.both_databases
def test_a_rule_is_set_and_removed_on_the_page_and_by_programs(project, check, ada):
    client, key = client_of(ada), only(project).key
    address = reverse("review:set_stopping_rule", args=[project.slug])
    client.post(address, {"of": key, "width": "0.3", "action": "ask"})
    assert (only(project).rule.width, only(project).rule.action) == (0.3, "ask")
    client.post(address, {"of": key, "width": "", "action": "ask"})
    assert only(project).rule is None
    assert client.post(address, {"of": "study-0", "width": "1"}).status_code == 302
    program = program_of(ada, project)
    program.ask("put", f"precision/{key}/", {"width": 0.2, "action": "stop"})
    assert only(project).rule.width == 0.2
    listing = program.get("precision/").json()
    assert [row["of"] for row in listing["judged"]] == [key]
    series = program.get(f"precision/{key}/").json()["series"]
    assert [row["method"] for row in series] == ["betting", "betting"]


def test_the_page_asks_as_often_with_more_to_choose_from(project, check, ada):
    client, address = client_of(ada), reverse("review:precision", args=[project.slug])
    of = {"of": only(project).key}
    with count_queries() as once:
        assert client.get(address, of).status_code == 200
    for seed in (2, 3):
        draw_spot_check(project=project, kind="dynamics", per_person=6, seed=seed, admin=ada)
    with count_queries() as more:
        client.get(address, of)
    assert int(more) == int(once)
