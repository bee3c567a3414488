"""Building a release, as a job: it reads every video that was never read."""

from __future__ import annotations

from django.urls import reverse

from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.single_step import SingleStepKind
from annotate.models.jobs import Job
from review.releases.services import BUILD_RELEASE, freeze_clips, hash_videos, refuse_version


class BuildRelease(SingleStepKind[None]):
    name = BUILD_RELEASE
    label = "Build release"
    busy = "A release is being built. Wait until it is done, or cancel it."

    def work(self, job: Job, lease: Lease) -> None:
        refuse_version(job.project, job.parameters["version"])
        hash_videos(job.project, lease.step)
        lease.step("Freezing the clips")

    def store(self, job: Job, result: None) -> Outcome:
        # All in the transaction that ends the step: a worker that has lost it freezes nothing.
        release = freeze_clips(project=job.project, admin=job.created_by, **job.parameters)
        clips = release.clip_count
        return Outcome(f"{clips:,} clip{'' if clips == 1 else 's'}")

    def url(self, job: Job) -> str:
        if job.state == Job.State.DONE:
            return reverse("review:release", args=[job.project.slug, job.parameters["version"]])
        return reverse("review:releases", args=[job.project.slug])
