"""Chosen vectors of clips and captions, for tests of recall and ReBias."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from annotate.models import Caption, Clip, Project
from inference.models import Embedding, InferenceRun, ModelSpec, RunItem
from review.reports.models import Report
from review.reports.services import recompute
from review.retrieval.models import ImportedVector, RecallRanking, VectorSet
from tests.cast import make_cast, make_clip, make_project
from tests.inference.cast import bare_recipe

SPACE = "a" * 64
MIDDLE = {"kind": "middle", "count": 32}
KINDS = ("general", "spatial", "temporal")
_keys = count(1)


def encoder(project: Project, name: str = "CARE") -> ModelSpec:
    return ModelSpec.objects.get_or_create(
        project=project, name=name, defaults={"backend": "transformers-dual", "model_id": name}
    )[0]


def write(clip: Clip, text: str = "A dive.", kind: str = "general") -> Caption:
    return Caption.objects.create(
        project=clip.project, clip=clip, kind=kind, source="machine", text=text, word_count=2
    )


def embed(
    embedded: Clip | Caption,
    *numbers: float,
    space: str = SPACE,
    sampling: dict[str, Any] | None = None,
    model: str = "CARE",
    stale: str = "",
) -> Embedding:
    is_clip = isinstance(embedded, Clip)
    subject = {"clip": embedded} if is_clip else {"caption": embedded}
    key = next(_keys)
    by = encoder(embedded.project, model)
    run, _ = InferenceRun.objects.get_or_create(
        project=embedded.project, kind="embed", model=by,
        defaults={"recipe": bare_recipe("embed"), "recipe_hash": "x", "queue": "gpu"},
    )  # fmt: skip
    item = RunItem.objects.create(
        run=run, position=key, state="done", key=f"v{key}", stale_because=stale, **subject
    )
    return Embedding.objects.create(
        project=embedded.project, item=item, model=by, space=space, dimension=len(numbers),
        vector=np.array(numbers, dtype="<f4").tobytes(),
        sampling=(sampling or MIDDLE) if is_clip else {}, **subject,
    )  # fmt: skip


def described(
    project: Project, *vectors: tuple[float, ...], kinds=KINDS, make=make_clip, **fields: Any
) -> Clip:
    """A clip with its vector, and a caption of each kind with the next of the vectors."""
    clip = make(project, **fields)
    clip.project = project
    picture, *texts = vectors
    embed(clip, *picture)
    for kind, numbers in zip(kinds, texts, strict=True):
        embed(write(clip, kind=kind), *numbers)
    return clip


def three_clips(project: Project, make=make_clip) -> list[Clip]:
    """Clips at 0, 90 and 180 degrees. The general captions each find their own clip first, the
    spatial ones too; of the temporal ones those of the first two find each other's."""
    a, b, c = (1, 0), (0, 1), (-1, 0.1)
    categories = ("Sports", "Sports", "Personal care")
    return [
        described(project, picture, picture, picture, text, category=category, make=make)
        for picture, text, category in zip((a, b, c), (b, a, c), categories, strict=True)
    ]


def make_computed_world() -> dict[str, Any]:
    """Return three clips with recall and ReBias as computed from them, for the fixture `made`."""
    project = make_project()
    world = {"project": project, **make_cast(project), "clips": three_clips(project)}
    for name in ("recall", "rebias"):
        recompute(project=project, name=name)
    return world


def import_set(project: Project, name: str = "Elsewhere", dimension: int = 2) -> VectorSet:
    return VectorSet.objects.create(
        project=project, name=name, dimension=dimension, file_name="care.npz", sha256="f" * 64
    )


def imported(of_set: VectorSet, embedded: Clip | Caption, *numbers: float) -> ImportedVector:
    is_clip = isinstance(embedded, Clip)
    return ImportedVector.objects.create(
        vector_set=of_set,
        clip=embedded if is_clip else embedded.clip,
        caption=None if is_clip else embedded,
        vector=np.array(numbers, dtype="<f4").tobytes(),
    )


def report_of(project: Project, name: str = "recall") -> Report:
    [made] = recompute(project=project, name=name)
    return made


def rank(report: Report, caption: Caption) -> RecallRanking:
    """Store a caption's rank with a report, as the only query of its kind."""
    queries = np.array([caption.pk])
    ranking = RecallRanking.of(
        "general", "t2v", 1, queries=queries, clips=np.array([caption.clip_id]),
        ranks=np.array([1]), nearest=np.array([[caption.clip_id]]),
    )  # fmt: skip
    ranking.report = report
    ranking.save()
    return ranking


def bare_report(project: Project) -> Report:
    """A report of recall as a row alone: nothing is computed, and there are no vectors."""
    return Report.objects.create(
        project=project, name="recall", subject=f"{SPACE[:40]}.{'0' * 16}", inputs=0,
        inputs_hash="0" * 64,
        parameters={
            "model": "CARE", "frames": "32 frames, evenly spread", "captions": "all", "k": "1,5,10",
        },
        result={
            "space": SPACE, "sampling": MIDDLE, "dimension": 2, "without": {}, "sha256": SPACE,
            "made": {}, "searched_on": "",
        },
    )  # fmt: skip
