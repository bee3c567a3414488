"""manage.py verify_release FOLDER [--release-hash HASH]"""

from pathlib import Path

from django.core.management.base import CommandError, CommandParser

from annotate.management.quick import QuickCommand
from review.proof.verifying.folder import printable
from review.proof.verifying.main import verify


class Command(QuickCommand):
    help = "Check every hash of an exported release, and compute the numbers of its reports again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="the folder of the release")
        parser.add_argument(
            "--release-hash",
            default="",
            help="the hash of this format on the release's page, which covers every file",
        )

    def handle(self, *, folder: Path, release_hash: str, **options: object) -> None:
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder.")
        problems = verify(
            folder, lambda text: self.stdout.write(printable(text)), expected=release_hash
        )
        if problems:
            raise CommandError("\n".join(["This release has errors.", *map(str, problems)]))
        self.stdout.write("OK")
