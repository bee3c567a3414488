"""manage.py import_annotations PROJECT FILE"""

from pathlib import Path

from django.core.management.base import CommandParser

from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from review.annotation_table.exchange import import_annotations
from review.exchange.tables import counted
from review.management.annotation_marks import add_marks, read_marks


class Command(QuickCommand):
    help = "Import LoVR's annotation table (CSV) as sentence verifications. Import the clips first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("file", type=Path, help="the CSV file, in UTF-8")
        add_marks(parser)

    def handle(self, *, project: str, file: Path, **options: object) -> None:
        marks = read_marks(options)
        with command_errors(reading=file), file.open(encoding="utf-8", newline="") as lines:
            stored = import_annotations(project=find_project(project), lines=lines, marks=marks)
        self.stdout.write(f"Imported {counted(len(stored), 'verification', 'verifications')}.")
