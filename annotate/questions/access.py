"""Access to questions: the asker's own, and those that a member can answer."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate import access
from annotate.access import UserRequest
from annotate.models import Membership, Question
from annotate.questions.queries import ANSWERING, answerable, own_questions, with_messages


def answerable_question(
    request: UserRequest, slug: str, question_id: int
) -> tuple[Membership, Question]:
    membership = access.member(request, slug, *ANSWERING)
    return membership, get_object_or_404(with_messages(answerable(membership)), pk=question_id)


def own_question(request: UserRequest, slug: str, question_id: int) -> Question:
    membership = access.member(request, slug)
    return get_object_or_404(own_questions(membership), pk=question_id)
