"""manage.py create_project NAME SLUG --admin EMAIL"""

from __future__ import annotations

import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.core.validators import validate_email
from django.db import transaction

from annotate.errors import AnnotateError
from annotate.forms import validate_visible
from annotate.management.errors import command_errors
from annotate.management.quick import QuickCommand
from annotate.models import User
from annotate.projects.services.projects import create_project, refuse_address
from annotate.protocols import DEFAULT, protocol_choices


class Command(QuickCommand):
    help = "Create a project. If its admin has no account yet, ask for a password and create one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help='the project\'s name, such as "Kitchen clips"')
        parser.add_argument(
            "slug", help="its short name, for its address: lower-case letters, digits, hyphens"
        )
        parser.add_argument(
            "--admin", required=True, metavar="EMAIL", help="the project's first admin"
        )
        parser.add_argument(
            "--protocol",
            default=DEFAULT,
            choices=[key for key, _ in protocol_choices()],
        )
        parser.add_argument("--license", default="", help="the license of the captions")
        parser.add_argument(
            "--min-words", type=int, default=150, help="the fewest words of a caption (150)"
        )
        parser.add_argument(
            "--max-words", type=int, default=300, help="the most words of a caption (300)"
        )
        parser.add_argument(
            "--min-seconds", type=float, default=0.5, help="the length of the shortest clip (0.5)"
        )
        parser.add_argument(
            "--min-side", type=int, default=64, help="the shorter side of the smallest picture (64)"
        )
        parser.add_argument(
            "--writers", type=int, default=2, choices=[1, 2], help="write-ups of each clip (2)"
        )
        parser.add_argument(
            "--sign-offs",
            type=int,
            default=2,
            choices=[0, 1, 2],
            help="sign-offs of each clip by other experts, in CaReBench (2)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["min_words"] <= options["max_words"]:
            raise CommandError("--min-words must be at least 1 and at most --max-words.")
        if not (0 <= options["min_seconds"] <= 3600 and 1 <= options["min_side"] <= 1080):
            raise CommandError(
                "--min-seconds must be from 0 to 3600, and --min-side from 1 to 1080."
            )
        try:
            validate_email(options["admin"])
            refuse_address(options["slug"])
            validate_visible(options["name"])
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        except AnnotateError as error:
            raise CommandError(str(error)) from error
        with transaction.atomic():
            admin = self._admin(options["admin"])
            with command_errors():
                project = create_project(
                    creator=admin,
                    name=options["name"],
                    slug=options["slug"],
                    protocol=options["protocol"],
                    license=options["license"],
                    min_words=options["min_words"],
                    max_words=options["max_words"],
                    writers_per_clip=options["writers"],
                    sign_offs=options["sign_offs"],
                    min_clip_seconds=options["min_seconds"],
                    min_frame_side=options["min_side"],
                )
        self.stdout.write(f"{project} is ready at /p/{project.slug}/ for {admin.email}.")

    def _admin(self, email: str) -> User:
        email = email.strip().lower()
        existing: User | None = User.objects.filter(email=email).first()
        if existing is not None:
            return existing
        try:
            password = getpass.getpass(f"Password for the new account {email}: ")
        except EOFError:
            password = ""
        admin = User(email=email, name=email.partition("@")[0])
        try:
            validate_password(password, admin)
        except ValidationError as error:
            raise CommandError(f"{' '.join(error.messages)} Nothing was created.") from error
        return User.objects.create_user(email, password, name=admin.name)
