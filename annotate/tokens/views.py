"""A member's own tokens for the API: list, make and revoke them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.models import ApiToken, Membership
from annotate.refusals import refusal_in
from annotate.tokens.forms import TokenForm
from annotate.tokens.queries import usable_tokens
from annotate.tokens.services import make_token, revoke_token


@require_GET
def tokens(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug)
    return _page(request, membership, TokenForm(membership=membership))


@never_cache
@require_POST
def make(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug)
    form = TokenForm(request.POST, membership=membership)
    if form.is_valid():
        with refusal_in(form):
            _, text = make_token(membership=membership, **form.cleaned_data)
            # Shown once and never stored, so it is rendered here, not after a redirect.
            return _page(request, membership, TokenForm(membership=membership), text=text)
    return _page(request, membership, form, status=422)


@require_POST
def revoke(request: UserRequest, slug: str, token_id: int) -> HttpResponse:
    membership = access.member(request, slug)
    token = get_object_or_404(ApiToken, pk=token_id, membership=membership)
    token.membership = membership
    revoke_token(token=token)
    messages.success(request, f"{token.name} is revoked and no longer works.")
    return redirect("annotate:api_tokens", slug)


def _page(
    request: UserRequest,
    membership: Membership,
    form: TokenForm,
    *,
    text: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "project": membership.project,
        "membership": membership,
        "tokens": usable_tokens(membership),
        "form": form,
        "text": text,
    }
    return render(request, "annotate/tokens/tokens.html", context, status=status)
