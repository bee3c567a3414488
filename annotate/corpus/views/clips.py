"""Views of one clip: the video, its facts, its texts, and returning work to its author."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.corpus import access as corpus_access
from annotate.corpus.blindness import waits_for_merge
from annotate.corpus.caption_history import caption_history, sees_every_caption
from annotate.corpus.clip_limits import reason_too_small
from annotate.corpus.clip_stages import kinds_in, marks_of
from annotate.corpus.exclusions import exclusion_history
from annotate.corpus.forms import ClipLabelForm, CommentForm, FileFactsForm, WithdrawForm
from annotate.corpus.labels import label_history, labels_of
from annotate.corpus.queries import facts_in_use, returnable_kinds
from annotate.corpus.services import exclusion, labels, precedence, videos
from annotate.models import (
    Clip,
    Membership,
    Role,
    Video,
)
from annotate.refusals import refusal_in, refusal_shown

FACTS_ID = "facts-%s"


@require_GET
def clip(request: UserRequest, slug: str, clip_id: int) -> HttpResponse:
    membership, clip, hides_progress = corpus_access.clip(request, slug, clip_id)
    if hides_progress:
        context = {"membership": membership, "project": membership.project, "clip": clip}
        return render(request, "annotate/corpus/clip_to_do.html", context)
    return clip_page(request, membership, clip)


@require_POST
def change_video_facts(request: UserRequest, slug: str, clip_id: int) -> HttpResponse:
    access.member(request, slug, Role.ADMIN)
    membership, clip = access.clip(request, slug, clip_id)
    form = FileFactsForm(request.POST, auto_id=FACTS_ID)
    if not form.is_valid():
        return clip_page(request, membership, clip, facts=form, status=422)
    videos.change_video_facts(video=clip.video, admin=request.user, **form.cleaned_data)
    messages.success(request, "Details saved.")
    return redirect("annotate:clip", slug, clip_id)


@require_POST
def correct_clip_label(request: UserRequest, slug: str, clip_id: int) -> HttpResponse:
    access.member(request, slug, Role.ADMIN)
    membership, clip = access.clip(request, slug, clip_id)
    form = ClipLabelForm(request.POST, labels=labels_of(membership.project))
    if form.is_valid():
        with refusal_in(form, "label"):
            labels.correct_clip_label(clip=clip, admin=request.user, **form.cleaned_data)
            messages.success(request, "Corrected. Sets of triplets that use the old label say so.")
            return redirect("annotate:clip", slug, clip_id)
    return clip_page(request, membership, clip, label_form=form, status=422)


@require_POST
def withdraw(request: UserRequest, slug: str, clip_id: int) -> HttpResponse:
    access.member(request, slug, Role.ADMIN)
    membership, clip = access.clip(request, slug, clip_id)
    form = WithdrawForm(request.POST)
    if form.is_valid():
        with refusal_in(form, "reason"):
            exclusion.withdraw_clip(clip=clip, admin=request.user, **form.cleaned_data)
            messages.success(request, "Withdrawn. All texts and drafts are kept.")
            return redirect("annotate:clip", slug, clip_id)
    if clip.video.excluded_because:
        messages.error(
            request, "It has been left out meanwhile: take it back to give another reason."
        )
    return clip_page(request, membership, clip, withdrawal=form, status=422)


@require_POST
def take_back(request: UserRequest, slug: str, clip_id: int) -> HttpResponse:
    access.member(request, slug, Role.ADMIN)
    _, clip = access.clip(request, slug, clip_id)
    with refusal_shown(request):
        exclusion.take_back_clip(clip=clip, admin=request.user)
        messages.success(request, "The clip is in the benchmark again, with its work.")
    return redirect("annotate:clip", slug, clip_id)


@require_POST
def make_current(request: UserRequest, slug: str, clip_id: int, caption_id: int) -> HttpResponse:
    access.member(request, slug, Role.ADMIN)
    _, clip = access.clip(request, slug, clip_id)
    with refusal_shown(request):
        precedence.make_current(caption_id=caption_id, clip=clip, admin=request.user)
        messages.success(request, "This is the current caption now. Runs don’t replace it.")
    return redirect("annotate:clip", slug, clip_id)


def clip_page(
    request: UserRequest,
    membership: Membership,
    clip: Clip,
    *,
    invalid: dict[str, CommentForm] | None = None,
    facts: FileFactsForm | None = None,
    label_form: ClipLabelForm | None = None,
    withdrawal: WithdrawForm | None = None,
    status: int = 200,
) -> HttpResponse:
    kinds = kinds_in(membership.project)
    has_write_ups = "write" in kinds
    context = {
        "membership": membership,
        "project": membership.project,
        "clip": clip,
        "video": clip.video,
        "marks": marks_of([clip], membership.project, kinds)[clip.pk],
        "has_write_ups": has_write_ups,
        "waits_for": _waits_for(clip, has_write_ups),
        "too_small": reason_too_small(clip, membership.project),
        "texts": caption_history(membership, clip),
        "sees_all": sees_every_caption(membership, clip),
        "waits_for_merge": waits_for_merge(membership, clip),
        "returnable": _returnable(membership, clip, invalid or {}),
    }
    if membership.is_admin:
        context |= {
            "facts_form": facts or _facts_of(clip.video),
            "in_use": facts_in_use(membership.project),
        }
        if "withdrawals" in membership.project.pipeline.keys:
            context |= {
                "withdraw_form": withdrawal or WithdrawForm(),
                "exclusions": exclusion_history(clip.video),
            }
    if clip.label:
        context |= {"label_history": label_history(clip)}
        if membership.is_admin:
            initial = {"label": clip.label_id}
            context["label_form"] = label_form or ClipLabelForm(
                initial=initial, labels=labels_of(membership.project)
            )
    return render(request, "annotate/corpus/clip.html", context, status=status)


def _waits_for(clip: Clip, has_write_ups: bool) -> str:
    if clip.video.excluded_because:
        return "Its video is left out, so nobody describes it."
    if clip.excluded_because:
        return "It is left out, so nobody describes it."
    if clip.label:
        return "The clips of this project are labeled, not described."
    if has_write_ups:
        return "The clip waits for its write-ups."
    return "Captions appear here once a model has described the clip, or a person by hand."


def _facts_of(video: Video) -> FileFactsForm:
    initial = {name: getattr(video, name) for name in FileFactsForm.base_fields}
    return FileFactsForm(initial=initial, auto_id=FACTS_ID)


def _returnable(
    membership: Membership, clip: Clip, invalid: dict[str, CommentForm]
) -> dict[str, CommentForm]:
    """Return the forms to send this clip's submitted work back, by kind."""
    if not membership.is_expert or clip.left_out_because:
        return {}
    return {
        kind: invalid.get(kind) or CommentForm(auto_id=f"{kind}-%s")
        for kind in returnable_kinds(clip)
    }
