"""Views of the videos about which people disagree: ask a third person, or decide."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.dynamics import decisions
from annotate.dynamics.access import video_to_settle
from annotate.dynamics.forms import DecisionForm, ThirdPersonForm
from annotate.dynamics.pages import disputed_context, people_to_ask
from annotate.dynamics.queries import current_decision
from annotate.models import Membership, Role, Video
from annotate.refusals import refusal_in
from annotate.responses import back_to_list

DECIDED = {
    True: "The video stays.",
    False: "The video is left out, and the work about its captions waits.",
    None: "The decision is taken back; the video is undecided again.",
}


@require_GET
def disputed(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    context = disputed_context(membership, request.GET.get("page"))
    return render(request, "annotate/dynamics/disputed.html", context)


@require_POST
def ask_third_person(request: UserRequest, slug: str, video_id: int) -> HttpResponse:
    membership, video = video_to_settle(request, slug, video_id)
    people = people_to_ask(membership, video)
    form = ThirdPersonForm(request.POST, people=people, auto_id=f"third-{video.pk}-%s")
    if form.is_valid():
        with refusal_in(form, "person"):
            decisions.ask_third_person(video=video, person=form.chosen, admin=request.user)
            messages.success(request, f"{form.chosen.name} is asked to judge the video.")
            return back_to_list(request, "annotate:disputed_videos", slug)
    return _refused(request, membership, video, form)


@require_POST
def decide(request: UserRequest, slug: str, video_id: int) -> HttpResponse:
    membership, video = video_to_settle(request, slug, video_id)
    decided = current_decision(video)
    form = DecisionForm(request.POST, decided=decided, auto_id=f"decision-{video.pk}-%s")
    if form.is_valid():
        with refusal_in(form):
            decisions.decide_dynamics(
                video=video,
                is_dynamic=form.is_dynamic,
                reason=form.cleaned_data["reason"],
                admin=request.user,
            )
            messages.success(request, DECIDED[form.is_dynamic])
            return back_to_list(request, "annotate:disputed_videos", slug)
    return _refused(request, membership, video, form)


def _refused(
    request: UserRequest, membership: Membership, video: Video, form: forms.Form
) -> HttpResponse:
    context = disputed_context(membership, request.GET.get("page"), form, video.pk)
    if not any(row.video == video for row in context["disputed"]):
        # Somebody has settled it in the meantime, or it is on another page: say so at the top.
        context["refused"] = [str(error) for errors in form.errors.values() for error in errors]
    return render(request, "annotate/dynamics/disputed.html", context, status=422)
