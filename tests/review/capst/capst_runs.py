"""Human captions, predictions, and a judge on this machine, for tests of CapST."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import BinaryIO

from annotate.jobs.services.planning import plan_job
from annotate.jobs.services.working import work_on
from annotate.models import Caption, Clip, Project
from annotate.text.words import count_words
from inference.models import ModelSpec
from review.capst.models import CapstRun
from review.capst.services import start_capst_run
from review.captions.models import CaptionSet, SetCaption
from tests.cast import make_clip
from tests.inference.backends.loopback import Received, says

SPATIAL = "A woman in a red coat stands in a kitchen."
TEMPORAL = "A woman picks up a knife. She slices a tomato."
FULL = f"{SPATIAL} She picks up a knife and slices a tomato."
PREDICTION = "A woman in a red coat slices a tomato in a kitchen."


def caption(clip: Clip, kind: str, text: str, source: str = "human") -> Caption:
    return Caption.objects.create(
        project=clip.project, clip=clip, kind=kind, source=source, text=text,
        word_count=count_words(text),
    )  # fmt: skip


def described_clip(project: Project, *, make: Callable = make_clip, **fields) -> Clip:
    """A clip with the three captions of CaReBench."""
    clip = make(project, **{"category": "Household", **fields})
    caption(clip, "general", FULL, "merged")
    caption(clip, "spatial", SPATIAL)
    caption(clip, "temporal", TEMPORAL)
    return clip


def predictions(project: Project, name: str, texts: dict[Clip, str]) -> CaptionSet:
    captions = CaptionSet.objects.create(project=project, name=name, kind="prediction")
    for clip, text in texts.items():
        SetCaption.objects.create(
            caption_set=captions, clip=clip, caption=caption(clip, "prediction", text, "imported")
        )
    return captions


def word_overlap(project: Project) -> ModelSpec:
    return ModelSpec.objects.get_or_create(
        project=project, backend="word-overlap", defaults={"name": "Word overlap"}
    )[0]


def server_model(project: Project, name: str = "Judge", **parameters) -> ModelSpec:
    return ModelSpec.objects.create(
        project=project,
        name=name,
        backend="openai-compatible",
        model_id="m",
        parameters={"server": "here", "parallel": 1, "tries": 1, **parameters},
    )


def start(project: Project, captions: CaptionSet | None, model: ModelSpec, **how) -> CapstRun:
    return start_capst_run(
        project=project, caption_set=captions, extractor=model,
        judge=model if captions else None, admin=None, **how,
    )  # fmt: skip


def planned(run: CapstRun) -> CapstRun:
    assert plan_job(run)
    run.refresh_from_db()
    return run


def judge(*, run: CapstRun) -> CapstRun:
    """Do the run's work here, as a worker would, and read its row again."""
    work_on(job_id=run.pk)
    run.refresh_from_db()
    return run


def elements(kind: str, *phrases: str):
    return says(json.dumps({kind: phrases}))


def judged(*relationships: str):
    judgments = [
        {"number": number, "relationship": relationship, "reason": f"Reason {number}."}
        for number, relationship in enumerate(relationships, 1)
    ]
    return says(json.dumps({"judgements": judgments}))


def thinks(received: Received, out: BinaryIO) -> None:
    """A model that finds two elements in every text, and sees the first of each list entailed."""
    prompt = received.prompt
    for kind in ("events", "objects"):
        if f'"{kind}"' in prompt:
            return elements(kind, f"first {kind[:-1]}", f"second {kind[:-1]}")(received, out)
    count = len(prompt.partition("Statements:\n")[2].splitlines())
    return judged(*["entailment", *["neutral"] * (count - 1)])(received, out)
