"""The list of a person's projects: how far each is, and what waits for the person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from annotate.kinds import all_kinds
from annotate.models import Membership, Project, User
from annotate.projects.queries import memberships_with_work


@dataclass(frozen=True)
class ProjectRow:
    """`waiting` are the kinds of work that the person could take now."""

    membership: Membership
    project: Project
    protocol: str
    clips: int
    held: int
    returned: int
    waiting: list[str]
    items: int
    done: int
    last_at: datetime | None

    @property
    def percent(self) -> int:
        """Return the finished share of the work that has been opened, rounded down."""
        return 100 * self.done // self.items if self.items else 0


def project_rows(user: User, *, archived: bool = False) -> list[ProjectRow]:
    return [
        ProjectRow(
            membership=membership,
            project=membership.project,
            protocol=membership.project.pipeline.name,
            clips=membership.clip_count,
            held=membership.held_count,
            returned=membership.returned_count,
            waiting=[kind.label for kind in all_kinds() if getattr(membership, f"waits_{kind}")],
            items=membership.item_count,
            done=membership.done_count,
            last_at=membership.last_at,
        )
        for membership in memberships_with_work(user, archived=archived)
    ]
