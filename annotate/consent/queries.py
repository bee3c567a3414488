"""The consent text of a project, and who has agreed to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from annotate.models import Consent, ConsentText, Membership, Project, User


def current_text(project: Project) -> ConsentText | None:
    """Return the newest version, which may be empty; None if none was ever saved."""
    texts = ConsentText.objects.filter(project=project).select_related("written_by")
    return texts.order_by("-number").first()


def last_consent(project: Project, person: User) -> Consent | None:
    """Return the person's newest agreement or withdrawal."""
    consents = Consent.objects.filter(project=project, person=person).select_related("text")
    return consents.order_by("-pk").first()


def consents_of(project: Project, person: User) -> Sequence[Consent]:
    """Return all agreements and withdrawals of the person, oldest first."""
    consents = Consent.objects.filter(project=project, person=person).select_related("text")
    return list(consents.order_by("pk"))


def is_enough(consent: Consent | None, text: ConsentText | None) -> bool:
    """Return whether a newest consent suffices for the newest text."""
    if text is None or not text.text:
        return True
    return consent is not None and consent.is_given and consent.text.number >= text.asked_since


@dataclass(frozen=True)
class PersonsConsent:
    """A person's newest agreement or withdrawal; None without one. `is_enough`: they may take
    work."""

    person: User
    consent: Consent | None
    is_enough: bool
    is_member: bool

    @property
    def has_withdrawn(self) -> bool:
        return self.consent is not None and not self.consent.is_given


def consent_of_people(project: Project) -> list[PersonsConsent]:
    """Return the members, and former members who have agreed to anything, by name."""
    text = current_text(project)
    newest: dict[int, Consent] = {}
    consents = Consent.objects.filter(project=project).select_related("text", "person")
    for consent in consents.order_by("pk"):
        newest[consent.person_id] = consent
    members = Membership.objects.filter(project=project).select_related("user")
    people = {member.user_id: member.user for member in members}
    former = {key: consent.person for key, consent in newest.items() if key not in people}
    rows = [
        PersonsConsent(person, newest.get(key), is_enough(newest.get(key), text), key in people)
        for key, person in (people | former).items()
    ]
    return sorted(rows, key=lambda row: (not row.is_member, str(row.person), row.person.pk))


def withdrawn_members(project: Project) -> QuerySet[Consent]:
    """Return the withdrawals of members who have not agreed again since, the newest first."""
    later = Consent.objects.filter(
        project=OuterRef("project"), person=OuterRef("person"), pk__gt=OuterRef("pk")
    )
    return (
        Consent.objects.filter(project=project, is_given=False)
        .filter(person__memberships__project=project, person__memberships__deactivated_at=None)
        .exclude(Exists(later))
        .select_related("person")
        .order_by("-pk")
    )
