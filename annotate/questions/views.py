"""The list of questions about work, where they are answered."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest, member
from annotate.questions import access, services
from annotate.questions.pages import answer_form, place_of, questions_context


@never_cache
@require_GET
def questions(request: UserRequest, slug: str) -> HttpResponse:
    """List questions. `?tab=` chooses waiting, answered or mine."""
    membership = member(request, slug)
    context = questions_context(
        membership, tab=request.GET.get("tab", ""), page=request.GET.get("page")
    )
    return render(request, "annotate/questions/questions.html", context)


@require_POST
def answer(request: UserRequest, slug: str, question_id: int) -> HttpResponse:
    membership, question = access.answerable_question(request, slug, question_id)
    tab, page = place_of(question, membership)
    form = answer_form(question, request.POST)
    if form.is_valid():
        services.answer(question=question, person=request.user, text=form.cleaned_data["text"])
        messages.success(request, f"Answered: {question.assignment.item.clip}.")
        return redirect(f"{reverse('annotate:questions', args=[slug])}?tab={tab}&page={page}")
    context = questions_context(membership, tab=tab, page=page, answered=(question, form))
    return render(request, "annotate/questions/questions.html", context, status=422)
