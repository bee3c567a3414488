"""Which members of a project are programs, and whose work counts. `Membership.program` says so, and
all else follows it: work from before the declaration, and that of a deactivated program, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import QuerySet

from annotate.models import Membership, Project

Rows = TypeVar("Rows", bound=QuerySet[Any])
Follower = Callable[[Project], None]
_FOLLOWERS: list[Follower] = []


def follows_programs(follower: Follower) -> Follower:
    """Call `follower` when other members are programs, or other work counts than before."""
    _FOLLOWERS.append(follower)
    return follower


def programs_changed(project: Project) -> None:
    for follower in _FOLLOWERS:
        follower(project)


def programs_of(project: Project) -> dict[int, str]:
    """Return the name of its model by the key of each program's user. Read once per project object,
    because the names on a page each ask for it."""
    stored: dict[int, str] | None = project.__dict__.get("_programs")
    if stored is None:
        members = Membership.with_deactivated.filter(project=project).exclude(program="")
        stored = project.__dict__["_programs"] = dict(members.values_list("user", "program"))
    return stored


def by_people(rows: Rows, project: Project, author: str) -> Rows:
    """Leave out the rows whose `author`, the path to a user, is a program."""
    programs = programs_of(project)
    return rows.exclude(**{f"{author}__in": list(programs)}) if programs else rows


def that_count(rows: Rows, project: Project, author: str) -> Rows:
    """Leave out the work of programs, unless the project counts it. Everything that counts
    people's work asks here."""
    return rows if project.counts_programs else by_people(rows, project, author)


def is_counted(person: int | None, project: Project) -> bool:
    """Return whether the work of this user counts as a person's."""
    return project.counts_programs or person not in programs_of(project)
