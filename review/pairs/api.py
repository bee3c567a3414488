"""The API of pairs of similar labels."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, WORK, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.jobs.api import JobSerializer
from annotate.models.jobs import Job
from annotate.queue.api import own_hold
from inference.registry import Role
from review import access
from review.pairs.access import own_pair_verdict
from review.pairs.comparison import start_comparison
from review.pairs.forms import CompareForm, HandOutForm, models_with
from review.pairs.models import LabelPair
from review.pairs.queries import hide_decisions, with_readable_decision
from review.pairs.services import hand_out_pairs, record_pair_verdict

TAG = "Label pairs"


class LabelPairSerializer(RowSerializer[LabelPair]):
    kind = serializers.CharField(help_text="The decision; empty without one.")

    class Meta:
        model = LabelPair
        fields = (
            *("id", "first", "second", "similarity", "encoder", "candidate", "kind"),
            *("is_outdated", "decided_at"),
        )


class PairFilters(Filters):
    kind = serializers.ChoiceField(choices=LabelPair.Kind.choices, required=False)
    candidate = serializers.ChoiceField(choices=LabelPair.Kind.choices[:2], required=False)


class PairVerdictSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=LabelPair.Kind.choices)


class HandedPairsSerializer(serializers.Serializer[Any]):
    pairs = serializers.IntegerField(help_text="How many wait for people now.")


class LabelPairs(ApiView):
    @operation(gives=LabelPairSerializer, query=PairFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[LabelPair]:
        """List label pairs. With their decisions. For experts, reviewers and admins."""
        membership = access.reviewer(asker, slug)
        chosen = {name: self.query[name] for name in ("kind", "candidate") if name in self.query}
        pairs = LabelPair.objects.filter(project=membership.project, **chosen)
        return with_readable_decision(membership, pairs) if "kind" in chosen else pairs

    def clear_hidden(self, asker: UserRequest, rows: list[Any]) -> None:
        hide_decisions(access.reviewer(asker, self.kwargs["slug"]), rows)


class CompareLabels(ApiView):
    @operation(
        gives=JobSerializer, takes=body_of("LabelComparison", CompareForm), status=202, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Compare labels. A worker computes how similar they are."""
        project = access.admin(asker, slug).project
        encoders = models_with(Role.ENCODER, project.pk)
        chosen = checked_form(CompareForm(self.typed(), models=encoders)).cleaned_data
        return start_comparison(project=project, admin=asker.user, **chosen)


class HandOutPairs(ApiView):
    @operation(
        gives=HandedPairsSerializer, takes=body_of("PairsToHandOut", HandOutForm), scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> dict[str, int]:
        """Hand out label pairs. Those at least as similar as `least`."""
        project = access.admin(asker, slug).project
        chosen = checked_form(HandOutForm(self.typed())).cleaned_data
        return {"pairs": hand_out_pairs(project=project, admin=asker.user, **chosen)}


class JudgePairAgain(ApiView):
    @operation(takes=PairVerdictSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, assignment_id: int) -> Any:
        """Change your verdict on a label pair."""
        own_hold(asker, slug, assignment_id)
        assignment = own_pair_verdict(asker, assignment_id)
        record_pair_verdict(assignment=assignment, kind=self.values["kind"])


ALL = "projects/<slug:slug>/label-pairs/"
urlpatterns = [
    path(ALL, LabelPairs.as_view(), name="label_pairs"),
    path(f"{ALL}compare/", CompareLabels.as_view(), name="compare_labels"),
    path(f"{ALL}hand-out/", HandOutPairs.as_view(), name="hand_out_pairs"),
    path(
        "projects/<slug:slug>/work/<int:assignment_id>/judge-again/",
        JudgePairAgain.as_view(),
        name="judge_pair_again",
    ),
]
