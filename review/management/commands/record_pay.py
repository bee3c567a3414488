"""manage.py record_pay [PROJECT]"""

from django.core.management.base import CommandParser

from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from review.pay.services import record_all_pay, record_pay


class Command(QuickCommand):
    help = "Write the entries of finished work in the ledger of pay. Safe to repeat."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "project", nargs="?", help="the project's short name; all projects if left out"
        )

    def handle(self, *, project: str | None, **options: object) -> None:
        count = record_pay(project=find_project(project)) if project else record_all_pay()
        self.stdout.write("1 new entry." if count == 1 else f"{count:,} new entries.")
