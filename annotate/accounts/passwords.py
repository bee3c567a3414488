"""Links with which people set a new password, for sites that send no mail."""

from __future__ import annotations

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.db import transaction
from django.urls import reverse

from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.models import Project, User


@transaction.atomic
def make_password_link(*, person: User, project: Project, admin: User) -> str:
    """Return the path at which the person sets a new password: as the mail of a forgotten password
    has it, until they have used it, and for `PASSWORD_RESET_TIMEOUT`.

    The link opens the person's account in all their projects, so only superusers make one: an admin
    of a project could otherwise vote and write in another person's name. Raises AnnotateError.
    """
    if not admin.is_superuser:
        raise AnnotateError("Only an admin of the site can make a link for a new password.")
    if not person.is_active:
        raise AnnotateError(f"The account of {person} is deactivated. Reactivate it first.")
    token = default_token_generator.make_token(person)
    record_event(actor=admin, verb="make password link", subject=person, project=project)
    return reverse(
        "account_reset_password_from_key",
        kwargs={"uidb36": user_pk_to_url_str(person), "key": token},
    )
