"""manage.py requeue_capst"""

from django.core.management.base import BaseCommand

from review.capst.runs import requeue_capst_runs


class Command(BaseCommand):
    help = "Hand to the workers again the captions that a killed worker left to be judged."

    def handle(self, **options: object) -> None:
        self.stdout.write(f"{requeue_capst_runs()} runs queued again.")
