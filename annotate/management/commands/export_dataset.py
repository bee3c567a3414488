"""manage.py export_dataset PROJECT --annotations FILE [--labels FILE]"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotate.datasets.places import counted
from annotate.datasets.writing import clip_rows, json_lines, label_rows
from annotate.management.errors import command_errors
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand


class Command(QuickCommand):
    help = (
        "Write a project's labeled clips, with their splits, in a format that import_dataset reads."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument(
            "--annotations",
            type=Path,
            required=True,
            metavar="FILE",
            help="the JSON file to write: the labeled clips",
        )
        parser.add_argument(
            "--labels", type=Path, metavar="FILE", help="the JSON file to write: the labels"
        )

    def handle(
        self, *, project: str, annotations: Path, labels: Path | None, **options: Any
    ) -> None:
        source = find_project(project)
        self._write(annotations, clip_rows(source))
        if labels:
            self._write(labels, label_rows(source))

    def _write(self, path: Path, rows: Iterable[Mapping[str, str | int]]) -> None:
        listed = list(rows)
        with command_errors(writing=path):
            path.write_text("".join(json_lines(listed)), encoding="utf-8")
        self.stdout.write(f"Wrote {counted(len(listed), 'row')} to {path}")
