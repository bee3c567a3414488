"""Give the demo's dives captions by a made-up captioner, which overlooks some of the content."""

from __future__ import annotations

import json
import random
from io import BytesIO

from annotate.corpus.labels import labeled_clips
from annotate.models import Project, User
from inference.models import InferenceRun
from review.elsewhere.services import import_results
from review.elsewhere.statement import Statement
from review.management.past import days_ago

CAPTIONER = "Simulated captioner"
SEED = 12
MISSED = 0.25  # share of the label's words that a caption omits


def caption_dives(*, project: Project, admin: User) -> None:
    """Import a caption of each dive, unless that is done. Raises ReviewError."""
    if project.captions.exists():
        return
    with days_ago(0.38):
        import_results(
            project=project,
            kind=InferenceRun.Kind.CAPTION,
            file=BytesIO("\n".join(_rows(project)).encode()),
            file_name="simulated-captions.jsonl",
            stated=Statement(model=CAPTIONER),
            admin=admin,
        )


def _rows(project: Project) -> list[str]:
    chance = random.Random(SEED)
    clips = labeled_clips(project).order_by("pk").values_list("name", "label__caption")
    return [
        json.dumps({"clip": name, "caption": f"A diver on a platform. {_seen(label, chance)}"})
        for name, label in clips
    ]


def _seen(label: str, chance: random.Random) -> str:
    return " ".join(word for word in label.split() if chance.random() >= MISSED)
