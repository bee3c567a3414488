"""Views of CapST: judge captions, results, and runs by clip."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.refusals import refusal_in, refusal_shown
from review import access
from review.capst import access as capst_access
from review.capst.forms import (
    FindForm,
    JudgeForm,
    PresetForm,
    PromptsForm,
    judges_of,
    sets_of,
)
from review.capst.models import CapstRun
from review.capst.pages import PAGE
from review.capst.run_pages import clip_context, run_context
from review.capst.services import (
    judge_again,
    load_prompts,
    start_capst_run,
    start_capst_runs,
    use_own_prompts,
)
from review.elements.services import hand_out_elements


@require_POST
def start(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    project = membership.project
    form = JudgeForm(request.POST, models=judges_of(project), caption_sets=sets_of(project))
    if not form.is_valid():
        return _refused(request, PAGE.context(membership, request.POST, form=form))
    chosen = form.cleaned_data
    started = start_capst_runs(
        project=project,
        caption_sets=chosen["caption_set"],
        preset=chosen["preset"],
        extractor=chosen["extractor"],
        judge=chosen["judge"],
        admin=request.user,
    )
    if len(started.runs) > 1:
        messages.success(request, f"{len(started.runs)} sets of captions are being judged.")
    for reason in started.refused:
        messages.error(request, reason)
    return _back(slug, chosen["preset"])


@require_POST
def load(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = PromptsForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["prompts"]
        with refusal_in(form, "prompts"):
            loaded = load_prompts(
                project=membership.project,
                data=file.read(),
                file_name=file.name or "",
                admin=request.user,
            )
            messages.success(request, f"Official now asks with {loaded}.")
            return _back(slug, CapstRun.Preset.OFFICIAL)
    query = QueryDict("preset=official")
    context = PAGE.context(membership, query, prompts_form=form)
    return render(request, PAGE.template, context, status=422)


@require_POST
def use_own(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    use_own_prompts(project=membership.project, admin=request.user)
    messages.success(request, "Official now asks with Vericap’s own prompts.")
    return _back(slug, CapstRun.Preset.OFFICIAL)


@require_POST
def find(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = FindForm(request.POST, models=judges_of(membership.project))
    if not form.is_valid():
        return _refused(request, PAGE.context(membership, request.POST, find_form=form))
    with refusal_shown(request):
        start_capst_run(project=membership.project, admin=request.user, **form.cleaned_data)
    return _back(slug, form.cleaned_data["preset"])


@require_POST
def again(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    with refusal_shown(request):
        started = judge_again(project=membership.project, admin=request.user)
        if count := len(started.runs):
            subject = "result is" if count == 1 else "results are"
            messages.success(request, f"{count} {subject} being judged again.")
        for reason in started.refused:
            messages.error(request, reason)
    return _back(slug, PresetForm(request.POST).chosen)


@require_POST
def cancel(request: UserRequest, slug: str, judging_id: int) -> HttpResponse:
    _, run = capst_access.administered_capst_run(request, slug, judging_id)
    with refusal_shown(request):
        cancel_job(job=run, admin=request.user)
        messages.success(request, "Canceled. The captions judged so far are kept.")
    return _back(slug, run.preset)


@require_POST
def resume(request: UserRequest, slug: str, judging_id: int) -> HttpResponse:
    _, run = capst_access.administered_capst_run(request, slug, judging_id)
    with refusal_shown(request):
        clips = retry_job(job=run, admin=request.user)
        retried = f"Retrying {clips:,} clip{'' if clips == 1 else 's'}."
        messages.success(request, retried if clips else "Resumed.")
    return _back(slug, run.preset)


@require_POST
def hand_out(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    preset = PresetForm(request.POST).chosen
    with refusal_shown(request):
        count = hand_out_elements(project=membership.project, preset=preset, admin=request.user)
        subject = "caption waits" if count == 1 else "captions wait"
        messages.success(request, f"{count} {subject} for a check under My work.")
    return _back(slug, preset)


@require_GET
def run(request: UserRequest, slug: str, judging_id: int) -> HttpResponse:
    membership, run = capst_access.capst_run(request, slug, judging_id)
    return render(request, "review/capst/run.html", run_context(membership, run, request.GET))


@require_GET
def clip(request: UserRequest, slug: str, judging_id: int, judged_id: int) -> HttpResponse:
    membership, clip_run, item = capst_access.capst_item(request, slug, judging_id, judged_id)
    return render(request, "review/capst/clip.html", clip_context(membership, clip_run, item))


def _refused(request: UserRequest, context: dict[str, Any]) -> HttpResponse:
    """Show the page, and say what is missing if it no longer has the form."""
    if not context["models"]:
        messages.error(request, "No model that judges is left: add a model first.")
    elif not context["progress"].captions:
        messages.error(request, "No human captions are left to judge with: complete clips first.")
    elif context["form"].errors and not context["caption_sets"]:
        messages.error(request, "No model captions are offered now: offer some again first.")
    return render(request, PAGE.template, context, status=422)


def _back(slug: str, preset: str) -> HttpResponse:
    return redirect(f"{reverse('review:report_page', args=[slug, PAGE.key])}?preset={preset}")
