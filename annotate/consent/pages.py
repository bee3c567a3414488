"""The contexts of the consent pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotate.consent.forms import ConsentTextForm
from annotate.consent.queries import (
    consent_of_people,
    consents_of,
    current_text,
    is_enough,
    last_consent,
)
from annotate.guidelines import markdown_html
from annotate.models import ConsentText, Membership, User

EXAMPLE = Path(__file__).parent / "example.md"


def consent_context(membership: Membership) -> dict[str, Any]:
    """Return the page on which a person reads the text, agrees and withdraws."""
    project = membership.project
    text, consent = current_text(project), last_consent(project, membership.user)
    return {
        "membership": membership,
        "project": project,
        "text": text,
        "html": markdown_html(text.text) if text else "",
        "consent": consent,
        "is_asked": not is_enough(consent, text),
    }


def consent_text_context(membership: Membership, form: ConsentTextForm | None) -> dict[str, Any]:
    """Return the page on which an admin writes the text and sees who has agreed."""
    project = membership.project
    texts = list(ConsentText.objects.filter(project=project).select_related("written_by"))
    newest = texts[0] if texts else None
    people = consent_of_people(project)
    initial = {
        "text": newest.text if newest else "",
        "base_number": newest.number if newest else 0,
    }
    return {
        "membership": membership,
        "project": project,
        "form": form or ConsentTextForm(initial=initial),
        "newest": newest,
        "next_number": newest.number + 1 if newest else 1,
        "is_asking": newest is not None and newest.text != "",
        "versions": [(text, markdown_html(text.text)) for text in texts],
        "people": people,
        "missing": sum(row.is_member and not row.is_enough for row in people),
        "example": EXAMPLE.read_text(encoding="utf-8"),
    }


def consent_record(membership: Membership, person: User) -> str:
    """Return what the person agreed to and when, as plain text, with each text once."""
    lines = [f"Project: {membership.project.name}", f"Person: {person} <{person.email}>", ""]
    consents = consents_of(membership.project, person)
    for consent in consents:
        what = "Agreed to" if consent.is_given else "Withdrew from"
        lines.append(f"{consent.at:%Y-%m-%d %H:%M} UTC  {what} version {consent.text.number}")
    for text in {consent.text_id: consent.text for consent in consents}.values():
        lines += ["", "-" * 72, f"Version {text.number}, {text.created_at:%Y-%m-%d %H:%M} UTC", ""]
        lines.append(text.text)
    return "\n".join(lines) + "\n"
