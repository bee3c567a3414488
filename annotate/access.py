"""Access to objects for views, the only way to get one. An outsider gets 404, a member without the
role 403.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from annotate.models import (
    ActionLabel,
    Assignment,
    Clip,
    ImportBatch,
    ImportItem,
    Job,
    Membership,
    NearDuplicate,
    Project,
    Role,
    User,
    Video,
    Webhook,
    WorkItem,
)
from annotate.sql import Columns, Row, Statement, all_columns, models_of


class UserRequest(HttpRequest):
    """The request of a signed-in user, as views get it: `middleware.SignInFirst` lets no other
    through. A view marked `login_not_required` takes Django's `HttpRequest` instead."""

    user: User


# The roles that may take each kind of work.
ROLES_FOR_KIND = {
    WorkItem.Kind.WRITE: (Role.ANNOTATOR,),
    WorkItem.Kind.MERGE: (Role.EXPERT,),
    WorkItem.Kind.SPLIT: (Role.ANNOTATOR, Role.EXPERT),
    WorkItem.Kind.SIGNOFF: (Role.EXPERT,),
    WorkItem.Kind.DYNAMICS: (Role.ANNOTATOR, Role.REVIEWER),
    WorkItem.Kind.HAND: (Role.ANNOTATOR, Role.EXPERT),
    WorkItem.Kind.VERIFY: (Role.ANNOTATOR, Role.REVIEWER),
    WorkItem.Kind.RATE: (Role.ANNOTATOR, Role.REVIEWER),
    WorkItem.Kind.PAIR: (Role.EXPERT, Role.REVIEWER),
    WorkItem.Kind.MODIFY: (Role.EXPERT, Role.REVIEWER),
    WorkItem.Kind.TRIPLET: (Role.ANNOTATOR, Role.REVIEWER),
    WorkItem.Kind.COMPARE: (Role.EXPERT, Role.REVIEWER),
    WorkItem.Kind.IDENTIFY: (Role.ANNOTATOR, Role.EXPERT, Role.REVIEWER),
    WorkItem.Kind.ELEMENTS: (Role.ANNOTATOR, Role.EXPERT, Role.REVIEWER),
}
# A person who has done one kind of work on a clip can't do the other: nobody merges or rates their
# own work.
BARRED_BY = {
    WorkItem.Kind.MERGE: [WorkItem.Kind.WRITE],
    WorkItem.Kind.SIGNOFF: [WorkItem.Kind.WRITE, WorkItem.Kind.MERGE, WorkItem.Kind.SPLIT],
    WorkItem.Kind.RATE: [
        WorkItem.Kind.WRITE,
        WorkItem.Kind.MERGE,
        WorkItem.Kind.HAND,
        WorkItem.Kind.VERIFY,
    ],
}


MEMBER = Columns(
    "m",
    Membership,
    ("id", "is_annotator", "is_expert", "is_reviewer", "is_admin", "project_id", "user_id"),
)
WORKPLACE = Columns(
    "p",
    Project,
    (
        *("id", "name", "slug", "is_simulated", "assigned_work", "gold_kinds", "training_kinds"),
        *("lease_minutes", "archived_at"),
    ),
)

MEMBER_OF = (all_columns("m", Membership), all_columns("p", Project))
MEMBERSHIP, WORKER = (
    Statement(f"""
        SELECT {of_member}, {of_project}
        FROM annotate_membership m
        JOIN annotate_project p ON p.id = m.project_id
        WHERE m.user_id = %(person)s AND p.slug = %(slug)s AND m.deactivated_at IS NULL
    """)
    for of_member, of_project in (MEMBER_OF, (MEMBER, WORKPLACE))
)


def member(request: UserRequest, slug: str, *roles: str) -> Membership:
    """Return the signed-in person's membership of the project, with one of `roles` if given."""
    membership = None
    if row := MEMBERSHIP.row(person=request.user.pk, slug=slug):
        membership, membership.project = models_of(row, *MEMBER_OF)
    return _with_role(request, membership, roles)


