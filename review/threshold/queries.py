"""Queries about thresholds: scores of captions, verification work, and the progress of studies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from annotate.corpus.precedence import current_captions
from annotate.models import Caption, Clip, Project, WorkItem
from annotate.programs import is_counted, that_count
from annotate.queue.caption_work import caption_work
from inference.models import InferenceRun, QualityScore
from inference.queries import clips_to_describe, current_captions_of, cut_videos
from review.studies.models import Study, StudyCaption
from review.verification.models import Verification

SCORED = (Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO)


def current_machine_captions(project: Project, kind: str) -> QuerySet[Caption]:
    """Return the current machine captions of clips, or of whole videos, that have text; a threshold
    applies to those with a score.
    """
    return current_captions_of(project, kind).filter(
        source=Caption.Source.MACHINE, word_count__gt=0
    )


def scores_of_current(project: Project) -> QuerySet[QualityScore]:
    """Return the scores of the current machine captions that have text, of clips and of whole
    videos, which have scorers of their own.
    """
    clips, videos = (current_machine_captions(project, kind).values("pk") for kind in SCORED)
    return QualityScore.objects.filter(
        Q(caption__in=clips) | Q(caption__in=videos), project=project
    )


def last_score_runs(project: Project) -> dict[str, InferenceRun]:
    """Return, by scorer, the newest score run with a score by it."""
    scored = QualityScore.objects.filter(
        project=project, item__run__kind=InferenceRun.Kind.SCORE
    ).order_by()
    last = dict(scored.values_list("scorer").annotate(last=Max("item__run")))
    runs = InferenceRun.objects.in_bulk(last.values())
    return {scorer: runs[run] for scorer, run in last.items()}


def current_values(project: Project) -> dict[str, dict[int, float]]:
    """Return, by scorer, the score of each current machine caption."""
    values: dict[str, dict[int, float]] = {}
    rows = scores_of_current(project).order_by().values_list("scorer", "caption", "value")
    for scorer, caption, value in rows:
        values.setdefault(scorer, {})[caption] = value
    return values


def count_scores(project: Project, scorer: str, value: float) -> tuple[int, int]:
    """Return the number of current machine captions with a score by this scorer, and of those whose
    score is below the value.
    """
    scores = scores_of_current(project).filter(scorer=scorer)
    counts = scores.aggregate(all=Count("pk"), below=Count("pk", filter=Q(value__lt=value)))
    return counts["all"], counts["below"]


@dataclass(frozen=True)
class Stock:
    """The number of clips to describe, or of whole videos that are cut into clips; of those with a
    caption, and of those whose current caption is a machine's with text.
    """

    clips: int
    captioned: int
    machine: int


def stock_of(project: Project, kind: str) -> Stock:
    is_of_videos = kind == Caption.Kind.FULL_VIDEO
    clips = cut_videos(project) if is_of_videos else clips_to_describe(project)
    machine = current_machine_captions(project, kind)
    return Stock(clips.count(), current_captions_of(project, kind).count(), machine.count())


def kept_by_studies(project: Project, scorer: str) -> QuerySet[StudyCaption]:
    """Return the captions that no other study of this scorer can draw: all captions of its studies,
    except those that were unverified when their study was stopped.
    """
    judged = that_count(
        Verification.objects.filter(caption=OuterRef("caption")), project, "reviewer"
    )
    return StudyCaption.objects.filter(
        Q(study__stopped_at=None) | Exists(judged),
        study__project=project,
        study__kind=Study.Kind.THRESHOLD,
        study__scorer=scorer,
    )


@dataclass(frozen=True)
class VerifyWork:
    """Verified captions; captions assigned for verification; of these, those of a running study;
    and the current captions of clips to be captioned by hand.
    """

    verified: set[int]
    handed_out: set[int]
    in_study: set[int]
    to_write: set[int]


def verify_work(project: Project) -> VerifyWork:
    judged = that_count(Verification.objects.filter(project=project), project, "reviewer")
    work = caption_work(project)
    by_hand = WorkItem.objects.filter(project=project, kind="hand", state=WorkItem.State.OPEN)
    to_write = current_captions(Clip.objects.filter(pk__in=by_hand.values("clip")))
    return VerifyWork(
        verified=set(judged.order_by().values_list("caption", flat=True)),
        handed_out={*work.to_verify, *work.in_study},
        in_study=set(work.in_study),
        to_write=set(to_write.values_list("pk", flat=True)) if work.to_write else set(),
    )


@dataclass(frozen=True)
class Below:
    """The current machine captions below a value, each counted once: assigned to be written by hand
    (`to_write`), `verified`, assigned for a running study (`in_study`) or because of a threshold
    (`handed_out`), or `left`, which nobody is assigned to.
    """

    verified: int
    in_study: int
    handed_out: int
    left: int
    to_write: int = 0

    @property
    def with_people(self) -> int:
        return self.in_study + self.handed_out + self.to_write

    @property
    def total(self) -> int:
        return self.verified + self.with_people + self.left


def split_below(values: Mapping[int, float], work: VerifyWork, threshold: float) -> Below:
    """Count the captions below; `values` has the scorer's score of each current machine caption."""
    below = {caption for caption, value in values.items() if value < threshold}
    to_write = below & work.to_write
    below -= to_write
    unverified = below - work.verified
    with_people = unverified & work.handed_out
    return Below(
        verified=len(below & work.verified),
        in_study=len(with_people & work.in_study),
        handed_out=len(with_people - work.in_study),
        left=len(unverified - work.handed_out),
        to_write=len(to_write),
    )


