"""The simulated round as it is loaded: ended, named so, with ratings and something for each page
that compares models."""

import pytest

from annotate.models import Caption, User, WorkItem
from fixtures.simulated_round import MODELS, NAMED, NAMED_CLIPS, RATINGS, REVIEWERS
from fixtures.simulated_study import FRAMES, simulate
from review.captions.models import CaptionSet
from review.comparisons.models import (
    CaptionPair,
    Round,
    SystemCaption,
    SystemPair,
    Vote,
)
from review.management.simulated_round import load_simulated_round
from review.reports.models import Report
from tests.cast import join, make_clip, make_person, make_project, make_video
from tests.review.comparisons.rounds import by_name
from tests.review.reports.computing import due_reports
from tests.shared_world import kept_for_the_module

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
CLIPS, VOTES = 60, 1500


@pytest.fixture(scope="module")
def loaded(django_db_setup, django_db_blocker):
    with kept_for_the_module(django_db_blocker):
        project = make_project(protocol="lovr", is_simulated=True)
        ada = make_person("Ada", project, "admin", "annotator")
        make_clips(project)
        load_simulated_round(project=project, admin=ada, votes=VOTES)
        yield


def make_clips(project):
    """Store some of the clips that the study cuts."""
    video = make_video(project, frames=FRAMES, category="Household Activities")
    for simulated in simulate(CLIPS):
        make_clip(
            project, video=video, start_frame=simulated.start_frame, end_frame=simulated.end_frame
        )


@pytest.fixture
def ada(loaded, db):
    return User.objects.get()


@pytest.fixture
def round(loaded, db):
    return Round.objects.get()


def test_it_has_ended_and_asks_nobody(round):
    assert round.ended_at
    assert not WorkItem.objects.filter(kind="compare").exists()
    assert Vote.objects.count() == VOTES
    assert round.clips.count() == CLIPS
    hidden = SystemCaption.objects.exclude(names_its_model="")
    assert {caption.system.name for caption in hidden} == {NAMED}
    assert hidden.count() == NAMED_CLIPS


def test_everything_it_stores_is_named_simulated(round, ada):
    assert list(CaptionSet.objects.values_list("name", flat=True)) == list(MODELS)
    predictions = Caption.objects.filter(kind=Caption.Kind.PREDICTION)
    assert {caption.written_by for caption in predictions} == set(MODELS)
    assert set(CaptionPair.objects.values_list("reviewer", "label")) == {
        (None, name) for name in REVIEWERS
    }
    assert not Vote.objects.exclude(assignment=None).exists()
    assert User.objects.get() == ada
    report = Report.objects.get(name="leaderboard")
    assert report.signature.startswith("leaderboard|simulated|round:")


def test_the_votes_are_counted_by_the_rules(round):
    report = Report.objects.get(name="leaderboard")
    filtered = {why: len(keys) for why, keys in report.result["filtered"].items()}
    assert filtered["changed"] == Vote.objects.exclude(corrects=None).count() > 0
    assert filtered["repeat"] > 20
    assert filtered["both_bad"] == 0
    assert report.inputs == VOTES - sum(filtered.values())
    ratings = by_name(report.result["bradley_terry"]["ratings"])
    low, high = (by_name(report.result["bradley_terry"][end]) for end in ("low", "high"))
    assert set(ratings) == set(RATINGS)
    assert sum(low[name] < RATINGS[name] < high[name] for name in RATINGS) >= 5


def test_the_counters_of_the_pairs_are_those_of_its_votes(round):
    for pair in SystemPair.objects.filter(round=round):
        first = CaptionPair.objects.filter(pair=pair, repeat_of=None)
        votes = Vote.objects.current().filter(caption_pair__in=first)
        points = sum(
            0.5
            if vote.outcome in ("tie", "both_bad")
            else (vote.outcome == "left") == (vote.caption_pair.left.system_id == pair.first_id)
            for vote in votes.select_related("caption_pair__left")
        )
        assert (pair.given, pair.decided) == (len(first), len(votes))
        assert pair.first_left == first.filter(left__system=pair.first_id).count()
        assert pair.first_points == points


def test_the_other_reports_are_asked_for_once_it_is_stored(ada, django_capture_on_commit_callbacks):
    project = make_project("Others", protocol="lovr", is_simulated=True)
    join(project, ada, "admin")
    make_clips(project)
    with django_capture_on_commit_callbacks(execute=True):
        load_simulated_round(project=project, admin=ada, votes=100)
    assert set(due_reports(project)) == {"overlap", "correlation", "agreement"}


def test_loading_it_again_changes_nothing(round, ada):
    def rows():
        models = (Caption, CaptionSet, Round, CaptionPair, Vote, Report)
        return [model.objects.count() for model in models]

    before = rows()
    load_simulated_round(project=round.project, admin=ada)
    assert rows() == before
