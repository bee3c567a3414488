"""manage.py export_vectors PROJECT labels|queries --out FILE"""

from pathlib import Path

from django.core.management.base import CommandError, CommandParser

from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from annotate.models import Project
from inference.words import counted
from review.composed.computing import BASELINES
from review.retrieval.vector_writing import WRITERS
from review.vectors.contents import LABELS, QUERIES, Source, vector_sources, vectors_of


class Command(QuickCommand):
    help = "Write vectors of the labels, or of the composed test queries with their gallery."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("of", choices=[LABELS, QUERIES])
        parser.add_argument("--out", required=True, type=Path, help=".npz or .safetensors")
        parser.add_argument("--model", default="", help="the encoder, if there are several")
        parser.add_argument("--frames", default="", help="as on the page Retrieval, if several")
        parser.add_argument("--fusion", choices=BASELINES, default="average", help="of queries")

    def handle(
        self, *, project: str, of: str, out: Path, model: str, frames: str, fusion: str, **_: object
    ) -> None:
        format_name = out.suffix.removeprefix(".")
        if format_name not in WRITERS:
            raise CommandError(f"{out} must end in .npz or .safetensors.")
        owner = find_project(project)
        source = _source(owner, of, model, frames)
        with command_errors(writing=out):
            content = vectors_of(owner, source, fusion)
            out.write_bytes(content.written(format_name))
        vectors = counted(len(content.ids[of]), ("vector", "vectors"))
        self.stdout.write(f"Wrote {vectors} of {source.name} to {out}")


def _source(project: Project, of: str, model: str, frames: str) -> Source:
    """Return the only source with this model and these frames. Raises CommandError."""
    sources = [source for source in vector_sources(project) if source.of == of]
    fitting = [
        source
        for source in sources
        if model in ("", source.model.name) and frames in ("", source.frames)
    ]
    if len(fitting) == 1:
        return fitting[0]
    names = "; ".join(source.name for source in sources) or "none; embed the clips first"
    raise CommandError(f"Choose one with --model and --frames. There are: {names}.")