def worker(request: UserRequest, slug: str, kind: str) -> Membership:
    """Return the signed-in person's membership if they may take this kind of work."""
    if kind not in WorkItem.Kind.values:
        raise Http404("No such kind of work.")
    membership = None
    if row := WORKER.row(person=request.user.pk, slug=slug):
        membership, membership.project = models_of(row, MEMBER, WORKPLACE)
    return _with_role(request, membership, ROLES_FOR_KIND[WorkItem.Kind(kind)])


def _with_role(
    request: UserRequest, membership: Membership | None, roles: Sequence[str]
) -> Membership:
    if membership is None:
        raise Http404("No such project.")
    if roles and not membership.has_role(*roles):
        raise PermissionDenied(f"This needs the role {' or '.join(roles)} in the project.")
    membership.user = request.user
    return membership


OWN_WORK = (
    all_columns("a", Assignment),
    all_columns("i", WorkItem),
    all_columns("p", Project),
    all_columns("c", Clip),
    all_columns("v", Video),
    all_columns("m", Membership),
)
OWN_ASSIGNMENT = Statement(f"""
    SELECT EXISTS (SELECT 1 FROM annotate_consenttext t WHERE t.project_id = i.project_id),
           EXISTS (
               SELECT 1
               FROM annotate_shownexample e
               WHERE e.project_id = i.project_id AND e.kind = i.kind
           ),
           EXISTS (SELECT 1 FROM annotate_question q WHERE q.assignment_id = a.id),
           (
               SELECT s.digests
               FROM annotate_seenguideline s
               WHERE s.membership_id = m.id AND s.kind = i.kind
           ),
           {", ".join(map(str, OWN_WORK))}
    FROM annotate_assignment a
    JOIN annotate_workitem i ON i.id = a.item_id
    JOIN annotate_membership m ON m.project_id = i.project_id AND m.user_id = a.annotator_id
    JOIN annotate_project p ON p.id = i.project_id
    JOIN annotate_clip c ON c.id = i.clip_id
    JOIN annotate_video v ON v.id = c.video_id
    WHERE a.id = %(assignment)s AND a.annotator_id = %(person)s AND m.deactivated_at IS NULL
""")


def own_assignment(
    request: UserRequest, assignment_id: int, kind: WorkItem.Kind | None = None
) -> Assignment:
    """Return an assignment of the signed-in person, with its item, clip, video and project, their
    membership, whether there are a consent text, examples and a question, and the guideline that
    they saw last.

    Raises 404 for everybody else, for its author after they have left the project or were
    deactivated, and for work of another kind if a `kind` is given.
    """
    row = _own_row(request, assignment_id, OWN_ASSIGNMENT)
    facts, seen_guideline, columns = row[:3], row[3], row[4:]
    assignment: Assignment
    assignment, item, item.project, item.clip, item.clip.video, membership = models_of(
        columns, *OWN_WORK
    )
    membership.user, membership.project = request.user, item.project
    assignment.item, assignment.annotator, assignment.membership = item, request.user, membership
    assignment.has_consent_text, assignment.has_examples, assignment.has_question = map(bool, facts)
    assignment.seen_guideline = seen_guideline
    if kind is not None and item.kind != kind:
        raise Http404(f"This work is not of the kind {kind.label}.")
    return assignment


HOLD = (
    Columns(
        "a",
        Assignment,
        ("id", "item_id", "annotator_id", "heartbeat_at", "draft_version", "watched"),
    ),
    Columns("i", WorkItem, ("id", "project_id", "clip_id", "kind", "purpose")),
    Columns("p", Project, ("id", "slug", "lease_minutes")),
    Columns("c", Clip, ("id", "name", "start_frame", "end_frame", "duration_ms")),
)
OWN_HOLD = Statement(f"""
    SELECT {", ".join(map(str, HOLD))}
    FROM annotate_assignment a
    JOIN annotate_workitem i ON i.id = a.item_id
    JOIN annotate_membership m ON m.project_id = i.project_id AND m.user_id = a.annotator_id
    JOIN annotate_project p ON p.id = i.project_id
    JOIN annotate_clip c ON c.id = i.clip_id
    WHERE a.id = %(assignment)s AND a.annotator_id = %(person)s AND m.deactivated_at IS NULL
""")

