"""Asking about the work on its page, and reading the answer."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.questions import access as questions_access
from annotate.questions import services
from annotate.questions.pages import ask_form
from annotate.queue.views.plain import keep_typed, work_page_again


@require_POST
def ask(request: UserRequest, assignment_id: int) -> HttpResponse:
    """Ask about the work. Without JavaScript, the form of the work comes along and is saved."""
    assignment = access.own_assignment(request, assignment_id)
    form = ask_form(request.POST)
    if is_asked := form.is_valid():
        services.ask(assignment=assignment, person=request.user, text=form.cleaned_data["text"])
        messages.success(request, "Asked. My work tells you when there is an answer.")
    if both_texts := keep_typed(
        request, assignment, question_form=ask_form() if is_asked else form
    ):
        return both_texts
    if is_asked:
        return redirect("annotate:work", assignment_id)
    return work_page_again(request, assignment, question_form=form)


@require_POST
def mark_read(request: UserRequest, slug: str, question_id: int) -> HttpResponse:
    question = questions_access.own_question(request, slug, question_id)
    services.mark_read(question=question)
    match request.POST.get("page"):
        case "questions":
            return redirect(f"{reverse('annotate:questions', args=[slug])}?tab=mine")
        case "work":
            assignment = access.own_assignment(request, question.assignment_id)
            both_texts = keep_typed(request, assignment)
            return both_texts or redirect("annotate:work", assignment.pk)
    return redirect("annotate:my_work", slug)
