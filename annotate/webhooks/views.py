"""The webhooks of a project, in one list. For admins."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.models import Membership, Role, Webhook
from annotate.refusals import refusal_in
from annotate.webhooks.forms import WebhookForm
from annotate.webhooks.queries import webhooks_with_last
from annotate.webhooks.services import endpoints


@require_GET
def webhooks(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    return _list(request, membership, WebhookForm())


@never_cache
@require_POST
def add(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    form = WebhookForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            _, secret = endpoints.add_webhook(
                project=membership.project,
                admin=request.user,
                site=request.build_absolute_uri("/"),
                **form.cleaned_data,
            )
            # The secret is shown once, so it is rendered here, not after a redirect.
            return _list(request, membership, WebhookForm(), secret=secret)
    return _list(request, membership, form, status=422)


@require_POST
def change(request: UserRequest, slug: str, webhook_id: int) -> HttpResponse:
    membership, webhook = access.webhook(request, slug, webhook_id)
    form = WebhookForm(request.POST, auto_id=_ids_of(webhook))
    if not form.is_valid():
        return _list(request, membership, WebhookForm(), changed={webhook.pk: form}, status=422)
    endpoints.change_webhook(
        webhook=webhook,
        admin=request.user,
        site=request.build_absolute_uri("/"),
        **form.cleaned_data,
    )
    messages.success(request, "The webhook was saved.")
    return redirect("annotate:webhooks", slug)


@require_POST
def on(request: UserRequest, slug: str, webhook_id: int) -> HttpResponse:
    _, webhook = access.webhook(request, slug, webhook_id)
    endpoints.turn_on(webhook=webhook, admin=request.user)
    messages.success(request, "The webhook is on.")
    return redirect("annotate:webhooks", slug)


@require_POST
def off(request: UserRequest, slug: str, webhook_id: int) -> HttpResponse:
    _, webhook = access.webhook(request, slug, webhook_id)
    endpoints.turn_off(webhook=webhook, admin=request.user)
    messages.success(request, "The webhook is off. Nothing more is sent.")
    return redirect("annotate:webhooks", slug)


@require_POST
def delete(request: UserRequest, slug: str, webhook_id: int) -> HttpResponse:
    _, webhook = access.webhook(request, slug, webhook_id)
    endpoints.delete_webhook(webhook=webhook, admin=request.user)
    messages.success(request, "The webhook was deleted.")
    return redirect("annotate:webhooks", slug)


@require_POST
def test(request: UserRequest, slug: str, webhook_id: int) -> HttpResponse:
    _, webhook = access.webhook(request, slug, webhook_id)
    endpoints.send_test(webhook=webhook)
    messages.success(request, "A test is being sent.")
    return redirect("annotate:webhooks", slug)


def _ids_of(webhook: Webhook) -> str:
    return f"id_{webhook.pk}_%s"


def _form_of(webhook: Webhook) -> WebhookForm:
    values = {"address": webhook.address, "events": webhook.events}
    return WebhookForm(initial=values, auto_id=_ids_of(webhook))


def _list(
    request: UserRequest,
    membership: Membership,
    form: WebhookForm,
    *,
    secret: str = "",
    changed: dict[int, WebhookForm] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the list. `changed`: the refused form of a webhook, by its key."""
    rows = [
        (webhook, (changed or {}).get(webhook.pk) or _form_of(webhook))
        for webhook in webhooks_with_last(membership.project)
    ]
    context = {
        "project": membership.project,
        "membership": membership,
        "webhooks": rows,
        "form": form,
        "secret": secret,
    }
    return render(request, "annotate/webhooks/webhooks.html", context, status=status)
