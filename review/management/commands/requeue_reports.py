"""manage.py requeue_reports"""

from django.core.management.base import BaseCommand

from review.reports.services import requeue_reports


class Command(BaseCommand):
    help = "Hand to the workers again the reports whose message was lost."

    def handle(self, **options: object) -> None:
        self.stdout.write(f"{requeue_reports()} reports queued again.")
