"""The page of all people, and the page of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from annotate.kinds import Kind
from annotate.lists.columns import Column
from annotate.models import Membership, Project
from annotate.ordering import natural_key
from review.display.charts import BarChart, draw_bars
from review.people.forms import ANY, PeopleForm
from review.people.numbers import Numbers, ProjectNumbers
from review.people.words import rules

COLUMNS = (
    Column("marks", "Marks"),
    Column("finished", "Finished"),
    Column("days", "Last 14 days"),
    Column("minutes", "Minutes"),
    Column("gold", "Gold"),
    Column("spot_checks", "Spot checks"),
    Column("agreement", "Equal answers"),
    Column("reliability", "Reliability"),
    Column("sent_back", "Sent back"),
)


@dataclass(frozen=True)
class KindOfWork:
    """`columns`: the names of the table's shown columns."""

    kind: Kind
    people: list[Numbers]
    columns: frozenset[str]


def members_of(project: Project) -> list[Membership]:
    """Return all members by name, also those who are deactivated."""
    members = Membership.with_deactivated.filter(project=project).select_related("user")
    return sorted(members, key=lambda member: (natural_key(member.user.name), member.pk))


def people_context(
    membership: Membership, asked: QueryDict, columns: frozenset[str]
) -> dict[str, Any]:
    """Return the context. `asked`: the address's parameters. `columns`: the names of the chosen
    ones.
    """
    project = membership.project
    numbers = ProjectNumbers(project)
    members = members_of(project)
    rows = {
        kind: [numbers.of(each, kind) for each in members if numbers.has(each, kind)]
        for kind in numbers.kinds
    }
    offered = [(kind, str(kind.label)) for kind in rows if rows[kind]]
    form = PeopleForm(asked, kind=[ANY, *offered])
    kinds = [
        KindOfWork(kind, people, columns & _columns(people))
        for kind, everyone in rows.items()
        if form.filters.get("kind", kind) == kind
        and (people := [row for row in everyone if _is_asked_for(row, form.filters.get("who"))])
    ]
    return {
        "membership": membership,
        "project": project,
        "form": form,
        "kinds": kinds,
        "is_empty": not offered,
        "marked": [row for part in kinds for row in part.people if row.marks],
        "rules": rules(),
        "first_day": numbers.days[0],
    }


def _is_asked_for(row: Numbers, who: str | None) -> bool:
    match who:
        case PeopleForm.ACTIVE:
            return row.membership.deactivated_at is None
        case PeopleForm.MARKED:
            return bool(row.marks)
        case _:
            return True


def person_context(membership: Membership, member: Membership) -> dict[str, Any]:
    """Return the page of `member` for `membership`, an admin."""
    numbers = ProjectNumbers(membership.project)
    rows = numbers.of_person(member)
    return {
        "membership": membership,
        "project": membership.project,
        "member": member,
        "rows": rows,
        "charts": _charts(rows),
        "columns": _columns(rows),
        "days": numbers.days,
        "marked": [row for row in rows if row.marks],
        "rules": rules(),
        "first_day": numbers.days[0],
    }


def _columns(rows: Sequence[Numbers]) -> frozenset[str]:
    """Return the names of the columns that have a number in some row."""
    names = {column.name for column in COLUMNS}
    if not any(row.gold.answered for row in rows):
        names.remove("gold")
    if not any(row.spot_checks.answered for row in rows):
        names.remove("spot_checks")
    return frozenset(names)


def _charts(rows: Sequence[Numbers]) -> list[tuple[Numbers, BarChart]]:
    highest = max((row.highest for row in rows), default=0)
    return [
        (
            row,
            draw_bars(
                [(f"{day.day.day} {day.day:%b}", int(day.count)) for day in row.days],
                labels=4,
                highest=highest,
            ),
        )
        for row in rows
    ]
