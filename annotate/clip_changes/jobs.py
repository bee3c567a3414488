"""Change many clips in the background."""

from __future__ import annotations

from django.urls import reverse

from annotate.clip_changes.services import (
    CLIP_CHANGE,
    ChangeParameters,
    apply_change,
    revert_change,
)
from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.parameters import read_parameters
from annotate.jobs.single_step import SingleStepKind
from annotate.models import ClipChange
from annotate.models.jobs import Job


class ChangeClips(SingleStepKind[None]):
    name = CLIP_CHANGE
    label = "Change clips"
    busy = "A worker makes this change already. Wait until it is done."

    def work(self, job: Job, lease: Lease) -> None:
        lease.step("Changing the clips")

    def store(self, job: Job, result: None) -> Outcome:
        changes = ClipChange.objects.select_for_update(of=("self",))
        parameters = read_parameters(job, ChangeParameters)
        change = changes.select_related("project", "made_by").get(pk=parameters.change)
        if parameters.is_undo:
            if change.undone_at is None:
                revert_change(change, job.created_by or change.made_by)
            return Outcome("Undone")
        if change.changed is None:
            apply_change(change)
        return Outcome(f"{change.changed} changed")

    def url(self, job: Job) -> str:
        change = read_parameters(job, ChangeParameters).change
        return reverse("annotate:clip_change", args=[job.project.slug, change])
