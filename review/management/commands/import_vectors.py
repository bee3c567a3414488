"""manage.py import_vectors PROJECT FILE --name NAME"""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.management.lookup import find_project
from review.errors import ReviewError
from review.releases.exporting import find_release
from review.retrieval.exchange import import_vectors


class Command(BaseCommand):
    help = "Import vectors of clips and captions of a model that ran elsewhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("file", type=Path, help="a .npz or .safetensors file")
        parser.add_argument("--name", required=True, help="the name of the model")
        parser.add_argument("--release", help="refuse clips outside this release, such as 1.0.0")

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
            target = find_project(project)
            with file.open("rb") as opened:
                vector_set = import_vectors(
                    project=target,
                    file=opened,
                    file_name=file.name,
                    name=name,
                    release=find_release(project=target, version=release) if release else None,
                    admin=None,
                )
        except ReviewError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from error
        self.stdout.write(
            f"Imported {vector_set.vectors.count():,} vectors of {vector_set.dimension} numbers as "
            f"{vector_set}. Next: manage.py recompute {project} recall, then rebias."
        )
