"""Give the demo's dives simulated captions and vectors, for the composed queries to search.

The captioner and the encoder are made up: each overlooks some of the words of a dive's label.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from io import BytesIO

import numpy as np

from annotate.corpus.labels import labeled_clips
from annotate.models import Project, User
from inference.backends.lexical import LexicalEncoder
from inference.backends.protocols import BackendError
from inference.models import Embedding, InferenceRun, ModelSpec
from inference.specs.services import add_model
from review.elsewhere.services import import_results
from review.elsewhere.statement import Statement
from review.errors import ReviewError
from review.management.past import days_ago

Kind = InferenceRun.Kind
CAPTIONER, ENCODER = "Simulated captioner", "Simulated encoder"
FRAMES = "middle:32"
SEED = 12
MISSED = 0.25  # the share of the label's words that the captioner leaves out, and the encoder


def embed_dives(*, project: Project, admin: User) -> None:
    """Caption and embed the dives by made-up models, unless that is done. Raises ReviewError.

    The encoder embeds texts by their words, as the lexical encoder does, so that a query can be
    embedded here.
    """
    if Embedding.objects.filter(project=project).exists():
        return
    chance = random.Random(SEED)
    dives = list(labeled_clips(project).order_by("pk").values_list("name", "label__caption"))
    names = [name for name, _ in dives]
    captions = [f"A diver on a platform. {_seen(label, chance)}" for _, label in dives]
    views = [_seen(label, chance) for _, label in dives]
    with days_ago(1):
        if not project.captions.exists():
            rows = [{"clip": name, "caption": c} for name, c in zip(names, captions, strict=True)]
            _import(project, admin, Kind.CAPTION, CAPTIONER, "captions.jsonl", _lines(rows))
        add_model(project=project, backend=ModelSpec.Backend.LEXICAL, name=ENCODER, admin=admin)
        vectors = _vector_file(names, views, captions)
        _import(project, admin, Kind.EMBED, ENCODER, "vectors.npz", vectors, frames=FRAMES)


def _seen(label: str, chance: random.Random) -> str:
    return " ".join(word for word in label.split() if chance.random() >= MISSED)


def _import(
    project: Project,
    admin: User,
    kind: str,
    model: str,
    file_name: str,
    data: bytes,
    frames: str = "",
) -> None:
    import_results(
        project=project,
        kind=kind,
        file=BytesIO(data),
        file_name=f"simulated-{file_name}",
        stated=Statement(model=model, frames=frames),
        admin=admin,
    )


def _lines(rows: Iterable[dict[str, str]]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def _vector_file(names: Sequence[str], views: Sequence[str], captions: Sequence[str]) -> bytes:
    """Return vectors of the clips by what the encoder sees of them, and of their captions."""
    file = BytesIO()
    np.savez(
        file,
        clips=np.array(names),
        clip_vectors=_vectors(views),
        general=np.array(names),
        general_vectors=_vectors(captions),
    )
    return file.getvalue()


def _vectors(texts: Sequence[str]) -> np.ndarray:
    vectors = []
    for vector in LexicalEncoder().encode_texts(texts):
        if isinstance(vector, BackendError):
            raise ReviewError(str(vector))
        vectors.append(vector)
    return np.stack(vectors)
