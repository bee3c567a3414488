"""The page Correlation: metrics against ratings, and what to know about so few models."""

import pytest
from django.urls import reverse

from review.reports.few import FEW
from review.reports.services import recompute
from review.rounds.services import end_round
from review.templatetags.percents import p_value
from tests.cast import client_of, count_queries, make_cast, make_clip, make_project
from tests.review.comparisons.comparing import start_round
from tests.review.comparisons.rounds import cast, leaderboard_of
from tests.review.leaderboard.correlation import capst, overlap

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counted_one_by_one")]
A, B, C, D = NAMES = ("Avocet", "Bittern", "Crane", "Dunlin")


@pytest.fixture(scope="module")
def made(kept):
    project = make_project()
    clips = [make_clip(project) for _ in range(3)]
    return {"project": project, **make_cast(project), "clips": clips}


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def rated(project, clips):
    round = start_round(project, clips, NAMES)
    for number, (left, right) in enumerate([(A, B), (B, C), (C, D), (D, A)] * 3):
        outcome = "right" if number == 3 else "left" if (left, right) != (D, A) else "tie"
        cast(round, left, right, outcome, f"R{number}", clips[number % 3])
    leaderboard_of(round)
    return round


def page(person, project, **query):
    return (
        client_of(person)
        .get(reverse("review:report_page", args=[project.slug, "correlation"]), query)
        .text
    )


def computed(project):
    return recompute(project=project, name="correlation")


def test_without_ratings_it_leads_to_the_leaderboard(project, rita):
    text = page(rita, project)
    assert "No ratings yet" in text
    assert reverse("review:report_page", args=[project.slug, "leaderboard"]) in text


@pytest.mark.parametrize(("p", "text"), [(0.0412, "0.041"), (0.00099, "< 0.001"), (1.0, "1.000")])
def test_a_small_p_is_a_bound_not_zero(p, text):
    assert p_value(p) == text


def test_before_it_is_computed_it_can_be(rated, rita):
    text = page(rita, rated.project)
    assert "Not computed yet." in text
    assert ">Compute<" in text


def test_it_shows_each_metric_with_a_warning_about_few_models(project, rated, rita):
    for place, system in enumerate(rated.systems.order_by("pk")):
        overlap(project, system.caption_set, bleu4=0.01 * (4 - place))
        capst(project, system.caption_set, 40.0 - 2 * place, 30.0)
    computed(project)
    text = page(rita, project)
    assert "Only 4 models.</strong>" in text
    assert 'href="#metric-bleu4">BLEU@4</a>' in text
    assert "Action F1" in text
    assert "All models have the same value, so nothing can correlate." in text
    assert '<td class="num">−0.41</td>' in text
    assert '<td class="num nowrap">0.083</td>' in text
    assert text.count('<svg class="chart scatter"') == 4
    assert "correlation|round:" in text
    assert "Only the caption length of these models is known." not in text


@pytest.mark.parametrize(("count", "is_shown"), [(3, False), (FEW, True)])
def test_ratings_on_few_clips_give_no_interval_and_say_why(project, rita, count, is_shown):
    round = start_round(project, clips := [make_clip(project) for _ in range(count)], NAMES)
    for number, (left, right) in enumerate([(A, B), (B, C), (C, D), (D, A)] * 3):
        outcome = "right" if number == 3 else "left" if (left, right) != (D, A) else "tie"
        cast(round, left, right, outcome, f"R{number}", clips[number % count])
    leaderboard_of(round)
    for place, system in enumerate(round.systems.order_by("pk")):
        overlap(project, system.caption_set, bleu4=[4.0, 1.0, 3.0, 2.0][place])
    computed(project)
    text = page(rita, project)
    [row] = [row for row in text.split("<tr>") if "#metric-bleu4" in row]
    assert (row.count('nowrap"><span class="muted">none</span>') == 0) == is_shown
    assert (row.count(" to ") == 2) == is_shown
    assert ("The ratings are based on few clips. From 3 clips;" in text) != is_shown
    assert ("the true correlation may lie anywhere" in text) == is_shown


def test_the_ratings_that_it_is_held_against_can_be_chosen(project, rated, rita):
    computed(project)
    text = page(rita, project)
    assert "Only the caption length of these models is known." in text
    assert 'aria-current="page">With Bradley–Terry</a>' in text
    assert 'aria-current="page">With Elo</a>' in page(rita, project, of="elo")
    assert 'aria-current="page">With Bradley–Terry</a>' in page(rita, project, of="no such")


def test_it_says_when_a_metric_has_changed_since(project, rated, rita):
    computed(project)
    assert "have changed since" not in page(rita, project)
    overlap(project, rated.systems.first().caption_set, meteor=12.5)
    assert "have changed since" in page(rita, project)
    computed(project)
    assert "have changed since" not in page(rita, project)


def test_each_round_has_its_own(project, rated, clips, rita):
    computed(project)
    end_round(round=rated, admin=None)
    later = start_round(project, clips, ("Egret", "Godwit"))
    url = reverse("review:report_page", args=[project.slug, "correlation", later.pk])
    assert "No ratings yet" in client_of(rita).get(url).text
    assert "Avocet" in page(rita, project)
    cast(later, "Egret", "Godwit", "left", "R1", clips[0])
    leaderboard_of(later)
    computed(project)
    text = page(rita, project)
    assert "Egret" in text
    assert "Avocet" not in text
    assert "needs at least 3 models; there are 2" in text
    assert f'href="{url}?of=elo"' in page(rita, project, of="elo")


def test_a_simulated_round_says_so(project, rated, rita):
    project.is_simulated = True
    project.save()
    computed(project)
    assert "<strong>Simulated.</strong>" in page(rita, project)


def test_three_models_take_as_many_queries_as_one_metric_more(project, clips, rita):
    def queries(round) -> int:
        leaderboard_of(round)
        computed(project)
        client = client_of(rita)
        url = reverse("review:report_page", args=[project.slug, "correlation"])
        client.get(url)
        with count_queries() as count:
            client.get(url)
        return int(count)

    round = start_round(project, clips, ("Egret", "Godwit"))
    cast(round, "Egret", "Godwit", "left", "R1", clips[0])
    few = queries(round)
    end_round(round=round, admin=None)
    round = start_round(project, clips, NAMES)
    for system in round.systems.all():
        overlap(project, system.caption_set, bleu4=1.0, meteor=2.0)
    for left, right in ((A, B), (B, C), (C, D)):
        cast(round, left, right, "left", "R1", clips[0])
    assert queries(round) == few
