"""manage.py import_splits PROJECT --train FILE --test FILE"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.files import MOST_BYTES, DatasetFile
from review.errors import ReviewError
from review.management.lookup import find_project
from review.triplets.split_form import SPLIT_OF_FIELD
from review.triplets.splits import import_splits


class Command(BaseCommand):
    help = "Split the source videos as files give it: TF-CoVR's, FineGym's, FineDiving's, a table."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        for split in ("train", "validation", "test"):
            parser.add_argument(
                f"--{split}", type=Path, metavar="FILE", help="what lists its clips"
            )
        parser.add_argument(
            "--table", type=Path, metavar="FILE", help="CSV with source_video or clip, and split"
        )
        parser.add_argument(
            "--rest-to-train", action="store_true", help="source videos that no file names"
        )
        parser.add_argument(
            "--min-sources", type=int, default=1, help="the least source videos of each split"
        )

    def handle(self, *, project: str, **options: Any) -> None:
        chosen = [(options[name], split) for name, split in SPLIT_OF_FIELD.items() if options[name]]
        if not chosen:
            raise CommandError("Give --train, --validation, --test or --table.")
        try:
            given = import_splits(
                project=find_project(project),
                admin=None,
                files=[(_read(path), split) for path, split in chosen],
                rest_to_train=options["rest_to_train"],
                min_sources=options["min_sources"],
            )
        except DatasetInvalid as error:
            for fault in error.faults:
                self.stderr.write(str(fault))
            raise CommandError(str(error)) from error
        except ReviewError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Split {len(given.plan):,} source videos")
        if given.unknown:
            self.stdout.write(f"{len(given.unknown):,} names are not in the project")


def _read(path: Path) -> DatasetFile:
    try:
        with path.open("rb") as file:
            return DatasetFile(path.name, file.read(MOST_BYTES + 1))
    except OSError as error:
        raise CommandError(f"{path} can't be read: {error.strerror}.") from error
