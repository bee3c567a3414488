"""manage.py deactivate_member PROJECT EMAIL --admin EMAIL [--to EMAIL] [--account] [--undo]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.management.errors import command_errors
from annotate.management.lookup import find_admin, find_project
from annotate.management.quick import QuickCommand
from annotate.models import Membership, Project
from annotate.projects.services.deactivation import deactivate_member, reactivate_member


class Command(QuickCommand):
    help = "Deactivate a member of a project and hand their open work on, or undo it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("email", help="of the member")
        parser.add_argument("--admin", metavar="EMAIL", required=True, help="who does it")
        parser.add_argument("--to", metavar="EMAIL", help="the member who gets the open work")
        parser.add_argument(
            "--account", action="store_true", help="the account too, if the admin is a superuser"
        )
        parser.add_argument("--undo", action="store_true", help="reactivate the member")

    def handle(
        self, *, project: str, email: str, admin: str, account: bool, undo: bool, **options: Any
    ) -> None:
        target = find_project(project)
        actor = find_admin(target, admin)
        if actor is None:
            raise CommandError("Give the email of an admin with --admin.")
        member = _member(target, email)
        with command_errors():
            if undo:
                reactivate_member(membership=member, admin=actor, with_account=account)
                self.stdout.write(f"{member.user} is active again.")
                return
            to = _member(target, options["to"]) if options["to"] else None
            handed_on = deactivate_member(
                membership=member, admin=actor, to=to, with_account=account
            )
        count = handed_on.held + handed_on.sent_back + handed_on.waiting + handed_on.reserved
        self.stdout.write(
            f"{member.user} is deactivated. Handed on: {count}, of which {handed_on.to_person} to "
            f"{to.user if to else 'one person'}."
        )


def _member(project: Project, email: str) -> Membership:
    members = Membership.with_deactivated.select_related("user", "project")
    member = members.filter(project=project, user__email=email.strip().lower()).first()
    if member is None:
        raise CommandError(f"{email} is not a member of {project.name}.")
    return member
