"""Errors of refused or failed work, each with a sentence that can be shown to users.

This module doesn't load Django, because model backends raise these errors, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotate.models import Assignment
    from annotate.text.parts import Problem


class Refused(Exception):
    """Refused. `str(error)` is a sentence for the person, and the reason of a job that fails."""

    def by_field(self) -> list[tuple[str, str]]:
        """Return each field that is wrong, or row of a file, with how to fix it."""
        return []


class AnnotateError(Refused):
    """Refused. `str(error)` is a sentence for the person."""


class LeaseLost(AnnotateError):
    """The lease on the work has ended; the draft is kept, nothing was overwritten."""


class WorkWithdrawn(LeaseLost):
    """The work was withdrawn; the draft is kept, but the work can't be taken again."""


class DraftConflict(AnnotateError):
    """A later draft than the edited one was saved, by the same person in another tab."""

    def __init__(self, assignment: Assignment) -> None:
        super().__init__(
            "This text was changed in another tab or on another device. "
            "Both versions are shown: keep one, or copy from one to the other."
        )
        self.assignment = assignment


class WorkInvalid(AnnotateError):
    """The submission is incomplete. `problems` names each field and its fix."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = problems

    def by_field(self) -> list[tuple[str, str]]:
        return [(problem.field, problem.message) for problem in self.problems]


class ItemFailed(Exception):
    """This item failed; `str(error)` says why and how to fix it.

    `concerns_all`: all other items would fail now too, for example because a model server is
    unavailable. Then no item is marked as failed: the job stops, and can be resumed.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def concerns_all(self) -> bool:
        return False


class JobStopped(Exception):
    """The job can't continue with any item; `str(error)` says why and how to fix it."""


class ItemLost(Exception):
    """Another worker has the item, or the job was canceled: store none of its results."""
