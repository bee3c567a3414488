from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.jobs.services.queueing import requeue_jobs


class Command(BaseCommand):
    help = "Queue jobs again that have stopped because a worker was killed or a message was lost."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--force",
            action="store_true",
            help="also take items from workers that still seem alive: use it after a restart",
        )

    def handle(self, *, force: bool, **options: Any) -> None:
        requeued = requeue_jobs(force=force)
        jobs = "1 job" if requeued.jobs == 1 else f"{requeued.jobs or 'No'} jobs"
        self.stdout.write(f"{jobs} queued again.")
