"""The page Leaderboard: ratings of a round, its votes, and who may see what while it runs."""

import csv
import io
import json

import pytest
from django.urls import reverse

from annotate.models import Video
from review.captions.models import CaptionSet
from review.reports import page as report_page
from review.reports.few import FEW
from review.reports.models import Report
from review.rounds.services import end_round, open_round
from tests.cast import client_of, count_queries, make_cast, make_clip, make_project
from tests.markup import shows
from tests.review.comparisons.comparing import start_round, vote_for
from tests.review.comparisons.rounds import cast, change, leaderboard_of
from tests.review.reports.addresses import address as address_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counted_one_by_one")]
A, B, C = NAMES = ("Avocet", "Bittern", "Crane")


@pytest.fixture(scope="module")
def made(kept):
    project = make_project()
    clips = [make_clip(project, category="Sports") for _ in range(4)]
    return {"project": project, **make_cast(project), "clips": clips}


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def round(project, clips):
    return start_round(project, clips, NAMES)


@pytest.fixture
def voted(round, clips, rita, emil):
    """Three votes that count, one repeat and one that was changed; the repeat came last."""
    first = cast(round, A, B, "left", rita, clips[0])
    change(cast(round, B, C, "both_bad", emil, clips[1]), "left")
    cast(round, C, A, "right", emil, clips[2])
    cast(round, B, A, "right", rita, clips[0], repeat_of=first)
    return round


def address(name, round):
    return address_in(name, round.project, round.pk)


def get_page(person, project):
    return client_of(person).get(reverse("review:report_page", args=[project.slug, "leaderboard"]))


def page(person, project):
    return get_page(person, project).text


def test_without_a_round_it_says_what_to_do(project, rita, ada):
    assert "An admin starts a comparison round" in page(rita, project)
    assert "start a comparison round" in page(ada, project)


def test_a_round_without_votes_leads_to_the_work(round, rita):
    text = page(rita, round.project)
    assert "No votes yet" in text
    assert "Compute" not in text


def test_votes_without_a_report_can_be_computed(voted, rita):
    text = page(rita, voted.project)
    assert "Not computed yet: 5 votes." in text
    assert ">Compute<" in text


def test_it_shows_the_ratings_and_what_was_left_out(voted, rita):
    report = leaderboard_of(voted)
    response = get_page(rita, voted.project)
    context = response.context
    assert [row.name for row in context["strengths"]] == [A, B, C]
    assert context["reason"].startswith("Avocet won every vote")
    left_out = {name: count for name, _, count in context["filtered"] if count}
    assert left_out == {"Repeat": 1, "Changed by its reviewer": 1}
    assert (context["cast"], context["counted"]) == (5, 3)
    assert "The votes connect all 3 models" in response.text
    assert "system:" not in response.text
    assert '<span class="number">300</span>, unused' in response.text
    assert report.signature in response.text


@pytest.mark.parametrize(
    ("votes", "rounded"),
    [
        (389_364, "about 390,000"),
        (1_000_000, "about 1,000,000"),
        (8_512_345, ">more than 1,000,000"),
    ],
)
def test_the_votes_that_would_separate_two_models_are_rounded_to_two_digits(
    round, clips, rita, votes, rounded
):
    report = leaderboard_of(cast(round, A, B, "left", rita, clips[0]).caption_pair.round)
    neighbors = {"above": None, "below": None, "votes": votes}
    ratings = report.result["bradley_terry"]["ratings"]
    neighbors["above"], neighbors["below"] = ratings
    Report.objects.create(
        project=round.project,
        name="leaderboard",
        subject=str(round.pk),
        parameters={**report.parameters, "clips": FEW},
        inputs_hash=report.inputs_hash,
        inputs=report.inputs,
        code_version="1",
        result={**report.result, "neighbours": [neighbors]},
        signature="later",
    )
    assert rounded in page(rita, round.project)


