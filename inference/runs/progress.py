"""The progress of runs, with the number of videos that a segmentation left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from annotate.jobs.progress import Progress
from annotate.jobs.progress import progress_of as progress_of_jobs
from inference.models import InferenceRun
from inference.queries import excluded_counts


@dataclass(frozen=True)
class RunProgress(Progress):
    """`excluded` counts videos that a segmentation left out; they count as done."""

    excluded: int = 0

    @property
    def is_all_excluded(self) -> bool:
        return 0 < self.excluded == self.total


def progress_of(runs: Iterable[InferenceRun]) -> dict[int, RunProgress]:
    """Return the progress of each run by its key, in a constant number of queries."""
    runs = list(runs)
    excluded = excluded_counts(run for run in runs if run.state == InferenceRun.State.DONE)
    return {
        key: RunProgress(
            **{field.name: getattr(progress, field.name) for field in fields(progress)},
            excluded=excluded.get(key, 0),
        )
        for key, progress in progress_of_jobs(runs).items()
    }
