"""Whether somebody may read a caption, its author, its model and its score: one question for all.

People write and judge without each other. So each kind of work registers which captions it hides
from whom, and every page, list and file that shows captions asks here.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.models import Assignment, Caption, Clip, Membership, Role, WorkItem

# Which captions of the project are hidden from this member; None: no caption.
Rule = Callable[[Membership], Q | None]

SEES_ALL = (Role.ADMIN, Role.EXPERT, Role.REVIEWER)
_OF_JUDGING: list[Rule] = []
_OF_SCORES: list[Rule] = []


def register_blindness(hides: Rule, *, only_scores: bool = False) -> None:
    """Hide from who is to judge them the captions that the rule names, or only their scores. Call
    it in `AppConfig.ready`."""
    (_OF_SCORES if only_scores else _OF_JUDGING).append(hides)


def visible_captions(
    membership: Membership, captions: QuerySet[Caption] | None = None
) -> QuerySet[Caption]:
    """Those of the captions, or of the project's, that this member may read, with their authors
    and models."""
    every = Caption.objects.filter(project=membership.project_id) if captions is None else captions
    return every.exclude(_any(membership, [hide_unmerged_texts, *_OF_JUDGING]))


def hidden_captions(membership: Membership, *, or_scores: bool = False) -> QuerySet[Caption]:
    """The captions of the project that this member may not read, or whose scores they may not."""
    rules = [hide_unmerged_texts, *_OF_JUDGING, *(_OF_SCORES if or_scores else [])]
    every = Caption.objects.filter(project=membership.project_id).order_by()
    return every.filter(_any(membership, rules))


def captions_to_judge(membership: Membership) -> QuerySet[Caption]:
    """The captions of which this member may read, while they work, the text, but not who or what
    wrote it."""
    every = Caption.objects.filter(project=membership.project_id).order_by()
    hidden = _any(membership, _OF_JUDGING)
    return every.filter(hidden) if hidden else every.none()


def may_see_caption(membership: Membership, caption: Caption) -> bool:
    """Whether this member may read the caption, with its author and model."""
    return visible_captions(membership).filter(pk=caption.pk).exists()


def _any(membership: Membership, rules: list[Rule]) -> Q:
    hidden = Q()
    for rule in rules:
        hidden |= rule(membership) or Q()
    return hidden


def waits_for_merge(membership: Membership, clip: Clip) -> bool:
    """Whether this member reads only their own texts about the clip: until the merge is submitted,
    whoever writes it, or could still take it to write, whatever their other roles."""
    if _clips_merged(membership).filter(clip=clip).exists():
        return False
    if not membership.has_role(*SEES_ALL):
        return True
    return _clips_written(membership).filter(clip=clip).exists()


def hide_unmerged_texts(membership: Membership) -> Q:
    """Hide the texts of others about each clip for which `waits_for_merge` holds, and captions of
    whole videos that were made of them."""
    merged, written = _clips_merged(membership), _clips_written(membership)

    def waits(clip: str) -> Q:
        # Correlated, so that a page about one clip looks at the work of this clip alone.
        unmerged = ~Q(Exists(merged.filter(clip=OuterRef(clip))))
        if not membership.has_role(*SEES_ALL):
            return unmerged
        return unmerged & Q(Exists(written.filter(clip=OuterRef(clip))))

    parents = Caption.parents.through.objects.filter(from_caption=OuterRef("pk"))
    joined = Q(kind=Caption.Kind.FULL_VIDEO) & Q(Exists(parents.filter(waits("to_caption__clip"))))
    return ~Q(author=membership.user_id) & (waits("clip") | joined)


def _clips_merged(membership: Membership) -> QuerySet[WorkItem]:
    return WorkItem.objects.filter(
        project=membership.project_id, kind=WorkItem.Kind.MERGE, state=WorkItem.State.DONE
    )


def _clips_written(membership: Membership) -> QuerySet[WorkItem]:
    """The write-ups that this person has taken, or could take."""
    own = Assignment.objects.filter(item=OuterRef("pk"), annotator=membership.user_id)
    concerned: Exists | Q = Exists(own)
    if membership.is_annotator:
        concerned = Q(concerned) | Q(state=WorkItem.State.OPEN, open_slots__gt=0)
    return WorkItem.objects.filter(
        concerned, project=membership.project_id, kind=WorkItem.Kind.WRITE
    )
