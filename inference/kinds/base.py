"""What a kind of run gives the engine: batch by batch, or one item in several steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from inference.models import RunItem

Job = TypeVar("Job")
Material = TypeVar("Material")
Result = TypeVar("Result")


class ItemFailed(Exception):
    """This item can't be done; `str(error)` says why and how to mend it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Outcome:
    """What the engine writes to the item's row."""

    note: str = ""
    result_id: int | None = None


class BatchWork(ABC, Generic[Job, Material, Result]):
    """Items that a model does several at a time.

    `describe` reads the database, `read` decodes files in a thread beside the model and must not
    touch the database, `compute` runs the model, `store` runs inside the transaction that marks
    the item done.
    """

    batch_size: int = 8

    @abstractmethod
    def describe(self, items: Sequence[RunItem]) -> list[Job]:
        """One job an item, in order: all that `read` and `compute` need, as plain data."""

    @abstractmethod
    def read(self, job: Job) -> Material:
        """The frames or texts of one job. Raises ItemFailed, BackendError or MediaError."""

    @abstractmethod
    def compute(
        self, jobs: Sequence[Job], materials: Sequence[Material]
    ) -> Sequence[Result | Exception]:
        """One result a job, in order, or what befell this job alone."""

    @abstractmethod
    def store(self, item: RunItem, job: Job, result: Result) -> Outcome:
        """Write the result. Safe to be asked once an attempt; inside a transaction."""


@dataclass(frozen=True)
class Hold:
    """One attempt's hold on an item that takes several steps.

    `step(text)` shows what it is at. `saving()` is a transaction in which the item is locked and
    still ours; both raise Overtaken where it isn't.
    """

    step: Callable[[str], None]
    saving: Callable[[], AbstractContextManager[None]]


class SingleWork(ABC):
    """An item that takes several steps, each committed, so that a later attempt goes on there."""

    @abstractmethod
    def do(self, item: RunItem, hold: Hold) -> Any:
        """Do all steps that are not done yet; returns what `finish` needs."""

    @abstractmethod
    def finish(self, item: RunItem, result: Any) -> Outcome:
        """Write the result, inside the transaction that marks the item done."""
