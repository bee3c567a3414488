"""manage.py import_dataset PROJECT [FILE] --format FORMAT [--videos DIR] [--dry-run] [--here]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from annotate.datasets.faults import DatasetInvalid, LeftOut
from annotate.datasets.files import MAX_BYTES, DatasetFile, refused
from annotate.datasets.formats import FORMATS as LABELED
from annotate.datasets.importing import read_dataset, start_dataset_import
from annotate.datasets.services import import_dataset
from annotate.errors import Refused
from annotate.management.errors import command_errors
from annotate.management.following import (
    JobFollower,
    add_here_option,
    refuse_unfinished,
    show_faults,
)
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from annotate.models import Project
from review.triplets.set_import import FORMATS as TRIPLETS
from review.triplets.set_import import import_published_set

# Human captions, and the default name of the data set.
CAPTIONS = {
    "carebench": "CaReBench",
    "lovr": "LoVR",
    "label-studio": "Label Studio",
    "webvtt": "WebVTT",
}


class Command(QuickCommand):
    help = (
        "Import a data set: labeled clips (csv, finegym, finediving), human captions (carebench, "
        "lovr, label-studio, webvtt), or triplets (tfcovr, circo)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument(
            "file", nargs="?", type=Path, help="the file, or the folder or ZIP of a set"
        )
        parser.add_argument(
            "--format",
            choices=[*LABELED, *CAPTIONS, *TRIPLETS],
            default="csv",
            help="the format of the files (csv)",
        )
        parser.add_argument(
            "--videos", type=Path, metavar="DIR", help="first import the videos of this folder"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="check everything and store nothing"
        )
        parser.add_argument("--name", help="of captions: the name of the data set")
        parser.add_argument(
            "--leave-out",
            action="store_true",
            help="of captions: leave out rows about other videos",
        )
        parser.add_argument(
            "--skip-bad",
            action="store_true",
            help="leave out rows with an error and import the others",
        )
        parser.add_argument(
            "--annotations", type=Path, metavar="FILE", help="the labels of each clip, as FILE"
        )
        parser.add_argument("--labels", type=Path, metavar="FILE", help="the meaning of each label")
        parser.add_argument(
            "--times",
            type=Path,
            metavar="FILE",
            help="FineGym's annotation file, which has the times",
        )
        add_here_option(parser)

    def handle(self, *, project: str, file: Path | None, **options: Any) -> None:
        target = find_project(project)
        if options["videos"]:
            self._import_videos(target, options["videos"], is_dry=options["dry_run"])
        if options["format"] in LABELED:
            self._import_labeled(target, file, options)
        elif file is None:
            raise CommandError("Give the file to import after the project’s name.")
        elif options["format"] in TRIPLETS:
            self._import_triplets(target, file, options)
        else:
            call_command(
                "import_human_captions",
                project,
                file,
                name=options["name"] or CAPTIONS[options["format"]],
                leave_out=options["leave_out"],
                skip_bad=options["skip_bad"],
                preview=options["dry_run"],
                here=options["here"],
                **self._streams(),
            )

    def _import_videos(self, project: Project, folder: Path, *, is_dry: bool) -> None:
        if is_dry:
            raise CommandError(
                "A dry run stores no videos, and rows are compared with the project’s videos. "
                "Leave out --videos, or run import_videos first."
            )
        call_command("import_videos", project.slug, folder, wait=True, **self._streams())

    def _import_triplets(self, project: Project, file: Path, options: dict[str, Any]) -> None:
        with command_errors():
            sentence = import_published_set(
                project=project,
                file=file,
                file_name=file.name,
                format=options["format"],
                admin=None,
                is_dry=options["dry_run"],
            )
        self.stdout.write(sentence + (" Nothing was stored." * options["dry_run"]))

    def _streams(self) -> dict[str, Any]:
        return {"stdout": self.stdout, "stderr": self.stderr}

    def _import_labeled(self, project: Project, file: Path | None, options: dict[str, Any]) -> None:
        paths = {
            "annotations": options["annotations"] or file,
            "times": options["times"],
            "labels": options["labels"],
        }
        if not paths["annotations"] and not paths["labels"]:
            raise CommandError("Give the file with the labels of the clips, --labels, or both.")
        try:
            files = {field: _read(path) for field, path in paths.items() if path}
            if options["dry_run"]:
                dataset = read_dataset(options["format"], files, skips_bad=options["skip_bad"])
                would = _try(project, dataset)
                for fault in dataset["left_out"] or []:
                    self.stderr.write(str(fault))
                self.stdout.write(f"{would} Nothing was stored.")
                return
            job = start_dataset_import(
                project=project,
                format=options["format"],
                files=files,
                skips_bad=options["skip_bad"],
                admin=None,
            )
        except DatasetInvalid as error:
            for fault in error.listed_faults:
                self.stderr.write(str(fault))
            raise CommandError(str(error)) from error
        except Refused as error:
            raise CommandError(str(error)) from error
        step = JobFollower(self, is_here=options["here"]).finish(job)
        show_faults(self, step)
        refuse_unfinished(job)
        self.stdout.write(step.note if step else "")


def _try(project: Project, dataset: dict[str, Any]) -> str:
    """Import it, print what was imported, and undo it."""
    with transaction.atomic():
        imported = import_dataset(project=project, admin=None, **dataset)
        transaction.set_rollback(True)
    return f"{imported} {LeftOut(dataset['left_out'] or []).sentence}".strip()


def _read(path: Path) -> DatasetFile:
    try:
        with path.open("rb") as file:
            return DatasetFile(path.name, file.read(MAX_BYTES + 1))
    except OSError as error:
        raise refused(
            DatasetFile(str(path), b""), f"It can't be read: {error.strerror}."
        ) from error
