"""How each kind of run does its items. Only workers import these modules."""

from __future__ import annotations

import importlib
from typing import Any

from inference.kinds.base import BatchWork, SingleWork
from inference.models import InferenceRun


def open_work(run: InferenceRun) -> BatchWork[Any, Any, Any] | SingleWork:
    """The work of this run with its models loaded. Raises BackendError where they can't be."""
    work: BatchWork[Any, Any, Any] | SingleWork = importlib.import_module(
        f"inference.kinds.{run.kind}"
    ).open_work(run)
    return work
