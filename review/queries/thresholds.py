"""Reads for the threshold: the scores it divides, who looks at what, and how studies go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import QuerySet

from annotate.models import Caption, Project, WorkItem
from inference.models import QualityScore
from inference.queries import clips_to_describe, latest_captions
from review.models import Study, StudyCaption, Verification


def scores_of_newest(project: Project) -> QuerySet[QualityScore]:
    """The scores of machine captions that are the newest of their clip and have words."""
    newest = latest_captions(clips_to_describe(project)).filter(
        source=Caption.Source.MACHINE, word_count__gt=0
    )
    return QualityScore.objects.filter(project=project, caption__in=newest.values("pk"))


def newest_values(project: Project) -> dict[str, dict[int, float]]:
    """By scorer: caption -> its score, of the newest machine captions."""
    found: dict[str, dict[int, float]] = {}
    rows = scores_of_newest(project).order_by().values_list("scorer", "caption", "value")
    for scorer, caption, value in rows:
        found.setdefault(scorer, {})[caption] = value
    return found


@dataclass(frozen=True)
class VerifyWork:
    """`verified`: by scorer, caption -> its score, of captions that somebody has verified.
    `handed_out`: the captions that people are asked to verify, or were."""

    verified: dict[str, dict[int, float]]
    handed_out: set[int]


def verify_work(project: Project) -> VerifyWork:
    judged = Verification.objects.filter(caption__project=project)
    verified: dict[str, dict[int, float]] = {}
    rows = QualityScore.objects.filter(project=project, caption__in=judged.values("caption"))
    for scorer, caption, value in rows.order_by().values_list("scorer", "caption", "value"):
        verified.setdefault(scorer, {})[caption] = value
    items = WorkItem.objects.filter(project=project, kind=WorkItem.Kind.VERIFY).exclude(
        state=WorkItem.State.CANCELLED
    )
    return VerifyWork(verified, set(items.values_list("subject", flat=True)))


@dataclass
class StudyProgress:
    """`complete`: captions that everybody asked has verified; `done`: verifications of those that
    were asked for, and `by_person` of each person."""

    study: Study
    captions: set[int]
    complete: int = 0
    done: int = 0
    by_person: Counter[str] = field(default_factory=Counter)

    @property
    def due(self) -> int:
        return len(self.captions) * self.study.people

    @property
    def people(self) -> list[tuple[str, int]]:
        """Who has verified how many, the most first."""
        return sorted(self.by_person.items(), key=lambda found: (-found[1], found[0]))

    @property
    def is_running(self) -> bool:
        return self.study.stopped_at is None and self.complete < len(self.captions)


def studies_of(project: Project) -> dict[str, list[StudyProgress]]:
    """How the threshold studies of each scorer go, newest first."""
    studies = Study.objects.filter(project=project, kind=Study.Kind.THRESHOLD)
    found = {
        study.pk: StudyProgress(study, set()) for study in studies.select_related("created_by")
    }
    verified: dict[int, Counter[int]] = {key: Counter() for key in found}
    for study, caption, verification, name, email, label in _sampled(found):
        progress = found[study]
        progress.captions.add(caption)
        if verification is not None:
            verified[study][caption] += 1
            progress.by_person[name or email or label] += 1
    by_scorer: dict[str, list[StudyProgress]] = {}
    for key, progress in found.items():
        people = progress.study.people
        progress.done = sum(min(n, people) for n in verified[key].values())
        progress.complete = sum(n >= people for n in verified[key].values())
        by_scorer.setdefault(progress.study.scorer, []).append(progress)
    return by_scorer


def _sampled(studies: Iterable[int]) -> QuerySet:
    """A row for each verification of a caption of these studies, and one for each without any."""
    return (
        StudyCaption.objects.filter(study__in=list(studies))
        .order_by("caption__verifications")
        .values_list(
            "study",
            "caption",
            "caption__verifications",
            "caption__verifications__reviewer__name",
            "caption__verifications__reviewer__email",
            "caption__verifications__label",
        )
    )
