"""How work is refused or fails: always with a sentence that can be shown as it is.

Loads no Django: model backends raise these, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotate.models import Assignment
    from annotate.text.parts import Problem


class Refused(Exception):
    """Refused. `str(error)` is a sentence for the person who asked, and the reason of a job that
    fails with it."""


class AnnotateError(Refused):
    """Refused. `str(error)` is a sentence for the person who asked."""


class LeaseLost(AnnotateError):
    """The hold on the work has ended; the draft is kept, nothing was overwritten."""


class WorkWithdrawn(LeaseLost):
    """Nobody is asked for the work any more; the draft is kept, but can't be taken again."""


class DraftConflict(AnnotateError):
    """Somebody (the same person in another tab) saved a later draft than the one edited."""

    def __init__(self, assignment: Assignment) -> None:
        super().__init__(
            "This text was changed in another tab or on another device. "
            "Both versions are shown: keep one, or copy from one to the other."
        )
        self.assignment = assignment


class WorkInvalid(AnnotateError):
    """What was submitted is not complete. `problems` names each field and its mend."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = problems


class ItemFailed(Exception):
    """This item can't be done; `str(error)` says why and how to mend it.

    `concerns_all`: nor can any other now, as when a model server is away. Then nothing is failed:
    the job stops, and what waits can be resumed.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def concerns_all(self) -> bool:
        return False


class JobStopped(Exception):
    """The job can't continue with any item; `str(error)` says why and how to mend it."""


class ItemLost(Exception):
    """Another worker has the item, or the job was cancelled: store nothing of it."""
