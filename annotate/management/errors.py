"""Turn a service's refusal into a command's error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import CommandError

from annotate.errors import Refused
from annotate.jobs.file_imports import FileInvalid


@contextmanager
def command_errors(*, reading: Path | None = None, writing: Path | None = None) -> Iterator[None]:
    """Raise a refusal inside as a CommandError, with the faults of a refused file. `reading`,
    `writing`: the file whose OSError is raised as one, too."""
    try:
        yield
    except FileInvalid as error:
        raise CommandError("\n".join(error.printed())) from error
    except Refused as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        if reading is None and writing is None:
            raise
        failed = f"{reading} can't be read" if reading else f"{writing} can't be written"
        raise CommandError(f"{failed}: {error.strerror}.") from error
