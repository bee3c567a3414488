"""How alike the labels of a project are to an encoder of texts (TF-CoVR, section 3)."""

from __future__ import annotations

import numpy as np
from django.db import transaction

from annotate.models import ActionLabel, Project
from inference.backends.protocols import BackendError
from inference.loading import load_model
from inference.models import ModelSpec
from inference.queries import AT_ONCE
from inference.registry import model_settings
from review.errors import ReviewError
from review.models import LabelPair
from review.services.label_comparison import refuse_no_encoder

TEXTS_AT_ONCE = 64


def compare_labels(*, project: Project, model: ModelSpec) -> int:
    """Store how alike the captions of every two labels are to this encoder; gives how many pairs.

    For a worker, since it loads the model. What people have decided stays. Raises ReviewError.
    """
    refuse_no_encoder(model)
    labels = list(ActionLabel.objects.filter(project=project).order_by("pk"))
    if len(labels) < 2:
        raise ReviewError("There are fewer than two labels. Import labelled clips first.")
    vectors = _vectors(model, [label.caption for label in labels])
    pairs = 0
    with transaction.atomic():
        for first, label in enumerate(labels):
            alike = vectors[first + 1 :] @ vectors[first]
            LabelPair.objects.bulk_create(
                [
                    LabelPair(
                        project=project,
                        first=label,
                        second=other,
                        similarity=float(similarity),
                        encoder=model.name,
                    )
                    for other, similarity in zip(labels[first + 1 :], alike, strict=True)
                ],
                update_conflicts=True,
                unique_fields=["first", "second"],
                update_fields=["similarity", "encoder"],
                batch_size=AT_ONCE,
            )
            pairs += len(alike)
    return pairs


def _vectors(model: ModelSpec, texts: list[str]) -> np.ndarray:
    """(n, dimension), unit rows."""
    try:
        encoder = load_model(model_settings(model))
        found = [
            vector
            for start in range(0, len(texts), TEXTS_AT_ONCE)
            for vector in encoder.encode_texts(texts[start : start + TEXTS_AT_ONCE])
        ]
    except BackendError as error:
        raise ReviewError(str(error)) from error
    for text, vector in zip(texts, found, strict=True):
        if isinstance(vector, BackendError):
            raise ReviewError(f"“{text}”: {vector}")
    return np.stack(found)
