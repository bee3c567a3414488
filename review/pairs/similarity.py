"""Similarities of a project's labels by a text encoder (TF-CoVR, section 3)."""

from __future__ import annotations

import numpy as np
from django.db import transaction

from annotate.models import ActionLabel, Project
from inference.backends.protocols import BackendError
from inference.models import ModelSpec
from inference.queries import BATCH_SIZE
from review.errors import ReviewError
from review.pairs.comparison import refuse_no_encoder
from review.pairs.events import EVENT, candidate_of
from review.pairs.models import LabelPair
from review.retrieval.text_vectors import text_vectors


def compare_labels(*, project: Project, model: ModelSpec) -> int:
    """Store the similarity of each pair of labels by this encoder; return the number of pairs.

    Labels of different events are compared without the events, because the event's name doesn't
    matter for the action's similarity. For workers, because it loads the model. People's decisions
    stay. Raises ReviewError.
    """
    refuse_no_encoder(model)
    labels = list(ActionLabel.objects.filter(project=project).order_by("pk"))
    if len(labels) < 2:
        raise ReviewError("There are fewer than two labels. Import labeled clips first.")
    try:
        whole = text_vectors(model, [label.caption for label in labels])
        actions = text_vectors(model, [label.action for label in labels])
    except BackendError as error:
        raise ReviewError(str(error)) from error
    pairs = 0
    with transaction.atomic():
        for first, label in enumerate(labels):
            others = labels[first + 1 :]
            candidates = [candidate_of(label.event, other.event) for other in others]
            alike = np.where(
                np.array([candidate == EVENT for candidate in candidates], dtype=bool),
                actions[first + 1 :] @ actions[first],
                whole[first + 1 :] @ whole[first],
            )
            LabelPair.objects.bulk_create(
                [
                    LabelPair(
                        project=project,
                        first=label,
                        second=other,
                        similarity=float(similarity),
                        encoder=model.name,
                        candidate=candidate,
                    )
                    for other, candidate, similarity in zip(others, candidates, alike, strict=True)
                ],
                update_conflicts=True,
                unique_fields=["first", "second"],
                update_fields=["similarity", "encoder", "candidate", "is_outdated"],
                batch_size=BATCH_SIZE,
            )
            pairs += len(alike)
    return pairs
