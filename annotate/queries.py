"""Reads that cross models."""

from __future__ import annotations

from django.db.models import F, Func, OuterRef, Q, QuerySet, Subquery

from annotate.access import ROLES_FOR_KIND
from annotate.models import Assignment, Caption, Clip, Membership, Project, User, WorkItem
from annotate.precedence import only_current, with_rank

# Enough to warn of a mix-up within a subcategory (CaReBench: 10-20 clips each), bounded so that
# a check stays quick in a project that ignores the quota.
NEIGHBOURS = 40


def members_for(project: Project, kind: str) -> QuerySet[Membership]:
    """The members who may take this kind of work, by their roles."""
    has_role = Q()
    for role in ROLES_FOR_KIND[WorkItem.Kind(kind)]:
        has_role |= Q(**{f"is_{role}": True})
    return Membership.objects.filter(has_role, project=project, user__is_active=True)


def write_ups(clip: Clip) -> list[Caption]:
    """The latest Stage-I caption of each writer of the clip, in the order they took it.

    A writer whose place was given to somebody else is not among them.
    """
    captions = (
        Caption.objects.filter(clip=clip, kind=Caption.Kind.GENERAL, source=Caption.Source.HUMAN)
        .exclude(assignment__state=Assignment.State.SKIPPED)
        .exclude(assignment__item__kind=WorkItem.Kind.HAND)
        .select_related("assignment")
    )
    latest = {caption.assignment_id: caption for caption in captions.order_by("id")}
    return [latest[key] for key in sorted(latest)]


def rewritten_from(captions: list[Caption]) -> dict[int, Caption]:
    """What each rewritten write-up was before, by its key, until a merge has been made of it."""
    merged = Caption.objects.filter(
        pk__in=[caption.pk for caption in captions], children__source=Caption.Source.MERGED
    )
    earlier = Caption.objects.filter(children__in=captions).exclude(children__in=merged)
    by_assignment = {caption.assignment_id: caption for caption in earlier.order_by("id")}
    return {
        caption.pk: by_assignment[caption.assignment_id]
        for caption in captions
        if caption.assignment_id in by_assignment
    }


def merged_caption(clip: Clip) -> Caption | None:
    return (
        with_rank(
            Caption.objects.filter(
                clip=clip, kind=Caption.Kind.GENERAL, source=Caption.Source.MERGED
            )
        )
        .order_by("-precedence", "-id")
        .first()
    )


def earlier_merged(clip_id: int, caption_id: str) -> Caption | None:
    """The merged text of the clip with this key, as a draft names it: it may be any text."""
    return _general_caption(clip_id, caption_id, Caption.Source.MERGED)


def machine_draft(clip: Clip) -> Caption | None:
    """The newest caption that a model wrote about the clip."""
    return (
        Caption.objects.filter(clip=clip, kind=Caption.Kind.GENERAL, source=Caption.Source.MACHINE)
        .order_by("-id")
        .first()
    )


def opened_machine_draft(clip_id: int, caption_id: str) -> Caption | None:
    """The machine's caption of the clip with this key, as a draft names it: it may be any text."""
    return _general_caption(clip_id, caption_id, Caption.Source.MACHINE)


def _general_caption(clip_id: int, caption_id: str, source: str) -> Caption | None:
    if not (caption_id.isascii() and caption_id.isdigit() and len(caption_id) < 19):
        return None
    return Caption.objects.filter(
        pk=caption_id, clip=clip_id, kind=Caption.Kind.GENERAL, source=source
    ).first()


def split_captions(clip: Clip) -> dict[str, Caption]:
    """The current spatial and temporal caption of the clip, by kind."""
    captions = only_current(
        Caption.objects.filter(clip=clip, kind__in=[Caption.Kind.SPATIAL, Caption.Kind.TEMPORAL])
    )
    return {caption.kind: caption for caption in captions}


def split_neighbours(clip: Clip) -> dict[str, tuple[str, str]]:
    """Other clips of the same subcategory that are split: name -> (spatial, temporal) text."""
    if not clip.video.subcategory:
        return {}
    captions = (
        Caption.objects.filter(
            project_id=clip.project_id,
            clip__video__subcategory=clip.video.subcategory,
            clip__work_items__kind=WorkItem.Kind.SPLIT,
            clip__work_items__state=WorkItem.State.DONE,
            kind__in=[Caption.Kind.SPATIAL, Caption.Kind.TEMPORAL],
        )
        .exclude(clip=clip)
        .order_by("-id")
        .values_list("clip__name", "kind", "text")[: 2 * NEIGHBOURS]
    )
    texts: dict[str, dict[str, str]] = {}
    for name, kind, text in captions:
        texts.setdefault(name, {}).setdefault(kind, text)
    return {
        name: (found.get(Caption.Kind.SPATIAL, ""), found.get(Caption.Kind.TEMPORAL, ""))
        for name, found in texts.items()
    }


def latest_caption(assignment: Assignment) -> Caption | None:
    """What the assignment submitted last."""
    return assignment.captions.order_by("-id").first()


def memberships_with_work(user: User) -> QuerySet[Membership]:
    """The person's projects by name, each with `clip_count`, `held_count`, `returned_count`."""
    clips = Clip.objects.filter(project=OuterRef("project"))
    mine = Assignment.objects.filter(annotator=user, item__project=OuterRef("project"))
    return (
        Membership.objects.filter(user=user)
        .select_related("project")
        .annotate(
            clip_count=_counted(clips),
            held_count=_counted(mine.filter(state=Assignment.State.HELD)),
            returned_count=_counted(mine.filter(state=Assignment.State.RETURNED)),
        )
        .order_by("project__name")
    )


def _counted(rows: QuerySet) -> Subquery:
    """COUNT(*) of a correlated subquery, without the GROUP BY that a plain Count would add."""
    return Subquery(rows.order_by().annotate(n=Func(F("pk"), function="COUNT")).values("n"))
