"""Who may read which questions, and which wait."""

from __future__ import annotations

from django.db.models import Prefetch, Q, QuerySet

from annotate.kinds import kinds_for
from annotate.models import (
    Assignment,
    Membership,
    Project,
    Question,
    QuestionMessage,
    Role,
    User,
    WorkItem,
)

ANSWERING = (Role.EXPERT, Role.REVIEWER, Role.ADMIN)


def question_of(assignment: Assignment) -> Question | None:
    """Return the question about a piece of work, with its messages, or None."""
    return with_messages(Question.objects.filter(assignment=assignment)).first()


def own_questions(membership: Membership) -> QuerySet[Question]:
    """Return the questions that the person asked, those with unread answers first."""
    questions = Question.objects.filter(
        assignment__annotator=membership.user, assignment__item__project=membership.project
    )
    return questions.order_by("-is_unread", "-changed_at", "-pk")


def unread_answers(person: User, project: Project) -> QuerySet[Question]:
    """Return the person's questions that have answers which they have not read."""
    unread = Question.objects.filter(
        assignment__annotator=person, assignment__item__project=project, is_unread=True
    )
    return with_messages(unread.order_by("-changed_at", "-pk"))


def answerable(membership: Membership) -> QuerySet[Question]:
    """Return other people's questions that the person can read and answer, longest waiting first.

    A question can reveal what its asker sees or writes. So nobody reads a question about work that
    several people do independently while they could still do it themselves.
    """
    if not membership.has_role(*ANSWERING):
        return Question.objects.none()
    own_kinds = kinds_for(membership)
    independent = Q(assignment__item__kind__in=own_kinds, assignment__item__needed__gt=1)
    undone = ~Q(assignment__item__state=WorkItem.State.DONE)
    questions = Question.objects.filter(assignment__item__project=membership.project)
    questions = questions.exclude(assignment__annotator=membership.user)
    return questions.exclude(independent & undone).order_by("-is_waiting", "changed_at", "pk")


def with_messages(questions: QuerySet[Question]) -> QuerySet[Question]:
    messages = QuestionMessage.objects.select_related("author")
    rows = questions.select_related("assignment__item__clip", "assignment__item__project")
    return rows.prefetch_related(Prefetch("messages", queryset=messages))
