"""A report of a test's own gets its page and files without a line elsewhere."""

import csv
import io
import json
from dataclasses import dataclass

import pytest

from annotate.models import Project
from review.reports.cells import Cell, Column, Row
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.page import PAGES, ReportPage
from review.reports.registry import REPORTS, ReportKind
from review.reports.results import result_of
from review.reports.services import recompute
from review.reports.tables import Section, Table
from tests.cast import client_of, make_clip
from tests.review.reports.addresses import address

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Lengths:
    seconds: float


def inputs_of(project):
    milliseconds = list(project.clips.values_list("duration_ms", flat=True))
    yield Inputs(
        subject="",
        method="test 1",
        parameters=Lengths(0.0),
        labels=milliseconds,
        count=len(milliseconds),
        compute=lambda: Lengths(sum(milliseconds) / 1000),
    )


KIND = ReportKind("lengths", "Lengths of clips", inputs_of, Lengths)


class LengthsPage(ReportPage[None]):
    key = "lengths"
    title = "Lengths"
    kinds = (KIND,)

    def sections(self, membership, query, subject):
        return [
            Section(
                key="seconds",
                title="Seconds",
                paper="",
                unit="Seconds of all clips.",
                lead="total",
                table=Table(
                    (Column("total", "Total"),),
                    (Row("Clips", "", (Cell(result_of(report, Lengths).seconds, report),)),),
                ),
            )
            for report in Report.objects.newest(membership.project, KIND.name)
        ]


@pytest.fixture
def page(monkeypatch):
    monkeypatch.setitem(REPORTS, KIND.name, KIND)
    monkeypatch.setitem(PAGES, LengthsPage.key, LengthsPage())


def test_it_has_a_page_and_files(page, project: Project, rita):
    client = client_of(rita)
    assert "Total" not in client.get(address("lengths", project)).text
    make_clip(project)
    [report] = recompute(project=project, name="lengths")
    seconds = result_of(report, Lengths).seconds

    text = client.get(address("lengths", project)).text
    assert f"{seconds:.1f}" in text
    files = {
        ending: client.get(address(f"lengths:seconds.{ending}", project)).text
        for ending in ("csv", "json", "tex")
    }
    assert all(address(f"lengths:seconds.{ending}", project) in text for ending in files)
    [row] = csv.DictReader(io.StringIO(files["csv"]))
    assert (row["model"], float(row["total"])) == ("Clips", seconds)
    assert row["lengths_signature"] == report.signature
    [model] = json.loads(files["json"])["models"]
    assert model["numbers"]["total"]["value"] == seconds
    assert rf"Clips & {seconds:.1f} \\" in files["tex"]


def test_the_page_of_one_report_leads_to_it(page, project: Project, rita):
    [report] = recompute(project=project, name="lengths")
    text = client_of(rita).get(address("reports", project, report.pk)).text
    assert "Lengths of clips" in text
    assert f'<a href="{address("lengths", project)}">Lengths</a>' in text
