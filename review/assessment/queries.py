"""The state that shows whether people have judged anything since the table was computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, QuerySet, Sum

from annotate.models import Caption, Clip, DynamicsVerdict, Project, Video, WorkItem
from annotate.programs import that_count
from review.ratings.models import Rating
from review.studies.models import Study, StudyCaption
from review.verification.models import Verification

DESCRIBING = (Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO)


@dataclass(frozen=True)
class AssessmentState:
    """(number, greatest key) of each kind of row. Rows are never changed, so that others are more,
    fewer or newer; of videos and clips, the keys of the excluded ones are summed up."""

    verdicts: tuple[int, int]
    checks: tuple[int, int]
    verifications: tuple[int, int]
    sampled: tuple[int, int]
    ratings: tuple[int, int]
    captions: tuple[int, int]
    excluded: int

    @property
    def judgments(self) -> int:
        return self.verdicts[0] + self.verifications[0] + self.ratings[0]


def assessment_state(project: Project) -> AssessmentState:
    """Read the state in seven statements."""
    sampled = StudyCaption.objects.filter(study__project=project, study__kind=Study.Kind.THRESHOLD)
    excluded = Video.objects.filter(project=project).exclude(excluded_because="")
    excluded_clips = Clip.objects.filter(project=project).exclude(excluded_because="")
    return AssessmentState(
        verdicts=_mark(
            that_count(
                DynamicsVerdict.objects.filter(video__project=project),
                project,
                "assignment__annotator",
            )
        ),
        checks=_mark(WorkItem.objects.filter(project=project, kind="dynamics")),
        verifications=_mark(
            that_count(Verification.objects.filter(project=project), project, "reviewer")
        ),
        sampled=_mark(sampled),
        ratings=_mark(
            that_count(Rating.objects.filter(caption__project=project), project, "rater")
        ),
        captions=_mark(Caption.objects.filter(project=project, kind__in=DESCRIBING)),
        excluded=_sum_of_keys(excluded) + _sum_of_keys(excluded_clips),
    )


def _mark(rows: QuerySet[Any]) -> tuple[int, int]:
    marks = rows.order_by().aggregate(number=Count("pk"), last=Max("pk"))
    return marks["number"], marks["last"] or 0


def _sum_of_keys(rows: QuerySet[Any]) -> int:
    return int(rows.order_by().aggregate(total=Sum("pk", default=0))["total"])
