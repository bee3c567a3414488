"""The reports in force that tables of metrics are made of, each with the parts of its result that a
table needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from annotate.models import Project
from review.reports.models import Report
from review.reports.registry import REPORTS

Name = Report.Name
# The parts of a result that are read: it may hold as much again about every clip.
PARTS: Mapping[str, tuple[str, ...]] = {
    Name.RECALL: ("kinds",),
    Name.REBIAS: ("table5", "equation1", "intervals", "reason", "n_videos"),
    Name.CAPST: (
        "events",
        "objects",
        "by_category",
        "run",
        "n_samples",
        "references",
        "category_marks",
    ),
    Name.OVERLAP: ("bleu4", "meteor", "rouge_l", "cider", "n"),
    Name.LEADERBOARD: ("elo", "bradley_terry", "stored", "category_marks"),
    Name.COMPOSED_RETRIEVAL: ("baselines", "reason"),
    Name.UNIFIED: ("models", "baseline", "categories", "elements_from"),
}
ABOUT_CAPTION_SETS = (Name.CAPST, Name.OVERLAP)


@dataclass(frozen=True)
class Stored:
    """`numbers`: the PARTS of the report's result, None where there is no such part; the `report`
    in memory has no others either."""

    report: Report
    numbers: Mapping[str, Any]

    @property
    def model(self) -> str:
        """What people call what it is about, whole."""
        parameters = self.report.parameters
        return str(parameters.get("model") or parameters.get("captions", ""))

    @property
    def about(self) -> int | None:
        """The key of the caption set or of the imported vectors that it is about."""
        first, _, rest = self.report.subject.partition(":")
        key = first if self.report.name in ABOUT_CAPTION_SETS else rest
        return int(key) if key.isdecimal() else None


@dataclass(frozen=True)
class StoredReports:
    """`by_name`: the stored reports of each name. `old`: the keys of those whose labels have
    changed."""

    by_name: Mapping[str, list[Stored]]
    old: set[int]

    def of(self, name: str) -> list[Stored]:
        return self.by_name[name]

    def of_subject(self, name: str) -> dict[str, Stored]:
        return {stored.report.subject: stored for stored in self.by_name[name]}

    def only(self, kept: Collection[int]) -> Self:
        """Without the reports that are not `kept`."""
        return replace(
            self,
            by_name={
                name: [stored for stored in of_name if stored.report.pk in kept]
                for name, of_name in self.by_name.items()
            },
        )


def reports_in_use(project: Project, name: str) -> list[Stored]:
    """By subject, without those about captions and vectors that pages don't offer any more. As many
    statements whatever there is."""
    newest = Report.objects.newest(project, name)
    parts = PARTS[name]
    rows = newest.order_by().values_list("pk", *(f"result__{part}" for part in parts))
    numbers = {key: dict(zip(parts, found, strict=True)) for key, *found in rows}
    found = []
    for report in newest.defer("result").order_by("subject"):
        if report.pk in numbers:
            report.result = numbers[report.pk]
            found.append(Stored(report, numbers[report.pk]))
    retired = _retired(project, name)
    return [one for one in found if one.about is None or one.about not in retired]


def _retired(project: Project, name: str) -> set[int]:
    retired = REPORTS[name].retired
    return retired(project) if retired else set()
