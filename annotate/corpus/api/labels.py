"""The API of labels."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.corpus.forms import LabelForm
from annotate.corpus.services import labels as services
from annotate.models import ActionLabel, Role

TAG = "Labels"


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
    @operation(gives=LabelSerializer, query=LabelFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[ActionLabel]:
        """List labels. The actions that clips of a TF-CoVR project show."""
        labels = ActionLabel.objects.filter(project=access.member(asker, slug).project)
        names = ("key", "domain", "event")
        return labels.filter(**{name: self.query[name] for name in names if name in self.query})


class LabelView(ApiView):
    @operation(gives=LabelSerializer)
    def get(self, asker: UserRequest, slug: str, label_id: int) -> ActionLabel:
        """Show a label."""
        return access.label(asker, slug, label_id)[1]

    @operation(gives=LabelSerializer, takes=body_of("LabelMeaning", LabelForm), scope=ADMIN)
    def put(self, asker: UserRequest, slug: str, label_id: int) -> ActionLabel:
        """Correct a label. Texts and sets of triplets that use it are marked as outdated."""
        _, label = access.label(asker, slug, label_id, Role.ADMIN)
        form = checked_form(LabelForm(self.typed()))
        return services.correct_label(label=label, admin=asker.user, **form.cleaned_data)


LABEL = "projects/<slug:slug>/labels/<int:label_id>/"
urlpatterns = [
    path("projects/<slug:slug>/labels/", Labels.as_view(), name="labels"),
    path(LABEL, LabelView.as_view(), name="label"),
]
