"""A report's result as the dataclass that its computation returns, to and from stored JSON."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
import numpy as np

from review.reports.models import Report

Result = TypeVar("Result")


def as_json(result: object) -> Any:
    """Return what is stored of a result: dictionaries, sequences, texts and numbers."""
    return msgspec.to_builtins(result, str_keys=True, enc_hook=_plain)


def result_of(report: Report, kind: type[Result]) -> Result:
    """Return the report's result as the dataclass that made it. `kind` may be another with some of
    its fields. Raises msgspec.ValidationError if the stored result has another shape."""
    return convert(report.result, kind)


def convert(stored: object, kind: type[Result]) -> Result:
    return msgspec.convert(stored, kind, str_keys=True)


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise NotImplementedError(f"A result holds {type(value).__name__}, which can't be stored.")
