"""The page Identification: the running test, and the results of the newest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from annotate.access import UserRequest
from annotate.models import Membership, Project
from review.identification import NAME
from review.identification.access import with_texts_to_identify
from review.identification.computing import Identification
from review.identification.forms import StartForm
from review.identification.models import IdentifiedClip
from review.identification.queries import groups_to_test, last_test
from review.identification.report import KIND, PickParameters, identification_inputs
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.queries import Request
from review.reports.results import parameters_of, result_of


class IdentificationPage(ReportPage[None]):
    key = "identification"
    title = "Identification"
    template = "review/identification/identification.html"
    kinds = (KIND,)
    admins_recompute = True
    due_words = "There are new picks. A worker will count them."
    asks_when_due = True

    def reader(self, request: UserRequest, slug: str) -> Membership:
        return with_texts_to_identify(super().reader(request, slug))

    def recomputer(self, request: UserRequest, slug: str) -> Membership:
        return with_texts_to_identify(super().recomputer(request, slug))

    def context(
        self, membership: Membership, query: QueryDict, subject: None = None
    ) -> dict[str, Any]:
        return identification_context(membership, StartForm(auto_id="start-%s"), self)

    def is_due(self, project: Project, requests: Mapping[str, Request]) -> bool:
        """Return whether clips were picked since they were counted."""
        return _is_due(project, Report.objects.newest(project, NAME).first())


def identification_context(
    membership: Membership, form: StartForm, page: IdentificationPage
) -> dict[str, Any]:
    """Return the page's context. The results of a running test are hidden from those who could
    still be asked, because they name clips that were confused."""
    project = membership.project
    test = last_test(project)
    newest = Report.objects.newest(project, NAME).first()
    is_of_test = newest and test and parameters_of(newest, PickParameters).test == test.pk
    report = newest if is_of_test else None
    works = membership.is_annotator or membership.is_expert or membership.is_reviewer
    is_running = test is not None and test.ended_at is None
    is_hidden = is_running and works
    may_start = membership.is_admin and not is_running
    return {
        "membership": membership,
        "project": project,
        "test": test,
        "is_running": is_running,
        "texts": test.texts.count() if test else 0,
        "picked": _texts_with_picks(test.pk) if test else 0,
        "form": form,
        "may_start": may_start,
        "testable": sum(map(len, groups_to_test(project))) if may_start else 0,
        "is_hidden": is_hidden,
        "report": None if is_hidden else report,
        "result": result_of(report, Identification) if report and not is_hidden else None,
        "state": page.state(project, is_due=_is_due(project, newest)),
    }


def _texts_with_picks(test: int) -> int:
    picks = IdentifiedClip.objects.filter(task__text__test=test)
    return picks.order_by().values("task__text").distinct().count()


def _is_due(project: Project, report: Report | None) -> bool:
    inputs = next(iter(identification_inputs(project)), None)
    return inputs is not None and (report is None or report.inputs_hash != inputs.hash)
