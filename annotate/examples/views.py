"""The examples in the guideline of a kind of work, which admins choose."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.errors import AnnotateError
from annotate.examples import access, services
from annotate.examples.forms import BAD, GOOD, ExampleForm, first_values
from annotate.examples.pages import example_context, guideline_context
from annotate.kinds import Kind
from annotate.queue.work_kinds import work_kind
from annotate.refusals import refusal_in, refusal_shown
from annotate.responses import back_to_list

FORM_PAGE = "annotate/examples/example.html"


@require_GET
def guideline(request: UserRequest, slug: str, kind: str) -> HttpResponse:
    membership, of = access.guideline(request, slug, kind)
    context = guideline_context(membership, of, request.GET.get("q", ""), request.GET.get("page"))
    return render(request, "annotate/examples/guideline.html", context)


@require_http_methods(["GET", "POST"])
def new_example(request: UserRequest, slug: str, kind: str) -> HttpResponse:
    """Add an example. `?work=` names finished work to start with, `?clip=` a clip to write
    about.
    """
    membership, of = access.guideline(request, slug, kind)
    if not request.GET.keys() & {"work", "clip"}:
        return redirect("annotate:guideline", slug, of)
    clip, work = access.source(request, membership, of)
    headings = work_kind(of).example_headings
    try:
        texts = work_kind(of).example_parts(work) if work else ()
    except AnnotateError as error:
        messages.error(request, str(error))
        return redirect("annotate:guideline", slug, of)
    form = ExampleForm(request.POST or None, headings=headings, initial=first_values(texts))
    if request.method == "POST" and form.is_valid():
        with refusal_in(form):
            services.add_example(
                project=membership.project,
                kind=of,
                clip=clip,
                parts=form.parts,
                is_good=form.is_good,
                comment=form.cleaned_data["comment"],
                admin=request.user,
            )
            messages.success(request, f"{clip.name} is an example now.")
            return redirect("annotate:guideline", slug, of)
    status = 422 if request.method == "POST" else 200
    return render(request, FORM_PAGE, example_context(membership, of, clip, form), status=status)


@require_http_methods(["GET", "POST"])
def example(request: UserRequest, slug: str, shown_id: int) -> HttpResponse:
    membership, example = access.shown_example(request, slug, shown_id)
    kind = work_kind(example.kind)
    written = dict(example.parts)
    form = ExampleForm(
        request.POST or None,
        headings=kind.example_headings,
        initial={
            "tone": GOOD if example.is_good else BAD,
            "comment": example.comment,
            **first_values([written.get(heading, "") for heading in kind.example_headings]),
        },
    )
    if request.method == "POST" and form.is_valid():
        with refusal_in(form):
            services.change_example(
                example=example,
                parts=form.parts,
                is_good=form.is_good,
                comment=form.cleaned_data["comment"],
                admin=request.user,
            )
            messages.success(request, f"Example {example.clip.name} saved.")
            return redirect("annotate:guideline", slug, example.kind)
    status = 422 if request.method == "POST" else 200
    context = example_context(membership, Kind(example.kind), example.clip, form, example)
    return render(request, FORM_PAGE, context, status=status)


@require_POST
def move_example(request: UserRequest, slug: str, shown_id: int) -> HttpResponse:
    _, example = access.shown_example(request, slug, shown_id)
    with refusal_shown(request):
        services.move_example(
            example=example, up=request.POST.get("to") == "up", admin=request.user
        )
    return back_to_list(request, "annotate:guideline", slug, example.kind)


@require_POST
def remove_example(request: UserRequest, slug: str, shown_id: int) -> HttpResponse:
    _, example = access.shown_example(request, slug, shown_id)
    with refusal_shown(request):
        before = services.remove_example(example=example, admin=request.user)
        messages.success(
            request,
            f"Example {example.clip.name} removed. Version {before.number} below still has it.",
        )
    return back_to_list(request, "annotate:guideline", slug, example.kind)


@require_POST
def restore_examples(request: UserRequest, slug: str, guideline_version_id: int) -> HttpResponse:
    _, version = access.version(request, slug, guideline_version_id)
    with refusal_shown(request):
        services.restore_examples(version=version, admin=request.user)
        messages.success(request, f"The examples of version {version.number} are back.")
    return redirect("annotate:guideline", slug, version.kind)
