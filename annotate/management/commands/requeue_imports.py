from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.imports.services import STALE_MINUTES, requeue_imports


class Command(BaseCommand):
    help = "Queue again the imports that a killed worker or a lost message left behind."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--minutes",
            type=int,
            default=STALE_MINUTES,
            help="how long an import must have been silent (default: %(default)s)",
        )

    def handle(self, *, minutes: int, **options: Any) -> None:
        done = requeue_imports(minutes=minutes)
        self.stdout.write(f"{done.queued} queued again, {done.refused} refused as tried too often.")
