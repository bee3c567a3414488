"""Start runs in which a model finds the elements of captions and judges them (CaReBench, 3.4.2). A
worker plans them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from annotate.audit import record_event
from annotate.errors import Refused
from annotate.jobs.services.starting import start_job
from annotate.models import Project, User
from inference.models import ModelSpec
from inference.planning.recipes import model_recipe
from inference.registry import Role, has_role, info
from review.capst.models import CapstItem, CapstRun
from review.capst.prompt_files import recipe_of_prompts
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
def start_capst_runs(*, caption_sets: Sequence[CaptionSet], **how: Any) -> Started:
    """Start a run for each set with the same choices; `how` has the other arguments of
    `start_capst_run`.
    """
    started = Started([], [])
    for caption_set in caption_sets:
        try:
            started.runs.append(start_capst_run(caption_set=caption_set, **how))
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
    more = recipe_of_prompts(project, preset)
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
            extractor_recipe={**model_recipe(extractor), **more},
            judge_recipe={**model_recipe(judge), **more} if judge else {},
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
