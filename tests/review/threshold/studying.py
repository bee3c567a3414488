"""Scored captions and studies of them, for tests."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from annotate.models import Project, User, Video
from annotate.queue.queries import members_for
from inference.models import ModelSpec, QualityScore
from inference.specs.services import add_built_in_models
from review.reports.services import recompute_later
from review.studies.models import Study, StudyCaption
from review.threshold.studies import MAX_PEOPLE, start_threshold_study
from tests.cast import make_parts, make_person, make_video
from tests.inference.scored import score_all, score_run, write_all
from tests.review.verification.verifying import ALL_OK, CAPTION, verify_all

WRONG = ALL_OK | {"verdict-0": "A", "correction-0": "A woman opens a door."}


def scored_captions(
    project: Project, values: list[float], video: Video | None = None
) -> list[QualityScore]:
    """Make a machine caption of four sentences for each of these scores, each of its own clip."""
    if not project.model_specs.exists():
        add_built_in_models(project=project, admin=None)
    run = score_run(project, project.model_specs.get(backend=ModelSpec.Backend.LEXICAL))
    video = video or make_video(project, frames=2 * len(values) + 2)
    clips = make_parts(video, [(2 * place, 2 * place + 2) for place in range(len(values))])
    return score_all(run, write_all(clips, CAPTION), values)


def start_study(project: Project, **changes: Any) -> Study:
    """Start a study of the newest scorer, after as many people as it asks have joined."""
    scorer = QualityScore.objects.filter(project=project).order_by("-pk")[0].scorer
    values = {"captions": 20, "people": 1, "strata": 5, "seed": 0, "admin": None, **changes}
    missing = values["people"] - members_for(project, "verify").count()
    for _ in range(min(missing, MAX_PEOPLE)):
        make_person(f"Verifier {project.memberships.count()}", project, "annotator")
    return start_threshold_study(project=project, scorer=scorer, **values)


def judge_sample(
    study: Study,
    person: User,
    below: float,
    most: int | None = None,
    captions: QuerySet[StudyCaption] | None = None,
) -> None:
    """Have `person` verify every caption of the study, or the first `most`, or these `captions`,
    and find an error where the score is low."""
    sample = study.captions.order_by("pk")[:most] if captions is None else captions
    verify_all(
        person,
        [
            (sampled.item, sampled.caption, WRONG if sampled.score.value < below else ALL_OK)
            for sampled in sample.select_related("caption__clip__video", "item", "score")
        ],
    )
    recompute_later(study.project_id, "threshold")
