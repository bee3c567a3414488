"""Corrections that the people of a threshold study proposed, and who can decide about them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotate.corpus.blindness import visible_captions
from annotate.corpus.precedence import only_current
from annotate.models import Assignment, Caption, Membership, Project, WorkItem
from review.corrections.models import CorrectionDecision
from review.studies.models import Study, StudyCaption
from review.verification.models import Verification


def proposals_of(caption: Caption) -> QuerySet[Verification]:
    """Return the verifications with proposed corrections, in an order that reveals nobody."""
    return (
        Verification.objects.filter(caption=caption, corrected__kind=Caption.Kind.PROPOSAL)
        .select_related("corrected")
        .prefetch_related("verdicts", "missing_segments")
        .order_by("pk")
    )


def corrections_to_decide(membership: Membership) -> QuerySet[Caption]:
    """Return the captions whose proposed corrections this person can decide about: nobody verifies
    them anymore, none of the corrections is by this person, the clip has no later caption, and the
    person can read them."""
    project = membership.project
    if project.study_corrections != Project.StudyCorrections.DECIDE:
        return Caption.objects.none()
    return (
        visible_captions(membership, _current(_undecided(project)))
        .exclude(_is_with_people())
        .exclude(_is_verified_by(membership))
        .select_related("clip__video")
        .annotate(
            proposals=Count(
                "verifications", filter=Q(verifications__corrected__kind=Caption.Kind.PROPOSAL)
            )
        )
        .order_by("pk")
    )


def may_decide(membership: Membership, caption: Caption) -> bool:
    """Return whether this person may decide about the caption's proposed corrections now."""
    return corrections_to_decide(membership).filter(pk=caption.pk).exists()


def next_to_decide(membership: Membership, after: int) -> Caption | None:
    """Return the next caption after this key, and after the last one the first."""
    waiting = corrections_to_decide(membership)
    return waiting.filter(pk__gt=after).first() or waiting.first()


def count_to_decide(membership: Membership) -> int:
    """Count them for the menu: with one small query where nothing waits for anybody."""
    if not _undecided(membership.project).exists():
        return 0
    return corrections_to_decide(membership).count()


@dataclass(frozen=True)
class CorrectionCounts:
    """Captions with proposed corrections. Those without a decision: `own`, that this person has
    verified, `hidden`, that they are still to judge in other work, `with_people`, and `replaced`
    by another caption of their clip."""

    own: int
    hidden: int
    with_people: int
    replaced: int
    accepted: int
    rejected: int


def count_corrections(membership: Membership) -> CorrectionCounts:
    undecided = _undecided(membership.project)
    current = _current(undecided)
    decided = CorrectionDecision.objects.filter(caption__project=membership.project)
    finished = current.exclude(_is_with_people())
    return CorrectionCounts(
        own=finished.filter(_is_verified_by(membership)).count(),
        hidden=finished.exclude(_is_verified_by(membership))
        .exclude(pk__in=visible_captions(membership, finished).values("pk"))
        .count(),
        with_people=current.filter(_is_with_people()).count(),
        replaced=undecided.count() - current.count(),
        accepted=decided.exclude(accepted=None).count(),
        rejected=decided.filter(accepted=None).count(),
    )


def _undecided(project: Project) -> QuerySet[Caption]:
    # Start from the studies' captions, which are few: the menu of every page counts them.
    drawn = StudyCaption.objects.filter(study__project=project, study__kind=Study.Kind.THRESHOLD)
    proposed = Verification.objects.filter(
        caption__in=drawn.values("caption"), corrected__kind=Caption.Kind.PROPOSAL
    )
    return Caption.objects.filter(pk__in=proposed.values("caption"), correction_decision=None)


def _current(captions: QuerySet[Caption]) -> QuerySet[Caption]:
    return only_current(captions)


def _is_with_people() -> Exists:
    """Return the condition that somebody verifies the caption now, or will still be asked to."""
    held = Assignment.objects.filter(
        item=OuterRef("pk"),
        state=Assignment.State.HELD,
        lease_expires_at__gt=timezone.now(),
    )
    unfinished = [WorkItem.State.OPEN, WorkItem.State.WAITING]
    items = WorkItem.objects.filter(kind="verify", subject=OuterRef("pk"))
    return Exists(items.filter(Q(state__in=unfinished) | Exists(held)))


def _is_verified_by(membership: Membership) -> Exists:
    return Exists(Verification.objects.filter(caption=OuterRef("pk"), reviewer=membership.user_id))
