"""Decide whether a member may read a caption, its author, its model and its score.

People write and judge independently. So each kind of work registers the captions that it hides, and
from whom, and every page, list and file that shows captions uses this module.

The rules are conditions on captions, because pages combine several. Each looks up the work of the
caption's own clip. None names the project of the work: either database would go through all of it
by an index instead.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Exists, Expression, OuterRef, Q, QuerySet

from annotate.kinds import kind_facts
from annotate.models import Assignment, Caption, Clip, Membership, Role, WorkItem

# Returns the condition on captions that are hidden from this member; None hides none.
Rule = Callable[[Membership], Expression | Q | None]

SEES_ALL = (Role.ADMIN, Role.EXPERT, Role.REVIEWER)
_OF_JUDGING: list[Rule] = []
_OF_SCORES: list[Rule] = []


def register_blindness(hides: Rule, *, only_scores: bool = False) -> None:
    """Hide the rule's captions, or only their scores, from the people who judge them. Call it in
    `AppConfig.ready`. Nothing is hidden from an admin who neither has another role nor has ever
    taken work.
    """
    (_OF_SCORES if only_scores else _OF_JUDGING).append(hides)


def visible_captions(
    membership: Membership, captions: QuerySet[Caption] | None = None
) -> QuerySet[Caption]:
    """Return the captions (by default the project's) that this member can read, with authors and
    models.
    """
    captions_of_project = (
        Caption.objects.filter(project=membership.project_id) if captions is None else captions
    )
    hidden = hides(membership)
    return captions_of_project.exclude(hidden) if hidden else captions_of_project


def hidden_captions(
    membership: Membership, captions: QuerySet[Caption] | None = None, *, or_scores: bool = False
) -> QuerySet[Caption]:
    """Return the captions (by default the project's) that this member can't read, or whose scores
    they can't. Pass the captions if they are few: SQLite uses the index on clips only without a
    project.
    """
    captions_of_project = (
        Caption.objects.filter(project=membership.project_id) if captions is None else captions
    )
    hidden = hides(membership, or_scores=or_scores)
    return captions_of_project.order_by().filter(hidden) if hidden else captions_of_project.none()


def hides(membership: Membership, *, or_scores: bool = False) -> Q:
    """Return the condition on captions that this member may not read them, or their scores; empty
    if nothing is hidden from them.
    """
    rules = [*_OF_JUDGING, hide_unmerged_texts, *(_OF_SCORES if or_scores else [])]
    return _any(membership, rules)


def captions_to_judge(membership: Membership) -> QuerySet[Caption]:
    """Return the captions whose text this member may read while they work, but not the author or
    model.
    """
    captions = Caption.objects.filter(project=membership.project_id).order_by()
    hidden = _any(membership, _OF_JUDGING)
    return captions.filter(hidden) if hidden else captions.none()


def _any(membership: Membership, rules: list[Rule]) -> Q:
    hidden = Q()
    if _only_watches(membership):
        return hidden
    for rule in rules:
        if (condition := rule(membership)) is not None:
            hidden |= Q(condition)
    return hidden


def _only_watches(membership: Membership) -> bool:
    """Return whether this is an admin who can't take work and has never taken any."""
    works = membership.has_role(Role.ANNOTATOR, Role.EXPERT, Role.REVIEWER)
    if works or not membership.is_admin:
        return False
    return not Assignment.objects.filter(annotator=membership.user_id).exists()


def waits_for_merge(membership: Membership, clip: Clip) -> bool:
    """Return whether this member reads only their own texts about the clip. This is so until the
    merge is submitted, for everybody who writes the clip or could still take it, even if they have
    other roles, too."""
    return Clip.objects.filter(_waits(membership, "pk"), pk=clip.pk).exists()


def hide_unmerged_texts(membership: Membership) -> Q:
    """Hide other people's texts about each clip for which `waits_for_merge` is true, and captions
    of whole videos made from them."""
    made_from_unmerged = Caption.parents.through.objects.filter(
        _waits(membership, "to_caption__clip"), from_caption=OuterRef("pk")
    )
    hidden = _waits(membership, "clip") | Q(
        Exists(made_from_unmerged), kind=Caption.Kind.FULL_VIDEO
    )
    return ~Q(author=membership.user_id) & hidden


def still_to_do(membership: Membership, kind: str) -> QuerySet[WorkItem]:
    """Return the work of a kind on the clip of the outer query's caption that this person has, or
    could still take. Other people's answers are then hidden from them, because people judge
    independently.
    """
    own = Assignment.objects.filter(item=OuterRef("pk"), annotator=membership.user_id).order_by()
    to_do = WorkItem.with_known_answers.filter(
        ~Exists(own.filter(state=Assignment.State.SUBMITTED)),
        clip=OuterRef("clip"),
        kind=kind,
        state__in=[WorkItem.State.OPEN, WorkItem.State.WAITING],
    ).order_by()
    return to_do if membership.has_role(*kind_facts(kind).roles) else to_do.filter(Exists(own))


def _waits(membership: Membership, clip: str) -> Q:
    """Return the condition that the texts about a clip, given by its field, wait for a merge."""
    items = WorkItem.with_known_answers.filter(clip=OuterRef(clip)).order_by()
    merged = items.filter(kind="merge", state=WorkItem.State.DONE)
    unmerged = Q(~Exists(merged))
    if not membership.has_role(*SEES_ALL):
        return unmerged
    own = Assignment.objects.filter(item=OuterRef("pk"), annotator=membership.user_id)
    could_write = Q(Exists(own))
    if membership.is_annotator:
        could_write |= Q(state=WorkItem.State.OPEN, open_slots__gt=0)
    return Q(Exists(items.filter(could_write, kind="write"))) & unmerged
