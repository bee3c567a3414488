"""Which members of a project are programs. `Membership.program` says so, and all else follows it:
work from before the declaration, and work of a program that was deactivated, too."""

from __future__ import annotations

from annotate.models import Membership, Project


def programs_of(project: Project) -> dict[int, str]:
    """Return the name of its model by the key of each program's user. Read once per project object,
    because the names on a page each ask for it."""
    stored: dict[int, str] | None = project.__dict__.get("_programs")
    if stored is None:
        members = Membership.of_anyone.filter(project=project).exclude(program="")
        stored = project.__dict__["_programs"] = dict(members.values_list("user", "program"))
    return stored
