"""The filters and orders of the page Metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django import forms

from annotate.forms import ListForm
from review.reports.cells import SortHead
from review.reports.tables import Section

MAX_LENGTH = 200


class MetricsForm(ListForm):
    """`sort`: a section's key and a column's, joined by a dot. `preset`: the choices of CapST.
    `baseline`: the subject of a report of gaps."""

    sort = forms.CharField(max_length=MAX_LENGTH, required=False)
    ascending = forms.BooleanField(required=False)
    preset = forms.CharField(max_length=20, required=False)
    baseline = forms.CharField(max_length=64, required=False)

    def chosen(self, field: str, offered: Sequence[str]) -> str:
        """Return the requested value if it is offered, else the first one, or "" without any."""
        value = self.cleaned_data.get(field, "")
        return value if value in offered else next(iter(offered), "")

    def sorting(self, section: Section) -> tuple[str, bool]:
        """Return (column, ascending) of a section."""
        of_section, _, column = self.cleaned_data.get("sort", "").partition(".")
        if of_section == section.key and section.table.column(column):
            return column, self.cleaned_data["ascending"]
        return section.lead, False

    def heads(self, section: Section) -> list[SortHead]:
        """Return the heads of the section's columns, each with the link that sorts by it."""
        chosen, is_ascending = self.sorting(section)
        heads = []
        for head in section.table.column_heads:
            is_chosen = head.column.key == chosen
            state = ("ascending" if is_ascending else "descending") if is_chosen else ""
            query = self.query(
                sort=f"{section.key}.{head.column.key}", ascending=is_chosen and not is_ascending
            )
            heads.append(replace(head, state=state, query=query))
        return heads