def test_categories_are_told_apart_where_there_are_several(voted, clips, rita):
    leaderboard_of(voted)
    assert "By category" not in page(rita, voted.project)
    Video.objects.filter(clips=clips[2]).update(category="Work")
    leaderboard_of(voted)
    response = get_page(rita, voted.project)
    rows = response.context["categories"]
    assert [row.name for row in rows] == ["Sports", "Work"]
    # From so few clips no interval is shown, and the page says why.
    cells = [cell for row in rows for cell in row.cells if cell]
    assert {end for _, low, high in cells for end in (low, high)} == {None}
    assert "an interval needs at least 10." in response.text


def test_it_says_how_many_votes_are_newer(voted, clips, rita, emil):
    leaderboard_of(voted)
    assert "not counted yet" not in page(rita, voted.project)
    cast(voted, A, C, "tie", emil, clips[3])
    assert ">1 not counted yet<" in page(rita, voted.project)
    cast(voted, A, C, "tie", rita, clips[3])
    assert ">2 not counted yet<" in page(rita, voted.project)


def test_new_votes_are_counted_when_the_page_is_opened(project, round, clips, rita, monkeypatch):
    requests = []
    monkeypatch.setattr(report_page, "recompute_later", lambda *args: requests.append(args))
    vote_for(project, rita, A)
    assert requests == []
    live = reverse("review:report_live", args=[project.slug, "leaderboard"])
    for _ in range(2):
        assert "New votes have come in." in page(rita, project)
        assert "New votes have come in." in client_of(rita).get(live).text
    assert requests == [(project.pk, "leaderboard")] * 4
    leaderboard_of(round)
    assert "New votes have come in." not in page(rita, project)
    assert client_of(rita).get(live).headers["HX-Refresh"] == "true"
    assert len(requests) == 4


def test_models_that_no_vote_connects_are_named(project, clips, rita):
    round = start_round(project, clips, (*NAMES, "Dunlin", "Egret"))
    cast(round, A, B, "left", rita, clips[0])
    cast(round, C, "Dunlin", "left", rita, clips[0])
    leaderboard_of(round)
    text = page(rita, project)
    assert "Not connected" in text
    assert "No vote connects these groups of models: Avocet, Bittern; Crane, Dunlin." in text
    assert "No counted votes: Egret." in text


def test_filtered_votes_alone_give_no_ratings(round, clips, rita):
    cast(round, A, B, "left", rita, clips[0], reasons=["names_model"])
    leaderboard_of(round)
    text = page(rita, round.project)
    assert "No votes count yet, so there are no ratings." in text
    assert shows(text, "0</strong> of 1 vote counts; 1 is left out.")
    assert "View votes left out" in text


def test_a_simulated_round_says_so(voted, rita):
    voted.project.is_simulated = True
    voted.project.save()
    leaderboard_of(voted)
    text = page(rita, voted.project)
    assert "<strong>Simulated.</strong>" in text
    assert "leaderboard|simulated|" in text


def test_names_are_text(project, clips, rita):
    round = start_round(project, clips, ("<b>bold</b>", "Heron"))
    cast(round, "<b>bold</b>", "Heron", "left", rita, clips[0])
    leaderboard_of(round)
    text = page(rita, project)
    assert "<b>bold</b>" not in text
    assert "&lt;b&gt;bold&lt;/b&gt; won every vote" in text


def test_an_earlier_round_keeps_its_page(voted, clips, rita):
    leaderboard_of(voted)
    end_round(round=voted, admin=None)
    later = start_round(voted.project, clips, ("Dunlin", "Egret"))
    client = client_of(rita)
    # Without a subject: the newest round with numbers.
    assert get_page(rita, voted.project).context["round"] == voted
    assert client.get(address("leaderboard", voted)).context["round"] == voted
    response = client.get(address("leaderboard", later))
    assert (response.context["round"], "strengths" in response.context) == (later, False)
    assert "No votes yet" in response.text


