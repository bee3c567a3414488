"""manage.py export_dataset PROJECT --annotations FILE [--labels FILE]"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.datasets.writing import clip_rows, label_rows
from annotate.models import Project


class Command(BaseCommand):
    help = "Write the labeled clips of a project with their splits, as import_dataset reads them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("--annotations", type=Path, required=True, metavar="FILE")
        parser.add_argument("--labels", type=Path, metavar="FILE")

    def handle(
        self, *, project: str, annotations: Path, labels: Path | None, **options: Any
    ) -> None:
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(f"There is no project {project!r}.")
        self._write(annotations, clip_rows(found))
        if labels:
            self._write(labels, label_rows(found))

    def _write(self, path: Path, rows: Iterable[Mapping[str, str | int]]) -> None:
        """A JSON list with a row a line."""
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        try:
            path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{path} can't be written: {error.strerror}.") from error
        self.stdout.write(f"Wrote {len(lines)} rows to {path}")
