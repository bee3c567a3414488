"""Give projects of the demo the vectors of two made-up encoders, which Benchmarks compares.

A made-up encoder sees some words in a clip: a share of them from the clip's caption, the others
from any caption of the project. It embeds them as the lexical encoder embeds texts.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from annotate.models import Caption, Project, User
from annotate.text.words import find_words
from inference.backends.lexical import LexicalEncoder
from inference.backends.protocols import BackendError
from inference.models import InferenceRun, ModelSpec
from inference.queries import current_captions_of
from inference.specs.services import add_model
from review.elsewhere.services import import_results
from review.elsewhere.statement import Statement
from review.errors import ReviewError
from review.management.past import days_ago


@dataclass(frozen=True)
class Encoder:
    """`share`: of its words, the share from the clip's caption. `dimension` distinguishes its
    vectors from another encoder's."""

    name: str
    share: float
    dimension: int


ENCODERS = (Encoder("Simulated encoder", 0.7, 512), Encoder("Simulated smaller encoder", 0.45, 256))
WORDS = 12  # words that an encoder sees
FRAMES = "middle:32"
SEED = 21


def embed_simulated(*, project: Project, admin: User, embeds_texts: bool = False) -> None:
    """Import the vectors of all clips with a caption, and of these captions, unless that is done.
    `embeds_texts`: the encoders can embed other texts, too. Raises ReviewError.
    """
    current = current_captions_of(project, Caption.Kind.GENERAL).order_by("pk")
    captions = dict(current.values_list("clip__name", "text"))
    for encoder in ENCODERS:
        if InferenceRun.objects.filter(project=project, title=encoder.name).exists():
            continue
        with days_ago(0.36):  # after the last text is written
            if embeds_texts and not project.model_specs.filter(name=encoder.name).exists():
                add_model(
                    project=project,
                    backend=ModelSpec.Backend.LEXICAL,
                    name=encoder.name,
                    parameters={"dimension": encoder.dimension},
                    admin=admin,
                )
            import_results(
                project=project,
                kind=InferenceRun.Kind.EMBED,
                file=_vector_file(captions, encoder),
                file_name="simulated-vectors.npz",
                stated=Statement(model=encoder.name, frames=FRAMES),
                admin=admin,
            )


def _vector_file(captions: dict[str, str], encoder: Encoder) -> BytesIO:
    """Return a vector file. `captions`: clip name -> text."""
    names, texts = np.array(list(captions)), list(captions.values())
    file = BytesIO()
    np.savez(
        file,
        clips=names,
        clip_vectors=_vectors(_views(texts, encoder.share), encoder.dimension),
        general=names,
        general_vectors=_vectors(texts, encoder.dimension),
    )
    return file


def _views(texts: Sequence[str], share: float) -> list[str]:
    chance = random.Random(SEED)
    words = [[word.text for word in find_words(text)] for text in texts]
    return [
        " ".join(
            chance.choice(own if chance.random() < share else chance.choice(words))
            for _ in range(WORDS)
        )
        for own in words
    ]


def _vectors(texts: Sequence[str], dimension: int) -> NDArray[np.float32]:
    vectors = []
    for vector in LexicalEncoder(dimension).encode_texts(texts):
        if isinstance(vector, BackendError):
            raise ReviewError(str(vector))
        vectors.append(vector)
    return np.stack(vectors)
