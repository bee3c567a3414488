"""Scored captions as a score run would leave them, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotate.models import Caption, Clip, Project
from annotate.text.words import count_words
from inference.models import InferenceRun, ModelSpec, QualityScore, RunItem
from inference.planning.options import ScoreOptions
from inference.planning.recipes import hash_of, scorer_recipe
from inference.recipes import as_json, read_recipe
from inference.runs.services import build_recipe
from tests.cast import make_clip, make_video

OTHER = "f" * 64


def make_clips(project: Project, number: int) -> list[Clip]:
    """The parts of one video."""
    video = make_video(project)
    step = video.frames // number - 1
    return [
        make_clip(project, video=video, start_frame=n * step, end_frame=(n + 1) * step)
        for n in range(number)
    ]


def score_run(project: Project, encoder: ModelSpec, **options: Any) -> InferenceRun:
    chosen = ScoreOptions.parse(options)
    recipe = build_recipe(project=project, kind="score", model=encoder, options=chosen)
    return InferenceRun.objects.create(
        project=project, kind="score", model=encoder, recipe=as_json(recipe),
        recipe_hash=hash_of(recipe), queue="cpu", state="done",
    )  # fmt: skip


def write(clip: Clip, text: str = "A diver jumps.", **fields: Any) -> Caption:
    caption = _caption(clip, text, **fields)
    caption.save()
    return caption


def write_all(clips: Sequence[Clip], text: str) -> list[Caption]:
    """A machine caption of each clip, as `write` makes it."""
    return Caption.objects.bulk_create(_caption(clip, text) for clip in clips)


def _caption(clip: Clip, text: str, **fields: Any) -> Caption:
    values = {"kind": "general", "source": "machine", **fields}
    if values["source"] == "machine":
        values.setdefault("provenance", [{"model": "Measured draft", "spec": 1, "run": 1}])
    return Caption(
        project_id=clip.project_id, clip=clip, text=text, word_count=count_words(text), **values
    )


def score(
    clip: Clip, value: float, run: InferenceRun, *, caption: Caption | None = None, **fields: Any
) -> QualityScore:
    """The score of a caption of the clip, a new one unless it is given."""
    caption = caption or write(clip)
    item = fields.pop("item", None)
    if item is None:
        item = _scored_item(run, caption, fields.get("scorer", ""))
        item.save()
    scored = _score(run, caption, item, value, **{"clip": clip, **fields})
    scored.save()
    return scored


def score_all(
    run: InferenceRun, captions: Sequence[Caption], values: Sequence[float]
) -> list[QualityScore]:
    """The scores of these captions, as `score` makes them."""
    items = RunItem.objects.bulk_create(_scored_item(run, caption) for caption in captions)
    return QualityScore.objects.bulk_create(
        _score(run, caption, item, value)
        for caption, item, value in zip(captions, items, values, strict=True)
    )


def _scored_item(run: InferenceRun, caption: Caption, scorer: str = "") -> RunItem:
    key = f"{run.pk}-{caption.pk}-{scorer[:3]}"
    return RunItem(run=run, caption=caption, position=1, state="done", key=key)


def _score(
    run: InferenceRun, caption: Caption, item: RunItem, value: float, **fields: Any
) -> QualityScore:
    values = {
        "scorer": hash_of(scorer_recipe(read_recipe(run.recipe))),
        "scorer_name": "EVQAScore v3, lexical",
    }
    return QualityScore(
        project_id=caption.project_id, caption=caption, item=item, value=value,
        **{**values, "clip": caption.clip, "keywords": ["diver", "pool"], **fields},
    )  # fmt: skip
