"""Whether a person has agreed to the consent text of a project, for the queue."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from annotate.errors import AnnotateError
from annotate.models import Project, User
from annotate.sql import Statement


class ConsentMissing(AnnotateError):
    """The person has to read and agree to the project's text before they take work."""

    def __init__(self) -> None:
        super().__init__("Read the project's consent text and agree to it before you take work.")


class ConsentState(NamedTuple):
    """`has_text`: the project has a text, which may be empty now. `is_missing`: the person has to
    agree before they work."""

    has_text: bool
    is_missing: bool


# One row if there is a text: whether it asks for something the person has not agreed to.
_NEWEST = Statement("""
    SELECT newest.text <> '' AND NOT EXISTS (
        SELECT 1
        FROM annotate_consent c
        JOIN annotate_consenttext agreed ON agreed.id = c.text_id
        WHERE c.is_given AND agreed.number >= newest.asked_since
          AND c.id = (
              SELECT MAX(id)
              FROM annotate_consent
              WHERE project_id = %(project)s AND person_id = %(person)s
          )
    )
    FROM annotate_consenttext newest
    WHERE newest.project_id = %(project)s
    ORDER BY newest.number DESC
    LIMIT 1
""")


def consent_state(user: User, project: Project) -> ConsentState:
    row = _NEWEST.row(project=project.pk, person=user.pk)
    return ConsentState(row is not None, row is not None and bool(row[0]))


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
