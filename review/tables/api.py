"""The API of tables of pairs, texts and verdicts, out and in."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponseBase, StreamingHttpResponse
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import Whole, body_of
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.problems import checked_form
from annotate.datasets.files import DatasetFile
from annotate.jobs.api import FaultSerializer
from review import access
from review.tables.forms import ImportTableForm, SetForm
from review.tables.kinds import TABLES
from review.tables.services import import_table, table_lines

TAG = "Tables"


class ImportedSerializer(serializers.Serializer[Any]):
    rows = serializers.IntegerField(help_text="New rows.")


class ImportedTableSerializer(ImportedSerializer):
    left_out = FaultSerializer(many=True, help_text="Rows with an error, if they are left out.")


class TableFilters(serializers.Serializer[Any]):
    set = Whole(min_value=1, required=False, help_text="Number of a set of triplets.")


class ImportTable(ApiView):
    @operation(
        gives=ImportedTableSerializer, takes=body_of("TableFile", ImportTableForm), scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """Import a table. Of label pairs, modifications or verdicts; all rows, or the good ones."""
        project = access.admin(asker, slug).project
        form = checked_form(ImportTableForm(project, self.typed(), self.files()))
        file = form.cleaned_data["file"]
        plan = import_table(
            project=project,
            table=TABLES[form.cleaned_data["table"]],
            file=DatasetFile(file.name or "", file.read()),
            choices=form.choices,
            admin=asker.user,
        )
        return {"rows": plan.new, "left_out": plan.left_out.faults}


class TableView(ApiView):
    @operation(gives_file=("text/csv",), query=TableFilters)
    def get(self, asker: UserRequest, slug: str, table: str) -> HttpResponseBase:
        """Download a table. For admins."""
        project = access.admin(asker, slug).project
        form = SetForm(project, self.query)
        if table not in TABLES or not form.is_valid():
            raise Http404
        lines = table_lines(project, TABLES[table], form.choices)
        return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")


ALL = "projects/<slug:slug>/tables/"
urlpatterns = [
    path(f"{ALL}import/", ImportTable.as_view(), name="import_table"),
    path(f"{ALL}<str:table>.csv", TableView.as_view(), name="table"),
]
