"""manage.py import_videos PROJECT PATH [--manifest FILE] [--admin EMAIL] [--wait]"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.imports.manifest import ManifestInvalid, read_manifest
from annotate.imports.services import accepted_extensions, add_item, copy_file, open_batch
from annotate.management.import_report import follow_steps, report_import
from annotate.management.lookup import find_admin, find_project
from annotate.management.quick import QuickCommand
from annotate.models import ImportItem

State = ImportItem.State


class Command(QuickCommand):
    help = "Import a video file, or all videos of a folder and its subfolders."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("path", type=Path, help="a video file or a folder")
        parser.add_argument(
            "--manifest",
            type=Path,
            help="a CSV file with the columns file, category, subcategory, license, source_url; "
            "file is a path relative to the folder",
        )
        parser.add_argument("--admin", metavar="EMAIL", help="the admin to record as the importer")
        parser.add_argument(
            "--wait",
            action="store_true",
            help="import in this process, instead of leaving it to a worker",
        )

    def handle(self, *, project: str, path: Path, manifest: Path | None, **options: Any) -> None:
        target = find_project(project)
        folder = path if path.is_dir() else path.parent
        files = _videos(path)
        if not files:
            raise CommandError(f"{path} has no video file.")
        details = self._details(manifest, folder, files) if manifest else {}
        admin = find_admin(target, options["admin"])

        batch = open_batch(project=target, admin=admin)
        items = [
            (file, add_item(batch=batch, name=file.name, size=file.stat().st_size, **fields))
            for file in files
            for fields in [details.get(file.relative_to(folder).as_posix(), {})]
        ]
        for file, item in items:
            if item.state == State.UPLOADING:
                self._import(file, item, wait=options["wait"])
        report_import(batch, self.stdout)

    def _details(
        self, manifest: Path, folder: Path, files: list[Path]
    ) -> dict[str, dict[str, str]]:
        try:
            data = manifest.read_bytes()
            return read_manifest(data, [file.relative_to(folder).as_posix() for file in files])
        except OSError as error:
            raise CommandError(f"{manifest} can't be read: {error.strerror}.") from error
        except ManifestInvalid as error:
            for problem in error.problems:
                self.stderr.write(problem)
            raise CommandError(str(error)) from error

    def _import(self, file: Path, item: ImportItem, *, wait: bool) -> None:
        item = copy_file(item=item, source=file, queue=not wait)
        if not wait or item.state != State.WAITING:
            return
        # Imported here: only this process needs the video libraries.
        from annotate.imports.services.running import run_batch

        run_batch(
            batch=item.batch,
            on_progress=follow_steps(self.stderr, item.name),
        )


def _videos(path: Path) -> list[Path]:
    """Return the files with a video suffix, in a stable order, without links out of the folder."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise CommandError(f"There is no file or folder {path}.")
    root = path.resolve()
    videos = []
    for parent, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(parent, name)
            is_video = not name.startswith(".") and file.suffix.lower() in accepted_extensions()
            target = file.resolve()
            if is_video and target.is_file() and target.is_relative_to(root):
                videos.append(file)
    return videos
