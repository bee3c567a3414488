"""What a report is computed from, and what its one-line signature is made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Project
from review.reports.models import Report
from review.reports.plain import AnyTable
from review.reports.signing import sign_report


@dataclass(frozen=True)
class Inputs:
    """The labels and parameters of one report; `compute` makes its result of them, a dataclass.

    `labels` are in a stated order and can be written as JSON, as `parameters` and the result can.
    `method` names the code and its version. `keep` stores what belongs to the report but isn't in
    its result, in the transaction that stores the report.

    `tables` gives by name what the result is computed from, in plain form, for releases; None if
    nobody can compute the result from it. `withheld` says why a release may not have it yet, if so.
    """

    subject: str
    method: str
    parameters: Mapping[str, Any]
    labels: Sequence[Any]
    count: int
    compute: Callable[[], object]
    seed: int = 0
    keep: Callable[[Report], None] | None = None
    tables: Callable[[], Mapping[str, AnyTable]] | None = None
    withheld: Callable[[], str] = lambda: ""

    @property
    def hash(self) -> str:
        what = [self.subject, self.method, self.parameters, self.seed, self.labels]
        written = json.dumps(what, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(written.encode()).hexdigest()


def signature(project: Project, name: str, inputs: Inputs) -> str:
    """How the numbers were made, in one line."""
    return sign_report(
        name,
        inputs.parameters,
        labels=inputs.count,
        seed=inputs.seed,
        method=inputs.method,
        inputs_hash=inputs.hash,
        is_simulated=project.is_simulated,
    )
