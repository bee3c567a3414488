"""manage.py requeue_modifications"""

from django.core.management.base import BaseCommand

from review.modifications.runs import requeue_modification_runs


class Command(BaseCommand):
    help = "Hand to the workers again the modifications that a killed worker left to be written."

    def handle(self, **options: object) -> None:
        self.stdout.write(f"{requeue_modification_runs()} runs queued again.")
