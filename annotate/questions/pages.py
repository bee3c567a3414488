"""The contexts of the pages of questions."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet

from annotate.models import Assignment, Membership, Question
from annotate.questions.forms import MessageForm
from annotate.questions.queries import (
    ANSWERING,
    answerable,
    own_questions,
    question_of,
    with_messages,
)

A_PAGE = 20


def ask_form(data: Any = None, *, typed: str = "") -> MessageForm:
    """Return the form, whose field isn't named like one of a draft."""
    return MessageForm(
        data, label="Your question", prefix="question", auto_id="%s", initial={"text": typed}
    )


def answer_form(question: Question, data: Any = None) -> MessageForm:
    return MessageForm(data, label="Your answer", auto_id=f"answer-{question.pk}-%s")


def place_of(question: Question, membership: Membership) -> tuple[str, int]:
    """Return the tab and the page of it that list a question for somebody who may answer it."""
    tab = "waiting" if question.is_waiting else "answered"
    keys = list(_lists(membership)[tab].values_list("pk", flat=True))
    place = keys.index(question.pk) if question.pk in keys else 0  # it may be answered meanwhile
    return tab, place // A_PAGE + 1


def thread_context(assignment: Assignment) -> dict[str, Any]:
    """Return what `annotate/questions/thread.html` needs beside the assignment of a work page."""
    return {"question": question_of(assignment), "question_form": ask_form()}


def questions_context(
    membership: Membership,
    *,
    tab: str,
    page: str | int | None,
    answered: tuple[Question, MessageForm] | None = None,
) -> dict[str, Any]:
    """Return the lists of the page Questions; `answered` has the form with its errors."""
    lists = _lists(membership)
    chosen = tab if tab in lists else next(iter(lists))
    rows = Paginator(with_messages(lists[chosen]), A_PAGE).get_page(page)
    forms = {answered[0].pk: answered[1]} if answered else {}
    return {
        "membership": membership,
        "project": membership.project,
        "tab": chosen,
        "tabs": [(name, questions.count()) for name, questions in lists.items()],
        "page": rows,
        "questions": [
            (question, forms.get(question.pk) or answer_form(question)) for question in rows
        ],
        "may_answer": "waiting" in lists,
        "query": f"tab={chosen}",
    }


def _lists(membership: Membership) -> dict[str, QuerySet[Question]]:
    """Return the questions of each tab that the person has."""
    mine = {"mine": own_questions(membership)}
    if not membership.has_role(*ANSWERING):
        return mine
    others = answerable(membership)
    return {
        "waiting": others.filter(is_waiting=True),
        "answered": others.filter(is_waiting=False).order_by("-changed_at", "-pk"),
        **mine,
    }
