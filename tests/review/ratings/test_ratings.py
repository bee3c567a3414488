"""The report of a study's ratings."""

import pytest

from metrics.ratings import summarize_ratings
from review.ratings.report import ratings_inputs
from review.reports.models import Report
from review.reports.services import recompute
from tests.cast import make_person
from tests.review.ratings.rating import describe, hold_rating, make_examples, open_study, rate
from tests.review.reports.computing import compute_as_asked

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(project, anna, rita):
    """Two clips and a whole video, each to be rated by Anna and by Rita."""
    make_examples(project)
    describe(project, 2, 1)
    return open_study(project, 2, 1, people=2)


def captions_of(study):
    rows = study.captions.select_related("caption").order_by("caption")
    return [row.caption for row in rows]


def rate_all(study, person, *values):
    for caption, value in zip(captions_of(study), values, strict=True):
        rate(hold_rating(person, caption), value)


def test_the_report_has_the_metrics_of_all_captions_and_by_kind(project, study, anna, rita):
    rate_all(study, anna, 5, 4, 1)
    rate_all(study, rita, 4, 4, 0)
    [report] = recompute(project=project, name="ratings")
    first, second, whole = (caption.pk for caption in captions_of(study))
    expected = summarize_ratings(
        [
            *((anna.pk, first, 5), (rita.pk, first, 4)),
            *((anna.pk, second, 4), (rita.pk, second, 4)),
            *((anna.pk, whole, 1), (rita.pk, whole, 0)),
        ]
    )
    summary = report.result["all"]
    assert (summary["n_ratings"], summary["n_captions"], summary["n_raters"]) == (6, 3, 2)
    assert (summary["mean"], summary["low"], summary["high"]) == (
        expected.mean,
        expected.low,
        expected.high,
    )
    assert list(summary["histogram"]) == [1, 1, 0, 0, 3, 1]
    assert summary["high_share"] == 4 / 6
    assert report.result["clips"]["mean"] == 4.25
    assert report.result["videos"]["mean"] == 0.5
    assert {row["rater"]: row["shift"] for row in summary["raters"]} == pytest.approx(
        {anna.pk: 2 / 3, rita.pk: -2 / 3}
    )
    assert summary["kappa"]["value"] == pytest.approx(1 - 6 / 62)
    assert 0.7 < summary["alpha"]["value"] < 1
    assert report.result["videos"]["kappa"]["value"] is not None


def test_undefined_numbers_have_a_reason(project, study, anna):
    rate(hold_rating(anna, captions_of(study)[0]), 4)
    [report] = recompute(project=project, name="ratings")
    summary = report.result["all"]
    assert summary["kappa"]["value"] is None
    assert summary["kappa"]["reason"] != ""
    assert summary["raters"][0]["reason"] == "Nobody else has rated the same captions."
    assert report.result["videos"]["reason"] == "There are no ratings yet."


def test_the_signature_says_how_it_was_made(project, study, anna):
    rate(hold_rating(anna, captions_of(study)[0]), 4)
    [report] = recompute(project=project, name="ratings")
    assert report.subject == str(study.pk)
    assert report.signature == (
        f"ratings|study:{study.pk}|captions:1|raters:1|people:2|kappa:quadratic|alpha:ordinal|"
        f"bootstrap:1000|labels:1|seed:0|method:{report.code_version}|"
        f"inputs:{report.inputs_hash[:8]}"
    )


def test_it_is_recomputed_only_when_ratings_have_come_in(project, study, anna, rita):
    assert list(ratings_inputs(project)) == []
    rate_all(study, anna, 5, 4, 1)
    compute_as_asked(project, "ratings")
    compute_as_asked(project, "ratings")
    assert Report.objects.count() == 1
    rate_all(study, rita, 5, 5, 5)
    compute_as_asked(project, "ratings")
    assert list(Report.objects.values_list("inputs", flat=True)) == [6, 3]


def test_each_study_has_its_own(project, study, anna, rita):
    rate_all(study, anna, 5, 4, 1)
    rate_all(study, rita, 5, 4, 1)
    describe(project, 1)
    ben = make_person("Ben", project, "annotator")
    second = open_study(project, 1)
    rate_all(second, ben, 2)
    reports = recompute(project=project, name="ratings")
    assert [(report.subject, report.inputs) for report in reports] == [
        (str(study.pk), 6),
        (str(second.pk), 1),
    ]
