from typing import Any

from django.core.management.base import CommandParser

from annotate.jobs.services.queueing import requeue_jobs
from annotate.management.quick import QuickCommand
from annotate.search.services import requeue_index
from annotate.webhooks.services.announcing import requeue_deliveries


class Command(QuickCommand):
    help = (
        "Queue again what a killed worker or a lost message stopped: jobs, webhook messages, and "
        "the index for the search in captions."
    )

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
        if deliveries := requeue_deliveries():
            messages = "1 message" if deliveries == 1 else f"{deliveries} messages"
            self.stdout.write(f"{messages} to webhooks queued again.")
        requeue_index()