@dataclass
class StudyProgress:
    """`complete`: captions that all assigned people have verified. `by_person`: requested
    verifications by name and key of each person. `verified`: captions with a verification. A
    caption that a later study has drawn again counts there.
    """

    study: Study
    captions: set[int]
    verified: set[int] = field(default_factory=set)
    complete: int = 0
    by_person: Counter[tuple[str, int | None]] = field(default_factory=Counter)

    @property
    def title(self) -> str:
        return self.study.title(self.asked)

    @property
    def done(self) -> int:
        return self.by_person.total()

    @property
    def asked(self) -> int:
        """Return the number of captions, including those of later waves."""
        return len(self.captions) + (0 if self.study.stopped_at else self.study.undrawn)

    @property
    def due(self) -> int:
        return self.asked * self.study.people

    @property
    def people(self) -> list[tuple[str, int]]:
        """Return people with their number of verifications, the most first."""
        named = [(name, count) for (name, _), count in self.by_person.items()]
        return sorted(named, key=lambda person: (-person[1], person[0]))

    @property
    def is_running(self) -> bool:
        return self.study.stopped_at is None and self.complete < self.asked

    @property
    def kept(self) -> set[int]:
        """Return the captions that no other study may draw (`kept_by_studies`)."""
        return self.verified if self.study.stopped_at else self.captions


def studies_of(project: Project) -> dict[str, list[StudyProgress]]:
    """Return the progress of each scorer's threshold studies, newest first."""
    studies = Study.objects.filter(project=project, kind=Study.Kind.THRESHOLD)
    progress_by_study = {
        study.pk: StudyProgress(study, set()) for study in studies.select_related("created_by")
    }
    verified: dict[int, Counter[int]] = {key: Counter() for key in progress_by_study}
    rows = list(_sampled(progress_by_study))
    drawn_last: dict[tuple[str, int], int] = {}
    for study, caption, *_ in rows:
        of = progress_by_study[study].study.scorer, caption
        drawn_last[of] = max(study, drawn_last.get(of, study))
    for study, caption, verification, person, name, email, label in rows:
        progress = progress_by_study[study]
        progress.captions.add(caption)
        counts = verification is not None and is_counted(person, project)
        if counts and drawn_last[progress.study.scorer, caption] == study:
            progress.verified.add(caption)
            verified[study][caption] += 1
            if verified[study][caption] <= progress.study.people:
                progress.by_person[name or email or label, person] += 1
    by_scorer: dict[str, list[StudyProgress]] = {}
    for key, progress in progress_by_study.items():
        people = progress.study.people
        progress.complete = sum(n >= people for n in verified[key].values())
        by_scorer.setdefault(progress.study.scorer, []).append(progress)
    return by_scorer


def _sampled(studies: Iterable[int]) -> QuerySet[StudyCaption, tuple[Any, ...]]:
    """Return a row for each verification of these studies' captions, and one for each caption
    without any. Excluded videos have none.
    """
    return (
        StudyCaption.objects.filter(
            study__in=list(studies),
            caption__clip__video__excluded_because="",
            caption__clip__excluded_because="",
        )
        .order_by("caption__verifications")
        .values_list(
            "study",
            "caption",
            "caption__verifications",
            "caption__verifications__reviewer",
            "caption__verifications__reviewer__name",
            "caption__verifications__reviewer__email",
            "caption__verifications__label",
        )
    )
