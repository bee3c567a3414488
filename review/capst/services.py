"""Start runs in which a model finds the elements of captions and judges them (CaReBench, 3.4.2),
which a worker plans; and load the prompts of such runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from annotate.audit import record_event
from annotate.errors import Refused
from annotate.jobs.services.starting import start_job
from annotate.models import Project, User
from annotate.text.storable import storable
from inference.models import ModelSpec
from inference.recipes import as_json
from inference.registry import Role, has_role, info
from review.capst.loaded_prompts import parse_prompts
from review.capst.models import CapstItem, CapstPrompts, CapstRun
from review.capst.queries import Stale, prompts_for, prompts_in_use, stale_results
from review.capst.recipes import make_judge
from review.captions.models import CaptionSet
from review.elements.queries import clips_with_references, references
from review.errors import ReviewError

JUDGE_CAPTIONS = "capst"


def can_judge(model: ModelSpec) -> bool:
    """Return whether the model answers prompts, or finds and judges elements by its own rules."""
    return has_role(model, Role.TEXT) or has_role(model, Role.JUDGE)


@dataclass(frozen=True)
class Started:
    """The runs that started, and the name and error of each that didn't."""

    runs: list[CapstRun]
    refused: list[str]


@transaction.atomic
def start_capst_runs(
    *,
    project: Project,
    caption_sets: Sequence[CaptionSet],
    preset: str,
    extractor: ModelSpec,
    judge: ModelSpec | None,
    admin: User,
) -> Started:
    """Start a run for each set with the same settings."""
    started = Started([], [])
    for caption_set in caption_sets:
        try:
            run = start_capst_run(
                project=project,
                caption_set=caption_set,
                preset=preset,
                extractor=extractor,
                judge=judge,
                admin=admin,
            )
            started.runs.append(run)
        except Refused as error:
            started.refused.append(f"{caption_set}: {error}")
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
    """Have a worker judge every caption of the set whose clip has the required human captions; or,
    without a set, find the elements of all human captions. Raises ReviewError, and JobInProgress
    while another run judges the same captions.
    """
    models = [extractor, *([judge] if judge else [])]
    for model in models:
        if not can_judge(model):
            raise ReviewError(f"{model.name} can't judge captions. Choose a text model.")
    clips = clips_with_references(project, preset)
    if caption_set:
        clips = clips.filter(pk__in=caption_set.captions.values("clip"))
    if not clips.exists():
        raise ReviewError(_why_none(caption_set, preset))
    loaded = prompts_for(project, preset)
    run = start_job(
        CapstRun(
            project=project,
            kind=JUDGE_CAPTIONS,
            lane=f"{caption_set.pk if caption_set else 'human'}:{preset}",
            title=str(caption_set or "Elements of the human captions"),
            queue=_queue(models),
            caption_set=caption_set,
            preset=preset,
            extractor=extractor,
            judge=judge,
            extractor_recipe=as_json(make_judge(extractor, loaded)),
            judge_recipe=as_json(make_judge(judge, loaded)) if judge else {},
            created_by=admin,
        )
    )
    record_event(
        actor=admin,
        verb="judge captions" if caption_set else "find elements",
        subject=run,
        project=project,
        after={
            "captions": str(caption_set or ""),
            "preset": preset,
            "models": [model.name for model in models],
        },
    )
    return run


@transaction.atomic
def judge_again(*, project: Project, admin: User | None) -> Started:
    """Start a run for each stale set and preset, with the models that judged it before. Stored
    replies are reused. Raises ReviewError if nothing is stale.
    """
    project = Project.objects.lock(project.pk)
    stale = stale_results(project)
    if not stale:
        raise ReviewError(
            "No result is older than its lists of elements, or a run is already judging them."
        )
    started = Started([], [])
    for result in stale:
        try:
            started.runs.append(_start_again(result, project, admin))
        except Refused as error:
            started.refused.append(f"{result}: {error}")
    return started


def _start_again(stale: Stale, project: Project, admin: User | None) -> CapstRun:
    run = stale.run
    for model in (run.extractor, run.judge):
        if model is not None and not model.is_active:
            raise ReviewError(f"{model.name} is no longer in use. Choose another model below.")
    return start_capst_run(
        project=project,
        caption_set=run.caption_set,
        extractor=run.extractor,
        judge=run.judge,
        preset=run.preset,
        admin=admin,
    )


@transaction.atomic
def load_prompts(
    *, project: Project, data: bytes, file_name: str, admin: User | None
) -> CapstPrompts:
    """Use a file's prompts for new runs; existing results keep theirs. Raises ReviewError for an
    invalid file.
    """
    parsed = parse_prompts(data)
    CapstPrompts.objects.filter(project=project, is_used=True).update(is_used=False)
    loaded = CapstPrompts.objects.create(
        project=project,
        file_name=storable(file_name)[:200],
        sha256=parsed.sha256,
        by_name=dict(parsed.by_name),
        created_by=admin,
    )
    record_event(
        actor=admin,
        verb="load CapST prompts",
        subject=loaded,
        project=project,
        after={"sha256": loaded.sha256},
    )
    return loaded


@transaction.atomic
def use_own_prompts(*, project: Project, admin: User | None) -> None:
    """Use Vericap's own prompts for new runs. Safe to repeat."""
    loaded = prompts_in_use(project)
    if loaded is None:
        return
    CapstPrompts.objects.filter(project=project, is_used=True).update(is_used=False)
    record_event(
        actor=admin,
        verb="use own CapST prompts",
        subject=loaded,
        project=project,
        before={"sha256": loaded.sha256},
    )


def plan_items(run: CapstRun) -> list[CapstItem]:
    """Return an unsaved item for each clip with the human captions. Raises ReviewError if no
    clip has them."""
    human = references(run.project, run.preset)
    if run.caption_set is None:
        predictions = dict.fromkeys(sorted(human))
    else:
        rows = run.caption_set.captions.order_by("clip").values_list("clip", "caption")
        predictions = dict(rows)
    pairs = [(clip, caption) for clip, caption in predictions.items() if clip in human]
    if not pairs:
        raise ReviewError(_why_none(run.caption_set, run.preset))
    return [
        CapstItem(
            run=run,
            position=position,
            clip_id=clip,
            prediction_id=prediction,
            events_reference_id=human[clip].events,
            objects_reference_id=human[clip].objects,
        )
        for position, (clip, prediction) in enumerate(pairs, 1)
    ]


def _why_none(caption_set: CaptionSet | None, preset: str) -> str:
    is_official = preset == CapstRun.Preset.OFFICIAL
    needed = "a human full caption" if is_official else "human spatial and temporal captions"
    how = "Merge" if is_official else "Split"
    which = "with these captions" if caption_set else "of this project"
    return f"No clip {which} has {needed}. {how} some clips first."


def _queue(models: Sequence[ModelSpec]) -> str:
    return "gpu" if "gpu" in {info(model).queue for model in models} else "cpu"
