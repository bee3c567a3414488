"""manage.py import_human_captions PROJECT FILE --name NAME [--here]"""

from pathlib import Path

from django.core.management.base import CommandParser
from django.db import transaction

from annotate.management.errors import command_errors
from annotate.management.following import (
    JobFollower,
    add_here_option,
    refuse_unfinished,
    show_faults,
)
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from inference.words import counted
from review.published.bundled import read_for_import
from review.published.plan import Options, plan_import
from review.published.queries import imported_before
from review.published.services import check_file, start_import


class Command(QuickCommand):
    help = "Import the human captions of a published data set. Import its videos first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument(
            "file",
            type=Path,
            help="JSON, JSONL, CSV, Parquet, WebVTT, SRT or text; or a release’s folder or ZIP",
        )
        parser.add_argument(
            "--name", required=True, help='the name of the data set, such as "CaReBench v1"'
        )
        parser.add_argument(
            "--leave-out",
            action="store_true",
            help="leave out rows about videos that the project doesn't have",
        )
        parser.add_argument(
            "--join",
            action="store_true",
            help="join all texts of a video into one paragraph",
        )
        parser.add_argument(
            "--skip-bad",
            action="store_true",
            help="leave out rows with an error and import the others",
        )
        parser.add_argument(
            "--preview", action="store_true", help="only print what the import would change"
        )
        add_here_option(parser)

    def handle(self, *, project: str, file: Path, name: str, **options: bool) -> None:
        how = Options(
            leaves_out=options["leave_out"], joins=options["join"], skips_bad=options["skip_bad"]
        )
        with command_errors(reading=file):
            target = find_project(project)
            data, file_name = read_for_import(file)
            if options["preview"]:
                preview = plan_import(target, data, file_name, how).preview
                self.stdout.write(f"{preview.sentence} Nothing was changed.")
                return
            if before := imported_before(target, name, data):
                self.stdout.write(
                    f"This file was imported already as {before}, on {before.imported_at:%d %b %Y}."
                    " Nothing was changed."
                )
                return
            # A refused job takes the checked file with it.
            with transaction.atomic():
                checked = check_file(
                    project=target,
                    name=name,
                    data=data,
                    file_name=file_name,
                    options=how,
                    admin=None,
                )
                job = start_import(human_import=checked, admin=None)
        show_faults(self, JobFollower(self, is_here=options["here"]).finish(job))
        refuse_unfinished(job)
        captions = counted(checked.captions.count(), ("human caption", "human captions"))
        self.stdout.write(f"Imported {captions} of {checked}.")
