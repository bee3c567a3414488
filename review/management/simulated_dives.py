"""Give the demo's dives simulated captions, and embed the clips by their words, for the composed
queries to search."""

from __future__ import annotations

import json
import random
from io import BytesIO

from annotate.corpus.labels import labeled_clips
from annotate.models import Project, User
from inference.models import Embedding, InferenceRun, ModelSpec
from review.elsewhere.services import import_results
from review.elsewhere.statement import Statement
from review.management.finished_lovr import run
from review.management.past import days_ago

CAPTIONER = "Simulated captioner"
SEED = 12
MISSED = 0.25  # the share of the label's words that a caption leaves out


def embed_dives(*, project: Project, admin: User) -> None:
    """Caption the dives by a made-up model that overlooks some of what they show, and embed them by
    the words of these captions, unless that is done. Raises ReviewError."""
    if Embedding.objects.filter(project=project).exists():
        return
    lexical = project.model_specs.filter(backend=ModelSpec.Backend.LEXICAL)[0]
    with days_ago(1):
        if not project.captions.exists():
            import_results(
                project=project,
                kind=InferenceRun.Kind.CAPTION,
                file=BytesIO("\n".join(_rows(project)).encode()),
                file_name="simulated-captions.jsonl",
                stated=Statement(model=CAPTIONER),
                admin=admin,
            )
        run(project, admin, InferenceRun.Kind.EMBED, lexical, {"of": "clips"})


def _rows(project: Project) -> list[str]:
    chance = random.Random(SEED)
    clips = labeled_clips(project).order_by("pk").values_list("name", "label__caption")
    return [
        json.dumps({"clip": name, "caption": f"A diver on a platform. {_seen(label, chance)}"})
        for name, label in clips
    ]


def _seen(label: str, chance: random.Random) -> str:
    return " ".join(word for word in label.split() if chance.random() >= MISSED)
