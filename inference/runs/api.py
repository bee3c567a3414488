"""The API of model runs. What becomes of a run is the job's."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import key_field
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.jobs.api import JobSerializer
from inference import access
from inference.models import InferenceRun, ModelSpec
from inference.runs.services import start_run

TAG = "Jobs"


class RunSerializer(JobSerializer):
    class Meta:
        model = InferenceRun
        fields = (*JobSerializer.Meta.fields, "model", "recipe", "recipe_hash", "only_missing")


class NewRunSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=InferenceRun.Kind.choices)
    model = key_field(required=False, help_text="Key of a model.")
    options = serializers.DictField(
        default=dict, help_text="Settings of the kind; the others have the values of the protocol."
    )
    only_missing = serializers.BooleanField(
        default=False, help_text="Leave out what this model has done with any settings."
    )
    joins_unfinished = serializers.BooleanField(
        default=False, help_text="Join captions that still wait for people."
    )
    captions_undecided = serializers.BooleanField(
        default=False, help_text="Describe videos about which people disagree."
    )
    counts_again = serializers.BooleanField(
        default=False, help_text="Count words in the current captions, which makes a new scorer."
    )


class Runs(ApiView):
    @operation(gives=RunSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[InferenceRun]:
        """List model runs. Each with its recipe, the newest first. For admins."""
        return InferenceRun.objects.filter(project=access.admin(asker, slug).project)

    @operation(gives=RunSerializer, takes=NewRunSerializer, status=202, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> InferenceRun:
        """Start a model run. A worker plans it; earlier results of the same recipe are reused."""
        project = access.admin(asker, slug).project
        key = self.values.pop("model", None)
        model = ModelSpec.objects.filter(pk=key, project=project, is_active=True).first()
        if key is not None and model is None:
            raise serializers.ValidationError({"model": "The project uses no model of this key."})
        return start_run(project=project, model=model, admin=asker.user, **self.values)


urlpatterns = [path("projects/<slug:slug>/runs/", Runs.as_view(), name="runs")]
