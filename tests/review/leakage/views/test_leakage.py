"""The page Leakage."""

import pytest

from review.reports.models import Report
from review.reports.services import recompute
from tests.cast import client_of
from tests.review.capst.capst_runs import caption, described_clip, judge, start, word_overlap
from tests.review.reports.addresses import address
from tests.review.summary.metric_rows import stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def clip(project):
    return described_clip(project)


def page_of(person, project) -> str:
    response = client_of(person).get(address("leakage", project))
    assert response.status_code == 200
    return response.content.decode()


def test_without_elements_it_says_what_to_do(project, rita):
    assert "Nothing counted yet" in page_of(rita, project)


def test_it_has_the_means_and_the_clips_with_the_most(project, clip, rita):
    judge(run=start(project, None, word_overlap(project)))
    recompute(project=project, name="leakage")
    page = page_of(rita, project)
    assert clip.name in page
    assert "leakage|extractor:word-overlap 1|" in page
    assert "Recompute to update the numbers" not in page


def test_a_newer_caption_is_told(project, clip, rita):
    judge(run=start(project, None, word_overlap(project)))
    recompute(project=project, name="leakage")
    caption(clip, "temporal", "Another.")
    assert "Recompute to update the numbers" in page_of(rita, project)


def test_few_clips_have_no_interval(project, rita):
    described_clip(project)
    described_clip(project)
    judge(run=start(project, None, word_overlap(project)))
    recompute(project=project, name="leakage")
    assert "Only 2 clips: the numbers say little" in page_of(rita, project)
    assert "<dt>95&nbsp;%</dt>" not in page_of(rita, project)
    report = Report.objects.get(name="leakage")
    result = report.result | {"n_both": 10}
    stored(project, report.name, report.subject, result, parameters=report.parameters)
    page = page_of(rita, project)
    assert "say little" not in page
    assert "<dt>95&nbsp;%</dt>" in page
