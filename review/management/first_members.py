"""How the demo's people came to its projects: by invitations, as anybody else does."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.models import Membership, Project, User
from annotate.projects.services.members import accept_invitation, invite
from review.management.past import DAYS, days_ago

# A person who has not joined yet. No mail is sent there (RFC 2606).
OPEN_FOR = "cara@example.org"


def join_invited(
    *, project: Project, people: Sequence[tuple[User, Sequence[str]]], admin: User
) -> None:
    """Invite each person with their roles, and let them join a few hours later, unless they are
    members."""
    members = set(Membership.of_anyone.filter(project=project).values_list("user", flat=True))
    for place, (person, roles) in enumerate(people):
        if person.pk in members:
            continue
        with days_ago(DAYS + 0.99):
            _, token = invite(project=project, admin=admin, roles=list(roles), email=person.email)
        with days_ago(DAYS + 0.9 - 0.07 * place):
            accept_invitation(token=token, user=person)


def leave_one_open(*, project: Project, admin: User) -> None:
    """Invite a person who hasn't joined yet, unless that is done."""
    if not project.invitations.filter(email=OPEN_FOR).exists():
        with days_ago(2.2):
            invite(project=project, admin=admin, roles=["annotator"], email=OPEN_FOR)
