"""manage.py import_splits PROJECT --train FILE --test FILE"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.datasets.files import MAX_BYTES, DatasetFile
from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from inference.words import counted
from review.triplets.split_form import SPLIT_OF_FIELD
from review.triplets.splits import import_splits


class Command(QuickCommand):
    help = "Split the source videos by files: those of TF-CoVR, FineGym or FineDiving, or a table."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        for split in ("train", "validation", "test"):
            parser.add_argument(
                f"--{split}",
                type=Path,
                metavar="FILE",
                help=f"a file that lists the clips of {split}",
            )
        parser.add_argument(
            "--table",
            type=Path,
            metavar="FILE",
            help="a CSV file with the columns split, and source_video or clip",
        )
        parser.add_argument(
            "--rest-to-train",
            action="store_true",
            help="put source videos that no file names into train",
        )
        parser.add_argument(
            "--min-sources", type=int, default=1, help="the fewest source videos of a split (1)"
        )

    def handle(self, *, project: str, **options: Any) -> None:
        chosen = [(options[name], split) for name, split in SPLIT_OF_FIELD.items() if options[name]]
        if not chosen:
            raise CommandError("Give --train, --validation, --test or --table.")
        with command_errors():
            split = import_splits(
                project=find_project(project),
                admin=None,
                files=[(_read(path), split) for path, split in chosen],
                rest_to_train=options["rest_to_train"],
                min_sources=options["min_sources"],
            )
        self.stdout.write(f"Split {len(split.plan):,} source videos.")
        if split.unknown:
            nouns = ("name that is", "names that are")
            self.stdout.write(f"Ignored {counted(len(split.unknown), nouns)} not in the project.")


def _read(path: Path) -> DatasetFile:
    with command_errors(reading=path), path.open("rb") as file:
        return DatasetFile(path.name, file.read(MAX_BYTES + 1))
