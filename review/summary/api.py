"""The API of reports: numbers computed from the stored labels."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.api.rows import RowSerializer
from review import access
from review.reports.access import any_report
from review.reports.files import FILE_TYPES
from review.reports.models import Report
from review.reports.page import PAGES, page_of
from review.reports.registry import REPORTS
from review.reports.services import ask_to_recompute
from review.reports.views import download

TAG = "Reports"


class ReportLineSerializer(RowSerializer[Report]):
    class Meta:
        model = Report
        fields: tuple[str, ...] = (
            *("id", "name", "subject", "inputs", "inputs_hash", "seed", "code_version"),
            *("signature", "created_at"),
        )


class ReportSerializer(ReportLineSerializer):
    class Meta(ReportLineSerializer.Meta):
        fields: tuple[str, ...] = (*ReportLineSerializer.Meta.fields, "parameters", "result")


class ReportFilters(NewestFirst):
    name = serializers.ChoiceField(choices=sorted(REPORTS), required=False)
    subject = serializers.CharField(required=False, max_length=64)


class ReportFileFilters(serializers.Serializer[Any]):
    page = serializers.ChoiceField(choices=sorted(PAGES), help_text="As in its address.")
    file = serializers.RegexField(
        rf"^[\w-]{{1,60}}\.({'|'.join(FILE_TYPES)})$", help_text="Such as `recall.csv`."
    )
    subject = serializers.CharField(
        default="", max_length=64, help_text="The round or release, where the page has several."
    )


class AskedSerializer(serializers.Serializer[Any]):
    name = serializers.ChoiceField(choices=sorted(REPORTS))


class Reports(ApiView):
    @operation(gives=ReportLineSerializer, query=ReportFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Report]:
        """List reports. The newest first; the newest of a name and subject counts. For experts,
        reviewers and admins."""
        project = access.reviewer(asker, slug).project
        chosen = {name: self.query[name] for name in ("name", "subject") if name in self.query}
        return Report.objects.filter(project=project, **chosen).defer("result", "parameters")

    @operation(takes=AskedSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> None:
        """Recompute reports. A worker computes those of the name whose labels have changed."""
        access.reviewer(asker, slug)
        name = self.values["name"]
        membership = page_of(name).recomputer(asker, slug)
        ask_to_recompute(project=membership.project, name=name, person=asker.user)


class ReportView(ApiView):
    @operation(gives=ReportSerializer)
    def get(self, asker: UserRequest, slug: str, report_id: int) -> Report:
        """Show a report. With its result. For experts, reviewers and admins."""
        return any_report(access.reviewer(asker, slug), report_id)


class ReportFile(ApiView):
    @operation(gives_file=tuple(FILE_TYPES.values()), query=ReportFileFilters)
    def get(self, asker: UserRequest, slug: str) -> HttpResponseBase:
        """Download a file of reports. The one that its page offers."""
        page = PAGES[self.query["page"]]
        return download(asker, slug, page, self.query["file"], self.query["subject"])


urlpatterns = [
    path("projects/<slug:slug>/reports/", Reports.as_view(), name="reports"),
    path("projects/<slug:slug>/reports/<int:report_id>/", ReportView.as_view(), name="report"),
    path("projects/<slug:slug>/report-file/", ReportFile.as_view(), name="report_file"),
]
