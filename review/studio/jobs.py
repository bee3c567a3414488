"""Compare what a build would freeze with the last release, as a job, for large projects."""

from __future__ import annotations

from django.urls import reverse

from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.single_step import SingleStepKind
from annotate.models.jobs import Job
from review.studio.comparing import Checked, Comparison, check, comparison_of, keep
from review.studio.services import COMPARE_RELEASE


class CompareRelease(SingleStepKind[tuple[Comparison, Checked]]):
    name = COMPARE_RELEASE
    label = "Compare with the last release"
    tells_starter = False  # the page shows it to the person who waits
    busy = "The next release is being compared with the last. Wait until it is done."

    def work(self, job: Job, lease: Lease) -> tuple[Comparison, Checked]:
        lease.step("Comparing with the last release")
        comparison = comparison_of(job.project)
        return comparison, check(comparison, is_kept=True)

    def store(self, job: Job, result: tuple[Comparison, Checked]) -> Outcome:
        comparison, checked = result
        keep(comparison, checked)
        return Outcome(f"{checked.clips:,} clip{'' if checked.clips == 1 else 's'}")

    def url(self, job: Job) -> str:
        return reverse("review:release_studio", args=[job.project.slug])
