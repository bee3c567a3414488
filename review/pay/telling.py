"""Notify a person about their pay."""

from __future__ import annotations

from django.urls import reverse

from annotate.models import Notice
from annotate.notices.services import notify
from review.pay.models import PayEntry, PayStatement


def tell_paid(reason: PayEntry | PayStatement, text: str, detail: str = "") -> None:
    notify(
        people=[reason.person],
        project=reason.project,
        kind=Notice.Kind.PAY,
        subject=reason,
        text=text,
        detail=detail,
        address=reverse("review:pay", args=[reason.project.slug]),
    )
