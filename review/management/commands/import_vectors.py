"""manage.py import_vectors PROJECT FILE --name NAME"""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from review.errors import ReviewError
from review.management.lookup import find_project
from review.models import Release
from review.services.vector_import import import_vectors


class Command(BaseCommand):
    help = "Take in vectors of clips and captions by a model that was run elsewhere."

    def add_arguments(self, parser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("file", type=Path, help=".npz or .safetensors (docs/formats.md)")
        parser.add_argument("--name", required=True, help="what people call the model")
        parser.add_argument("--release", help="take only clips and captions of this version")

    def handle(
        self, *, project: str, file: Path, name: str, release: str | None, **options
    ) -> None:
        try:
            found = find_project(project)
            of_release = None
            if release is not None:
                of_release = Release.objects.filter(project=found, version=release).first()
                if of_release is None:
                    raise ReviewError(f"{project} has no release {release}.")
            with file.open("rb") as opened:
                made = import_vectors(
                    project=found,
                    file=opened,
                    file_name=file.name,
                    name=name,
                    release=of_release,
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
