"""What a kind of job raises to say how its work went wrong. Knows no Django: model backends raise
these too."""

from __future__ import annotations


class Refused(Exception):
    """Refused. `str(error)` is a sentence for the person who asked, and the reason of a job that
    fails with it."""


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