@pytest.mark.parametrize("name", ["leaderboard", "filtered_votes", "leaderboard:votes.csv"])
def test_three_votes_take_no_more_queries_than_one(round, clips, ada, rita, emil, name):
    def queries() -> int:
        leaderboard_of(round)
        subject = [] if name == "leaderboard" else [round.pk]
        client = client_of(ada)
        url = address_in(name, round.project, *subject)
        client.get(url)
        with count_queries() as count:
            response = client.get(url)
            assert b"".join(response) if response.streaming else response.content
        return int(count)

    first = cast(round, A, B, "left", rita, clips[0])
    cast(round, B, A, "left", rita, clips[0], repeat_of=first)
    baseline = queries()
    for clip in clips[1:3]:
        vote = cast(round, C, B, "left", emil, clip)
        cast(round, B, C, "left", emil, clip, repeat_of=vote)
    assert queries() == baseline


def test_the_votes_left_out_are_listed_once_the_round_has_ended(voted, rita):
    leaderboard_of(voted)
    client = client_of(rita)
    running = client.get(address("filtered_votes", voted))
    assert "Avocet" not in running.text
    rows = running.context["rows"]
    assert [(row.left, row.right, row.outcome) for row in rows] == [("",) * 3] * 2
    end_round(round=voted, admin=None)
    ended = client.get(address("filtered_votes", voted))
    assert [(row.left, row.right, row.outcome) for row in ended.context["rows"]] == [
        (B, C, "Both are bad"),
        (B, A, "Right is better"),
    ]
    assert "<td>Bittern</td><td>Crane</td><td>Both are bad</td>" in ended.text


def test_models_stay_hidden_from_reviewers_of_the_same_captions_in_the_next_round(voted, rita, ada):
    leaderboard_of(voted)
    end_round(round=voted, admin=None)
    sets = list(CaptionSet.objects.filter(systems__round=voted))
    open_round(project=voted.project, sets=sets, votes_per_pair=2, admin=ada)
    votes_page, ratings_page = address("filtered_votes", voted), address("leaderboard", voted)
    assert "Avocet" not in client_of(rita).get(votes_page).text
    assert "All votes, CSV" not in client_of(rita).get(ratings_page).text
    assert "Avocet" in client_of(ada).get(votes_page).text
    assert "All votes, CSV" in client_of(ada).get(ratings_page).text


def test_votes_left_out_are_filtered_by_reason(voted, rita):
    leaderboard_of(voted)
    client = client_of(rita)
    url = address("filtered_votes", voted)
    counts = {
        why: len(client.get(url, {"why": why}).context["rows"])
        for why in ("repeat", "names_model", "no such")
    }
    assert counts == {"repeat": 1, "names_model": 0, "no such": 2}
    assert "No votes left out for this reason" in client.get(url, {"why": "names_model"}).text


def rows_of(response) -> list[dict]:
    return list(csv.DictReader(io.StringIO(b"".join(response).decode())))


def test_the_ratings_can_be_downloaded(voted, rita):
    report = leaderboard_of(voted)
    client = client_of(rita)
    rows = rows_of(client.get(address("leaderboard:ratings.csv", voted)))
    assert [row["model"] for row in rows] == [A, B, C]
    assert [row["votes"] for row in rows] == ["2", "2", "2"]
    assert {row["signature"] for row in rows} == {report.signature}
    data = json.loads(client.get(address("leaderboard:ratings.json", voted)).content)
    assert sorted(data["models"].values()) == list(NAMES)
    assert (data["votes"], data["counted"]) == (5, 3)
    left_out = {why: count for why, count in data["filtered"].items() if count}
    assert left_out == {"changed": 1, "repeat": 1}
    assert data["bradley_terry"]["reason"].startswith("Avocet won every vote")


def many_clips(project, rita, count):
    """Make a round with votes on this many clips, of which A wins two of three."""
    clips = [make_clip(project, category="Sports") for _ in range(count)]
    round = start_round(project, clips, (A, B))
    for number, clip in enumerate(clips):
        cast(round, A, B, "right" if number % 3 == 2 else "left", rita, clip)
    leaderboard_of(round)
    return round


