"""How each kind of run does its items. Only workers import these modules."""

from __future__ import annotations

import importlib

from annotate.jobs.kinds import AnyWork
from inference.models import InferenceRun


def open_work(run: InferenceRun) -> AnyWork:
    """The work of this run with its models loaded. Raises BackendError where they can't be."""
    work: AnyWork = importlib.import_module(f"inference.kinds.{run.kind}").open_work(run)
    return work
