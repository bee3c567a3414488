"""manage.py import_predictions PROJECT FILE --name NAME"""

from pathlib import Path

from django.core.management.base import CommandParser

from annotate.datasets.faults import Fault
from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from inference.words import counted
from review.captions.exchange import KINDS, import_predictions
from review.releases.queries import find_release


class Command(QuickCommand):
    help = "Import the captions (JSONL) of a model that ran elsewhere. Import the clips first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("file", type=Path, help="a file with JSONL or a JSON list, in UTF-8")
        parser.add_argument("--name", required=True, help="the name of the model")
        parser.add_argument(
            "--kind", choices=list(KINDS), default="general", help="the kind of caption (general)"
        )
        parser.add_argument("--release", help="refuse clips outside this release, such as 1.0.0")
        parser.add_argument("--prompt", default="", help="the prompt, word for word")
        parser.add_argument(
            "--frames",
            default="",
            help='the frames that it saw, such as "32 frames, evenly spread"',
        )
        parser.add_argument(
            "--theme",
            choices=["told", "not_told", "no_model"],
            default="",
            help="whether the model was told the theme of each video, or its category; no_model "
            "if people wrote the captions",
        )

        parser.add_argument("--skip-bad", action="store_true", help="leave out rows with an error")

    def handle(
        self,
        *,
        project: str,
        file: Path,
        name: str,
        kind: str,
        release: str | None,
        skip_bad: bool,
        **options: object,
    ) -> None:
        left_out: list[Fault] = []
        with command_errors(reading=file):
            target = find_project(project)
            with file.open("rb") as opened:
                caption_set = import_predictions(
                    project=target,
                    file=opened,
                    file_name=file.name,
                    name=name,
                    kind=kind,
                    release=find_release(project=target, version=release) if release else None,
                    prompt=str(options["prompt"]),
                    frames=str(options["frames"]),
                    theme=str(options["theme"]),
                    left_out=left_out if skip_bad else None,
                    admin=None,
                )
        for fault in left_out:
            self.stderr.write(str(fault))
        captions = counted(caption_set.captions.count(), ("caption", "captions"))
        self.stdout.write(f"Imported {captions} of {caption_set}.")
