"""The work pages of every kind of work, and the requests of their scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.agreed import ConsentMissing, consent_address, must_agree
from annotate.errors import AnnotateError
from annotate.kinds import kind_facts
from annotate.models import Assignment, Membership, WorkItem
from annotate.queue import services as queue
from annotate.queue.content import read_content, read_number
from annotate.queue.pages import without_name, work_context
from annotate.queue.services.known_work import known_work
from annotate.queue.services.taking import resume_work, take_work
from annotate.queue.views.plain import keep_typed, typed_content, work_page_again
from annotate.queue.work_kinds import WorkClosed, name_work, work_closed, work_kind
from annotate.responses import error_response, read_json
from annotate.text.storable import storable

CAME_TOO_LATE = (
    "{clip} had a new caption before you submitted. Your work is kept as a record, "
    "and the clip keeps its new caption."
)


@require_POST
def claim(request: UserRequest, slug: str, kind: str) -> HttpResponse:
    membership = access.worker(request, slug, kind)
    nothing = f"{kind_facts(kind).label}: nothing to do for you now."
    return redirect(_next_work(request, membership, kind, nothing=nothing))


# Never from a cache: going back must show the current draft.
@never_cache
@require_GET
def work(request: UserRequest, assignment_id: int) -> HttpResponse:
    assignment = access.own_assignment(request, assignment_id)
    project = assignment.item.project
    is_open = assignment.state != Assignment.State.SUBMITTED
    if is_open and must_agree(request.user, project):
        return redirect(consent_address(project, next=request.path))
    context = work_context(assignment)
    return render(request, work_kind(assignment.item.kind).template, context)


@require_POST
def save_draft(request: UserRequest, assignment_id: int) -> HttpResponse:
    """Save the draft. JSON in: `base_version` and `content`. JSON out: the new version, or 409 with
    both.
    """
    assignment = access.own_draft(request, assignment_id)
    try:
        data = read_json(request)
        saved = queue.save_draft(
            assignment=assignment,
            base_version=read_number(data.get("base_version")),
            content=read_content(data.get("content")),
        )
    except AnnotateError as error:
        return error_response(error)
    return JsonResponse(
        {"version": saved.version, "saved_at": saved.saved_at, "holds_lease": saved.holds_lease}
    )


@require_POST
def heartbeat(request: UserRequest, assignment_id: int) -> HttpResponse:
    """Renew the lease. JSON in: `active_seconds` since the last heartbeat, and `watched` frame
    intervals. JSON out: the end of the lease, and the version of the draft, which another device
    can have saved."""
    assignment = access.own_hold(request, assignment_id)
    try:
        data = read_json(request)
        beat = queue.beat(
            assignment=assignment,
            active_seconds=read_number(data.get("active_seconds", 0)),
            watched=_intervals(data.get("watched", [])),
        )
    except AnnotateError as error:
        return error_response(error)
    return JsonResponse(
        {"lease_expires_at": beat.lease_expires_at, "version": assignment.draft_version}
    )


@require_POST
def submit(request: UserRequest, assignment_id: int) -> HttpResponse:
    """Submit a form, or JSON with `key`, `base_version`, `content` and `then` ("next" to
    continue).
    """
    assignment = access.own_hold(request, assignment_id)
    is_json = request.content_type == "application/json"
    content: dict[str, str] = {}
    base_version = assignment.draft_version
    try:
        data = read_json(request) if is_json else _form_as_json(request)
        content = {} if is_json else data["content"]  # it is shown again even if it can't be stored
        content = read_content(data.get("content"))
        base_version = read_number(data.get("base_version"))
        submitted = work_kind(assignment.item.kind).submit(
            assignment_id=assignment.pk,
            annotator=request.user,
            key=_key(data.get("key")),
            base_version=base_version,
            content=content,
        )
    except AnnotateError as error:
        if is_json:
            return error_response(error)
        _keep(assignment, base_version, content)
        return work_page_again(
            request, assignment, error=error, content=content, base_version=base_version
        )

    assignment.is_late = submitted.is_late
    target = _after_submit(request, assignment, go_on=data.get("then") == "next")
    return JsonResponse({"next": target}) if is_json else redirect(target)


@require_POST
def skip(request: UserRequest, assignment_id: int) -> HttpResponse:
    """Skip the work. Takes JSON with `skip_reason` and `skip_detail`, or with them the form of the
    work, which is saved.
    """
    assignment = access.own_hold(request, assignment_id)
    is_json = request.content_type == "application/json"
    if not is_json and (both_texts := keep_typed(request, assignment)):
        return both_texts
    try:
        queue.skip(
            assignment_id=assignment.pk,
            annotator=request.user,
            reason=_reason(read_json(request) if is_json else request.POST),
        )
    except AnnotateError as error:
        if is_json:
            return error_response(error)
        messages.error(request, str(error))
        return work_page_again(request, assignment)
    messages.success(
        request, f"Skipped {assignment.item.clip.short_name}. Your text is kept under My work."
    )
    target = reverse("annotate:my_work", args=[assignment.item.project.slug])
    return JsonResponse({"next": target}) if is_json else redirect(target)


@require_POST
def take_again(request: UserRequest, assignment_id: int) -> HttpResponse:
    assignment = access.own_hold(request, assignment_id)
    try:
        resume_work(assignment_id=assignment.pk, person=request.user)
    except ConsentMissing:
        pass  # the page asks for it
    except AnnotateError as error:
        messages.error(request, str(error))
    return redirect("annotate:work", assignment.pk)


def _after_submit(request: UserRequest, assignment: Assignment, *, go_on: bool) -> str:
    slug, kind = assignment.item.project.slug, assignment.item.kind
    if assignment.item.purpose == WorkItem.Purpose.TRAINING:
        return known_work().address_after(assignment)
    assignment.item.clip = without_name(assignment.item.clip)  # the message is on the next page
    if assignment.is_late:
        messages.warning(request, CAME_TOO_LATE.format(clip=assignment.item.clip))
    else:
        name_work([assignment.item])
        messages.success(request, f"{kind_facts(kind).submitted}: {assignment.item.about}.")
    if not go_on and not request.user.is_participant:
        return reverse("annotate:my_work", args=[slug])
    membership = access.worker(request, slug, kind)
    if not go_on:
        closed = work_closed(membership, kind)
        if closed and closed.ends_all:
            return closed.url
        return reverse("annotate:my_work", args=[slug])
    nothing = "You have nothing left to do in this step."
    return _next_work(request, membership, kind, nothing=nothing)


def _next_work(request: UserRequest, membership: Membership, kind: str, *, nothing: str) -> str:
    """Return the address of the person's next work, or of a page that says why there is nothing."""
    my_work = reverse("annotate:my_work", args=[membership.project.slug])
    try:
        taken = take_work(membership=membership, kind=kind)
    except ConsentMissing:
        return consent_address(membership.project, kind=kind)
    except WorkClosed as error:
        messages.info(request, str(error))
        return error.closed.url or my_work
    if taken is None:
        messages.info(request, nothing)
        return my_work
    return reverse("annotate:work", args=[taken.pk])


