"""manage.py import_triplets PROJECT DIR"""

from pathlib import Path

from django.core.management.base import CommandParser

from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from inference.words import counted
from review.triplets.import_file import import_triplets


class Command(QuickCommand):
    help = "Import an exported set of triplets. Import its labeled clips first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument(
            "folder", type=Path, help="the folder, with train.csv, val.csv and test.csv"
        )
        parser.add_argument(
            "--kind",
            choices=["temporal", "event"],
            default="temporal",
            help="the kind of label pairs, if neither folder nor project has it (temporal)",
        )

    def handle(self, *, project: str, folder: Path, kind: str, **options: object) -> None:
        with command_errors():
            triplets = import_triplets(
                project=find_project(project), folder=folder, kind=kind, admin=None
            )
        count = counted(triplets.triplet_count, ("triplet", "triplets"))
        self.stdout.write(f"Imported {count} as {triplets}.")
