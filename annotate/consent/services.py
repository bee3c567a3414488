"""Write the consent text of a project; agree to it; withdraw."""

from __future__ import annotations

from django.db import transaction

from annotate.agreed import must_agree
from annotate.audit import record_event
from annotate.consent.queries import current_text, last_consent
from annotate.errors import AnnotateError
from annotate.models import Consent, ConsentText, Project, User
from annotate.queue.services import release_holds


@transaction.atomic
def write_consent_text(
    *, project: Project, admin: User, text: str, asks_again: bool, base_number: int
) -> ConsentText:
    """Store a new version. The first text that asks for anything asks everybody.

    `base_number`: the version that was edited, 0 for none. Raises AnnotateError if there is a
    later one, or if nothing would change.
    """
    Project.objects.lock(project.pk)
    newest = current_text(project)
    number = newest.number if newest else 0
    if number != base_number:
        raise AnnotateError(
            f"Version {number} was saved while you wrote, and nothing of yours is stored yet. "
            "Compare your text with it below, then save again."
        )
    if text == (newest.text if newest else "") and not (asks_again and text):
        raise AnnotateError("The text is the same as before, so there is no new version.")
    has_asked = ConsentText.objects.filter(project=project).exclude(text="").exists()
    keeps_agreements = has_asked and not asks_again
    version = ConsentText.objects.create(
        project=project,
        number=number + 1,
        text=text,
        asked_since=newest.asked_since if newest and keeps_agreements else number + 1,
        written_by=admin,
    )
    record_event(
        actor=admin,
        verb="write consent text",
        subject=version,
        project=project,
        after={"number": version.number, "asks_again": version.asks_again},
    )
    return version


@transaction.atomic
def agree(*, project: Project, person: User, number: int) -> None:
    """Store that the person agrees to the version that they have read; agreeing twice is once.

    Raises AnnotateError if a later version was stored in the meantime, or if the text asks nothing.
    """
    Project.objects.lock(project.pk)
    text = current_text(project)
    if text is None or not text.text:
        raise AnnotateError("This project asks for no consent.")
    if text.number != number:
        raise AnnotateError("The text has changed since you opened the page. Read it again.")
    newest = last_consent(project, person)
    if newest and newest.is_given and newest.text_id == text.pk:
        return
    consent = Consent.objects.create(project=project, text=text, person=person, is_given=True)
    record_event(
        actor=person,
        verb="agree",
        subject=consent,
        project=project,
        after={"number": text.number},
    )


@transaction.atomic
def withdraw_consent(*, project: Project, person: User) -> None:
    """Store that the person withdraws. They get no new work; their leases end, and their drafts and
    submissions stay.

    Raises AnnotateError unless they have agreed before.
    """
    Project.objects.lock(project.pk)
    newest = last_consent(project, person)
    if newest is None or not newest.is_given:
        raise AnnotateError("You have not agreed to anything that you could withdraw.")
    consent = Consent.objects.create(
        project=project, text=newest.text, person=person, is_given=False
    )
    released = release_holds(user=person, project=project) if must_agree(person, project) else 0
    record_event(
        actor=person,
        verb="withdraw consent",
        subject=consent,
        project=project,
        after={"number": newest.text.number, "released": released},
    )
