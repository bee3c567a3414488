"""What a report is computed from, and what its one-line signature is made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Project
from review.reports.models import Report


@dataclass(frozen=True)
class Inputs:
    """The labels and parameters of one report; `compute` makes its result of them, a dataclass.

    `labels` are in a stated order and can be written as JSON, as `parameters` and the result can.
    `method` names the code and its version. `keep` stores what belongs to the report but isn't in
    its result, in the transaction that stores the report.
    """

    subject: str
    method: str
    parameters: Mapping[str, Any]
    labels: Sequence[Any]
    count: int
    compute: Callable[[], object]
    seed: int = 0
    keep: Callable[[Report], None] | None = None

    @property
    def hash(self) -> str:
        what = [self.subject, self.method, self.parameters, self.seed, self.labels]
        written = json.dumps(what, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(written.encode()).hexdigest()


def marks_by_category(rows: Iterable[tuple[str, Any]]) -> list[list[Any]]:
    """Of rows (category, key): each category with how many there are and the sum of their keys,
    sorted. Kept in a result, it tells when any of them has got another category."""
    marks: dict[str, tuple[int, int]] = {}
    for category, key in rows:
        number, total = marks.get(category, (0, 0))
        marks[category] = number + 1, total + key
    return [[category, *mark] for category, mark in sorted(marks.items())]


def signature(project: Project, name: str, inputs: Inputs) -> str:
    """How the numbers were made, in the manner of sacrebleu: key:value joined by |, which is no
    part of a value."""
    parts = {
        **inputs.parameters,
        "labels": inputs.count,
        "seed": inputs.seed,
        "method": inputs.method,
        "inputs": inputs.hash[:8],
    }
    simulated = ["simulated"] if project.is_simulated else []
    stated = (f"{key}:{value}".replace("|", " ") for key, value in parts.items())
    return "|".join([name, *simulated, *stated])