DRAFT = Columns("a", Assignment, ("id", "state", "lease_expires_at"))
OWN_DRAFT = Statement(f"""
    SELECT {DRAFT}
    FROM annotate_assignment a
    JOIN annotate_workitem i ON i.id = a.item_id
    JOIN annotate_membership m ON m.project_id = i.project_id AND m.user_id = a.annotator_id
    WHERE a.id = %(assignment)s AND a.annotator_id = %(person)s AND m.deactivated_at IS NULL
""")


def own_hold(request: UserRequest, assignment_id: int) -> Assignment:
    """Return the same assignment for a page's script, without the data that only the page shows."""
    assignment: Assignment
    row = _own_row(request, assignment_id, OWN_HOLD)
    assignment, item, item.project, item.clip = models_of(row, *HOLD)
    assignment.item, assignment.annotator = item, request.user
    return assignment


def own_draft(request: UserRequest, assignment_id: int) -> Assignment:
    """Return the same assignment with only the data needed to save its draft."""
    assignment: Assignment
    [assignment] = models_of(_own_row(request, assignment_id, OWN_DRAFT), DRAFT)
    return assignment


def _own_row(request: UserRequest, assignment_id: int, statement: Statement) -> Row:
    row = statement.row(assignment=assignment_id, person=request.user.pk)
    if row is None:
        raise Http404("You have no such work.")
    return row


def clip(request: UserRequest, slug: str, clip_id: int) -> tuple[Membership, Clip]:
    membership = member(request, slug)
    clip = get_object_or_404(
        Clip.objects.select_related("video", "label"), pk=clip_id, project=membership.project
    )
    return membership, clip


def label(
    request: UserRequest, slug: str, label_id: int, *roles: str
) -> tuple[Membership, ActionLabel]:
    membership = member(request, slug, *roles)
    labels = ActionLabel.objects.select_related("project")
    return membership, get_object_or_404(labels, pk=label_id, project=membership.project)


def near_duplicate(
    request: UserRequest, slug: str, pair_id: int, *roles: str
) -> tuple[Membership, NearDuplicate]:
    membership = member(request, slug, *roles)
    pairs = NearDuplicate.objects.select_related("project", "first", "second")
    return membership, get_object_or_404(pairs, pk=pair_id, project=membership.project)


def video(request: UserRequest, slug: str, video_id: int) -> Video:
    return get_object_or_404(
        Video,
        pk=video_id,
        project__slug=slug,
        project__memberships__user=request.user,
        project__memberships__deactivated_at=None,
    )


def job(request: UserRequest, slug: str, job_id: int) -> tuple[Membership, Job]:
    membership = member(request, slug, Role.ADMIN)
    jobs = Job.objects.select_related("project", "created_by")
    return membership, get_object_or_404(jobs, pk=job_id, project=membership.project)


def import_batch(request: UserRequest, slug: str, batch_id: int) -> tuple[Membership, ImportBatch]:
    membership = member(request, slug, Role.ADMIN)
    return membership, get_object_or_404(ImportBatch, pk=batch_id, project=membership.project)


def import_item(request: UserRequest, slug: str, item_id: int) -> tuple[Membership, ImportItem]:
    membership = member(request, slug, Role.ADMIN)
    item = get_object_or_404(
        ImportItem.objects.select_related("batch"), pk=item_id, batch__project=membership.project
    )
    return membership, item


def webhook(request: UserRequest, slug: str, webhook_id: int) -> tuple[Membership, Webhook]:
    membership = member(request, slug, Role.ADMIN)
    webhook = get_object_or_404(Webhook, pk=webhook_id, project=membership.project)
    webhook.project = membership.project
    return membership, webhook
