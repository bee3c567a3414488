"""The API of labels."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.models import ActionLabel


class LabelSerializer(serializers.ModelSerializer[ActionLabel]):
    counts_as = serializers.PrimaryKeyRelatedField[ActionLabel](
        read_only=True,
        allow_null=True,
        help_text="The label with the same caption that it counts as.",
    )

    class Meta:
        model = ActionLabel
        fields = ("id", "key", "caption", "domain", "event", "counts_as")


class LabelFilters(Filters):
    key = serializers.CharField(required=False, max_length=40)
    domain = serializers.CharField(required=False, max_length=40)
    event = serializers.CharField(required=False)


class Labels(ApiView):
    tag = "Labels"

    @operation(gives=LabelSerializer, query=LabelFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[ActionLabel]:
        """List labels. The actions that clips of a TF-CoVR project show."""
        labels = ActionLabel.objects.filter(project=access.member(asker, slug).project)
        names = ("key", "domain", "event")
        return labels.filter(**{name: self.query[name] for name in names if name in self.query})


class LabelView(ApiView):
    tag = "Labels"

    @operation(gives=LabelSerializer)
    def get(self, asker: UserRequest, slug: str, label_id: int) -> ActionLabel:
        """Show a label."""
        return access.label(asker, slug, label_id)[1]


urlpatterns = [
    path("projects/<slug:slug>/labels/", Labels.as_view(), name="labels"),
    path("projects/<slug:slug>/labels/<int:label_id>/", LabelView.as_view(), name="label"),
]
