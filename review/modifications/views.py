"""Views of modifications: runs of models, checks while typing, changes, and prompts."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.forms import BaseFormSet
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest, own_assignment
from annotate.errors import AnnotateError
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.models import Membership
from annotate.refusals import refusal_in, refusal_shown
from annotate.responses import back_to_list
from annotate.text.storable import storable
from inference.registry import Role
from review import access
from review.errors import ReviewError
from review.modifications import access as modifications_access
from review.modifications.changes import (
    change_modification,
    keep_modification,
    withdraw_modification,
)
from review.modifications.example_sources import more_examples
from review.modifications.forms import (
    ChangeForm,
    ExampleRow,
    PasteForm,
    PromptForm,
    WriteForm,
    examples_in,
    typed_examples,
)
from review.modifications.models import Modification
from review.modifications.pages import (
    example_rows,
    modifications_context,
    prompts_context,
    runs_context,
)
from review.modifications.prompt_changes import save_prompt
from review.modifications.queries import word_limits
from review.modifications.runs import start_modification_run
from review.modifications.services import ask_again as ask_direction_again
from review.modifications.services import direction_of
from review.modifications.work import warnings_about
from review.pairs.forms import models_with


@require_GET
def modifications(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    context = modifications_context(membership, request.GET)
    return render(request, "review/modifications/modifications.html", context)


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    """Return the progress of the runs; the page reloads once none is active."""
    membership = access.reviewer(request, slug)
    context = runs_context(membership)
    response = render(request, "review/modifications/modification_runs.html", context)
    if not context["is_writing"]:
        response["HX-Refresh"] = "true"
    return response


@require_POST
def start(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    writers = models_with(Role.TEXT, membership.project_id)
    form = WriteForm(request.POST, models=writers)
    if not form.is_valid():
        context = modifications_context(membership, request.GET, form=form)
        if not context["domains"]:
            messages.error(
                request, "The labels are gone meanwhile: add labels and decide their pairs first."
            )
        return render(request, "review/modifications/modifications.html", context, status=422)
    with refusal_shown(request):
        start_modification_run(project=membership.project, admin=request.user, **form.cleaned_data)
    return back_to_list(request, "review:modifications", slug)


@require_POST
def cancel(request: UserRequest, slug: str, writing_id: int) -> HttpResponse:
    _, run = modifications_access.modification_run(request, slug, writing_id)
    with refusal_shown(request):
        cancel_job(job=run, admin=request.user)
        messages.success(request, "Canceled. The texts written so far are kept.")
    return back_to_list(request, "review:modifications", slug)


@require_POST
def resume(request: UserRequest, slug: str, writing_id: int) -> HttpResponse:
    _, run = modifications_access.modification_run(request, slug, writing_id)
    with refusal_shown(request):
        requests = retry_job(job=run, admin=request.user)
        retried = f"Retrying {requests:,} request{'' if requests == 1 else 's'}."
        messages.success(request, retried if requests else "Resumed.")
    return back_to_list(request, "review:modifications", slug)


@require_POST
def ask_again(request: UserRequest, slug: str, direction_id: int) -> HttpResponse:
    _, item = modifications_access.modify_item(request, slug, direction_id)
    with refusal_shown(request):
        ask_direction_again(item_id=item.pk, admin=request.user)
        messages.success(request, "One more person will be asked for it.")
    return back_to_list(request, "review:modifications", slug)


@require_POST
def check(request: UserRequest, assignment_id: int) -> HttpResponse:
    """Return the partial with warnings about the typed text."""
    assignment = own_assignment(request, assignment_id, "modify")
    try:
        direction = direction_of(assignment.item)
    except AnnotateError:
        return render(request, "review/modifications/modification_warnings.html", {"warnings": []})
    warnings = warnings_about(direction, storable(request.POST.get("text", "")))
    return render(
        request, "review/modifications/modification_warnings.html", {"warnings": warnings}
    )


@require_GET
def modification(request: UserRequest, slug: str, modification_id: int) -> HttpResponse:
    membership, modification = modifications_access.modification(request, slug, modification_id)
    return _page(
        request,
        membership,
        modification,
        _change_form(membership, initial={"text": modification.text}),
    )


@require_POST
def change(request: UserRequest, slug: str, modification_id: int) -> HttpResponse:
    membership, modification = modifications_access.modification(request, slug, modification_id)
    form = _change_form(membership, request.POST)
    if form.is_valid():
        with refusal_in(form, "text"):
            change_modification(modification=modification, person=request.user, **form.cleaned_data)
            messages.success(request, "Changed. The next set of triplets will have the new text.")
            return redirect("review:modifications", slug)
    if modification.state != Modification.State.ACCEPTED:
        messages.error(request, "This text is no longer in use: change the current text instead.")
    return _page(request, membership, modification, form, status=422)


@require_POST
def keep(request: UserRequest, slug: str, modification_id: int) -> HttpResponse:
    _, modification = modifications_access.modification(request, slug, modification_id)
    with refusal_shown(request):
        keep_modification(modification=modification, person=request.user)
        messages.success(request, "Kept. The text is no longer marked as outdated.")
    return redirect("review:modifications", slug)


@require_POST
def withdraw(request: UserRequest, slug: str, modification_id: int) -> HttpResponse:
    _, modification = modifications_access.modification(request, slug, modification_id)
    with refusal_shown(request):
        withdraw_modification(modification=modification, person=request.user)
        messages.success(request, "Withdrawn. The next set of triplets will not have it.")
    return redirect("review:modifications", slug)


def _change_form(membership: Membership, *data: QueryDict, **given: Any) -> ChangeForm:
    return ChangeForm(*data, limits=word_limits(membership.project), **given)


def _page(
    request: UserRequest,
    membership: Membership,
    modification: Modification,
    form: ChangeForm,
    status: int = 200,
) -> HttpResponse:
    context = {
        "project": membership.project,
        "membership": membership,
        "modification": modification,
        "is_in_use": modification.state == Modification.State.ACCEPTED,
        "form": form,
    }
    return render(request, "review/modifications/modification.html", context, status=status)


@require_GET
def prompts(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    domain = storable(request.GET.get("domain", ""))
    context = prompts_context(membership, domain, request.GET.get("version", ""))
    return render(request, "review/modifications/modification_prompts.html", context)


@require_POST
def save(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.prompt_editor(request, slug)
    form = PromptForm(request.POST)
    rows = example_rows(membership.project, request.POST)
    domain = storable(request.POST.get("domain", ""))
    if "add" in request.POST:
        return _with_more_examples(request, membership, domain, form, rows)
    if not (form.is_valid() and rows.is_valid()):
        paste = PasteForm(initial=request.POST.dict())
        context = prompts_context(membership, domain, form=form, rows=rows) | {"paste": paste}
        return render(
            request, "review/modifications/modification_prompts.html", context, status=422
        )
    try:
        prompt = save_prompt(
            project=membership.project,
            author=request.user,
            examples=examples_in(rows),
            **form.cleaned_data,
        )
    except ReviewError as error:
        messages.info(request, str(error))
    else:
        messages.success(request, f"Saved as version {prompt.version}.")
    query = urlencode({"domain": form.cleaned_data["domain"]})
    return redirect(f"{reverse('review:modification_prompts', args=[slug])}?{query}")


def _with_more_examples(
    request: UserRequest,
    membership: Membership,
    domain: str,
    form: PromptForm,
    rows: BaseFormSet[ExampleRow],
) -> HttpResponse:
    """Return the page with more examples, and everything that was typed. Nothing is saved."""
    typed = typed_examples(rows)
    paste = PasteForm(request.POST)
    added: list[dict[str, str]] = []
    try:
        pasted = paste.cleaned_data["pasted"] if paste.is_valid() else ""
        if paste.is_valid():
            source = request.POST["add"]
            added = more_examples(membership.project, domain, source, pasted, typed)
    except ReviewError as error:
        paste.add_error("pasted", str(error))
    context = prompts_context(
        membership,
        domain,
        form=PromptForm(initial={name: form[name].value() for name in form.fields}),
        rows=example_rows(membership.project, initial=[*typed, *added]),
    )
    context |= {"added": len(added), "paste": PasteForm() if added else paste}
    status = 200 if added else 422
    return render(request, "review/modifications/modification_prompts.html", context, status=status)
