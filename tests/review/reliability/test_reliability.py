"""The reports on reliability: what they are computed from, and the pages that show them."""

from __future__ import annotations

import re
from itertools import product

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.models import Assignment, WorkItem
from review.people.numbers import ProjectNumbers
from review.quality.models import GivenAnswer
from review.reliability.computing import kind_reliability
from review.reliability.queries import known_rows
from review.reliability.results import KindReliability, KnownRow, RoundReliability, StudyReliability
from review.reports.models import Report
from review.reports.results import result_of
from review.reports.services import recompute
from review.spot_checks.models import SpotCheck, SpotCheckItem
from review.studies.models import Study, StudyCaption
from tests.cast import client_of, count_queries, make_clip, make_person
from tests.hand_work import machine_caption
from tests.review.agreement.agreeing import THREE, label_sentences, rate_all, task_of
from tests.review.comparisons.comparing import start_round
from tests.review.comparisons.rounds import cast, leaderboard_of
from tests.review.quality.known import make_known
from tests.review.threshold.studying import scored_captions

NAME = "reliability"
pytestmark = pytest.mark.django_db


def computed(project) -> dict[str, Report]:
    return {report.subject: report for report in recompute(project=project, name=NAME)}


def kind_of(project, kind: str) -> KindReliability:
    return result_of(computed(project)[f"kind:{kind}"], KindReliability)