def test_votes_on_too_few_clips_give_no_interval_and_no_rank(project, rita):
    round = many_clips(project, rita, FEW - 1)
    why = "From 9 clips; an interval needs at least 10."
    response = get_page(rita, project)
    rows = response.context["strengths"]
    assert [(row.rank, row.low, row.high, row.further) for row in rows] == [(None,) * 4] * 2
    assert response.context["reason"].endswith(why)
    assert response.text.count('data-label="Rank"><span class="muted">none</span>') == 2
    assert "The votes connect all 2 models" in response.text
    client = client_of(rita)
    rows = rows_of(client.get(address("leaderboard:ratings.csv", round)))
    ends = ("rank", "bradley_terry_low", "bradley_terry_high")
    assert [[row[name] for name in ends] for row in rows] == [["", "", ""]] * 2
    assert float(rows[0]["bradley_terry"]) > 1000
    data = client.get(address("leaderboard:ratings.json", round)).json()
    for part in (data["bradley_terry"], *data["categories"]):
        assert part["ranks"] is None
        assert {*part["low"].values(), *part["high"].values()} == {None}
        assert part["reason"].endswith(why)
    assert {neighbor["votes"] for neighbor in data["neighbours"]} == {None}
    assert {end for step in data["bradley_terry_path"] for end in step["low"].values()} == {None}


def test_votes_on_enough_clips_give_intervals_and_ranks(project, rita):
    round = many_clips(project, rita, FEW)
    response = get_page(rita, project)
    assert [row.rank for row in response.context["strengths"]] == [1, 1]
    assert None not in {end for row in response.context["strengths"] for end in (row.low, row.high)}
    assert "an interval needs" not in response.text
    client = client_of(rita)
    first = rows_of(client.get(address("leaderboard:ratings.csv", round)))[0]
    assert first["rank"] == "1"
    assert float(first["bradley_terry_low"]) < float(first["bradley_terry"])
    data = client.get(address("leaderboard:ratings.json", round)).json()
    assert None not in data["bradley_terry"]["low"].values()
    assert None not in data["bradley_terry_path"][-1]["low"].values()


def test_without_numbers_there_is_nothing_to_download(voted, rita):
    assert client_of(rita).get(address("leaderboard:ratings.csv", voted)).status_code == 404


def test_reviewers_are_numbers_but_for_admins(voted, rita, ada):
    end_round(round=voted, admin=None)
    rows = rows_of(client_of(rita).get(address("leaderboard:votes.csv", voted)))
    assert [row["reviewer"] for row in rows] == ["1", "2", "2", "2", "1"]
    assert [row["why_not"] for row in rows] == ["", "changed", "", "", "repeat"]
    assert [row["place"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert [row["category"] for row in rows] == ["Sports"] * 5
    rows = rows_of(client_of(ada).get(address("leaderboard:votes.csv", voted)))
    assert [row["reviewer"] for row in rows] == ["Rita", "Emil", "Emil", "Emil", "Rita"]
    votes = json.loads(b"".join(client_of(rita).get(address("leaderboard:votes.json", voted))))
    assert [vote["outcome"] for vote in votes] == ["left", "both_bad", "left", "right", "right"]
    assert [vote["counted"] for vote in votes] == [True, False, True, True, False]


def test_a_running_round_hides_its_votes_from_people_who_vote(voted, rita, ada):
    leaderboard_of(voted)
    assert client_of(rita).get(address("leaderboard:votes.csv", voted)).status_code == 403
    assert "All votes, CSV" not in page(rita, voted.project)
    assert client_of(ada).get(address("leaderboard:votes.csv", voted)).status_code == 200
    assert "All votes, CSV" in page(ada, voted.project)


def test_a_cell_is_no_formula(project, clips, ada):
    round = start_round(project, clips, ("=SUM", "Heron"))
    cast(round, "=SUM", "Heron", "left", "@label", clips[0])
    leaderboard_of(round)
    client = client_of(ada)
    assert rows_of(client.get(address("leaderboard:ratings.csv", round)))[0]["model"] == "'=SUM"
    [row] = rows_of(client.get(address("leaderboard:votes.csv", round)))
    assert (row["left"], row["reviewer"]) == ("'=SUM", "'@label")
