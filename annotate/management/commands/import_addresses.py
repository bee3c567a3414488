"""manage.py import_addresses PROJECT FILE [--admin EMAIL] [--wait]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.imports.addresses import AddressRow, read_lines, read_table
from annotate.imports.manifest import ManifestInvalid
from annotate.imports.services import import_addresses
from annotate.management.import_report import follow_steps, report_import
from annotate.management.lookup import find_admin, find_project
from annotate.management.quick import QuickCommand


class Command(QuickCommand):
    help = "Download videos from a list of addresses, and import them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument(
            "file",
            type=Path,
            help="text with one address per line; or, if it ends with .csv, a table with the "
            "columns url, file, category, subcategory, license, source_url",
        )
        parser.add_argument("--admin", metavar="EMAIL", help="the admin to record as the importer")
        parser.add_argument(
            "--wait",
            action="store_true",
            help="import in this process, instead of leaving it to a worker",
        )

    def handle(self, *, project: str, file: Path, wait: bool, **options: Any) -> None:
        target = find_project(project)
        batch = import_addresses(
            project=target,
            admin=find_admin(target, options["admin"]),
            rows=self._rows(file),
            queue=not wait,
        )
        if wait:
            # Imported here: only this process needs the video libraries.
            from annotate.imports.services.running import run_batch

            run_batch(batch=batch, on_progress=follow_steps(self.stderr))
        report_import(batch, self.stdout)

    def _rows(self, file: Path) -> list[AddressRow]:
        try:
            data = file.read_bytes()
            if file.suffix.lower() == ".csv":
                return read_table(data)
            return read_lines(data.decode("utf-8-sig"), {})
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{file} isn't UTF-8 text. Save it as UTF-8.") from error
        except ManifestInvalid as error:
            for problem in error.problems:
                self.stderr.write(problem)
            raise CommandError(str(error)) from error
