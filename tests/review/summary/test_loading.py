"""Which stored reports a recomputation would not give again."""

import pytest

from review.reports.services import recompute
from review.summary import loading
from review.summary.loading import load
from tests.cast import make_clip
from tests.review.capst.capst_runs import (
    PREDICTION,
    described_clip,
    judge,
    predictions,
    start,
    word_overlap,
)
from tests.review.comparisons.comparing import start_round
from tests.review.comparisons.rounds import cast, leaderboard_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("counted_one_by_one"),
]


@pytest.fixture
def capst(project):
    """Of two clips, Household both."""
    clips = [described_clip(project) for _ in range(2)]
    captions = predictions(project, "Model A", dict.fromkeys(clips, PREDICTION))
    judge(run=start(project, captions, word_overlap(project)))
    return recompute(project=project, name="capst")[0]


@pytest.fixture
def ratings(project, rita):
    """Of a vote on each of two clips."""
    clips = [make_clip(project) for _ in range(2)]
    round = start_round(project, clips, ("Avocet", "Bittern"))
    for clip in clips:
        cast(round, "Avocet", "Bittern", "left", rita, clip)
    return leaderboard_of(round)


@pytest.mark.parametrize("name", ["capst", "ratings"])
def test_a_report_is_old_once_its_clips_have_another_category(name, project, request):
    report = request.getfixturevalue(name)
    assert load(project).old == set()
    project.videos.update(category="Moved")
    assert load(project).old == {report.pk}
    [again] = recompute(project=project, name=report.name)
    assert again.pk != report.pk
    assert load(project).old == set()


@pytest.mark.parametrize("name", ["capst", "ratings"])
def test_a_report_is_not_old_for_clips_that_it_is_not_about(name, project, request):
    request.getfixturevalue(name)
    make_clip(project, category="New")
    assert load(project).old == set()


@pytest.mark.parametrize(
    ("name", "method"), [("capst", "CAPST_METHOD"), ("ratings", "LEADERBOARD_METHOD")]
)
def test_a_report_is_old_once_it_is_computed_otherwise(name, method, project, request, monkeypatch):
    report = request.getfixturevalue(name)
    monkeypatch.setattr(loading, method, "another way 2")
    assert load(project).old == {report.pk}
