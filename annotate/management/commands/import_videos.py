"""Bring a file or a folder of videos into a project."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.imports.manifest import ManifestInvalid, read_manifest
from annotate.imports.services import accepted_extensions, add_item, copy_file, open_batch
from annotate.models import ImportBatch, ImportItem, Project, User

State = ImportItem.State
WORDS: dict[str, str] = {State.WAITING: "queued", State.FAILED: "refused"}


class Command(BaseCommand):
    help = "Import a video file, or all the videos of a folder and its subfolders."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("path", type=Path, help="a video file or a folder")
        parser.add_argument(
            "--manifest",
            type=Path,
            help="a CSV with the columns file, category, subcategory, licence, source_url; "
            "file is relative to the folder",
        )
        parser.add_argument("--admin", metavar="EMAIL", help="who imports, for the record")
        parser.add_argument(
            "--wait",
            action="store_true",
            help="import here and now instead of leaving it to a worker",
        )

    def handle(self, *, project: str, path: Path, manifest: Path | None, **options: Any) -> None:
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(f"There is no project {project!r}.")
        folder = path if path.is_dir() else path.parent
        files = _videos(path)
        if not files:
            raise CommandError(f"{path} holds no video file.")
        facts = self._facts(manifest, folder, files) if manifest else {}
        admin = _admin(found, options["admin"])

        batch = open_batch(project=found, admin=admin)
        items = [
            (file, add_item(batch=batch, name=file.name, size=file.stat().st_size, **fields))
            for file in files
            for fields in [facts.get(file.relative_to(folder).as_posix(), {})]
        ]
        for file, item in items:
            if item.state == State.UPLOADING:
                self._bring_in(file, item, wait=options["wait"])
        self._report(batch)

    def _facts(self, manifest: Path, folder: Path, files: list[Path]) -> dict[str, dict[str, str]]:
        try:
            data = manifest.read_bytes()
            return read_manifest(data, [file.relative_to(folder).as_posix() for file in files])
        except OSError as error:
            raise CommandError(f"{manifest} can't be read: {error.strerror}.") from error
        except ManifestInvalid as error:
            for problem in error.problems:
                self.stderr.write(problem)
            raise CommandError(str(error)) from error

    def _bring_in(self, file: Path, item: ImportItem, *, wait: bool) -> None:
        item = copy_file(item=item, source=file, queue=not wait)
        if not wait or item.state != State.WAITING:
            return
        # Imported here: only an import in this very process needs the video libraries.
        from annotate.imports.services.running import run_batch

        run_batch(
            batch=item.batch,
            on_progress=lambda step, percent: self.stderr.write(f"{item.name}: {step} {percent} %"),
        )

    def _report(self, batch: ImportBatch) -> None:
        items = list(batch.items.select_related("video"))
        width = max(len(item.name) for item in items)
        for item in items:
            state = WORDS.get(item.state, item.state)
            line = f"{item.position:>5}  {item.name:<{width}}  {state:<9}  {item.reason}"
            self.stdout.write(line.rstrip())
        refused = sum(item.state == State.FAILED for item in items)
        if refused:
            raise CommandError(f"{refused} of {len(items)} files were refused.")


def _videos(path: Path) -> list[Path]:
    """The files to import, in a stable order: those named like videos, links out left out."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise CommandError(f"There is no file or folder {path}.")
    root = path.resolve()
    found = []
    for parent, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(parent, name)
            is_video = not name.startswith(".") and file.suffix.lower() in accepted_extensions()
            target = file.resolve()
            if is_video and target.is_file() and target.is_relative_to(root):
                found.append(file)
    return found


def _admin(project: Project, email: str | None) -> User | None:
    if not email:
        return None
    admin: User | None = User.objects.filter(
        email=email.strip().lower(), memberships__project=project, memberships__is_admin=True
    ).first()
    if admin is None:
        raise CommandError(f"{email} is not an admin of {project.name}.")
    return admin
