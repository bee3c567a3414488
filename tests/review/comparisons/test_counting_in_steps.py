"""The votes of a running round are counted in steps, so that no page reveals a single one."""

import json

import pytest
from django.urls import reverse

from annotate.models import Membership
from review.comparisons.models import SystemPair, Vote
from review.comparisons.queries import VOTE_BATCH_SIZE
from review.comparisons.services import change_vote
from review.errors import ReviewError
from review.reports import page as report_page
from review.reports.services import recompute
from review.rounds.services import end_round
from tests.cast import client_of, make_cast, make_clip, make_project
from tests.markup import shows
from tests.review.comparisons.comparing import start_round, vote_for
from tests.review.comparisons.rounds import cast

pytestmark = pytest.mark.django_db
WAIT = "New votes have come in."


@pytest.fixture(scope="module")
def made(kept):
    project = make_project()
    clips = [make_clip(project) for _ in range(25)]
    return {"project": project, **make_cast(project), "round": start_round(project, clips)}


@pytest.fixture
def round(shared):
    return shared["round"]


@pytest.fixture
def requested_reports(monkeypatch):
    """The names of the reports that page views ask workers for."""
    names = []
    monkeypatch.setattr(report_page, "recompute_later", lambda _, name: names.append(name))
    return names


def vote_often(project, person, times):
    """Store votes on the next clips of the running round as rows, in a tenth of the time."""
    round = project.rounds.get(ended_at=None)
    before = Vote.objects.filter(caption_pair__round=round, corrects=None).count()
    clips = project.clips.order_by("pk")[before : before + times]
    SystemPair.objects.filter(round=round).update(decided=before + times)
    return [cast(round, "Egret", "Heron", "left", person, clip) for clip in clips]


def page(person, project):
    return (
        client_of(person)
        .get(reverse("review:report_page", args=[project.slug, "leaderboard"]))
        .text
    )


def live(person, project):
    return client_of(person).get(reverse("review:report_live", args=[project.slug, "leaderboard"]))


def reports(project):
    return recompute(project=project, name="leaderboard")


def test_a_step_has_ten_votes():
    assert VOTE_BATCH_SIZE == 10


def test_nine_votes_are_not_counted_and_no_worker_is_asked(project, round, rita, requested_reports):
    vote_often(project, rita, 9)
    text = page(rita, project)
    assert (WAIT in text, requested_reports, reports(project)) == (False, [], [])
    assert "votes are counted 10 at a time" in text
    assert "9 wait to be counted." in text
    assert ">Compute<" not in text


def test_the_path_of_the_ratings_has_no_point_within_a_step(project, round, rita):
    for number, clip in enumerate(project.clips.all()[:23]):
        reasons = ["names_model"] if number == 3 else []
        cast(round, "Egret", "Heron", "left", rita, clip, reasons=reasons)
    [report] = reports(project)
    for path in ("elo_path", "bradley_terry_path"):
        assert [point["votes"] for point in report.result[path]] == [9, 19]
    end_round(round=round, admin=None)
    [report] = reports(project)
    assert [point["votes"] for point in report.result["elo_path"]] == [9, 19, 22]


def test_the_tenth_vote_makes_all_ten_count(project, round, rita, requested_reports):
    vote_often(project, rita, 9)
    vote_for(project, rita, "Egret")
    assert WAIT in page(rita, project)
    assert requested_reports == ["leaderboard"]
    [report] = reports(project)
    assert (report.inputs, report.result["pairs"][0]["votes"]) == (10, 10)
    assert "|cast:10|" in report.signature
    text = page(rita, project)
    assert "votes are counted 10 at a time" in text
    assert "to be counted." not in text


def test_the_eleventh_waits_and_the_page_stops_asking(project, round, rita, requested_reports):
    vote_often(project, rita, 10)
    [before] = reports(project)
    vote_often(project, rita, 1)
    assert reports(project) == [before]
    text = page(rita, project)
    assert (WAIT in text, requested_reports) == (False, [])
    assert shows(text, "1 waits to be counted. Ending the round counts it.")
    assert live(rita, project).headers["HX-Refresh"] == "true"
    vote_often(project, rita, 9)
    assert WAIT in live(rita, project).text
    [after] = reports(project)
    assert after.inputs == 20