def words_of(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def text_of(person, project, page: str, query: str = "") -> str:
    url = reverse("review:report_page", args=[project.slug, page])
    return client_of(person).get(url + query).text


def verify_all(project, people, captions=12):
    """Have everybody verify. Every second caption has an error, which the last person overlooks."""
    for number in range(captions):
        caption = machine_caption(make_clip(project), THREE)
        for person in people:
            sees = number % 2 == 0 and person != people[-1]
            label_sentences(caption, person, "A" if sees else "", "", "")


def answer_gold(project, person, known_answer, *, is_right, share) -> None:
    GivenAnswer.objects.create(
        known_answer=known_answer,
        person=person,
        assignment=task_of(person, known_answer.item.clip, known_answer.item.kind),
        content={},
        is_right=is_right,
        share=share,
    )


def check(project, kind, *, is_ended, **right_of) -> None:
    """A spot check in which this many items of each person, by name, are right and wrong."""
    judge = make_person("Judge", project, "reviewer")
    drawn = SpotCheck.objects.create(
        project=project,
        kind=kind,
        per_person=9,
        seed=1,
        ended_at=timezone.now() if is_ended else None,
    )
    for name, (person, right, wrong) in right_of.items():
        for place in range(right + wrong):
            SpotCheckItem.objects.create(
                check_of=drawn,
                assignment=task_of(person, make_clip(project), kind, place),
                place=SpotCheckItem.objects.count(),
                is_right=place < right,
                judged_by=judge,
                judged_at=timezone.now(),
                remark=name,
            )


def test_gold_and_spot_checks_are_counted_by_person_and_kind(project, ada, anna, ben):
    known_answer = make_known(project, ada, [anna, ben], WorkItem.Purpose.GOLD)
    cleo = make_person("Cleo", project, "annotator")
    answer_gold(project, cleo, known_answer, is_right=False, share=0.5)
    check(project, "write", is_ended=False, anna=(anna, 2, 1))
    rows = known_rows(project)
    assert rows == {
        "dynamics": [KnownRow(f"user:{cleo.pk}", 0, 1, 0, 0, 0, 0)],
        "write": [KnownRow(f"user:{anna.pk}", 0, 0, 2, 3, 0, 0)],
    }


def test_a_gold_item_of_work_in_parts_counts_by_its_share(project, ada, anna, ben):
    known_answer = make_known(project, ada, [anna, ben], WorkItem.Purpose.GOLD)
    WorkItem.with_known_answers.filter(pk=known_answer.item_id).update(kind="verify")
    known_answer.item.refresh_from_db()
    cleo = make_person("Cleo", project, "annotator")
    answer_gold(project, cleo, known_answer, is_right=False, share=0.75)
    assert known_rows(project)["verify"] == [KnownRow(f"user:{cleo.pk}", 0.75, 1, 0, 0, 0, 0)]


def test_a_persons_own_estimate_leaves_gold_and_open_checks_out():
    result = kind_reliability(None, [KnownRow("user:1", 9, 10, 4, 8, 4, 4)])
    [person] = result.people
    assert person.estimate.value == pytest.approx((9 + 4 + 3) / (10 + 8 + 4))
    assert person.own.value == pytest.approx((4 + 3) / (4 + 4))


def test_people_see_who_overlooks_errors_and_what_that_does_to_the_shares(
    project, anna, ben, rita, ada
):
    verify_all(project, [anna, ben, rita])
    result = kind_of(project, "verify")
    values = {person.rater: person.estimate.value for person in result.people}
    assert values[f"user:{anna.pk}"] > values[f"user:{rita.pk}"]
    any_error = result.consensus[0]
    assert (any_error.question, any_error.labels) == ("any", ["no", "yes"])
    assert any_error.majority[1] == pytest.approx(6 / 36)
    assert any_error.shares[1] == pytest.approx(6 / 36, abs=0.02)
    others = {left_out.rater: left_out.shares for left_out in any_error.without}
    assert others[f"user:{anna.pk}"][1] == pytest.approx(3 / 36)  # Ben and Rita tie in six.
    rates = {person.rater: person.rates for person in any_error.people}
    assert rates[f"user:{rita.pk}"][1] < 0.1 < 0.9 < rates[f"user:{anna.pk}"][1]
    assert result.agreement.weighted > result.agreement.everybody.alpha
    without = {left_out.rater: left_out.agreed for left_out in result.agreement.without}
    assert without[f"user:{rita.pk}"].alpha == 1
    words = words_of(text_of(ada, project, "reliability"))
    assert "Errors found" in words
    assert "36 items compared" in words
    page = client_of(ada).get(reverse("review:verifications", args=[project.slug]))
    [part] = page.context["added"]
    rows = {row.name: (row.everybody, row.option) for row in part["beside"].rows}
    number = r"16\.7 % \(\d+\.\d % to \d+\.\d %\)"
    assert all(re.fullmatch(number, cell) for cell in rows["Any error"])
    assert rows["Items compared"] == ("36", "–")


def test_a_number_without_a_compared_item_is_a_dash(project, anna, ben, rita, ada):
    """Without items of others, and for a label that no item has, only imagined answers count."""
    for caption in [machine_caption(make_clip(project), THREE) for _ in range(2)]:
        for person in (anna, ben):
            label_sentences(caption, person, "", "", "")
    label_sentences(machine_caption(make_clip(project), THREE), rita, "", "", "")
    result = kind_of(project, "verify")
    rates = {row.rater: row.rates for row in result.consensus[0].people}
    assert rates[f"user:{rita.pk}"] == pytest.approx([0.875, 0.5])
    words = words_of(text_of(ada, project, "reliability"))
    assert "Rita – Nothing to compare yet: no gold" in words
    assert "50 %" not in words
    assert "88 %" not in words
    assert re.search(r"Anna .* 6 93 % – Ben", words)


def test_agreement_shows_the_numbers_without_one_person(project, anna, ben, rita, ada):
    verify_all(project, [anna, ben, rita])
    recompute(project=project, name="agreement")
    report = computed(project)["kind:verify"]
    words = words_of(text_of(rita, project, "agreement"))
    assert "with and without people" in words
    assert report.signature in text_of(rita, project, "agreement")
    query = f"?without-verify=user:{rita.pk}"
    without = words_of(text_of(rita, project, "agreement", query))
    assert "Without Rita" in without
    own = r"0\.\d\d \(-?\d\.\d\d to \d\.\d\d\)"
    assert re.search(rf"Alpha {own} {own} 1\.00", without)
    # Somebody who judged nothing can't be left out.
    assert "Without Ada" not in words_of(
        text_of(rita, project, "agreement", f"?without-verify=user:{ada.pk}")
    )
    page = client_of(rita).get(reverse("review:verifications", args=[project.slug]) + query).text
    assert "Without Rita" in page


@pytest.fixture
def round(project, rita, emil, ada):
    """Ended, with Emil voting against the others."""
    clips = [make_clip(project) for _ in range(12)]
    round = start_round(project, clips, ("Avocet", "Bittern", "Crane"))
    pairs = (("Avocet", "Bittern"), ("Bittern", "Crane"), ("Avocet", "Crane"))
    for place, (clip, pair, person) in enumerate(product(clips, pairs, (rita, emil, ada))):
        outcome = "right" if (person == emil) != (place % 7 == 0) else "left"
        cast(round, *pair, outcome, person, clip)
    return round


def end(round):
    round.ended_at = timezone.now()
    round.save()


def test_a_round_has_ratings_with_quality_and_without_each_reviewer(
    project, round, emil, rita, ada
):
    cast(round, "Avocet", "Bittern", "tie", "Kim", round.clips.first().clip)
    end(round)
    plain = leaderboard_of(round)
    result = result_of(computed(project)[f"round:{round.pk}"], RoundReliability)
    assert result.people[0].rater == f"user:{emil.pk}"
    assert result.people[0].value < 0.5
    stored = plain.result["bradley_terry"]["ratings"]
    assert result.everybody.ratings == pytest.approx(stored)
    first, *_, last = sorted(result.crowd.ratings, key=lambda key: -result.crowd.ratings[key])
    assert result.crowd.ratings[first] - result.crowd.ratings[last] > stored[first] - stored[last]
    without = {left_out.rater: left_out for left_out in result.without}
    assert without[f"user:{emil.pk}"].votes == 36
    query = f"?without=user:{emil.pk}"
    words = words_of(text_of(ada, project, "leaderboard", query))
    assert "Without Emil" in words
    assert "Quality of each reviewer Reviewer Quality Votes without ties Emil 0." in words
    assert "Kim (imported) – nothing to compare yet 0" in words


def test_only_admins_see_who_voted_how(project, round, emil, rita):
    end(round)
    leaderboard_of(round)
    computed(project)
    text = text_of(rita, project, "leaderboard", f"?without=user:{emil.pk}")
    assert "With quality" in text
    assert "Emil" not in text
    assert 'id="without-person"' not in text


def test_votes_that_can_still_be_changed_are_not_counted(project, round, emil):
    """In a running round the leaderboard counts first, and from then on votes can't be changed."""
    assert f"round:{round.pk}" not in computed(project)
    leaderboard_of(round)
    assert computed(project)[f"round:{round.pk}"].inputs == 100
    cast(round, "Avocet", "Bittern", "left", "Kim", round.clips.first().clip)
    assert computed(project)[f"round:{round.pk}"].inputs == 100


def test_ratings_show_the_mean_without_one_person(project, anna, rita, ada):
    rate_all(project, (anna, rita), [(5, 1), (4, 2), (5, 1), (4, None)])
    study = Study.objects.get(project=project, kind="rating")
    recompute(project=project, name="ratings")
    result = result_of(computed(project)[f"ratings:{study.pk}"], StudyReliability)
    without = {left_out.rater: left_out.figures for left_out in result.without}
    assert result.everybody.values["mean"] == pytest.approx(22 / 7)
    assert without[f"user:{rita.pk}"].values["mean"] == 4.5
    assert without[f"user:{rita.pk}"].n == 4
    words = words_of(text_of(rita, project, "ratings", f"?without=user:{rita.pk}"))
    assert "Without Rita Mean 3.143 4.500" in words


def test_the_threshold_shows_itself_without_one_person(project, ada):
    scores = scored_captions(project, [0.05 * number for number in range(1, 13)])
    study = Study.objects.create(
        project=project, kind="threshold", people=2, strata=4, scorer=scores[0].scorer
    )
    for number, score in enumerate(scores):
        StudyCaption.objects.create(study=study, caption=score.caption, score=score)
        for person, most in (("R1", 4), ("R2", 0)):
            wrong = max(0, most - number // 3)
            label_sentences(score.caption, person, *["A"] * wrong, *[""] * (4 - wrong))
    computed(project)
    text = text_of(ada, project, "threshold", f"?without-{study.scorer[:8]}=label:R2")
    words = words_of(text)
    assert "Without R2 (imported)" in words
    assert "Mean errors, per type 1.250 2.500" in words


def test_admins_see_the_reliability_of_people(project, anna, ben, rita, ada):
    verify_all(project, [anna, ben, rita])
    for person in (anna, rita):
        task_of(person, make_clip(project), "verify")
    Assignment.objects.update(submitted_at=timezone.now())
    computed(project)
    [row] = ProjectNumbers(project).of_person(rita.memberships.get())
    assert row.reliability.compared == 36
    people = client_of(ada).get(reverse("review:people", args=[project.slug])).text
    assert f"{row.reliability.value:.0%}".replace("%", " %") in people


def test_more_people_take_no_more_queries(project, ada):
    counts = []
    for size in (2, 4):
        verify_all(project, [make_person(f"P{size}{n}", project, "annotator") for n in range(size)])
        computed(project)
        with count_queries() as count:
            assert "Verify" in text_of(ada, project, "reliability")
        counts.append(int(count))
    assert counts[0] == counts[1]


def test_an_empty_page_says_what_to_do(project, ada):
    assert "Nothing computed yet" in text_of(ada, project, "reliability")
