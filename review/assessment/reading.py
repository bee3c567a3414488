"""Read what people judged, and write it as the tables of a release."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from annotate.dynamics.queries import DECIDED_STATIC
from annotate.dynamics.services import NOT_DYNAMIC
from annotate.models import Assignment, Caption, Project, Video, WorkItem
from annotate.programs import that_count
from annotate.queue.kinds import people_needed
from inference.queries import current_captions_of
from metrics.agreement import Label
from review.assessment.captions import CaptionChecks, Judged
from review.assessment.computing import Judgments
from review.assessment.quantities import Timed
from review.assessment.ratings import StudyRatings
from review.assessment.videos import Verdict, VideoChecks
from review.pairs.agreement import DYNAMICS
from review.ratings.computing import Rated
from review.ratings.models import Rating
from review.ratings.queries import ratings_in
from review.ratings.report import rated_in
from review.reports.plain import AnyTable, Table
from review.reports.questions import Task, rater_key
from review.studies.models import Study, StudyCaption
from review.threshold.report import asked_captions
from review.verification.agreement import sentence_types
from review.verification.models import Verification

KINDS = (Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO)
COLUMNS = (
    *("reviewer", "label", "corrected", "caption", "caption__clip", "caption__kind", "sentences"),
    *("errors_a", "errors_b", "errors_c", "topic_errors"),
    *("content_errors", "content_error_sentences", "fits_theme", "assignment__active_seconds"),
)


def read_judgments(project: Project) -> Judgments:
    return Judgments(_video_checks(project), _caption_checks(project), _study_ratings(project))


def _video_checks(project: Project) -> VideoChecks:
    left_out = Video.objects.filter(
        project=project, excluded_because__in=[NOT_DYNAMIC, DECIDED_STATIC]
    )
    submitted = Assignment.objects.filter(
        item__project=project,
        item__kind="dynamics",
        state=Assignment.State.SUBMITTED,
        active_seconds__gt=0,
    )
    submitted = that_count(submitted, project, "annotator")
    times = submitted.order_by("pk").values_list("active_seconds", "annotator")
    return VideoChecks(
        opened=WorkItem.objects.filter(project=project, kind="dynamics").count(),
        judges=people_needed(project, "dynamics"),
        verdicts=cast(Sequence[Verdict], _first_labels(DYNAMICS, project)),
        left_out=sorted(left_out.values_list("pk", flat=True)),
        times=[Timed(*row) for row in times],
    )


def _caption_checks(project: Project) -> CaptionChecks:
    sample = StudyCaption.objects.filter(
        study__project=project, study__kind=Study.Kind.THRESHOLD
    ).order_by()
    drawn = set(sample.values_list("caption", flat=True))
    current = {
        (clip, kind)
        for kind in KINDS
        for clip in current_captions_of(project, kind).order_by().values_list("clip", flat=True)
    }
    rows = Verification.objects.of_project(project).order_by("caption", "pk").values_list(*COLUMNS)
    return CaptionChecks(
        current=len(current),
        judged=[
            Judged._make(
                [
                    *(caption, clip, kind, rater_key(reviewer, label), *counts),
                    *(corrected is not None, seconds, caption in drawn, (clip, kind) in current),
                ]
            )
            for reviewer, label, corrected, caption, clip, kind, *counts, seconds in rows
        ],
        sentences=sentence_types(project),
        people_per_caption={
            caption: sample.people
            for captions in asked_captions(project).values()
            for caption, sample in captions.items()
        },
    )


def _first_labels(task: Task, project: Project) -> Sequence[Label]:
    """Return the answers to the task's first question."""
    return task.ask(task.read(project)).questions[0].labels


def _study_ratings(project: Project) -> StudyRatings:
    """Read the newest rating study that has a rating."""
    rated = that_count(Rating.objects.filter(caption__project=project), project, "rater").values(
        "study"
    )
    study = Study.objects.filter(pk__in=rated).order_by("-pk").first()
    if study is None:
        return StudyRatings()
    timed = ratings_in(study).filter(assignment__active_seconds__gt=0).order_by("pk")
    times = timed.values_list("assignment__active_seconds", "rater")
    return StudyRatings(study.pk, rated_in(study), [Timed(*row) for row in times])


def judgment_tables(judgments: Judgments) -> dict[str, AnyTable]:
    """Return the judgments with numbers instead of the keys of videos, clips and captions, which
    are the same in each table."""
    videos, captions, ratings = judgments.videos, judgments.captions, judgments.ratings
    video = _numbers([*(video for _, video, _ in videos.verdicts), *videos.left_out])
    clip = _numbers(row.clip for row in captions.judged)
    caption = _numbers(
        [*captions.people_per_caption, *(row.caption for row in captions.judged),
         *(row.caption for row in ratings.rated)]
    )  # fmt: skip
    facts = (videos.opened, videos.judges, captions.current, ratings.study)
    return {
        "facts": Table(("opened", "judges", "current", "study"), [facts]),
        "verdicts": Table(
            ("rater", "video", "label"),
            [(rater, video[key], label) for rater, key, label in videos.verdicts],
            people=("rater",),
        ),
        "left_out": Table(("video",), [(video[key],) for key in videos.left_out]),
        "verdict_times": Table(Timed._fields, videos.times, people=("person",)),
        "verifications": Table(
            Judged._fields,
            [
                row._replace(caption=caption[row.caption], clip=clip[row.clip])
                for row in captions.judged
            ],
            people=("rater",),
        ),
        "sentences": Table(
            ("rater", "caption", "start", "end", "types"),
            [
                (rater, caption[key], start, end, types)
                for rater, (key, start, end), types in captions.sentences
            ],
            people=("rater",),
        ),
        "people_per_caption": Table(
            ("caption", "people"),
            [(caption[key], people) for key, people in captions.people_per_caption.items()],
        ),
        "ratings": Table(
            Rated._fields,
            [row._replace(caption=caption[row.caption]) for row in ratings.rated],
            people=("rater",),
        ),
        "rating_times": Table(Timed._fields, ratings.times, people=("person",)),
    }


def _numbers(keys: Iterable[int]) -> dict[int, int]:
    """Return the place of each key from 1, in the order of the keys."""
    return {key: place for place, key in enumerate(sorted(set(keys)), 1)}
