"""manage.py import_vectors PROJECT FILE --name NAME"""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from review.errors import ReviewError
from review.management.lookup import find_project, find_release
from review.retrieval.exchange import import_vectors


class Command(BaseCommand):
    help = "Take in vectors of clips and captions by a model that was run elsewhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("file", type=Path, help=".npz or .safetensors (docs/formats.md)")
        parser.add_argument("--name", required=True, help="what people call the model")
        parser.add_argument("--release", help="take only what is in this release, 1.0.0 say")

    def handle(
        self,
        *,
        project: str,
        file: Path,
        name: str,
        release: str | None,
        **options: object,
    ) -> None:
        try:
            of = find_project(project)
            with file.open("rb") as opened:
                made = import_vectors(
                    project=of,
                    file=opened,
                    file_name=file.name,
                    name=name,
                    release=find_release(of, release) if release else None,
                    admin=None,
                )
        except ReviewError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from error
        self.stdout.write(
            f"Imported {made.vectors.count():,} vectors of {made.dimension} numbers as {made}. "
            f"Now: manage.py recompute {project} recall, and rebias."
        )
