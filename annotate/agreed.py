"""Whether a person has agreed to the consent text of a project, for the queue."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from annotate.errors import AnnotateError
from annotate.models import Consent, ConsentText, Project, User


class ConsentMissing(AnnotateError):
    """The person has to read and agree to the project's text before they take work."""

    def __init__(self) -> None:
        super().__init__("Read the project's consent text and agree to it before you take work.")


class ConsentState(NamedTuple):
    """`has_text`: the project has a text, which may be empty now. `is_missing`: the person has to
    agree before they work."""

    has_text: bool
    is_missing: bool


def consent_state(user: User, project: Project) -> ConsentState:
    newest = ConsentText.objects.filter(project=project).order_by("-number").first()
    if newest is None or not newest.text:
        return ConsentState(has_text=newest is not None, is_missing=False)
    consents = Consent.objects.filter(project=project, person=user).select_related("text")
    last = consents.order_by("-pk").first()
    agreed = last is not None and last.is_given and last.text.number >= newest.asked_since
    return ConsentState(has_text=True, is_missing=not agreed)


def must_agree(user: User, project: Project) -> bool:
    """Return whether the person has to agree to the project's text before they work."""
    return consent_state(user, project).is_missing


def refuse_without_consent(user: User, project: Project) -> None:
    """Raise ConsentMissing if the person has to agree first."""
    if must_agree(user, project):
        raise ConsentMissing


def consent_address(project: Project, **query: str) -> str:
    """Return the address of the text to agree to first. `query`: where the person continues
    afterwards: the `kind` of work that they take, or the `next` page."""
    return f"{reverse('annotate:consent', args=[project.slug])}?{urlencode(query)}"
