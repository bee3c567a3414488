"""The API of other benchmarks' rows in the table of statistics."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.models import Project
from review import access
from review.statistics.access import benchmark_row
from review.statistics.columns import columns_of
from review.statistics.forms import RowForm
from review.statistics.models import BenchmarkRow
from review.statistics.services import Stated, add_rows, change_row, remove_row

TAG = "Reports"


class BenchmarkRowSerializer(RowSerializer[BenchmarkRow]):
    values = serializers.DictField(help_text="By the key of the column.")

    class Meta:
        model = BenchmarkRow
        fields = ("id", "name", "source", "values", "created_at")


class StatedRowSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=80)
    source = serializers.CharField(  # type: ignore[assignment]  # a field of this name
        max_length=300, help_text="Where the numbers are from."
    )
    values = serializers.DictField(
        child=serializers.CharField(max_length=60, allow_blank=True),
        default=dict,
        help_text="By the key of the column, as the page takes them: `14.35`, `180K`, `yes`.",
    )


class BenchmarkRows(ApiView):
    @operation(gives=BenchmarkRowSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[BenchmarkRow]:
        """List rows of other benchmarks. For admins."""
        return BenchmarkRow.objects.filter(project=access.admin(asker, slug).project)

    @operation(gives=BenchmarkRowSerializer, takes=StatedRowSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> BenchmarkRow:
        """Add a row of another benchmark."""
        project = access.admin(asker, slug).project
        stated = _stated(project, self.values)
        [row] = add_rows(project=project, stated=[stated], admin=asker.user)
        return row


class BenchmarkRowView(ApiView):
    @operation(gives=BenchmarkRowSerializer, takes=StatedRowSerializer, scope=ADMIN)
    def put(self, asker: UserRequest, slug: str, row_id: int) -> BenchmarkRow:
        """Change a row of another benchmark."""
        _, row = benchmark_row(asker, slug, row_id)
        change_row(row=row, stated=_stated(row.project, self.values), admin=asker.user)
        return benchmark_row(asker, slug, row_id)[1]

    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, row_id: int) -> Any:
        """Remove a row of another benchmark."""
        remove_row(row=benchmark_row(asker, slug, row_id)[1], admin=asker.user)


def _stated(project: Project, values: dict[str, Any]) -> Stated:
    column_keys = [column.key for column in columns_of(project)]
    if unknown := sorted(set(values["values"]) - set(column_keys)):
        wrong = dict.fromkeys(unknown, f"Unknown column. Choose from: {', '.join(column_keys)}.")
        raise serializers.ValidationError({"values": wrong})
    sent = values["values"] | {"name": values["name"], "source": values["source"]}
    return checked_form(RowForm(sent, project=project)).stated


ALL = "projects/<slug:slug>/benchmark-rows/"
urlpatterns = [
    path(ALL, BenchmarkRows.as_view(), name="benchmark_rows"),
    path(f"{ALL}<int:row_id>/", BenchmarkRowView.as_view(), name="benchmark_row"),
]
