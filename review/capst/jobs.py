"""Judge captions, as a job."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from annotate.corpus.blindness import hidden_captions
from annotate.errors import Refused
from annotate.jobs.kinds import AnyWork, JobKind
from annotate.models import Caption, Clip, Membership
from annotate.models.jobs import AbstractJobItem, Job
from review.capst import NAME
from review.capst.models import CapstItem, CapstRun
from review.capst.services import JUDGE_CAPTIONS, plan_items
from review.reports.services import recompute_later


class JudgeCaptions(JobKind[CapstRun, CapstItem]):
    name = JUDGE_CAPTIONS
    label = "Judge captions (CapST)"
    noun = ("clip", "clips")
    busy = "A run is judging these captions now. Wait, or cancel it."
    job_model = CapstRun
    item_model = CapstItem
    owner = "run"

    def load(self, job_id: int) -> CapstRun:
        runs = CapstRun.objects.select_related(
            "project", "caption_set", "extractor", "judge", "created_by"
        )
        return runs.get(pk=job_id)

    def plan(self, job: CapstRun) -> Sequence[CapstItem]:
        return plan_items(job)

    def open(self, job: CapstRun) -> AnyWork:
        # Import here: it loads models, which no web process may do.
        from review.capst.judging import Judging

        return Judging(job)

    def ended(self, job: CapstRun) -> None:
        if job.state == Job.State.DONE:
            CapstRun.objects.filter(pk=job.pk).update(judged_at=timezone.now())
        recompute_later(job.project_id, NAME)
        recompute_later(job.project_id, "leakage")

    def may_resume(self, job: CapstRun) -> None:
        same = CapstRun.objects.filter(
            project=job.project_id, caption_set=job.caption_set_id, preset=job.preset
        )
        if same.filter(pk__gt=job.pk).exists():
            raise Refused("There is a newer run of these captions. Resume that one.")

    def url(self, job: CapstRun) -> str:
        return reverse("review:capst_run", args=[job.project.slug, job.pk])

    def hides_reasons(self, membership: Membership, job: CapstRun) -> bool:
        failed = job.items.filter(state=AbstractJobItem.State.FAILED).order_by()
        fields = ("prediction", "events_reference", "objects_reference")
        is_named = Q()
        for field in fields:
            is_named |= Q(pk__in=failed.filter(**{f"{field}__isnull": False}).values(field))
        return hidden_captions(membership, Caption.objects.filter(is_named)).exists()

    def names(self, items: Sequence[CapstItem]) -> dict[int, str]:
        clips = Clip.objects.in_bulk([item.clip_id for item in items])
        return {item.pk: clips[item.clip_id].name for item in items}
