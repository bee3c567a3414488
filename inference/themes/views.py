"""Views of the themes of a project's videos."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.access import video as video_of
from inference import access
from inference.errors import InferenceError
from inference.themes.forms import ThemeForm
from inference.themes.pages import themes_context
from inference.themes.services import correct_theme as store_correction


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
        try:
            store_correction(video=video, text=form.cleaned_data["theme"], person=request.user)
        except InferenceError as error:
            form.add_error("theme", str(error))
        else:
            messages.success(request, f"{video} has a new theme.")
            query = urlencode({k: v for k in ("show", "page") if (v := request.GET.get(k))})
            page = reverse("inference:themes", args=[slug])
            return redirect(f"{page}?{query}" if query else page)
    context = themes_context(membership.project, *_place(request), {video.pk: form})
    context["membership"] = membership
    return render(request, "inference/themes/themes.html", context, status=422)


def _place(request: UserRequest) -> tuple[str, str | None]:
    return request.GET.get("show", ""), request.GET.get("page")
