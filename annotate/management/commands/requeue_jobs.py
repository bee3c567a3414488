from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.jobs.services.queueing import requeue_jobs


class Command(BaseCommand):
    help = "Hand to the workers again the jobs that a killed worker or a lost message left behind."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--force",
            action="store_true",
            help="take items away from workers that still seem alive, as after a restart of all",
        )

    def handle(self, *, force: bool, **options: Any) -> None:
        done = requeue_jobs(force=force)
        self.stdout.write(f"{done.jobs} jobs queued again.")
