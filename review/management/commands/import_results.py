"""manage.py import_results PROJECT FILE --kind caption --model NAME"""

from datetime import date
from pathlib import Path

from django.core.management.base import CommandParser

from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from review.elsewhere.services import import_results, imported_sentence, preview_results
from review.elsewhere.statement import KINDS, NOTATIONS, Statement


class Command(QuickCommand):
    help = "Import captions, scores or vectors that were made elsewhere, as finished runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument(
            "file", type=Path, help="JSONL, a JSON list or CSV in UTF-8, or .npz or .safetensors"
        )
        parser.add_argument("--kind", choices=list(KINDS), required=True)
        parser.add_argument("--model", required=True, help="a model of the project, or a new name")
        parser.add_argument("--frames", default="", help=f"the frames it saw: {NOTATIONS}")
        parser.add_argument("--prompt", default="", help="of captions: the prompt, word for word")
        parser.add_argument("--theme", choices=["told", "not_told"], default="")
        parser.add_argument("--variant", choices=["v3", "v1"], default="v3", help="of scores (v3)")
        parser.add_argument("--made-on", type=date.fromisoformat, help="such as 2026-03-01")
        parser.add_argument("--skip-bad", action="store_true", help="leave out rows with an error")
        parser.add_argument(
            "--preview", action="store_true", help="say what changes, store nothing"
        )

    def handle(
        self,
        *,
        project: str,
        file: Path,
        kind: str,
        preview: bool,
        skip_bad: bool,
        **options: object,
    ) -> None:
        names = ("model", "frames", "prompt", "theme", "variant", "made_on")
        stated = Statement(**{name: options[name] for name in names})  # type: ignore[arg-type]  # as parsed
        target = find_project(project)
        with command_errors(reading=file), file.open("rb") as opened:
            planned = preview_results(
                project=target, kind=kind, file=opened, file_name=file.name, stated=stated,
                skips_bad=skip_bad,
            )  # fmt: skip
            for fault in planned.left_out.faults:
                self.stderr.write(str(fault))
            self.stdout.write("\n".join(planned.sentences))
            if preview:
                return
            runs = import_results(
                project=target,
                kind=kind,
                file=opened,
                file_name=file.name,
                stated=stated,
                skips_bad=skip_bad,
                admin=None,
            )
        self.stdout.write(imported_sentence(runs))
