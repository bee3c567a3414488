"""The forms of other benchmarks' rows: one that is typed, and several that are pasted."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import validate_visible
from annotate.models import Project
from review.statistics.columns import Column, Kind, columns_of
from review.statistics.models import BenchmarkRow
from review.statistics.services import MAX_NAME_LENGTH, MAX_SOURCE_LENGTH, Stated

MAX_PASTE_LENGTH = 100_000
HELP = {
    Kind.NUMBER: "A number such as 1,000, 14.35 or 180K.",
    Kind.YES_NO: "",
    Kind.TEXT: "",
}


class RowForm(forms.Form):
    """The statements about one benchmark, with a field for each column of the project's table."""

    name = forms.CharField(
        max_length=MAX_NAME_LENGTH, label="Benchmark", validators=[validate_visible]
    )
    source = forms.CharField(
        max_length=MAX_SOURCE_LENGTH,
        help_text="Where the numbers are from, such as Xu et al. (2016), Table 2.",
        validators=[validate_visible],
    )

    def __init__(
        self, data: Any = None, *, project: Project, row: BenchmarkRow | None = None
    ) -> None:
        self.columns = columns_of(project)
        initial = _initial(row, self.columns) if row else None
        super().__init__(data, initial=initial)
        for column in self.columns:
            self.fields[column.key] = _field(column)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for column in self.columns:
            try:
                data[column.key] = column.read(data.get(column.key, ""))
            except ValueError as error:
                self.add_error(column.key, str(error))
        return data

    @property
    def stated(self) -> Stated:
        data = self.cleaned_data
        keys = [column.key for column in self.columns]
        values = {key: data[key] for key in keys if data[key] is not None}
        return Stated(data["name"], data["source"], values)

    @property
    def column_fields(self) -> list[forms.BoundField]:
        return [self[column.key] for column in self.columns]


class PasteForm(forms.Form):
    rows = forms.CharField(
        max_length=MAX_PASTE_LENGTH,
        label="Rows as CSV",
        widget=forms.Textarea({"rows": 8, "class": "input mono", "spellcheck": "false"}),
        error_messages={"required": "Paste a line of column names and a line for each benchmark."},
    )


class RemoveForm(forms.Form):
    confirm = forms.BooleanField(
        label="Remove this row from the table",
        error_messages={"required": "Tick this box to remove it."},
    )


def _field(column: Column) -> forms.Field:
    if column.kind is Kind.YES_NO:
        choices = [("", "Unknown"), ("yes", "Yes"), ("no", "No")]
        return forms.ChoiceField(label=column.name, choices=choices, required=False)
    return forms.CharField(
        label=column.name, required=False, max_length=60, help_text=HELP[column.kind]
    )


def _initial(row: BenchmarkRow, columns: tuple[Column, ...]) -> dict[str, str]:
    typed = {column.key: column.typed(row.values.get(column.key)) for column in columns}
    return {"name": row.name, "source": row.source, **typed}
