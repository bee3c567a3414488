"""manage.py import_dataset PROJECT --format FORMAT --annotations FILE [--labels FILE] [--here]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.files import MOST_BYTES, DatasetFile, refused
from annotate.datasets.formats import FORMATS
from annotate.datasets.importing import start_dataset_import
from annotate.errors import Refused
from annotate.management.following import (
    JobFollower,
    add_here_option,
    refuse_unfinished,
    show_faults,
)
from annotate.management.lookup import find_project


class Command(BaseCommand):
    help = "Import the labeled clips of a data set. Import its videos first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument(
            "--format", choices=FORMATS, default="csv", help="the format of the files (csv)"
        )
        parser.add_argument(
            "--annotations", type=Path, metavar="FILE", help="the labels of each clip"
        )
        parser.add_argument("--labels", type=Path, metavar="FILE", help="the meaning of each label")
        parser.add_argument(
            "--times",
            type=Path,
            metavar="FILE",
            help="FineGym's annotation file, which has the times",
        )
        add_here_option(parser)

    def handle(self, *, project: str, annotations: Path, labels: Path, **options: Any) -> None:
        target = find_project(project)
        if not annotations and not labels:
            raise CommandError("Give --annotations, --labels, or both.")
        paths = {"annotations": annotations, "times": options["times"], "labels": labels}
        try:
            job = start_dataset_import(
                project=target,
                format=options["format"],
                files={field: _read(path) for field, path in paths.items() if path},
                admin=None,
            )
        except DatasetInvalid as error:
            for fault in error.faults:
                self.stderr.write(str(fault))
            raise CommandError(str(error)) from error
        except Refused as error:
            raise CommandError(str(error)) from error
        step = JobFollower(self, is_here=options["here"]).finish(job)
        show_faults(self, step)
        refuse_unfinished(job)
        self.stdout.write(step.note if step else "")


def _read(path: Path) -> DatasetFile:
    try:
        with path.open("rb") as file:
            return DatasetFile(path.name, file.read(MOST_BYTES + 1))
    except OSError as error:
        raise refused(
            DatasetFile(str(path), b""), f"It can't be read: {error.strerror}."
        ) from error
