"""Adopt the score from which a caption is kept."""

from __future__ import annotations

import math
from collections.abc import Mapping

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Project, User
from inference.errors import InferenceError
from inference.models import QualityScore, QualityThreshold
from inference.queries import current_threshold

MINIMUM, MAXIMUM = -1.0, 1.0


@transaction.atomic
def adopt_threshold(
    *,
    project: Project,
    scorer: str,
    value: float,
    admin: User | None,
    rests_on: Mapping[str, object] | None = None,
) -> QualityThreshold:
    """Make later refine runs refine captions that score less than `value` by this scorer. Other
    scorers and active runs keep their thresholds. The event stores what the choice `rests_on`.
    Raises InferenceError.
    """
    if not (math.isfinite(value) and MINIMUM <= value <= MAXIMUM):
        raise InferenceError(
            f"A threshold lies between {MINIMUM:g} and {MAXIMUM:g}. Give such a number."
        )
    # Adopt one at a time, so that the newest row is the last adopted.
    project = Project.objects.lock(project.pk)
    scored = QualityScore.objects.filter(project=project, scorer=scorer).order_by("-pk").first()
    if scored is None:
        raise InferenceError("This project has no scores from this scorer. Run score first.")
    before = current_threshold(project, scorer)
    if before is not None and before.value == value:
        return before
    adopted = QualityThreshold.objects.create(
        project=project,
        scorer=scorer,
        scorer_name=scored.scorer_name,
        value=value,
        adopted_by=admin,
    )
    record_event(
        actor=admin,
        verb="adopt threshold",
        subject=adopted,
        project=project,
        before={"value": before.value} if before else {},
        after={"scorer": scorer, "value": value, **(rests_on or {})},
    )
    return adopted
