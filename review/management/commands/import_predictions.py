"""manage.py import_predictions PROJECT FILE --name NAME"""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from review.captions.exchange import KINDS, PredictionsInvalid, import_predictions
from review.errors import ReviewError
from review.management.lookup import find_project, find_release


class Command(BaseCommand):
    help = (
        "Take in the captions of a model that was run elsewhere (JSONL). The clips must be there."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("file", type=Path, help="JSONL, or a JSON list, in UTF-8")
        parser.add_argument("--name", required=True, help="what the model is called")
        parser.add_argument("--kind", choices=list(KINDS), default="general")
        parser.add_argument("--release", help="accept clips of this release alone, 1.0.0 say")
        parser.add_argument("--prompt", default="", help="what the model was asked, word for word")
        parser.add_argument("--frames", default="", help='such as "32 frames, evenly spread"')
        parser.add_argument(
            "--theme",
            choices=["told", "not_told", "no_model"],
            default="",
            help="whether it was told the category and subcategory of each video; no_model where "
            "people wrote the captions",
        )

    def handle(
        self,
        *,
        project: str,
        file: Path,
        name: str,
        kind: str,
        release: str | None,
        **options: object,
    ) -> None:
        try:
            of = find_project(project)
            with file.open("rb") as opened:
                made = import_predictions(
                    project=of,
                    file=opened,
                    file_name=file.name,
                    name=name,
                    kind=kind,
                    release=find_release(of, release) if release else None,
                    prompt=str(options["prompt"]),
                    frames=str(options["frames"]),
                    theme=str(options["theme"]),
                    admin=None,
                )
        except PredictionsInvalid as error:
            raise CommandError("\n".join([str(error), *map(str, error.faults)])) from error
        except ReviewError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from error
        self.stdout.write(f"Stored {made.captions.count():,} captions of {made}.")
