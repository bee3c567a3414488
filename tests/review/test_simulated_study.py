"""The simulated study as it is loaded: named so, with the planted threshold in its report, and
something left for a newcomer to do."""

import pytest

from annotate.models import Assignment, Caption, Clip, User, WorkItem
from annotate.queue.services import claim_next
from annotate.text.sentences import split_sentences
from fixtures.simulated_round import MODELS
from fixtures.simulated_study import FRAMES, NOTICES, THRESHOLD
from inference.models import InferenceRun, QualityScore
from review.management.simulated_ratings import DRAWN, REMARK, UNRATED, rate_simulated
from review.management.simulated_round import load_simulated_round
from review.management.simulated_study import (
    CAPTIONER,
    SCORER,
    accept_study_corrections,
    load_simulated_study,
)
from review.ratings.models import Rating
from review.reports.models import Report
from review.reports.services import recompute
from review.studies.models import Study
from review.threshold.services import adopt
from review.verification.models import Verification
from tests.cast import make_person, make_project, make_video
from tests.review.verification.verifying import verify
from tests.shared_world import kept_for_the_module

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture(scope="module")
def loaded(django_db_setup, django_db_blocker):
    with kept_for_the_module(django_db_blocker):
        project = make_project(protocol="lovr", is_simulated=True)
        ada = make_person("Ada", project, "admin", "annotator", "reviewer")
        make_video(project, frames=FRAMES)
        load_simulated_study(project=project, admin=ada)
        yield


@pytest.fixture
def ada(loaded, db):
    return User.objects.get()


@pytest.fixture
def study(loaded, db):
    """The study of 500 captions, which have been judged."""
    return Study.objects.earliest("pk")


def rows():
    models = (Clip, Caption, QualityScore, InferenceRun, Study, Verification, Report, WorkItem)
    return [model.objects.count() for model in models]


def test_three_people_have_judged_five_hundred_captions(study):
    assert (study.captions.count(), study.people, study.strata) == (500, 3, 10)
    judged = Verification.objects.filter(caption__studies__study=study)
    assert judged.count() == Verification.objects.count() == 1500
    per_person = {label: judged.filter(label=label).count() for label in NOTICES}
    assert per_person == dict.fromkeys(NOTICES, 500)


def test_the_report_finds_the_planted_threshold(study):
    report = Report.objects.get(project=study.project)
    change_point = report.result["per_type"]["rules"]["change_point"]
    assert change_point["low"] <= THRESHOLD <= change_point["high"]
    assert 0.02 < change_point["high"] - change_point["low"] < 0.06
    assert len(report.result["points"]) == 500


def test_everything_it_stores_is_named_simulated(study):
    made = [caption.written_by for caption in Caption.objects.all()]
    assert {name.split()[0] for name in made} == {"Simulated"}
    assert set(QualityScore.objects.values_list("scorer_name", flat=True)) == {SCORER}
    assert {s.scorer_name for s in Study.objects.all()} == {SCORER}
    assert {run.recipe["options"]["made_up_by"] for run in InferenceRun.objects.all()} == {
        CAPTIONER,
        SCORER,
    }
    assert Report.objects.get().signature.startswith("threshold|simulated|")


def test_nobody_of_this_project_is_named_for_made_up_work(study):
    assert not Verification.objects.exclude(reviewer=None, assignment=None).exists()
    assert not InferenceRun.objects.exclude(model=None, created_by=None).exists()
    assert User.objects.get().name == "Ada"


def test_loading_it_again_changes_nothing(study, ada):
    before = rows()
    load_simulated_study(project=study.project, admin=ada)
    assert rows() == before


def test_a_newcomers_verification_moves_the_report(study):
    anna = make_person("Anna", study.project, "annotator")
    held = claim_next(membership=anna.memberships.get(), kind="verify")
    caption = Caption.objects.get(pk=held.item.subject)
    ok = {f"verdict-{n}": "ok" for n in range(len(split_sentences(caption.text)))}
    verify(held, caption, ok | {"theme": "ok"})
    [report] = recompute(project=study.project, name="threshold")
    assert len(report.result["points"]) == 501
    assert Report.objects.count() == 2


def test_adopting_a_threshold_hands_out_unjudged_captions(study, ada):
    scorer = study.scorer
    _, handed = adopt(
        project=study.project, scorer=scorer, value=THRESHOLD, admin=ada, hand_out=True
    )
    assert 10 < handed.opened < 60


def test_its_captions_are_rated_after_a_training(study, ada):
    raters = [make_person(name, study.project, "annotator") for name in ("Anna", "Ben", "Rita")]
    rate_simulated(project=study.project, raters=raters, admin=ada)
    ratings = Rating.objects.all()
    assert ratings.count() == 2 * (DRAWN - UNRATED)
    assert set(ratings.values_list("remark", flat=True)) == {REMARK}
    assert len(set(ratings.values_list("value", flat=True))) >= 4
    assert WorkItem.objects.filter(kind="rate", state="open").count() == UNRATED
    assert not Assignment.objects.filter(item__kind="rate").exclude(state="submitted").exists()
    rate_simulated(project=study.project, raters=raters, admin=ada)
    assert ratings.count() == 2 * (DRAWN - UNRATED)


def test_the_overlap_and_the_correlation_of_a_round_can_be_computed_over_it(study, ada):
    project = study.project
    accept_study_corrections(project=project, admin=ada)
    load_simulated_round(project=project, admin=ada, votes=100)
    overlaps = recompute(project=project, name="overlap")
    assert len(overlaps) == len(MODELS)
    # Where no error was planted nobody has corrected anything.
    [compared] = {report.result["n"] for report in overlaps}
    assert 250 < compared < 500
    [correlation] = recompute(project=project, name="correlation")
    metrics = {metric["key"]: metric for metric in correlation.result["metrics"]}
    assert list(metrics) == ["bleu4", "meteor", "rouge_l", "cider", "words"]
    assert metrics["words"]["elo"]["pearson"]["n"] == 6
