"""manage.py import_table PROJECT TABLE FILE"""

from pathlib import Path

from django.core.management.base import CommandParser

from annotate.datasets.files import DatasetFile
from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from review.exchange.tables import Choices
from review.tables.kinds import TABLES
from review.tables.services import import_table, preview_table


class Command(QuickCommand):
    help = "Import label pairs, modification texts, examples or people's verdicts from a table."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("table", choices=list(TABLES))
        parser.add_argument("file", type=Path, help="CSV or a JSON list of objects, in UTF-8")
        parser.add_argument("--set", type=int, help="the triplet set of query-verdicts")
        parser.add_argument(
            "--as-drafts", action="store_true", help="import accepted texts as drafts"
        )
        parser.add_argument("--skip-bad", action="store_true", help="leave out rows with an error")
        parser.add_argument("--check", action="store_true", help="only say what it would do")

    def handle(
        self,
        *,
        project: str,
        table: str,
        file: Path,
        as_drafts: bool,
        skip_bad: bool,
        check: bool,
        **options: int,
    ) -> None:
        choices = Choices(set_number=options["set"], as_drafts=as_drafts, skips_bad=skip_bad)
        into, chosen = find_project(project), TABLES[table]
        with command_errors(reading=file):
            content = DatasetFile(file.name, file.read_bytes())
            if check:
                plan = preview_table(project=into, table=chosen, file=content, choices=choices)
            else:
                plan = import_table(
                    project=into, table=chosen, file=content, choices=choices, admin=None
                )
        for fault in plan.left_out.faults:
            self.stderr.write(str(fault))
        self.stdout.write("\n".join(plan.sentences))
