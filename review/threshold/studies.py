"""Start a study from which a threshold is estimated (LoVR, appendix B.2)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Project, User
from annotate.queue.queries import members_for
from inference.models import QualityScore
from metrics.threshold import MIN_CAPTIONS
from review.errors import ReviewError
from review.studies.models import Study, StudyCaption
from review.threshold.queries import kept_by_studies, scores_of_current
from review.threshold.sample import even_chances, stratified, wave_sizes
from review.verification.queueing import open_verifications

# Above every priority by score, so that a study is finished before its threshold is used.
STUDY_PRIORITY = 10.0
MAX_PEOPLE, MAX_STRATA = 20, 50
# How captions are drawn: evenly over the scores, or in waves with more where the threshold is
# uncertain.
DESIGNS = EVEN, UNCERTAIN = "even", "uncertain"


class TooFewPeopleError(ReviewError):
    """A study needs more people for each caption than members may verify captions."""


def captions_to_sample(project: Project, scorer: str) -> list[tuple[int, int, float]]:
    """Return (caption, score's key, score) of each current machine caption that has a score by this
    scorer and is kept by none of its studies, ordered by caption.
    """
    return list(
        scores_of_current(project)
        .filter(scorer=scorer)
        .exclude(caption__in=kept_by_studies(project, scorer).values("caption"))
        .order_by("caption")
        .values_list("caption", "pk", "value")
    )


def check_waves(captions: int, strata: int) -> list[int]:
    """Return the sizes of the waves of a study. Raises ReviewError if it is too small for two."""
    sizes = wave_sizes(captions, strata)
    if not sizes:
        least = max(MIN_CAPTIONS, strata)
        fewer = ", or for fewer ranges of scores" if strata > MIN_CAPTIONS else ""
        raise ReviewError(
            f"Two waves of {least} captions each need {2 * least} captions. Ask for more{fewer}, "
            "or draw evenly over the scores."
        )
    return sizes


@transaction.atomic
def start_threshold_study(
    *,
    project: Project,
    scorer: str,
    captions: int,
    people: int,
    strata: int,
    seed: int,
    admin: User | None,
    hands_out: bool = True,
    design: str = EVEN,
) -> Study:
    """Draw captions across the range of their scores and assign each to several people, who judge
    them in a random order without seeing the scores (LoVR, appendix B.2). Raises ReviewError.

    If `hands_out` is false, no work is assigned: the labels will be imported. `design`: of DESIGNS.
    By UNCERTAIN, only the first wave is drawn now, and the others later
    (`review.threshold.waves`).
    """
    if design not in DESIGNS:
        raise ReviewError(f"“{design}” is not a design; choose from {', '.join(DESIGNS)}.")
    if captions < MIN_CAPTIONS:
        raise ReviewError(f"A threshold needs at least {MIN_CAPTIONS} captions. Ask for more.")
    if not 1 <= people <= MAX_PEOPLE or not 1 <= strata <= MAX_STRATA:
        raise ReviewError(
            f"Choose 1 to {MAX_PEOPLE} people and 1 to {MAX_STRATA} ranges of scores."
        )
    sizes = check_waves(captions, strata) if design == UNCERTAIN else [captions]
    if hands_out:
        _check_people(project, people)
    # Start one study at a time, so that no caption is drawn twice.
    project = Project.objects.lock(project.pk)
    available = captions_to_sample(project, scorer)
    if len(available) < captions:
        raise ReviewError(
            f"{len(available)} captions can be drawn, and {captions} are asked for. "
            "Ask for fewer, or score more captions first."
        )
    scored = QualityScore.objects.get(pk=available[0][1])
    study = Study.objects.create(
        project=project,
        kind=Study.Kind.THRESHOLD,
        people=people,
        seed=seed,
        scorer=scorer,
        scorer_name=scored.scorer_name,
        strata=strata,
        waves=len(sizes),
        undrawn=captions - sizes[0],
        created_by=admin,
    )
    values = [value for *_, value in available]
    drawn = stratified(values, sizes[0], strata, seed)
    chances = even_chances(values, sizes[0], strata) if study.is_in_waves else None
    ask_about(
        study,
        [
            StudyCaption(
                study=study,
                caption_id=available[place][0],
                score_id=available[place][1],
                stratum=stratum,
                probability=chances[place][1] if chances else None,
                even=chances[place][1] if chances else None,
            )
            for place, stratum in drawn
        ],
        hands_out=hands_out,
    )
    record_event(
        actor=admin,
        verb="start study",
        subject=study,
        project=project,
        after={
            "scorer": scorer,
            "captions": captions,
            "people": people,
            "seed": seed,
            **({"waves": study.waves} if study.is_in_waves else {}),
        },
    )
    return study


def ask_about(study: Study, drawn: Sequence[StudyCaption], *, hands_out: bool) -> None:
    """Store the drawn captions and, if `hands_out`, have people verify them in this order."""
    if hands_out:
        priorities = {
            sampled.caption_id: STUDY_PRIORITY + (len(drawn) - order) / len(drawn)
            for order, sampled in enumerate(drawn)
        }
        items = open_verifications(
            project=study.project, priorities=priorities, people=study.people
        )
        for sampled in drawn:
            sampled.item_id = items[sampled.caption_id]
    StudyCaption.objects.bulk_create(drawn, batch_size=500)


def _check_people(project: Project, people: int) -> None:
    members = members_for(project, "verify").count()
    if members < people:
        can = "1 member" if members == 1 else f"{members or 'No'} members"
        fewer = ", or ask for fewer people" if members else ""
        raise TooFewPeopleError(
            f"{can} can verify captions, and {people} are asked for each. "
            f"Give {people - members} more the role annotator or reviewer first{fewer}."
        )
