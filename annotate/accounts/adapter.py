"""Accounts by invitation only, and the mails of allauth."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from django.http import HttpRequest

logger = logging.getLogger(__name__)


class MailNotSent(Exception):
    """The mail server does not answer or refuses; the log says why."""


class InvitationOnlyAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    error_messages = DefaultAccountAdapter.error_messages | {
        "too_many_login_attempts": "Too many wrong passwords. Try again in five minutes.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count failed attempts per account and network address.

        If they counted per account only, as in allauth, anybody could lock anybody out.
        """
        account = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{account}:{ratelimit.get_ip(request)}"

    def send_mail(self, template_prefix: str, email: str, context: Mapping[str, object]) -> None:
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError) as error:
            logger.exception("A mail could not be sent.")
            raise MailNotSent from error
