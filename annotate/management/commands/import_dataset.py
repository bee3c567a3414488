"""manage.py import_dataset PROJECT --format FORMAT --annotations FILE [--labels FILE]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.files import MOST_BYTES, DatasetFile, refused
from annotate.datasets.formats import FORMATS, read_clips
from annotate.datasets.label_files import read_labels
from annotate.datasets.services import import_dataset
from annotate.errors import AnnotateError
from annotate.models import Project


class Command(BaseCommand):
    help = "Bring in the labeled clips of a data set. Its videos must have been imported."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("--format", choices=FORMATS, default="csv")
        parser.add_argument("--annotations", type=Path, metavar="FILE", help="what each clip shows")
        parser.add_argument("--labels", type=Path, metavar="FILE", help="what the labels mean")
        parser.add_argument(
            "--times", type=Path, metavar="FILE", help="FineGym's annotation file, for the times"
        )

    def handle(self, *, project: str, annotations: Path, labels: Path, **options: Any) -> None:
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(f"There is no project {project!r}.")
        if not annotations and not labels:
            raise CommandError("Give --annotations, --labels, or both.")
        times = options["times"]
        try:
            imported = import_dataset(
                project=found,
                admin=None,
                clips=read_clips(options["format"], _read(annotations), times and _read(times))
                if annotations
                else (),
                clips_file=annotations.name if annotations else "",
                labels=read_labels(_read(labels)) if labels else (),
                labels_file=labels.name if labels else "",
            )
        except DatasetInvalid as error:
            for fault in error.faults:
                self.stderr.write(str(fault))
            raise CommandError(str(error)) from error
        except AnnotateError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(str(imported))


def _read(path: Path) -> DatasetFile:
    try:
        with path.open("rb") as file:
            return DatasetFile(path.name, file.read(MOST_BYTES + 1))
    except OSError as error:
        raise refused(
            DatasetFile(str(path), b""), f"It can't be read: {error.strerror}."
        ) from error
