"""manage.py export_table PROJECT TABLE --out FILE"""

from pathlib import Path

from django.core.management.base import CommandParser

from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from inference.words import counted
from review.exchange.tables import Choices
from review.tables.kinds import TABLES
from review.tables.services import table_lines


class Command(QuickCommand):
    help = "Write label pairs, modification texts, examples or people's verdicts as CSV."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("table", choices=list(TABLES))
        parser.add_argument("--out", required=True, type=Path, help="the CSV file to write")
        parser.add_argument("--set", type=int, help="the triplet set of query-verdicts")

    def handle(self, *, project: str, table: str, out: Path, **options: int | None) -> None:
        choices = Choices(set_number=options["set"])
        with command_errors(writing=out):
            lines = list(table_lines(find_project(project), TABLES[table], choices))
            out.write_text("".join(lines), encoding="utf-8", newline="")
        self.stdout.write(f"Wrote {counted(len(lines) - 1, ('row', 'rows'))} to {out}")
