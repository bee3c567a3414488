"""How each kind of run processes its items. Only workers import these modules."""

from __future__ import annotations

import importlib

from annotate.jobs.kinds import AnyWork
from inference.models import InferenceRun


def open_work(run: InferenceRun) -> AnyWork:
    """Return the run's work with its models loaded. Raises BackendError if they can't be loaded."""
    work: AnyWork = importlib.import_module(f"inference.kinds.{run.kind}").open_work(run)
    return work
