"""One need: a run that the protocol of a project needs, with how much of it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotate.models import Project
from inference.planning.due import EVERYTHING, MISSING, OUTDATED

VIDEOS, CLIPS, CAPTIONS = ("video", "videos"), ("clip", "clips"), ("caption", "captions")


@dataclass(frozen=True)
class Need:
    """A run of the protocol: of `total` subjects, `done` have a result, of which `outdated` are out
    of date; `left_out` are left out of the benchmark at this step. `options` select this run.
    `is_optional`: the protocol doesn't need it. `waits_for`: what must come first, "" if it can
    start. `run`: the active run that does it. `notes`: what to know about it.
    """

    kind: str
    total: int
    done: int
    noun: tuple[str, str]
    options: Mapping[str, str] = field(default_factory=dict)
    is_optional: bool = False
    waits_for: str = ""
    left_out: int = 0
    outdated: int = 0
    run: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def left(self) -> int:
        return max(0, self.total - self.done - self.left_out)

    @property
    def is_all_left_out(self) -> bool:
        return 0 < self.left_out == self.total

    @property
    def is_unfinished(self) -> bool:
        return bool(self.left or self.outdated or self.run or self.is_all_left_out)

    @property
    def is_due(self) -> bool:
        return self.is_unfinished and not self.waits_for and not self.run

    @property
    def scope(self) -> str:
        """Return what a proposed run works on: only what this counts."""
        return MISSING if self.left else OUTDATED if self.outdated else EVERYTHING

    @property
    def key(self) -> str:
        """Return a name that distinguishes it from the protocol's other needs."""
        return "-".join([self.kind, *self.options.values()])


def number_of(rows: QuerySet[Any], distinct: str = "", by: str = "project") -> Coalesce:
    """Return the number of rows, or of their different values, as a part of a statement; `by` is
    their field of the project.
    """
    counted = Count(distinct or "pk", distinct=bool(distinct))
    numbers = rows.order_by().values(by).annotate(number=counted).values("number")
    return Coalesce(Subquery(numbers), 0)


def in_one(project: Project, sizes: Mapping[str, Coalesce]) -> dict[str, int]:
    """Return the numbers of one statement. Its columns have names that no field has."""
    columns = {f"{name}_number": number for name, number in sizes.items()}
    row: Any = Project.objects.filter(pk=project.pk).values(**columns).get()
    return {name: row[f"{name}_number"] for name in sizes}
