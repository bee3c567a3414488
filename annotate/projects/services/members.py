"""The members of a project: invitations, roles, removal."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.models import (
    AssignedSubcategory,
    Assignment,
    Invitation,
    Membership,
    Project,
    Role,
    User,
    Webhook,
)
from annotate.programs import programs_changed
from annotate.projects.invited import InvitedPerson
from annotate.tokens.queries import hash_token
from annotate.webhooks.services.announcing import announce

INVITATION_DAYS = 14


@transaction.atomic
def invite(
    *, project: Project, admin: User, roles: list[str], email: str = ""
) -> tuple[Invitation, str]:
    """Make an invitation; the token is returned once and stored only as its hash."""
    if not roles:
        raise AnnotateError("Choose at least one role for the person you invite.")
    token = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        project=project,
        email=email.strip().lower(),
        token_hash=hash_token(token),
        invited_by=admin,
        expires_at=timezone.now() + timedelta(days=INVITATION_DAYS),
        **_columns(roles),
    )
    record_event(
        actor=admin,
        verb="invite",
        subject=invitation,
        project=project,
        after={"email": invitation.email, "roles": roles},
    )
    return invitation, token


@transaction.atomic
def invite_many(
    *, project: Project, admin: User, people: Sequence[InvitedPerson]
) -> list[tuple[Invitation, str]]:
    """Make an invitation for each person; return each with its token."""
    return [
        invite(project=project, admin=admin, roles=list(person.roles), email=person.email)
        for person in people
    ]


@transaction.atomic
def renew_invitation(*, invitation: Invitation, admin: User) -> tuple[Invitation, str]:
    """Give an invitation a new link and a new term; its former link no longer works. Return it with
    the token. Raises AnnotateError if it was used or withdrawn.
    """
    renewed = Invitation.objects.select_for_update(of=("self",)).get(pk=invitation.pk)
    if renewed.accepted_at or renewed.withdrawn_at:
        raise AnnotateError("This invitation was used or withdrawn. Invite the person again.")
    token = secrets.token_urlsafe(24)
    renewed.token_hash = hash_token(token)
    renewed.expires_at = timezone.now() + timedelta(days=INVITATION_DAYS)
    renewed.save(update_fields=["token_hash", "expires_at"])
    record_event(actor=admin, verb="renew", subject=renewed, project=renewed.project)
    return renewed, token


@transaction.atomic
def withdraw_invitation(*, invitation: Invitation, admin: User) -> None:
    Invitation.objects.filter(pk=invitation.pk, accepted_at=None).update(
        withdrawn_at=timezone.now()
    )
    record_event(actor=admin, verb="withdraw", subject=invitation, project=invitation.project)


def find_invitation(token: str) -> Invitation:
    """Return the open invitation of this link. Raises AnnotateError if it has no open one."""
    invitation = (
        Invitation.objects.select_related("project", "invited_by")
        .filter(token_hash=hash_token(token))
        .first()
    )
    if invitation is None or not invitation.is_open:
        raise AnnotateError(
            "This invitation has been used, withdrawn or is too old. Ask for a new link."
        )
    return invitation


@transaction.atomic
def join_as_new_person(*, token: str, name: str, email: str, password: str) -> Membership:
    """Create an account for an invited person, and make them a member.

    Raises AnnotateError if the invitation has been used, or the address has an account.
    """
    # Lock first, so that a simultaneous second click creates no account.
    _lock_invitation(token)
    find_invitation(token)
    try:
        with transaction.atomic():
            user = User.objects.create_user(email, password, name=name)
    except IntegrityError as error:
        raise AnnotateError(
            "An account with this address exists. Sign in, then open the link again."
        ) from error
    return accept_invitation(token=token, user=user)


@transaction.atomic
def accept_invitation(*, token: str, user: User) -> Membership:
    """Join the project with the invitation's roles in addition to the person's existing ones.

    A second click by the same person changes nothing.
    """
    _lock_invitation(token)
    if membership := joined_before(token=token, user=user):
        return membership
    invitation = find_invitation(token)
    if invitation.email and invitation.email != user.email:
        raise AnnotateError(
            f"This invitation is for {invitation.email}. Sign in with that address."
        )
    _refuse_deactivated(invitation.project, user)
    invitation.accepted_by, invitation.accepted_at = user, timezone.now()
    invitation.save(update_fields=["accepted_by", "accepted_at"])
    membership, _ = Membership.objects.get_or_create(project=invitation.project, user=user)
    for role in invitation.roles:
        setattr(membership, f"is_{role}", True)
    membership.save()
    record_event(
        actor=user,
        verb="join",
        subject=membership,
        project=invitation.project,
        after={"roles": membership.roles},
    )
    slug = invitation.project.slug
    announce(
        project=invitation.project,
        event=Webhook.Event.MEMBER_JOINED,
        ids={"member": membership.pk, "roles": membership.roles},
        page=("annotate:members", [slug]),
        resource=("api:member", [slug, membership.pk]),
    )
    return membership


def who_joined(token: str) -> User | None:
    """Return the person who has accepted the invitation of this link."""
    return User.objects.filter(
        pk__in=Invitation.objects.filter(token_hash=hash_token(token)).values("accepted_by")
    ).first()


def joined_before(*, token: str, user: User) -> Membership | None:
    """Return the membership that this person got by this invitation, if they still have it."""
    accepted = Invitation.objects.filter(token_hash=hash_token(token), accepted_by=user)
    return (
        Membership.objects.select_related("project", "user")
        .filter(user=user, project__in=accepted.values("project"))
        .first()
    )


def _refuse_deactivated(project: Project, user: User) -> None:
    members = Membership.with_deactivated.filter(project=project, user=user)
    if members.filter(deactivated_at__isnull=False).exists():
        raise AnnotateError(
            "An admin has deactivated you in this project. Ask them to reactivate you; you need no "
            "new invitation."
        )


def _lock_invitation(token: str) -> None:
    list(Invitation.objects.select_for_update().filter(token_hash=hash_token(token)).values("pk"))


@transaction.atomic
def change_roles(*, membership: Membership, admin: User, roles: list[str]) -> Membership:
    """Set a member's roles. A project keeps at least one admin."""
    lock_admins(membership.project)
    if not roles:
        raise AnnotateError("Choose at least one role, or remove the person from the project.")
    if Role.ADMIN not in roles:
        keep_an_admin(membership)
    before = membership.roles
    for name, value in _columns(roles).items():
        setattr(membership, name, value)
    membership.save()
    record_event(
        actor=admin,
        verb="change roles",
        subject=membership,
        project=membership.project,
        before={"roles": before},
        after={"roles": membership.roles},
    )
    return membership


