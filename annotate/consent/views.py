"""The consent text: a person reads it, agrees and withdraws; an admin writes it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.consent.forms import AgreeForm, ConsentTextForm
from annotate.consent.pages import consent_context, consent_record, consent_text_context
from annotate.consent.services import agree, withdraw_consent, write_consent_text
from annotate.errors import AnnotateError
from annotate.kinds import all_kinds
from annotate.models import Role
from annotate.refusals import refusal_in, refusal_shown
from annotate.responses import file_to_save

PAGE = "annotate/consent/consent.html"


@never_cache
@require_GET
def consent(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug)
    next_page = {name: request.GET.get(name, "") for name in ("kind", "next")}
    return render(request, PAGE, consent_context(membership) | {"next_page": next_page})


@require_POST
def agree_to_consent(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug)
    form = AgreeForm(request.POST)
    try:
        if not form.is_valid():
            raise AnnotateError("The page sent no version of the text. Read it and agree again.")
        number = form.cleaned_data["number"]
        agree(project=membership.project, person=request.user, number=number)
    except AnnotateError as error:
        next_page = {name: request.POST.get(name, "") for name in ("kind", "next")}
        context = consent_context(membership) | {"next_page": next_page, "error": str(error)}
        return render(request, PAGE, context, status=409)
    kind, target = form.cleaned_data["kind"], form.cleaned_data["next"]
    if kind in all_kinds():
        # The browser sends the same form again to the address that takes work.
        return redirect("annotate:claim", slug, kind, preserve_request=True)
    if url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
        return redirect(target)
    messages.success(request, "Thank you. You can take work now.")
    return redirect("annotate:my_work", slug)


@require_POST
def withdraw(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug)
    with refusal_shown(request):
        withdraw_consent(project=membership.project, person=request.user)
        messages.success(request, "You have withdrawn. The admins of the project see it.")
    return redirect("annotate:consent", slug)


@require_GET
def download_consent(request: UserRequest, slug: str) -> HttpResponseBase:
    membership = access.member(request, slug)
    return file_to_save(consent_record(membership, request.user), f"consent-{slug}.txt")


@require_http_methods(["GET", "POST"])
def consent_text(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    if request.method == "GET":
        return _text_page(request, consent_text_context(membership, None))
    form = ConsentTextForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        with refusal_in(form):
            version = write_consent_text(
                project=membership.project,
                admin=request.user,
                text=data["text"].replace("\r\n", "\n").strip(),
                asks_again=data["asks_again"],
                base_number=data["base_number"],
            )
            messages.success(request, f"Version {version.number} saved.")
            return redirect(reverse("annotate:consent_text", args=[slug]))
    return _text_page(request, consent_text_context(membership, form), status=422)


def _text_page(
    request: UserRequest, context: dict[str, object], *, status: int = 200
) -> HttpResponse:
    return render(request, "annotate/consent/consent_text.html", context, status=status)
