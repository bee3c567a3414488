"""manage.py requeue_triplets"""

from django.core.management.base import BaseCommand

from review.triplets.models import TripletSet
from review.triplets.tasks import requeue_triplets


class Command(BaseCommand):
    help = "Hand to the workers again the triplets that a killed worker or a lost message left."

    def handle(self, **options: object) -> None:
        running = TripletSet.objects.filter(state=TripletSet.State.RUNNING).count()
        requeue_triplets()
        self.stdout.write(f"{running} sets of triplets queued again.")
