"""What a text model is told, in versions."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate.content import storable
from review import access
from review.errors import ReviewError
from review.modifications.page import prompts_context
from review.pairs.forms import ExampleFormSet, PromptForm
from review.services.modification_prompts import save_prompt


@require_GET
def prompts(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.judge(request, slug)
    domain = storable(request.GET.get("domain", ""))
    context = prompts_context(membership, domain, request.GET.get("version", ""))
    return render(request, "review/modification_prompts.html", context)


@require_POST
def save(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.prompt_keeper(request, slug)
    form = PromptForm(request.POST)
    rows = ExampleFormSet(request.POST, prefix="examples")
    domain = storable(request.POST.get("domain", ""))
    if not (form.is_valid() and rows.is_valid()):
        context = prompts_context(membership, domain, form=form, rows=rows)
        return render(request, "review/modification_prompts.html", context, status=422)
    try:
        prompt = save_prompt(
            project=membership.project,
            author=request.user,
            examples=rows.examples(),
            **form.cleaned_data,
        )
    except ReviewError as error:
        messages.info(request, str(error))
    else:
        messages.success(request, f"Saved as version {prompt.version}.")
    query = urlencode({"domain": form.cleaned_data["domain"]})
    return redirect(f"{reverse('review:modification_prompts', args=[slug])}?{query}")