def test_a_changed_vote_is_not_a_further_vote(project, round, rita, requested_reports):
    votes = vote_often(project, rita, 9)
    changed = change_vote(
        caption_pair=votes[0].caption_pair, reviewer=rita, content={"outcome": "tie"}
    )
    assert reports(project) == []
    assert WAIT not in page(rita, project)
    vote_often(project, rita, 2)
    [report] = reports(project)
    assert report.result["filtered"]["changed"] == [votes[0].pk]
    assert report.result["stored"] == {"count": 11, "last": changed.pk + 1}
    assert (report.inputs, report.result["pairs"][0]["ties"]) == (10, 1)


def test_a_vote_can_be_changed_until_its_step_is_counted(project, round, rita):
    votes = vote_often(project, rita, 11)
    early = change_vote(
        caption_pair=votes[2].caption_pair, reviewer=rita, content={"outcome": "tie"}
    )
    [report] = reports(project)
    recompute(project=project, name="agreement")
    assert report.result["stored"]["last"] == early.pk > votes[10].pk
    with pytest.raises(ReviewError, match="already counts this vote"):
        change_vote(caption_pair=votes[9].caption_pair, reviewer=rita, content={"outcome": "tie"})
    late = change_vote(
        caption_pair=votes[10].caption_pair, reviewer=rita, content={"outcome": "tie"}
    )
    assert late.corrects == votes[10]
    assert reports(project) == [report]


def test_at_the_end_of_the_round_all_are_counted(project, round, rita, requested_reports):
    vote_often(project, rita, 11)
    assert reports(project)[0].inputs == 10
    end_round(round=round, admin=None)
    text = page(rita, project)
    assert (WAIT in text, requested_reports) == (True, ["leaderboard"])
    assert "counted 10 at a time" not in text
    assert reports(project)[0].inputs == 11
    assert WAIT not in page(rita, project)


def test_an_ended_round_is_fully_counted_beside_a_running_one(project, round, rita):
    vote_often(project, rita, 3)
    end_round(round=round, admin=None)
    later = start_round(project, [make_clip(project)], ("Avocet", "Bittern"))
    cast(later, "Avocet", "Bittern", "left", rita, later.clips.get().clip)
    [report] = reports(project)
    assert (report.subject, report.inputs) == (str(round.pk), 3)


def test_the_agreement_counts_the_same_votes(project, round, rita):
    vote_often(project, rita, 9)
    assert recompute(project=project, name="agreement") == []
    vote_often(project, rita, 2)
    [report] = recompute(project=project, name="agreement")
    assert report.result["stored"]["count"] == 10


def test_a_file_of_all_votes_says_which_ones_wait(project, round, rita, ada):
    vote_often(project, rita, 11)
    url = reverse("review:report_file", args=[project.slug, "leaderboard", round.pk, "votes.json"])
    rows = json.loads(b"".join(client_of(ada).get(url)))
    assert [row["why_not"] for row in rows] == [""] * 10 + ["waiting"]
    assert [row["counted"] for row in rows] == [True] * 10 + [False]


def test_a_report_is_not_old_for_votes_that_wait(project, round, rita):
    def is_old() -> bool:
        return '<span class="badge warn">old</span>' in client_of(rita).get(url).text

    vote_often(project, rita, 10)
    [report] = reports(project)
    url = reverse("review:report_page", args=[project.slug, "reports", report.pk])
    vote_often(project, rita, 1)
    assert not is_old()
    vote_often(project, rita, 9)
    assert is_old()


def test_a_signature_names_the_round_as_its_page_does(round, rita):
    project = make_project("Elsewhere")
    Membership.objects.create(project=project, user=rita, is_reviewer=True)
    round = start_round(project, [make_clip(project) for _ in range(10)])
    assert round.number < round.pk
    vote_often(project, rita, 10)
    [report] = reports(project)
    [correlation] = recompute(project=project, name="correlation")
    assert report.subject == correlation.subject == str(round.pk)
    for made in (report, correlation):
        assert made.signature.startswith(f"{made.name}|round:1|")
        url = reverse("review:report_page", args=[project.slug, "reports", made.pk])
        assert "Round 1" in client_of(rita).get(url).text
    rows = client_of(rita).get(
        reverse("review:report_file", args=[project.slug, "leaderboard", round.pk, "ratings.json"])
    )
    assert rows.json()["round"] == round.number
