"""Ask about one's own work, and answer."""

from __future__ import annotations

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.models import Assignment, Notice, Question, QuestionMessage, User
from annotate.notices.services import mark_subject_read, notify


@transaction.atomic
def ask(*, assignment: Assignment, person: User, text: str) -> QuestionMessage:
    """Add a message to the person's question about their own work; the first one creates the
    question.

    The same text twice in a row is stored once. Raises AnnotateError for somebody else's work.
    """
    if assignment.annotator_id != person.pk:
        raise AnnotateError("You can only ask about your own work.")
    Assignment.objects.select_for_update(no_key=True).get(pk=assignment.pk)
    question, _ = Question.objects.get_or_create(assignment=assignment)
    return _add(question, person, text, is_waiting=True, is_unread=False, verb="ask")


@transaction.atomic
def answer(*, question: Question, person: User, text: str) -> QuestionMessage:
    """Add an answer and notify the asker. The same text twice in a row is stored once."""
    locked = Question.objects.select_for_update(no_key=True).get(pk=question.pk)
    message = _add(locked, person, text, is_waiting=False, is_unread=True, verb="answer")
    work = locked.assignment
    notify(
        people=[work.annotator],
        project=work.item.project,
        kind=Notice.Kind.ANSWERED,
        subject=locked,
        text=f"Your question about {work.item.clip.short_name} was answered.",
        detail=text,
        address=reverse("annotate:work", args=[work.pk]),
    )
    return message


@transaction.atomic
def mark_read(*, question: Question) -> None:
    """Store that the asker has read the answers."""
    Question.objects.filter(pk=question.pk).update(is_unread=False)
    asker = question.assignment.annotator
    mark_subject_read(person=asker, kind=Notice.Kind.ANSWERED, subject=question)


def _add(
    question: Question, person: User, text: str, *, is_waiting: bool, is_unread: bool, verb: str
) -> QuestionMessage:
    newest = question.messages.last()
    if newest and (newest.author_id, newest.text) == (person.pk, text):
        return newest
    message = QuestionMessage.objects.create(question=question, author=person, text=text)
    question.is_waiting, question.is_unread = is_waiting, is_unread
    question.changed_at = timezone.now()
    question.save(update_fields=["is_waiting", "is_unread", "changed_at"])
    record_event(
        actor=person,
        verb=verb,
        subject=message,
        project=question.assignment.item.project,
        after={"assignment": question.assignment_id},
    )
    return message
