"""What the page Metrics is asked to show, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django import forms

from review.display.forms import ListForm
from review.reports.tables import Column, Section

LONGEST = 200


@dataclass(frozen=True)
class SortHead:
    """The head of a column: how the table is sorted by it, if it is, and the query that sorts by
    it. `starts`: the first of its group."""

    column: Column
    state: str
    query: str
    starts: bool


class MetricsForm(ListForm):
    """`sort`: a section's key and a column's, joined by a dot. `preset`: the choices of CapST.
    `baseline`: the subject of a report of gaps."""

    sort = forms.CharField(max_length=LONGEST, required=False)
    ascending = forms.BooleanField(required=False)
    preset = forms.CharField(max_length=20, required=False)
    baseline = forms.CharField(max_length=64, required=False)

    def chosen(self, field: str, offered: Sequence[str]) -> str:
        """What was asked for where it is offered, else the first offer, or nothing."""
        asked = self.cleaned_data.get(field, "")
        return asked if asked in offered else next(iter(offered), "")

    def sorting(self, section: Section) -> tuple[str, bool]:
        """(column, ascending) of a section."""
        of_section, _, column = self.cleaned_data.get("sort", "").partition(".")
        if of_section == section.key and section.table.column(column):
            return column, self.cleaned_data["ascending"]
        return section.lead, False

    def heads(self, section: Section) -> list[SortHead]:
        """The heads of its columns, each with the link that sorts by it."""
        chosen, is_ascending = self.sorting(section)
        heads, group = [], ""
        for column in section.table.columns:
            is_chosen = column.key == chosen
            state = ("ascending" if is_ascending else "descending") if is_chosen else ""
            query = self.query(
                sort=f"{section.key}.{column.key}", ascending=is_chosen and not is_ascending
            )
            starts = bool(column.group) and column.group != group
            heads.append(SortHead(column, state, query, starts))
            group = column.group
        return heads
