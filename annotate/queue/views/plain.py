"""Work pages without JavaScript: they send their whole form, which nothing else keeps."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from annotate import access
from annotate.access import UserRequest
from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import Assignment
from annotate.questions.forms import MessageForm
from annotate.questions.pages import ask_form
from annotate.queue.content import Content, read_content, read_number
from annotate.queue.pages import work_context
from annotate.queue.services import save_draft
from annotate.queue.work_kinds import work_kind
from annotate.responses import error_response

QUESTION_FIELD = "question-text"
ACT_FIELDS = {QUESTION_FIELD, "skip_reason", "skip_detail", "send_back_comment"}
CONTROL_FIELDS = {"csrfmiddlewaretoken", "key", "base_version", "then", "page", *ACT_FIELDS}


def typed_content(request: UserRequest) -> Content:
    typed = request.POST.dict()
    return {name: value for name, value in typed.items() if name not in CONTROL_FIELDS}


def keep_typed(
    request: UserRequest, assignment: Assignment, *, question_form: MessageForm | None = None
) -> HttpResponse | None:
    """Save the form of the work, which comes along with an act without JavaScript. Return the page
    with what was typed if it can't be saved.
    """
    if "base_version" not in request.POST or assignment.state == Assignment.State.SUBMITTED:
        return None
    content, base_version = typed_content(request), assignment.draft_version
    try:
        base_version = read_number(request.POST["base_version"])
        content = read_content(content)
        save_draft(assignment=assignment, base_version=base_version, content=content)
    except AnnotateError as error:
        return work_page_again(
            request,
            assignment,
            content=content,
            base_version=base_version,
            error=error,
            question_form=question_form,
        )
    return None


def work_page_again(
    request: UserRequest,
    assignment: Assignment,
    *,
    content: Content | None = None,
    base_version: int | None = None,
    error: AnnotateError | None = None,
    question_form: MessageForm | None = None,
) -> HttpResponse:
    """Show the work page with what was typed: `content`, and the stored draft if it is another one,
    or only the draft without `content`.
    """
    assignment = access.own_assignment(request, assignment.pk)
    is_kept = content is None or content == assignment.draft
    context = work_context(
        assignment,
        content=content,
        base_version=None if is_kept else base_version,
        problems=error.problems if isinstance(error, WorkInvalid) else None,
        notice="" if error is None or isinstance(error, WorkInvalid) else str(error),
    )
    context["other_draft"] = {} if is_kept else assignment.draft
    context["question_form"] = question_form or ask_form(typed=request.POST.get(QUESTION_FIELD, ""))
    status = error_response(error).status_code if error else 422
    return render(request, work_kind(assignment.item.kind).template, context, status=status)
