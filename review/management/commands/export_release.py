"""manage.py export_release PROJECT VERSION [--format FORMAT] --out DIR"""

from pathlib import Path

from django.core.management.base import CommandParser

from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from review.releases.formats import FORMATS, export_release
from review.releases.queries import find_release


class Command(QuickCommand):
    help = "Write the files of a release to a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("version", help="the version, such as 0.1.0")
        parser.add_argument(
            "--format", help=f"{', '.join(FORMATS)}; by default, that of the project's protocol"
        )
        parser.add_argument(
            "--out", required=True, type=Path, help="the folder to write to, new or empty"
        )

    def handle(self, *, project: str, version: str, out: Path, **options: object) -> None:
        with command_errors():
            release = find_release(project=find_project(project), version=version)
            format_name = str(options["format"] or release.format)
            sha256 = export_release(release=release, format_name=format_name, target=out)
        self.stdout.write(f"Wrote {release} to {out}")
        self.stdout.write(f"Release hash of the format {format_name}: {sha256}")
