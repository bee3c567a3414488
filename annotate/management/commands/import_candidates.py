"""manage.py import_candidates PROJECT FILE [--here]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.candidates.starting import start_candidate_import
from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.files import MAX_BYTES, DatasetFile
from annotate.errors import Refused
from annotate.management.following import JobFollower, add_here_option, refuse_unfinished
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand


class Command(QuickCommand):
    help = (
        "Import the segments of an annotation file (FineAction, ActivityNet) as candidates for "
        "clips. Import the videos first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("file", type=Path, help="the annotations, as JSON or JSON in .gz")
        add_here_option(parser)

    def handle(self, *, project: str, file: Path, here: bool, **options: Any) -> None:
        target = find_project(project)
        try:
            with file.open("rb") as opened:
                annotations = DatasetFile(file.name, opened.read(MAX_BYTES + 1))
            job = start_candidate_import(project=target, file=annotations, admin=None)
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from error
        except DatasetInvalid as error:
            for fault in error.listed_faults:
                self.stderr.write(str(fault))
            raise CommandError(str(error)) from error
        except Refused as error:
            raise CommandError(str(error)) from error
        step = JobFollower(self, is_here=here).finish(job)
        refuse_unfinished(job)
        self.stdout.write(step.note if step else "")
