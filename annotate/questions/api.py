"""The API of questions about work."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest, member, own_assignment
from annotate.api.forms import body_of
from annotate.api.operations import BY_KEY, WORK, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.models import Question
from annotate.questions import access, services
from annotate.questions.forms import MessageForm
from annotate.questions.pages import answer_form
from annotate.questions.queries import answerable, own_questions, with_messages

TAG = "Work"


class QuestionSerializer(RowSerializer[Question]):
    kind = serializers.CharField(source="assignment.item.kind", read_only=True)
    clip = serializers.IntegerField(source="assignment.item.clip_id", read_only=True)
    messages = serializers.SerializerMethodField(
        help_text="Each with `text`, `created_at`, and `is_answer`: false for the asker's."
    )

    class Meta:
        model = Question
        fields = ("id", "kind", "clip", "is_waiting", "is_unread", "changed_at", "messages")

    def get_messages(self, question: Question) -> list[dict[str, Any]]:
        return [
            {
                "text": message.text,
                "created_at": message.created_at,
                "is_answer": message.author_id != question.assignment.annotator_id,
            }
            for message in question.messages.all()
        ]


class QuestionFilters(Filters):
    of = serializers.ChoiceField(
        choices=["mine", "others"], required=False, help_text="Without it, both."
    )
    is_waiting = serializers.BooleanField(required=False)


class Questions(ApiView):
    @operation(gives=QuestionSerializer, query=QuestionFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Question]:
        """List questions: your own, and those that you may answer."""
        membership = member(asker, slug)
        chosen = {
            "mine": Question.objects.filter(pk__in=own_questions(membership).values("pk")),
            "others": Question.objects.filter(pk__in=answerable(membership).values("pk")),
        }
        of = self.query.get("of")
        questions = chosen[of] if of else chosen["mine"] | chosen["others"]
        if "is_waiting" in self.query:
            questions = questions.filter(is_waiting=self.query["is_waiting"])
        return with_messages(questions)


class Ask(ApiView):
    @operation(
        gives=QuestionSerializer,
        takes=body_of("NewQuestion", MessageForm),
        status=201,
        scope=WORK,
    )
    def post(self, asker: UserRequest, slug: str, assignment_id: int) -> Question:
        """Ask about your work. More than once continues the same question."""
        assignment = own_assignment(asker, assignment_id)
        if assignment.item.project.slug != slug:
            raise Http404
        text = checked_form(MessageForm(self.typed(), label="Your question")).cleaned_data["text"]
        return services.ask(assignment=assignment, person=asker.user, text=text).question


class Answer(ApiView):
    @operation(gives=QuestionSerializer, takes=body_of("NewAnswer", MessageForm), scope=WORK)
    def post(self, asker: UserRequest, slug: str, question_id: int) -> Question:
        """Answer a question."""
        _, question = access.answerable_question(asker, slug, question_id)
        text = checked_form(answer_form(question, self.typed())).cleaned_data["text"]
        return services.answer(question=question, person=asker.user, text=text).question


QUESTIONS = "projects/<slug:slug>/questions/"
urlpatterns = [
    path(QUESTIONS, Questions.as_view(), name="questions"),
    path(f"{QUESTIONS}<int:question_id>/answer/", Answer.as_view(), name="answer_question"),
    path("projects/<slug:slug>/work/<int:assignment_id>/question/", Ask.as_view(), name="ask"),
]
