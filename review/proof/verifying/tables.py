"""A report and its inputs, as files of a release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from review.reports.plain import Vectors


class Tables(Protocol):
    """The inputs of a report."""

    def rows(self, name: str) -> Iterable[dict[str, Any]]: ...

    def vectors(self, name: str) -> Vectors: ...

    def __contains__(self, name: str) -> bool: ...


@dataclass(frozen=True)
class StoredReport:
    """A report as its file has it."""

    name: str
    subject: str
    parameters: Mapping[str, Any]
    seed: int
    result: Any
