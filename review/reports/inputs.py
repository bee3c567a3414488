"""The inputs of a report, and its one-line signature."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from annotate.models import Project
from review.reports.models import Report
from review.reports.plain import AnyTable
from review.reports.results import as_json
from review.reports.signing import sign_report

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True)
class Inputs:
    """The labels and parameters of one report; `compute` returns its result, a dataclass.

    `labels` are in a stated order; they, `parameters` and the result can be written as JSON.
    `method` names the code and its version. `keep` stores further data of the report, in the
    transaction that stores it.

    `tables` returns the inputs by name, in plain form, for releases; None if the result can't be
    computed from them. `withheld` says why a release can't have them yet, if so.
    `counts_programs`: the work of programs is among the labels; only then a parameter says so.
    """

    subject: str
    method: str
    parameters: DataclassInstance
    labels: Sequence[Any]
    count: int
    compute: Callable[[], object]
    seed: int = 0
    keep: Callable[[Report], None] | None = None
    tables: Callable[[], Mapping[str, AnyTable]] | None = None
    withheld: Callable[[], str] = lambda: ""
    counts_programs: bool = False

    @cached_property
    def stored_parameters(self) -> dict[str, Any]:
        """Return what is stored and signed of the parameters, in the order of the fields. A field
        that is None is left out."""
        stored = as_json(self.parameters)
        if self.counts_programs:
            stored["programs"] = "counted"
        return {name: value for name, value in stored.items() if value is not None}

    @property
    def hash(self) -> str:
        what = [self.subject, self.method, self.stored_parameters, self.seed, self.labels]
        written = json.dumps(what, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(written.encode()).hexdigest()


def signature(project: Project, name: str, inputs: Inputs) -> str:
    """Return one line on how the numbers were made."""
    return sign_report(
        name,
        inputs.stored_parameters,
        labels=inputs.count,
        seed=inputs.seed,
        method=inputs.method,
        inputs_hash=inputs.hash,
        is_simulated=project.is_simulated,
    )