@transaction.atomic
def declare_program(*, membership: Membership, admin: User, program: str) -> Membership:
    """Declare that the member is a program with this model, or a person if it is empty. The work
    that they have already submitted is declared with them; the audit log has its amount."""
    membership = Membership.with_deactivated.select_for_update(of=("self",)).get(pk=membership.pk)
    before, membership.program = membership.program, program.strip()
    if membership.program == before:
        return membership
    membership.save(update_fields=["program"])
    record_event(
        actor=admin,
        verb="declare",
        subject=membership,
        project=membership.project,
        before={"program": before},
        after={"program": membership.program, "submitted": _submitted_by(membership).count()},
    )
    programs_changed(membership.project)
    return membership


def _submitted_by(membership: Membership) -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        annotator=membership.user_id,
        item__project=membership.project_id,
        state=Assignment.State.SUBMITTED,
    )


@transaction.atomic
def remove_member(*, membership: Membership, admin: User) -> None:
    """Remove a member's access. Their texts stay; their leases expire. A program that has submitted
    work keeps its membership, which says that it is one."""
    lock_admins(membership.project)
    keep_an_admin(membership)
    if membership.program and _submitted_by(membership).exists():
        raise AnnotateError(
            "It is a program whose work would then count as a person's. Deactivate it instead."
        )
    record_event(
        actor=admin,
        verb="remove",
        subject=membership,
        project=membership.project,
        before={"user": membership.user_id, "roles": membership.roles},
    )
    membership.delete()


def lock_admins(project: Project) -> None:
    """Lock the admins, so that two who remove each other at once can't both succeed."""
    Project.objects.select_for_update().get(pk=project.pk)


def keep_an_admin(membership: Membership) -> None:
    """Raise AnnotateError if this is the project's only admin."""
    others = Membership.objects.filter(
        project=membership.project, is_admin=True, user__is_active=True
    )
    if not others.exclude(pk=membership.pk).exists():
        raise AnnotateError("A project needs an admin. Make somebody else admin first.")


def _columns(roles: list[str]) -> dict[str, bool]:
    return {f"is_{role}": role in roles for role in Role}


@transaction.atomic
def assign_subcategories(
    *, membership: Membership, admin: User, shares: list[tuple[str, str]]
) -> None:
    """Replace the (category, subcategory) pairs that the member works on; an empty subcategory
    means the whole category. Work that they hold stays theirs."""
    membership = Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
    before = list(membership.assigned.values_list("category", "subcategory"))
    membership.assigned.all().delete()
    AssignedSubcategory.objects.bulk_create(
        AssignedSubcategory(membership=membership, category=category, subcategory=subcategory)
        for category, subcategory in sorted(set(shares))
    )
    record_event(
        actor=admin,
        verb="assign subcategories",
        subject=membership,
        project=membership.project,
        before={"shares": before},
        after={"shares": sorted(set(shares))},
    )
