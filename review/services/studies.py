"""Starting and stopping the studies that a threshold is estimated from."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from annotate.models import Assignment, Caption, Project, User, WorkItem
from annotate.services.audit import record_event
from inference.models import QualityScore
from inference.queries import clips_to_describe, latest_captions
from metrics.threshold import LEAST_CAPTIONS
from review.errors import ReviewError
from review.models import Study, StudyCaption
from review.sampling import stratified
from review.services.verification_queue import open_verifications

# Above every priority by score, so that a study is finished before its threshold is used.
STUDY_PRIORITY = 10.0
MOST_PEOPLE, MOST_STRATA = 20, 50


def captions_to_sample(project: Project, scorer: str) -> list[tuple[int, int, float]]:
    """(caption, score's key, score) of each machine caption that is the newest of its clip, has a
    score by this scorer and is in no study of it yet, by caption."""
    newest = latest_captions(clips_to_describe(project)).filter(source=Caption.Source.MACHINE)
    sampled = StudyCaption.objects.filter(study__project=project, study__scorer=scorer)
    return list(
        QualityScore.objects.filter(
            project=project, scorer=scorer, caption__in=newest.filter(word_count__gt=0)
        )
        .exclude(caption__in=sampled.values("caption"))
        .order_by("caption")
        .values_list("caption", "pk", "value")
    )


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
) -> Study:
    """Draw captions across the range of their scores and hand each to so many people, who judge
    them in a random order without seeing the scores (LoVR, appendix B.2). Raises ReviewError.

    With `hands_out` false nobody here is asked: the labels come from elsewhere.
    """
    if captions < LEAST_CAPTIONS:
        raise ReviewError(f"A threshold needs at least {LEAST_CAPTIONS} captions. Ask for more.")
    if not 1 <= people <= MOST_PEOPLE or not 1 <= strata <= MOST_STRATA:
        raise ReviewError(
            f"Choose 1 to {MOST_PEOPLE} people and 1 to {MOST_STRATA} ranges of scores."
        )
    # One at a time, so that no caption is drawn twice.
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    there = captions_to_sample(project, scorer)
    if len(there) < captions:
        raise ReviewError(
            f"{len(there)} captions can be drawn, and {captions} are asked for. "
            "Ask for fewer, or score more captions first."
        )
    scored = QualityScore.objects.get(pk=there[0][1])
    study = Study.objects.create(
        project=project,
        kind=Study.Kind.THRESHOLD,
        people=people,
        seed=seed,
        scorer=scorer,
        scorer_name=scored.scorer_name,
        strata=strata,
        created_by=admin,
    )
    drawn = stratified([value for *_, value in there], captions, strata, seed)
    priorities = {
        there[place][0]: STUDY_PRIORITY + (captions - order) / captions
        for order, (place, _) in enumerate(drawn)
    }
    items: dict[int, int] = {}
    if hands_out:
        items = open_verifications(project=project, priorities=priorities, people=people)
    StudyCaption.objects.bulk_create(
        [
            StudyCaption(
                study=study,
                caption_id=there[place][0],
                item_id=items.get(there[place][0]),
                score_id=there[place][1],
                stratum=stratum,
            )
            for place, stratum in drawn
        ],
        batch_size=500,
    )
    record_event(
        actor=admin,
        verb="start study",
        subject=study,
        project=project,
        after={"scorer": scorer, "captions": captions, "people": people, "seed": seed},
    )
    return study


@transaction.atomic
def stop_study(*, study: Study, admin: User | None) -> Study:
    """Ask nobody any more. What is judged counts, and who is at a caption may finish it.

    Raises ReviewError when the study was stopped before.
    """
    study = Study.objects.select_for_update(of=("self",)).get(pk=study.pk)
    if study.stopped_at:
        raise ReviewError("This study has been stopped already.")
    study.stopped_at = timezone.now()
    study.save(update_fields=["stopped_at"])
    items = WorkItem.objects.filter(study_captions__study=study, state=WorkItem.State.OPEN)
    keys = list(items.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    asked = WorkItem.objects.filter(pk__in=keys)
    # Not open, whoever is at one: a hold that runs out would offer its place to somebody else.
    asked.update(needed=F("needed") - F("open_slots"), open_slots=0, state=WorkItem.State.CANCELLED)
    judged = Assignment.objects.filter(item=OuterRef("pk"), state=Assignment.State.SUBMITTED)
    asked.filter(Exists(judged)).update(state=WorkItem.State.DONE)
    record_event(actor=admin, verb="stop study", subject=study, project=study.project)
    return study
