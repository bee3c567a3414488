"""The page that sends a link to set a new password, even if mail can't be sent."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ResetPasswordForm
from allauth.account.views import PasswordResetView
from django.conf import settings
from django.http import HttpResponse

from annotate.accounts.adapter import MailNotSent

NOT_SENT = (
    "The mail could not be sent. Try again in a few minutes; if it fails again, ask the person "
    "who runs this site to set a new password for you."
)


class _PasswordReset(PasswordResetView):  # type: ignore[misc]  # allauth has no types
    """Says what to do if the mail can't be sent.

    An unknown address gets a mail too, so that the page does not reveal who has an account.
    """

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "sends_mail": settings.VERICAP_SENDS_MAIL}

    def form_valid(self, form: ResetPasswordForm) -> HttpResponse:
        if settings.VERICAP_SENDS_MAIL:
            try:
                sent: HttpResponse = super().form_valid(form)
                return sent
            except MailNotSent:
                form.add_error(None, NOT_SENT)
        refused: HttpResponse = self.form_invalid(form)
        return refused


password_reset = _PasswordReset.as_view()
