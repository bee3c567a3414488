"""Decide whether a member may read a caption, its author, its model and its score.

People write and judge independently. So each kind of work registers the captions that it hides, and
from whom, and every page, list and file that shows captions uses this module.

The rules are conditions on captions, because pages combine several. Each looks up the work of the
caption's own clip. Two are SQL as text: there, the `+` before a column keeps either database from
going through all work of the project by an index on that column instead.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.access import ROLES_FOR_KIND
from annotate.models import Assignment, Caption, Clip, Membership, Role, WorkItem
from annotate.sql import Condition

# Returns the condition on captions that are hidden from this member; None hides none.
Rule = Callable[[Membership], Condition | Q | None]

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
    waits = Condition(_waits(membership, "{id}"), **_values(membership))
    return Clip.objects.filter(waits, pk=clip.pk).exists()


def hide_unmerged_texts(membership: Membership) -> Condition:
    """Hide other people's texts about each clip for which `waits_for_merge` is true, and captions
    of whole videos made from them."""
    return Condition(
        f"""
        ({{author_id}} IS NULL OR {{author_id}} <> %(person)s)
        AND (
            {_waits(membership, "{clip_id}")}
            OR {{kind}} = '{Caption.Kind.FULL_VIDEO}' AND EXISTS (
                SELECT 1
                FROM annotate_caption_parents made
                JOIN annotate_caption parent ON parent.id = made.to_caption_id
                WHERE made.from_caption_id = {{id}} AND {_waits(membership, "parent.clip_id")}
            )
        )
        """,
        **_values(membership),
    )


def still_to_do(membership: Membership, kind: WorkItem.Kind) -> QuerySet[WorkItem]:
    """Return the work of a kind on the clip of the outer query's caption that this person has, or
    could still take. Other people's answers are then hidden from them, because people judge
    independently.
    """
    own = Assignment.objects.filter(item=OuterRef("pk"), annotator=membership.user_id).order_by()
    to_do = WorkItem.of_any_purpose.filter(
        ~Exists(own.filter(state=Assignment.State.SUBMITTED)),
        clip=OuterRef("clip"),
        kind=kind,
        state__in=[WorkItem.State.OPEN, WorkItem.State.WAITING],
    ).order_by()
    return to_do if membership.has_role(*ROLES_FOR_KIND[kind]) else to_do.filter(Exists(own))


def _waits(membership: Membership, clip: str) -> str:
    """Return the condition that the texts about a clip, given by its column, wait for a merge."""
    unmerged = f"""
        NOT EXISTS (
            SELECT 1
            FROM annotate_workitem merge
            WHERE merge.clip_id = {clip} AND merge.kind = '{WorkItem.Kind.MERGE}'
              AND +merge.project_id = %(project)s AND merge.state = '{WorkItem.State.DONE}'
        )
    """
    if not membership.has_role(*SEES_ALL):
        return unmerged
    is_free = "OR w.state = 'open' AND w.open_slots > 0" if membership.is_annotator else ""
    return f"""
        EXISTS (
            SELECT 1
            FROM annotate_workitem w
            WHERE w.clip_id = {clip} AND w.kind = '{WorkItem.Kind.WRITE}'
              AND +w.project_id = %(project)s
              AND (
                  EXISTS (
                      SELECT 1
                      FROM annotate_assignment own
                      WHERE own.item_id = w.id AND own.annotator_id = %(person)s
                  )
                  {is_free}
              )
        )
        AND {unmerged}
    """


def _values(membership: Membership) -> dict[str, int]:
    return {"person": membership.user_id, "project": membership.project_id}
