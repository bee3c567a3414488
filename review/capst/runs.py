"""Runs in which a model finds the elements of captions and judges them (CaReBench, 3.4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.models import Project, User
from annotate.services.audit import record_event
from inference.models import ModelSpec
from inference.queries import AT_ONCE
from inference.recipes import model_recipe
from inference.registry import Role, has_role, info
from review.capst.models import CapstItem, CapstRun
from review.capst.tasks import judge_captions
from review.captions.models import CaptionSet
from review.elements.queries import references
from review.errors import ReviewError
from review.reports.models import Report
from review.reports.services import recompute_later

State = CapstRun.State
ItemState = CapstItem.State


def can_judge(model: ModelSpec) -> bool:
    """Whether it answers prompts, or finds and judges elements by rules of its own."""
    return has_role(model, Role.TEXT) or has_role(model, Role.JUDGE)


@dataclass(frozen=True)
class Started:
    """The runs that were started, and of each that was not, which it is and why."""

    runs: list[CapstRun]
    refused: list[str]


@transaction.atomic
def start_capst_runs(*, caption_sets: Sequence[CaptionSet], **how: Any) -> Started:
    """Have the captions of each set judged alike; `how`: all else that `start_capst_run` takes."""
    started = Started([], [])
    for one in caption_sets:
        try:
            started.runs.append(start_capst_run(caption_set=one, **how))
        except ReviewError as error:
            started.refused.append(f"{one}: {error}")
    return started


@transaction.atomic
def start_capst_run(
    *,
    project: Project,
    extractor: ModelSpec,
    admin: User | None,
    caption_set: CaptionSet | None = None,
    judge: ModelSpec | None = None,
    preset: str = CapstRun.Preset.DEFAULT,
) -> CapstRun:
    """Have a worker judge every caption of the set whose clip has the human captions it needs; or,
    without a set, find the elements of all human captions. Raises ReviewError."""
    models = [extractor, *([judge] if judge else [])]
    for model in models:
        if not can_judge(model):
            raise ReviewError(f"{model.name} judges no captions. Choose a text model.")
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    of_set = CapstRun.objects.filter(project=project, caption_set=caption_set, preset=preset)
    if of_set.filter(state=State.RUNNING).exists():
        raise ReviewError("These captions are being judged now. Wait, or stop that run.")
    run = CapstRun.objects.create(
        project=project,
        caption_set=caption_set,
        preset=preset,
        extractor=extractor,
        judge=judge,
        extractor_recipe=model_recipe(extractor),
        judge_recipe=model_recipe(judge) if judge else {},
        created_by=admin,
    )
    items = _items(run)
    if not items:
        raise ReviewError(_why_none(run))
    CapstItem.objects.bulk_create(items, batch_size=AT_ONCE)
    record_event(
        actor=admin,
        verb="judge captions" if caption_set else "find elements",
        subject=run,
        project=project,
        after={
            "captions": str(caption_set or ""),
            "preset": preset,
            "models": [model.name for model in models],
            "clips": len(items),
        },
    )
    queue_capst_run(run)
    return run


def _items(run: CapstRun) -> list[CapstItem]:
    found = references(run.project, run.preset)
    if run.caption_set is None:
        predictions = dict.fromkeys(sorted(found))
    else:
        rows = run.caption_set.captions.order_by("clip").values_list("clip", "caption")
        predictions = dict(rows)
    return [
        CapstItem(
            run=run,
            clip_id=clip,
            prediction_id=prediction,
            events_reference_id=found[clip].events,
            objects_reference_id=found[clip].objects,
        )
        for clip, prediction in predictions.items()
        if clip in found
    ]


def _why_none(run: CapstRun) -> str:
    needed = (
        "a full caption by people"
        if run.preset == CapstRun.Preset.OFFICIAL
        else "a spatial and a temporal caption by people"
    )
    how = "Merge" if run.preset == CapstRun.Preset.OFFICIAL else "Split"
    which = "of these captions" if run.caption_set else "of this project"
    return f"No clip {which} has {needed}. {how} some first."


def queue_of(run: CapstRun) -> str:
    models = [run.extractor, *([run.judge] if run.judge else [])]
    queues = {info(model).queue for model in models}
    return "gpu" if "gpu" in queues else "cpu"


def queue_capst_run(run: CapstRun) -> None:
    """Send a message once the rows are committed; a lost one costs a later requeue and no more."""
    send = partial(judge_captions.apply_async, args=(run.pk,), queue=queue_of(run))
    transaction.on_commit(send, robust=True)


def abandoned_capst_runs() -> QuerySet[CapstRun]:
    """Runs with work left on which no living worker is."""
    return CapstRun.objects.filter(
        state=State.RUNNING, lease_until__lt=timezone.now()
    ).select_related("extractor", "judge")


def requeue_capst_runs() -> int:
    """Queue again every run that nobody is working on; gives how many. Safe at any time."""
    runs = list(abandoned_capst_runs())
    for run in runs:
        queue_capst_run(run)
    return len(runs)


@transaction.atomic
def stop_capst_run(*, run: CapstRun, admin: User) -> None:
    """Ask nothing more; what is judged stays. Raises ReviewError where it is over."""
    if not end_run(run, State.STOPPED, f"Stopped by {admin}."):
        raise ReviewError("This run is over already.")
    record_event(actor=admin, verb="stop judging captions", subject=run, project=run.project)


@transaction.atomic
def go_on_with_capst_run(*, run: CapstRun, admin: User) -> int:
    """Ask again about what failed, and about what a stopped run did not come to; gives how many
    clips. Replies that could be used are not asked for again. Raises ReviewError."""
    project = Project.objects.select_for_update(no_key=True).get(pk=run.project_id)
    run = CapstRun.objects.select_for_update(of=("self",)).get(pk=run.pk)
    same = CapstRun.objects.filter(
        project=project, caption_set=run.caption_set_id, preset=run.preset
    )
    if same.filter(state=State.RUNNING).exists():
        raise ReviewError("These captions are being judged now. Wait, or stop that run.")
    if same.filter(pk__gt=run.pk).exists():
        raise ReviewError("There is a newer run of these captions. Go on with that one.")
    run.items.filter(state=ItemState.FAILED).update(
        state=ItemState.WAITING, reason="", reply="", results={}
    )
    left = run.items.filter(state=ItemState.WAITING).count()
    if not left:
        raise ReviewError("Nothing of this run failed or is left.")
    run.state, run.reason = State.RUNNING, ""
    run.lease_until = timezone.now()
    run.save(update_fields=["state", "reason", "lease_until"])
    record_event(
        actor=admin, verb="go on judging captions", subject=run, project=project,
        after={"clips": left},
    )  # fmt: skip
    queue_capst_run(run)
    return left


def end_run(run: CapstRun, state: CapstRun.State, reason: str = "") -> bool:
    """False where it was over already."""
    # That it has finished once stays with it, also when what failed is asked again and stopped.
    finished = {"finished_at": timezone.now()} if state == State.FINISHED else {}
    ended = CapstRun.objects.filter(pk=run.pk, state=State.RUNNING).update(
        state=state, reason=reason[:500], **finished
    )
    if ended:
        recompute_later(run.project_id, Report.Name.CAPST)
        recompute_later(run.project_id, Report.Name.LEAKAGE)
    return bool(ended)
