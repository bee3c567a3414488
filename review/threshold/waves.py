"""Draw the next wave of a threshold study, with more captions where the threshold is uncertain.

The first wave is that of the plain design. Each later one has half of its captions by the plain
design and half by their expected information about the change point, given the captions verified so
far. This depends only on a caption's score, and the probability of drawing it is stored, so that
the report can weight it by the inverse.
"""

from __future__ import annotations

import numpy as np
from django.db import transaction
from django.db.models import Count, F

from annotate.audit import record_event
from annotate.corpus.pieces import left_out_captions
from annotate.models import Project
from metrics.design import caption_scores, draw_included, inclusion_probabilities
from review.studies.models import Study, StudyCaption
from review.threshold.sample import even_chances
from review.threshold.studies import ask_about, captions_to_sample


@transaction.atomic
def draw_next_wave(*, study: Study, low: float | None, high: float | None) -> int:
    """Draw the next wave if everybody asked has verified the last one, and return its number of
    captions; 0 if it isn't due. `low`, `high`: the interval of the change point; None without one,
    and then the wave is drawn evenly.

    Safe to repeat, and safe if two workers do it at once.
    """
    project = Project.objects.lock(study.project_id)
    study = Study.objects.select_for_update(of=("self",), no_key=True).get(pk=study.pk)
    if study.stopped_at or not study.undrawn or not _is_verified(study):
        return 0
    study.project = project
    available = captions_to_sample(project, study.scorer)
    size = min(study.undrawn // (study.waves - study.wave), len(available))
    drawn = _draw(study, available, size, low, high) if size else []
    study.wave += bool(drawn)
    study.undrawn -= len(drawn)
    if study.wave == study.waves or size == len(available):  # nothing is left to draw
        study.waves, study.undrawn = study.wave, 0
    study.save(update_fields=["wave", "waves", "undrawn"])
    ask_about(study, drawn, hands_out=study.captions.filter(item__isnull=False).exists())
    record_event(
        actor=None,
        verb="draw wave",
        subject=study,
        project=project,
        after={"wave": study.wave, "captions": len(drawn), "low": low, "high": high},
    )
    return len(drawn)


def _is_verified(study: Study) -> bool:
    left_out = left_out_captions(study.project).values("pk")
    asked = study.captions.exclude(caption__in=left_out)
    verified = asked.annotate(verified=Count("caption__verifications"))
    return not verified.filter(verified__lt=F("study__people")).exists()


def _draw(
    study: Study,
    available: list[tuple[int, int, float]],
    size: int,
    low: float | None,
    high: float | None,
) -> list[StudyCaption]:
    scores = np.array([value for *_, value in available])
    strata, even = zip(*even_chances(scores.tolist(), size, study.strata or 1), strict=True)
    closeness = np.zeros(len(scores))
    if low is not None and high is not None:
        closeness = caption_scores(scores, low, high)
    probabilities = inclusion_probabilities(even, closeness)
    return [
        StudyCaption(
            study=study,
            caption_id=available[place][0],
            score_id=available[place][1],
            stratum=strata[place],
            wave=study.wave + 1,
            probability=float(probabilities[place]),
            even=even[place],
        )
        for place in draw_included(probabilities, (study.seed, study.wave))
    ]
