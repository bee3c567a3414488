"""The parameters of a job, a dataclass beside its kind."""

from __future__ import annotations

from typing import TypeVar

from annotate.models.jobs import Job
from annotate.stored_json import from_json

Parameters = TypeVar("Parameters")


def read_parameters(job: Job, kind: type[Parameters]) -> Parameters:
    """Return the job's parameters. Raises Refused, which names the field that can't be read."""
    return from_json(job.parameters, kind, f"The parameters of {job}")
