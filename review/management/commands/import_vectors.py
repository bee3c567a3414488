"""manage.py import_vectors PROJECT FILE --name NAME"""

from pathlib import Path

from django.core.management.base import CommandParser

from annotate.datasets.faults import Fault
from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from inference.words import counted
from review.releases.queries import find_release
from review.retrieval.exchange import import_vectors


class Command(QuickCommand):
    help = "Import vectors of clips and captions of a model that ran elsewhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("file", type=Path, help="a .npz or .safetensors file")
        parser.add_argument("--name", required=True, help="the name of the model")
        parser.add_argument("--skip-bad", action="store_true", help="leave out rows with an error")
        parser.add_argument("--release", help="refuse clips outside this release, such as 1.0.0")

    def handle(
        self,
        *,
        project: str,
        file: Path,
        name: str,
        release: str | None,
        skip_bad: bool,
        **options: object,
    ) -> None:
        left_out: list[Fault] = []
        with command_errors(reading=file):
            target = find_project(project)
            with file.open("rb") as opened:
                vector_set = import_vectors(
                    project=target,
                    file=opened,
                    file_name=file.name,
                    name=name,
                    release=find_release(project=target, version=release) if release else None,
                    left_out=left_out if skip_bad else None,
                    admin=None,
                )
        for fault in left_out:
            self.stderr.write(str(fault))
        vectors = counted(vector_set.vectors.count(), ("vector", "vectors"))
        self.stdout.write(
            f"Imported {vectors} of {vector_set.dimension} numbers as "
            f"{vector_set}. Next: manage.py recompute {project} recall, then rebias."
        )
