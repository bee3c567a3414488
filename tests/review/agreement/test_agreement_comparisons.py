"""How far people agree about which caption is better, whatever its side."""

import pytest
from sklearn.metrics import cohen_kappa_score

from metrics.intervals import wilson_interval
from review.comparisons.agreement import turned
from review.comparisons.models import SystemCaption
from review.reports.services import recompute
from tests.review.agreement.agreeing import correct, open_round, vote

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(project):
    return open_round(project, 4)


def result_of(project) -> dict:
    [report] = recompute(project=project, name="agreement")
    assert report.subject == "comparisons"
    return report.result


def measured(result: dict) -> dict[str, dict]:
    return {measure["measure"]: measure for measure in result["questions"][0]["measures"]}


def share(result: dict, name: str) -> tuple:
    [entry] = [entry for entry in result["shares"] if entry["name"] == name]
    return entry["count"], entry["of"], (entry["low"], entry["high"])


@pytest.mark.parametrize(
    ("outcome", "first_left", "about"),
    [
        ("left", True, "first"),
        ("left", False, "second"),
        ("right", True, "second"),
        ("right", False, "first"),
        ("tie", False, "tie"),
        ("both_bad", True, "both_bad"),
    ],
)
def test_an_outcome_names_the_caption_and_not_the_side(outcome, first_left, about):
    assert turned(outcome, first_left) == about


def test_people_who_saw_the_sides_swapped_agree_about_the_caption(project, pair, anna, rita):
    vote(pair, 0, anna, "left")
    vote(pair, 0, rita, "right", first_left=False)
    vote(pair, 1, anna, "left")
    vote(pair, 1, rita, "left", first_left=False)
    vote(pair, 2, anna, "tie")
    vote(pair, 2, rita, "tie", first_left=False)
    by_measure = measured(result_of(project))
    assert by_measure["percent_agreement"]["value"] == pytest.approx(2 / 3)
    assert by_measure["mean_pairwise_kappa"]["value"] == pytest.approx(
        cohen_kappa_score(["first", "first", "tie"], ["first", "second", "tie"])
    )


def test_the_same_clip_in_another_round_is_another_unit(project, pair, anna, rita):
    other = open_round(project, 1)
    vote(pair, 0, anna, "left")
    vote(other, 0, rita, "left")
    agreement = measured(result_of(project))["percent_agreement"]
    assert (agreement["n_units"], agreement["reason"]) == (
        0,
        "No two people have labeled the same thing.",
    )


def test_only_current_votes_count(project, pair, anna, rita):
    before = vote(pair, 0, anna, "left")
    vote(pair, 0, rita, "right")
    assert measured(result_of(project))["percent_agreement"]["value"] == 0
    correct(before, "right")
    result = result_of(project)
    assert measured(result)["percent_agreement"]["value"] == 1
    assert result["questions"][0]["n_labels"] == 2
    assert share(result, "left")[:2] == (0, 2)


def test_a_repeat_is_compared_with_the_same_persons_vote_only(project, pair, anna, rita):
    first = vote(pair, 0, anna, "left")
    second = vote(pair, 1, anna, "left")
    vote(pair, 0, rita, "left")
    vote(pair, 0, anna, "right", first_left=False, repeat_of=first)
    vote(pair, 1, anna, "left", first_left=False, repeat_of=second)
    result = result_of(project)
    assert share(result, "repeats") == (1, 2, pytest.approx(wilson_interval(1, 2)))
    assert measured(result)["percent_agreement"]["n_labels"] == 2
    assert result["questions"][0]["n_labels"] == 3


def test_a_repeat_is_compared_with_the_corrected_vote(project, pair, anna):
    first = vote(pair, 0, anna, "left")
    vote(pair, 0, anna, "left", first_left=False, repeat_of=first)
    assert share(result_of(project), "repeats")[:2] == (0, 1)
    correct(first, "right")
    assert share(result_of(project), "repeats")[:2] == (1, 1)


def test_the_share_of_the_left_side_counts_decided_votes(project, pair, anna):
    for place, outcome in enumerate(["left", "left", "right", "tie"]):
        vote(pair, place, anna, outcome)
    assert share(result_of(project), "left") == (2, 3, pytest.approx(wilson_interval(2, 3)))


def test_without_repeats_or_decided_votes_it_says_why(project, pair, anna):
    vote(pair, 0, anna, "both_bad")
    shares = {entry["name"]: entry for entry in result_of(project)["shares"]}
    assert {name: (entry["value"], entry["reason"]) for name, entry in shares.items()} == {
        "repeats": (None, "Nobody has voted on the same two captions twice."),
        "left": (None, "No vote prefers a side."),
    }


def test_a_caption_that_names_its_model_counts_nowhere(project, pair, anna, rita):
    vote(pair, 0, anna, "left")
    vote(pair, 1, anna, "left")
    telling_caption = SystemCaption.objects.filter(system=pair.first).order_by("clip")[0]
    SystemCaption.objects.filter(pk=telling_caption.pk).update(names_its_model="Model A")
    result = result_of(project)
    assert result["questions"][0]["n_labels"] == 1
    assert share(result, "left")[:2] == (1, 1)


def test_an_imported_label_is_a_rater_whose_newest_vote_counts(project, pair, anna):
    vote(pair, 0, anna, "left")
    vote(pair, 0, "Team 1", "right")
    vote(pair, 0, "Team 1", "left")
    result = result_of(project)
    assert result["questions"][0]["raters"] == [f"user:{anna.pk}", "label:Team 1"]
    assert measured(result)["percent_agreement"]["value"] == 1
