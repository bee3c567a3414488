"""manage.py export_annotations PROJECT --out FILE"""

from pathlib import Path

from django.core.management.base import CommandError, CommandParser

from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from inference.words import counted
from review.annotation_table.csv_format import annotation_lines
from review.management.annotation_marks import add_marks, read_marks


class Command(QuickCommand):
    help = "Write the sentence verifications of a project as LoVR's annotation table (CSV)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("--out", required=True, type=Path, help="the CSV file to write")
        add_marks(parser)

    def handle(self, *, project: str, out: Path, **options: object) -> None:
        marks = read_marks(options)
        with command_errors():
            # Read everything before writing the file: a caption with a mark in it is refused.
            lines = list(annotation_lines(find_project(project), marks))
        if len(lines) == 1:
            raise CommandError(
                f"{project} has no verification yet, so nothing was written. People verify "
                "captions under My work; import_annotations imports a table."
            )
        with command_errors(writing=out):
            out.write_text("".join(lines), encoding="utf-8", newline="")
        self.stdout.write(f"Wrote {counted(len(lines) - 1, ('row', 'rows'))} to {out}")
