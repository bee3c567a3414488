"""That numbers rest on few clips is said on every page of recall, and of a report."""

from copy import deepcopy

import pytest

from review.reports.models import Report
from review.reports.services import recompute
from review.reports.small_samples import NO_BEST, TOO_FEW
from tests.cast import client_of
from tests.review.reports.addresses import address
from tests.review.retrieval.vectors import report_of, three_clips
from tests.review.summary.metric_rows import stored

pytestmark = pytest.mark.django_db

NUMBERS = "Only 3 clips: the numbers say little."
INTERVALS = "Only 3 clips: the numbers say little, and an interval needs at least 10."


def page_of(person, project, name, *args) -> str:
    return client_of(person).get(address(name, project, *args)).text


def of_many_clips(project, report: Report) -> Report:
    """A newer report, of a hundred clips; what is stored is never changed."""
    result = deepcopy(report.result)
    if report.name == "rebias":
        result["n_videos"] = 100
    for ways in result.get("kinds", {}).values() if report.name == "recall" else ():
        ways["v2t"]["n_queries"] = ways["t2v"]["n_gallery"] = 100
    stored(project, report.name, report.subject, result, parameters=report.parameters)
    return Report.objects.filter(name=report.name).latest("pk")


def test_recall_and_rebias_of_few_clips_say_so(project, rita):
    three_clips(project)
    recall = report_of(project)
    [rebias] = recompute(project=project, name="rebias")
    page = page_of(rita, project, "recall")
    sections = page.count('class="section recall-section"')
    assert sections == page.count(f"{NUMBERS} {NO_BEST}") > 0
    assert TOO_FEW not in page  # the warning has said so
    text = page_of(rita, project, "recall_model", recall.pk)
    assert (text.count(NUMBERS), text.count(INTERVALS)) == (1, 1)
    assert NUMBERS in page_of(rita, project, "reports", recall.pk)
    assert INTERVALS in page_of(rita, project, "reports", rebias.pk)


def test_of_many_clips_nothing_is_said(project, rita):
    three_clips(project)
    recall = of_many_clips(project, report_of(project))
    [made] = recompute(project=project, name="rebias")
    rebias = of_many_clips(project, made)
    for page in (
        ("recall",), ("recall_model", recall.pk), ("reports", recall.pk), ("reports", rebias.pk)
    ):  # fmt: skip
        assert "say little" not in page_of(rita, project, *page)
