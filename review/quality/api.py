"""The API of training and gold: known answers, rules, people and pauses. For admins."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of, key_field
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.models import WorkItem
from annotate.ordering import DOWN, UP
from review import access
from review.quality import access as quality_access
from review.quality import services
from review.quality.forms import KnownAnswerForm, RuleForm
from review.quality.models import KnownAnswer, Pause, QualityRule

TAG = "Quality"


class KnownAnswerSerializer(RowSerializer[KnownAnswer]):
    kind = serializers.ChoiceField(choices=WorkItem.Kind.choices, source="item.kind")
    purpose = serializers.ChoiceField(choices=WorkItem.Purpose.choices, source="item.purpose")
    clip = serializers.IntegerField(source="item.clip_id")

    class Meta:
        model = KnownAnswer
        fields = (
            "id",
            "kind",
            "purpose",
            "clip",
            "source",
            "facts",
            "explanation",
            "place",
            "created_at",
        )


class QualityRuleSerializer(RowSerializer[QualityRule]):
    class Meta:
        model = QualityRule
        fields = (
            *("id", "kind", "pass_share", "tries", "retrain_after"),
            *("gold_rate", "gold_limit", "gold_least"),
        )


class PauseSerializer(RowSerializer[Pause]):
    class Meta:
        model = Pause
        fields = ("id", "person", "kind", "right", "answered", "created_at", "ended_at")


class KnownPlaceSerializer(serializers.Serializer[Any]):
    direction = serializers.ChoiceField(choices=[UP, DOWN])


class KnownAnswers(ApiView):
    @operation(gives=KnownAnswerSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[KnownAnswer]:
        """List known answers. Those in use, of training and gold."""
        project = access.admin(asker, slug).project
        return KnownAnswer.objects.filter(project=project, is_used=True).select_related("item")

    @operation(
        gives=KnownAnswerSerializer,
        takes=body_of("NewKnownAnswer", KnownAnswerForm, source=key_field()),
        status=201,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str) -> KnownAnswer:
        """Add a known answer. `source`: finished work whose answer is right."""
        access.admin(asker, slug)
        membership, source = quality_access.source(asker, slug, self.values["source"])
        return services.add_known_answer(
            project=membership.project,
            kind=source.item.kind,
            source_id=source.pk,
            admin=asker.user,
            **checked_form(KnownAnswerForm(self.typed())).cleaned_data,
        )


class KnownAnswerView(ApiView):
    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, known_id: int) -> Any:
        """Remove a known answer. What people answered is kept."""
        _, known_answer = quality_access.known_answer(asker, slug, known_id)
        services.retire_known_answer(known_answer=known_answer, admin=asker.user)


class MoveKnownAnswer(ApiView):
    @operation(takes=KnownPlaceSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, known_id: int) -> Any:
        """Move a training item up or down."""
        _, known_answer = quality_access.known_answer(asker, slug, known_id)
        direction = self.values["direction"]
        services.move_known_answer(known_answer=known_answer, direction=direction, admin=asker.user)


class Rule(ApiView):
    @operation(
        gives=QualityRuleSerializer, takes=body_of("QualityRuleChange", RuleForm), scope=ADMIN
    )
    def put(self, asker: UserRequest, slug: str, kind: str) -> QualityRule:
        """Set the rules of training and gold for a kind of work."""
        membership, graded = quality_access.graded_kind(asker, slug, kind)
        return services.set_rule(
            project=membership.project,
            kind=graded,
            admin=asker.user,
            requirements=checked_form(RuleForm(self.typed())).requirements,
        )


class TrainAgain(ApiView):
    @operation(scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, kind: str) -> Any:
        """Ask everybody to train again. Before their next work of this kind."""
        membership, graded = quality_access.graded_kind(asker, slug, kind)
        services.train_again(project=membership.project, kind=graded, admin=asker.user)


class LetIn(ApiView):
    @operation(scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, kind: str, person_id: int) -> Any:
        """Let somebody in without the training."""
        membership, graded = quality_access.graded_kind(asker, slug, kind)
        _, person = quality_access.colleague(asker, slug, person_id)
        services.let_in(project=membership.project, person=person, kind=graded, admin=asker.user)


class Pauses(ApiView):
    @operation(gives=PauseSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Pause]:
        """List pauses. Of people below the limit of their gold, ended or not."""
        return Pause.objects.filter(project=access.admin(asker, slug).project)


class EndPause(ApiView):
    @operation(scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, pause_id: int) -> Any:
        """End a pause. Gold is counted from zero."""
        _, pause = quality_access.pause(asker, slug, pause_id)
        services.end_pause(pause=pause, admin=asker.user)


QUALITY = "projects/<slug:slug>/quality/"
KNOWN = f"{QUALITY}known-answers/"
KIND = f"{QUALITY}<slug:kind>/"
urlpatterns = [
    path(KNOWN, KnownAnswers.as_view(), name="known_answers"),
    path(f"{KNOWN}<int:known_id>/", KnownAnswerView.as_view(), name="known_answer"),
    path(f"{KNOWN}<int:known_id>/move/", MoveKnownAnswer.as_view(), name="move_known_answer"),
    path(f"{QUALITY}pauses/", Pauses.as_view(), name="pauses"),
    path(f"{QUALITY}pauses/<int:pause_id>/end/", EndPause.as_view(), name="end_pause"),
    path(f"{KIND}rule/", Rule.as_view(), name="quality_rule"),
    path(f"{KIND}train-again/", TrainAgain.as_view(), name="train_again"),
    path(f"{KIND}people/<int:person_id>/let-in/", LetIn.as_view(), name="let_in"),
]
