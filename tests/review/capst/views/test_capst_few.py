"""The pages say where clips are few or numbers rest on different clips, and call none the best."""

from copy import deepcopy

import pytest

from review.reports.models import Report
from review.reports.services import recompute
from tests.cast import client_of
from tests.review.capst.capst_runs import (
    PREDICTION,
    described_clip,
    judge,
    predictions,
    start,
    word_overlap,
)
from tests.review.reports.addresses import address
from tests.review.summary.metric_rows import capst_of, stored

pytestmark = pytest.mark.django_db
ONLY_TWO = "Only 2 clips: the numbers say little, and an interval needs at least 10."


def page_of(person, project, name="capst") -> str:
    return client_of(person).get(address(name, project)).text


def judged_report(project, texts):
    captions = predictions(project, "Model A", {described_clip(project): text for text in texts})
    judge(run=start(project, captions, word_overlap(project)))
    return recompute(project=project, name="capst")[0]


def store_newer_report(project, report: Report, result: dict) -> None:
    """Store a newer report with this result; a stored report never changes."""
    stored(project, report.name, report.subject, result, parameters=report.parameters)


def set_clip_counts(project, report: Report, kinds: list[str], **clips: int) -> None:
    result = deepcopy(report.result)
    for kind in kinds:
        for part, n in clips.items():
            result[kind][part]["n"] = n
    store_newer_report(project, report, result)


def test_a_table_of_few_clips_says_so(project, rita):
    report = judged_report(project, [PREDICTION, PREDICTION])
    assert page_of(rita, project).count(ONLY_TWO) == 2
    set_clip_counts(project, report, ["events", "objects"], recall=10, precision=10)
    assert "say little" not in page_of(rita, project)


def test_a_table_of_few_clips_has_no_interval(project, rita):
    report = judged_report(project, [PREDICTION, PREDICTION])
    assert report.result["events"]["f1"]["low"] is not None
    text = page_of(rita, project)
    assert text.count('data-label="95&nbsp;%">–</td>') == 2
    assert '<rect class="band"' not in text
    set_clip_counts(project, report, ["events", "objects"], recall=10, precision=10)
    text = page_of(rita, project)
    assert 'data-label="95&nbsp;%">–</td>' not in text
    assert text.count('<rect class="band"') == 2


def test_a_table_names_who_found_the_elements_and_who_judged(project, rita):
    report = judged_report(project, [PREDICTION])
    statement = "Elements by word-overlap 1, judged by word-overlap 1."
    page = page_of(rita, project)
    assert page.count(statement) == 2
    result, parameters = report.result, report.parameters | {"judge": "another judge"}
    stored(project, "capst", f"{report.subject}:2", result, parameters=parameters)
    page = page_of(rita, project)
    assert statement not in page
    for by in ("word-overlap 1", "another judge"):
        # In the warning that the numbers are not comparable, and in the row of each table.
        assert page.count(f"elements by word-overlap 1, judged by {by}<") == 3


def test_each_number_says_how_many_clips_it_rests_on_where_they_differ(project, rita):
    # The second text has no event, so that precision leaves it out.
    report = judged_report(project, [PREDICTION, "A kitchen."])
    events, objects = report.result["events"], report.result["objects"]
    assert (events["recall"]["n"], events["precision"]["n"]) == (2, 1)
    assert (objects["recall"]["n"], objects["precision"]["n"]) == (2, 2)
    page = page_of(rita, project)
    tables = {kind: page.partition(f'id="title-{kind}"')[2].partition("</section>")[0]
              for kind in ("events", "objects")}  # fmt: skip
    assert tables["events"].count("2 / 1 clips</div>") == 2  # its category, and overall
    assert '<td class="num" data-label="Clips">2 / 1</td>' in tables["events"]
    assert "Some numbers are based on 1 clip only" in tables["events"]
    assert "clips</div>" not in tables["objects"]
    assert '<td class="num" data-label="Clips">2</td>' in tables["objects"]
    assert "Only 2 clips" in tables["objects"]


def test_metrics_name_numbers_of_fewer_clips_and_call_none_the_best(project, rita):
    first = capst_of(project, "A", 0.1, 0.1)
    capst_of(project, "B", 0.8, 0.9)
    page = page_of(rita, project, "metrics")
    assert page.count('class="metric best"') == 6
    assert "Some numbers are not based on all clips" not in page
    set_clip_counts(project, first, ["events"], precision=1)
    page = page_of(rita, project, "metrics")
    assert "Some numbers are not based on all clips. A: recall 12, precision 1 of 12." in page
    # Precision and F1 of events have no best any more; recall has, and objects.
    assert page.count('class="metric best"') == 4
