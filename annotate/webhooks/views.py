"""Webhooks of a project: a list, and a page for each with its deliveries. For admins."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.models import Membership, Role, Webhook
from annotate.refusals import refusal_in, refusal_shown
from annotate.responses import back_to_list
from annotate.webhooks.forms import WebhookForm
from annotate.webhooks.queries import is_moving, webhooks_with_last
from annotate.webhooks.services import endpoints

ROWS_PER_PAGE = 25


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
            webhook, secret = endpoints.add_webhook(
                project=membership.project,
                admin=request.user,
                site=request.build_absolute_uri("/"),
                **form.cleaned_data,
            )
            # The secret is shown once, so it is rendered here, not after a redirect.
            return _list(request, membership, WebhookForm(), secret=secret, added=webhook)
    return _list(request, membership, form, status=422)


@require_GET
def webhook(request: UserRequest, slug: str, webhook_id: int) -> HttpResponse:
    membership, webhook = access.webhook(request, slug, webhook_id)
    return _page(request, membership, webhook, _form_of(webhook))


@require_GET
def deliveries(request: UserRequest, slug: str, webhook_id: int) -> HttpResponse:
    """Return only the list of deliveries, which the page polls while one is being sent."""
    membership, webhook = access.webhook(request, slug, webhook_id)
    context = _page_context(request, membership, webhook)
    return render(request, "annotate/webhooks/deliveries.html", context)


@require_POST
def change(request: UserRequest, slug: str, webhook_id: int) -> HttpResponse:
    membership, webhook = access.webhook(request, slug, webhook_id)
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, webhook, form, status=422)
    endpoints.change_webhook(
        webhook=webhook,
        admin=request.user,
        site=request.build_absolute_uri("/"),
        **form.cleaned_data,
    )
    messages.success(request, "The webhook was saved.")
    return redirect("annotate:webhook", slug, webhook_id)


@require_POST
def on(request: UserRequest, slug: str, webhook_id: int) -> HttpResponse:
    _, webhook = access.webhook(request, slug, webhook_id)
    endpoints.turn_on(webhook=webhook, admin=request.user)
    messages.success(request, "The webhook is on.")
    return redirect("annotate:webhook", slug, webhook_id)


@require_POST
def off(request: UserRequest, slug: str, webhook_id: int) -> HttpResponse:
    _, webhook = access.webhook(request, slug, webhook_id)
    endpoints.turn_off(webhook=webhook, admin=request.user)
    messages.success(request, "The webhook is off. Nothing more is sent.")
    return redirect("annotate:webhook", slug, webhook_id)


@never_cache
@require_POST
def rotate(request: UserRequest, slug: str, webhook_id: int) -> HttpResponse:
    membership, webhook = access.webhook(request, slug, webhook_id)
    webhook, secret = endpoints.rotate_secret(webhook=webhook, admin=request.user)
    return _page(request, membership, webhook, _form_of(webhook), secret=secret)


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
    return redirect("annotate:webhook", slug, webhook_id)


@require_POST
def again(request: UserRequest, slug: str, webhook_id: int, delivery_id: int) -> HttpResponse:
    _, delivery = access.webhook_delivery(request, slug, webhook_id, delivery_id)
    with refusal_shown(request):
        endpoints.redeliver(delivery=delivery)
        messages.success(request, "The message is being sent again.")
    return back_to_list(request, "annotate:webhook", slug, webhook_id)


def _form_of(webhook: Webhook) -> WebhookForm:
    return WebhookForm(initial={"address": webhook.address, "events": webhook.events})


def _list(
    request: UserRequest,
    membership: Membership,
    form: WebhookForm,
    *,
    secret: str = "",
    added: Webhook | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "project": membership.project,
        "membership": membership,
        "webhooks": webhooks_with_last(membership.project),
        "form": form,
        "secret": secret,
        "added": added,
    }
    return render(request, "annotate/webhooks/webhooks.html", context, status=status)


def _page(
    request: UserRequest,
    membership: Membership,
    webhook: Webhook,
    form: WebhookForm,
    *,
    secret: str = "",
    status: int = 200,
) -> HttpResponse:
    context = _page_context(request, membership, webhook) | {"form": form, "secret": secret}
    return render(request, "annotate/webhooks/webhook.html", context, status=status)


def _page_context(request: UserRequest, membership: Membership, webhook: Webhook) -> dict[str, Any]:
    return {
        "project": membership.project,
        "membership": membership,
        "webhook": webhook,
        "page": Paginator(webhook.deliveries.all(), ROWS_PER_PAGE).get_page(
            request.GET.get("page")
        ),
        "is_moving": is_moving(webhook),
    }
