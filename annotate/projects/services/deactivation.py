"""Deactivate and reactivate a member, or their account."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction
from django.utils import timezone

from annotate.accounts.sessions import end_sessions
from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.models import Membership, User
from annotate.projects.services.members import keep_an_admin, lock_admins
from annotate.queue.services.handing_on import HandedOn, hand_on_work
from annotate.queue.services.leases import release_holds


@transaction.atomic
def deactivate_member(
    *, membership: Membership, admin: User, to: Membership | None = None, with_account: bool = False
) -> HandedOn:
    """Remove a member's access, and hand their open work on to `to`, or to everybody.

    Their roles, texts and drafts stay, so that `reactivate_member` can undo it. `with_account`, for
    superusers: the person is signed out everywhere and can't sign in, and their leases in other
    projects end. Raises AnnotateError.
    """
    project = membership.project
    lock_admins(project)
    member = _locked(membership)
    if member.deactivated_at:
        raise AnnotateError(f"{member.user} is deactivated already.")
    if member.user_id == admin.pk:
        raise AnnotateError("You can't deactivate yourself. Ask another admin to do it.")
    keep_an_admin(member)
    if to is not None and (to.project_id != project.pk or to.pk == member.pk or to.deactivated_at):
        raise AnnotateError("Choose another active member of this project to hand the work to.")
    handed_on = hand_on_work(user=member.user, project=project, to=to)
    member.deactivated_at = timezone.now()
    member.save(update_fields=["deactivated_at"])
    record_event(
        actor=admin,
        verb="deactivate",
        subject=member,
        project=project,
        before={"roles": member.roles},
        after={**asdict(handed_on), "to": to.user_id if to else None, "account": with_account},
    )
    if with_account:
        _deactivate_account(member, admin)
    return handed_on


def _deactivate_account(member: Membership, admin: User) -> None:
    _refuse_unless_superuser(admin)
    person = member.user
    others = Membership.objects.filter(user=person).select_related("project").order_by("project_id")
    for other in others:
        lock_admins(other.project)
        if other.is_admin:
            try:
                keep_an_admin(other)
            except AnnotateError as error:
                raise AnnotateError(f"{other.project}: {error}") from error
        release_holds(user=person, project=other.project)
    person.is_active = False
    person.save(update_fields=["is_active"])
    ended = end_sessions(person)
    record_event(
        actor=admin,
        verb="deactivate account",
        subject=person,
        project=member.project,
        after={"sessions": ended},
    )


@transaction.atomic
def reactivate_member(
    *, membership: Membership, admin: User, with_account: bool = False
) -> Membership:
    """Restore a deactivated member's access and roles. They can resume their drafts while a place
    is free. `with_account`, for superusers: the person can sign in again. Raises AnnotateError.
    """
    member = _locked(membership)
    if not member.deactivated_at:
        raise AnnotateError(f"{member.user} is active already.")
    before = member.deactivated_at.isoformat(timespec="seconds")
    member.deactivated_at = None
    member.save(update_fields=["deactivated_at"])
    record_event(
        actor=admin,
        verb="reactivate",
        subject=member,
        project=member.project,
        before={"deactivated_at": before},
        after={"roles": member.roles, "account": with_account},
    )
    if with_account:
        _refuse_unless_superuser(admin)
        member.user.is_active = True
        member.user.save(update_fields=["is_active"])
        record_event(
            actor=admin, verb="reactivate account", subject=member.user, project=member.project
        )
    return member


def _locked(membership: Membership) -> Membership:
    members = Membership.with_deactivated.select_related("user", "project")
    return members.select_for_update(of=("self",)).get(pk=membership.pk)


def _refuse_unless_superuser(admin: User) -> None:
    if not admin.is_superuser:
        raise AnnotateError("Only an admin of the site can change an account.")
