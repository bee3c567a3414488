"""Views of the themes of a project's videos."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.access import video as video_of
from annotate.refusals import refusal_in, refusal_shown
from annotate.responses import back_to_list
from inference import access
from inference.themes.forms import ThemeForm
from inference.themes.pages import themes_context
from inference.themes.services import correct_theme as store_correction
from inference.themes.services import take_back_theme


@require_GET
def themes(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    context = themes_context(membership.project, *_place(request))
    return render(request, "inference/themes/themes.html", context | {"membership": membership})


@require_POST
def correct_theme(request: UserRequest, slug: str, video_id: int) -> HttpResponse:
    membership = access.admin(request, slug)
    video = video_of(request, slug, video_id)
    form = ThemeForm(request.POST, auto_id=f"theme-{video.pk}-%s")
    if form.is_valid():
        with refusal_in(form, "theme"):
            store_correction(video=video, text=form.cleaned_data["theme"], person=request.user)
            messages.success(request, f"{video} has a new theme.")
            return back_to_list(request, "inference:themes", slug)
    context = themes_context(membership.project, *_place(request), {video.pk: form})
    context["membership"] = membership
    if not any(row.video == video for row in context["rows"]):
        messages.error(request, f"The theme of {video} has changed meanwhile: see all videos.")
    return render(request, "inference/themes/themes.html", context, status=422)


@require_POST
def take_back(request: UserRequest, slug: str, video_id: int) -> HttpResponse:
    access.admin(request, slug)
    video = video_of(request, slug, video_id)
    with refusal_shown(request):
        theme = take_back_theme(video=video, person=request.user)
        now = f"The model’s theme is current again: {theme}." if theme else "It has no theme now."
        messages.success(request, f"Took back the theme of {video}. {now}")
    return back_to_list(request, "inference:themes", slug)


def _place(request: UserRequest) -> tuple[str, str | None]:
    return request.GET.get("show", ""), request.GET.get("page")