def _keep(assignment: Assignment, base_version: int, content: dict[str, str]) -> None:
    """Store the text typed on a page without JavaScript as the draft, because nothing else keeps
    it.
    """
    try:
        queue.save_draft(assignment=assignment, base_version=base_version, content=content)
    except AnnotateError:
        return  # the next page still shows the typed text and the stored one


def _form_as_json(request: UserRequest) -> dict[str, Any]:
    """Return a plain form in the format that the page's script sends."""
    return {**request.POST.dict(), "content": typed_content(request)}


def _reason(data: Mapping[str, Any]) -> str:
    """Return the chosen reason, and the text about it."""
    typed = [storable(str(data.get(field, ""))).strip() for field in ("skip_reason", "skip_detail")]
    return ": ".join(filter(None, typed))


def _key(value: object) -> UUID:
    try:
        return UUID(str(value))
    except ValueError:
        raise AnnotateError("The page sent no key for this submit. Reload it.") from None


def _intervals(value: object) -> list[list[int]]:
    if not isinstance(value, list) or len(value) > 1000:
        raise AnnotateError("The page sent wrong watched frames. Reload it.")
    for pair in value:
        if not (
            isinstance(pair, list) and len(pair) == 2 and all(isinstance(n, int) for n in pair)
        ):
            raise AnnotateError("The page sent wrong watched frames. Reload it.")
    return value
