"""Asking about the work on its page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.errors import AnnotateError
from annotate.models import Assignment
from annotate.questions import services
from annotate.questions.pages import ask_form
from annotate.queue.content import read_content, read_number
from annotate.queue.services import save_draft
from annotate.queue.views.plain import typed_content, work_page_again


@require_POST
def ask(request: UserRequest, assignment_id: int) -> HttpResponse:
    """Ask about the work. Without JavaScript, the form of the work comes along and is saved."""
    assignment = access.own_assignment(request, assignment_id)
    form = ask_form(request.POST)
    if is_asked := form.is_valid():
        services.ask(assignment=assignment, person=request.user, text=form.cleaned_data["text"])
        messages.success(request, "Asked. My work tells you when there is an answer.")
    content, base_version = assignment.draft, assignment.draft_version
    refusal = None
    if "base_version" in request.POST and assignment.state != Assignment.State.SUBMITTED:
        content = typed_content(request)
        try:
            base_version = read_number(request.POST["base_version"])
            content = read_content(content)
            save_draft(assignment=assignment, base_version=base_version, content=content)
        except AnnotateError as error:
            refusal = error
    if is_asked and not refusal:
        return redirect("annotate:work", assignment_id)
    return work_page_again(
        request,
        assignment,
        content=content,
        base_version=base_version,
        error=refusal,
        question_form=ask_form() if is_asked else form,
    )
