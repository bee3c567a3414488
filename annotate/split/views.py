"""Views to check a split while it is written, and to send splits and merges back."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.corpus.forms import CommentForm
from annotate.corpus.queries import returnable_kinds
from annotate.corpus.views.clips import clip_page
from annotate.errors import AnnotateError
from annotate.merge.queries import merged_caption
from annotate.models import Role
from annotate.queue.content import read_content
from annotate.refusals import refusal_shown
from annotate.responses import error_response, read_json
from annotate.split import services
from annotate.split.queries import split_neighbors
from annotate.split.warnings import shown_warnings


@require_POST
def split_checks(request: UserRequest, assignment_id: int) -> HttpResponse:
    """Take JSON with `content`; return JSON with each field's warnings as HTML
    (split_warnings.html).
    """
    assignment = access.own_assignment(request, assignment_id, "split")
    clip = assignment.item.clip
    try:
        content = read_content(read_json(request).get("content"))
        merged = merged_caption(clip)
        if merged is None:
            raise AnnotateError("There is no merged text to check against.")
    except AnnotateError as error:
        return error_response(error)
    warnings = shown_warnings(clip, merged, content, split_neighbors(clip))
    partial = "annotate/split/split_warnings.html"
    html = {
        name: render_to_string(partial, {"name": name, **of_name})
        for name, of_name in warnings.items()
    }
    return JsonResponse({"html": html})


@require_POST
def send_back_split(request: UserRequest, slug: str, clip_id: int) -> HttpResponse:
    return _send_back(request, slug, clip_id, "split", services.send_back_split)


@require_POST
def send_back_merge(request: UserRequest, slug: str, clip_id: int) -> HttpResponse:
    return _send_back(request, slug, clip_id, "merge", services.reopen_merge)


def _send_back(
    request: UserRequest, slug: str, clip_id: int, kind: str, service: Callable[..., None]
) -> HttpResponse:
    access.member(request, slug, Role.EXPERT)
    membership, clip = access.clip(request, slug, clip_id)
    form = CommentForm(request.POST)
    if not form.is_valid():
        if clip.left_out_because or kind not in returnable_kinds(clip):
            messages.error(request, "The clip has changed meanwhile: nothing is left to send back.")
        return clip_page(request, membership, clip, invalid={kind: form}, status=422)
    with refusal_shown(request):
        service(clip=clip, expert=request.user, comment=form.cleaned_data["comment"])
        messages.success(request, "Sent back with your comment.")
    return redirect("annotate:clip", slug, clip_id)
