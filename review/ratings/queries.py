"""Queries about the progress of rating studies, and about who may rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Avg, Case, Count, Exists, F, OuterRef, Q, QuerySet, Sum, When

from annotate.corpus.pieces import left_out_captions
from annotate.kinds import kind_facts
from annotate.models import Assignment, Membership, Project, User, WorkItem
from annotate.programs import that_count
from annotate.queue.queries import members_for
from review.ratings.models import Rating, RatingExample, TrainingAnswer
from review.studies.models import Study, StudyCaption

# The page counts whole seconds; ratings by a script have no time.
_IS_HASTY = Q(
    assignment__active_seconds__gt=0,
    assignment__item__clip__duration_ms__gt=1000 * (F("assignment__active_seconds") + 1),
)


@dataclass(frozen=True)
class Progress:
    """The number of ratings that a study has, and that it needs in all."""

    done: int
    due: int

    @property
    def percent(self) -> int:
        return 100 * self.done // self.due if self.due else 100


@dataclass(frozen=True)
class RaterProgress:
    """`mean`: of their ratings in the study, None without ratings. `hasty`: ratings that took less
    time than the clip lasts.
    """

    person: User
    done: int
    mean: float | None
    hasty: int
    is_member: bool


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class Running(TypedDict):
    is_running: bool


def raters_of(project: Project) -> QuerySet[Membership]:
    """Return the members who may rate."""
    return members_for(project, "rate")


def rating_studies(project: Project) -> QuerySet[WithAnnotations[Study, Running]]:
    """Return the studies, newest first, each with `is_running`: whether it still
    assigns ratings.
    """
    open_work = StudyCaption.objects.filter(study=OuterRef("pk"), item__state=WorkItem.State.OPEN)
    return Study.objects.filter(project=project, kind=Study.Kind.RATING).annotate(
        is_running=Q(stopped_at=None) & Exists(open_work)
    )


def running_rating_study(project: Project) -> Study | None:
    """Return the running study; there is at most one at a time."""
    return rating_studies(project).filter(is_running=True).first()


def ratings_in(study: Study) -> QuerySet[Rating]:
    """Return the study's ratings that count, without captions of excluded videos."""
    left_out = left_out_captions(study.project).values("pk")
    ratings = Rating.objects.filter(study=study).exclude(caption__in=left_out)
    return that_count(ratings, study.project, "rater")


def progress_of(studies: Sequence[Study]) -> dict[int, Progress]:
    """Return the progress of each study. The total of a stopped study is that of the time when it
    was stopped.
    """
    keys = [study.pk for study in studies]
    kept = Q(caption__clip__video__excluded_because="", caption__clip__excluded_because="")
    is_asked = ~Q(item__state=WorkItem.State.CANCELLED)
    due = dict(
        StudyCaption.objects.filter(kept, study__in=keys)
        .order_by()
        .values_list("study")
        .annotate(
            due=Case(
                When(study__stopped_at=None, then=Sum("item__needed", filter=is_asked)),
                default=Count("pk") * F("study__people"),
            )
        )
    )
    ratings = Rating.objects.filter(kept, study__in=keys).order_by()
    if studies:
        ratings = that_count(ratings, studies[0].project, "rater")
    done = dict(ratings.values_list("study").annotate(done=Count("pk")))
    return {key: Progress(done.get(key, 0), due.get(key) or 0) for key in keys}


def rater_progress(study: Study) -> list[RaterProgress]:
    """Return everybody who may rate or has rated in the study, ordered by name."""
    ratings = {
        row["rater"]: row
        for row in ratings_in(study)
        .order_by()
        .values("rater")
        .annotate(done=Count("pk"), mean=Avg("value"), hasty=Count("pk", filter=_IS_HASTY))
    }
    raters = that_count(raters_of(study.project), study.project, "user")
    members = set(raters.values_list("user", flat=True))
    people = User.objects.filter(pk__in=members | ratings.keys()).order_by(F("name"), "pk")
    return [
        RaterProgress(
            person=person,
            done=ratings[person.pk]["done"] if person.pk in ratings else 0,
            mean=ratings[person.pk]["mean"] if person.pk in ratings else None,
            hasty=ratings[person.pk]["hasty"] if person.pk in ratings else 0,
            is_member=person.pk in members,
        )
        for person in people
    ]


def examples_in_use(project: Project) -> QuerySet[RatingExample]:
    return RatingExample.objects.filter(project=project, is_used=True)


def examples_for(project: Project, person: User) -> QuerySet[RatingExample]:
    """Return this person's training examples, without clips that they have worked on, which they
    don't rate in studies either.
    """
    return examples_in_use(project).exclude(_own_work(person))


def unanswered_examples(project: Project, person: User) -> QuerySet[RatingExample]:
    """Return the examples that the person has yet to answer, in order."""
    answered = TrainingAnswer.objects.filter(example=OuterRef("pk"), rater=person)
    return examples_for(project, person).exclude(Exists(answered))


def raters_without_examples(project: Project) -> QuerySet[Membership]:
    """Return people who may rate but have worked on the clips of all examples, so that none is left
    to train them.
    """
    theirs = examples_in_use(project).exclude(_own_work(OuterRef(OuterRef("user"))))
    answered = TrainingAnswer.objects.filter(
        rater=OuterRef("user"), example__project=project, example__is_used=True
    )
    left_alone = raters_of(project).exclude(Exists(theirs)).exclude(Exists(answered))
    return left_alone.select_related("user").order_by("user__name", "pk")


def _own_work(person: User | OuterRef) -> Exists:
    """Return a condition on examples: this person's work on the clip bars them from rating it."""
    return Exists(
        Assignment.objects.filter(
            annotator=person,
            item__clip=OuterRef("caption__clip"),
            item__kind__in=kind_facts("rate").barred_by,
        )
    )
