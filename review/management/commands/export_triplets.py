"""manage.py export_triplets PROJECT --out DIR"""

from pathlib import Path

from django.core.management.base import CommandParser

from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from review.exchange.folder import write_folder
from review.triplets.exchange import triplet_files
from review.triplets.queries import find_set


class Command(QuickCommand):
    help = "Write a set of triplets as TF-CoVR's CSVs and CIRCO's JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument(
            "--out", required=True, type=Path, help="the folder to write to, new or empty"
        )
        parser.add_argument(
            "--set", type=int, dest="number", help="the number of the set (the newest)"
        )
        parser.add_argument(
            "--verified-only",
            action="store_true",
            help="in test, only queries that people verified, with the targets they found valid",
        )

    def handle(
        self,
        *,
        project: str,
        out: Path,
        number: int | None,
        verified_only: bool,
        **options: object,
    ) -> None:
        with command_errors():
            triplets = find_set(find_project(project), number)
            files = triplet_files(triplets, verified_only=verified_only)
            write_folder(lambda _: [file.measured() for file in files], out)
        self.stdout.write(f"Wrote {triplets} to {out}")
