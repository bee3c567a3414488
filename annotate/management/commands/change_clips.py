"""manage.py change_clips PROJECT ACTION --admin EMAIL [filters] [values]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.http import QueryDict

from annotate.clip_changes.forms import NOBODY, ClipChangeForm
from annotate.clip_changes.leaving_out import CLIPS, VIDEOS
from annotate.clip_changes.selection import ALL, read_selection
from annotate.clip_changes.services import change_clips
from annotate.datasets.places import counted
from annotate.management.errors import command_errors
from annotate.management.following import JobFollower, add_here_option, refuse_unfinished
from annotate.management.lookup import find_admin, find_project
from annotate.management.quick import QuickCommand
from annotate.models import ClipChange, Membership

FILTERS = ("q", "text", "category", "subcategory", "length", "stage", "tagged")
VALUES = ("kind", "person", "priority", "tag", "reason", "scope", "note")


class Command(QuickCommand):
    help = "Assign, prioritize, tag, withdraw or archive all clips that match filters."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("action", choices=ClipChange.Action.values)
        parser.add_argument("--admin", metavar="EMAIL", required=True, help="who changes them")
        parser.add_argument("--q", default="", help="part of the name")
        parser.add_argument("--text", default="", help="words in captions")
        parser.add_argument("--category", default="")
        parser.add_argument("--subcategory", default="")
        parser.add_argument("--length", default="", choices=["short", "band", "long"])
        parser.add_argument("--stage", default="", help="as in the address of the list")
        parser.add_argument("--tagged", default="", help="a tag that the clips have")
        parser.add_argument("--kind", default="", help="of the work; every kind by default")
        parser.add_argument("--person", default="", help=f"email of who gets the work, or {NOBODY}")
        parser.add_argument("--priority", default="", help="a number; higher comes first")
        parser.add_argument("--tag", default="", help="to add or remove")
        parser.add_argument("--reason", default="", help="why the clips are withdrawn")
        parser.add_argument(
            "--scope",
            default=VIDEOS,
            choices=[VIDEOS, CLIPS],
            help="archive or restore the videos with all their clips, or the clips alone",
        )
        parser.add_argument("--note", default="", help="why they are archived")
        add_here_option(parser)

    def handle(self, *, project: str, action: str, here: bool, **options: Any) -> None:
        target = find_project(project)
        admin = find_admin(target, options["admin"])
        if admin is None:
            raise CommandError("Give the email of an admin with --admin.")
        membership = Membership.objects.select_related("project", "user").get(
            project=target, user=admin
        )
        selection = read_selection(membership, _filters(options))
        values = {name: options[name] for name in VALUES}
        values["person"] = _person_key(target.pk, options["person"])
        form = ClipChangeForm(values | {"action": action}, membership=membership)
        if not form.is_valid():
            problems = [f"--{name}: {error}" for name, of in form.errors.items() for error in of]
            raise CommandError("\n".join(problems))
        with command_errors():
            change = change_clips(
                project=target,
                clips=selection.keys(),
                action=action,
                values=form.values,
                actor=admin,
            )
        if change.job:
            JobFollower(self, is_here=here).finish(change.job)
            refuse_unfinished(change.job)
            change.refresh_from_db()
        self.stdout.write(f"{change.changed} changed, of {counted(selection.total, 'clip')}.")


def _filters(options: dict[str, Any]) -> QueryDict:
    data = QueryDict(mutable=True)
    for name in FILTERS:
        data[name] = options[name]
    data[ALL] = "1"
    return data


def _person_key(project: int, email: str) -> str:
    if email in ("", NOBODY):
        return email
    member = Membership.objects.filter(project=project, user__email=email.strip().lower()).first()
    if member is None:
        raise CommandError(f"--person: {email} is not a member of the project.")
    return str(member.user_id)
