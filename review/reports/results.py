"""A report's result as the dataclass that its computation returns, to and from stored JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
import numpy as np
from django.http import Http404

from review.reports.models import Report

Result = TypeVar("Result")


class OldResult(Http404):
    """A stored result has the shape of an earlier version, so it must be computed again."""

    sentence = "These numbers were computed by an earlier version of Vericap. Recompute them."

    def __init__(self, sentence: str = sentence) -> None:
        super().__init__(sentence)


@dataclass(frozen=True)
class Mend:
    """What a person must fix before a report can have numbers, if anything."""

    mend: str = ""


def as_json(result: object) -> Any:
    """Return a result in the form that is stored: dictionaries, sequences, texts and numbers."""
    return msgspec.to_builtins(result, str_keys=True, enc_hook=_plain)


def result_of(report: Report, kind: type[Result]) -> Result:
    """Return the report's result as the dataclass that made it. `kind` may be another with some of
    its fields. Raises OldResult if the stored result has another shape."""
    return convert(report.result, kind)


def parameters_of(report: Report, kind: type[Result]) -> Result:
    """Return the report's parameters as the dataclass that its inputs were made with. Raises
    OldResult if the stored parameters have another shape."""
    return convert(report.parameters, kind)


def convert(stored: object, kind: type[Result]) -> Result:
    """Return stored JSON as a dataclass. Raises OldResult if it has another shape."""
    try:
        return msgspec.convert(stored, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise OldResult from error


def is_readable(report: Report, kind: type[Any]) -> bool:
    """Return whether the stored result has the shape of this dataclass."""
    try:
        result_of(report, kind)
    except OldResult:
        return False
    return True


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, str):  # a Kind
        return str(value)
    raise NotImplementedError(f"A result holds {type(value).__name__}, which can't be stored.")
