"""The API of a project's models."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from inference import access
from inference.models import ModelSpec


class ModelSerializer(serializers.ModelSerializer[ModelSpec]):
    class Meta:
        model = ModelSpec
        fields = (
            *("id", "name", "backend", "model_id", "revision", "parameters", "family"),
            *("parameter_count", "refine_order", "is_active", "created_at", "updated_at"),
        )
        read_only_fields = fields


class Models(ApiView):
    tag = "Models"

    @operation(gives=ModelSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[ModelSpec]:
        """List models. For admins."""
        return ModelSpec.objects.filter(project=access.admin(asker, slug).project)


class ModelView(ApiView):
    tag = "Models"

    @operation(gives=ModelSerializer)
    def get(self, asker: UserRequest, slug: str, model_id: int) -> ModelSpec:
        """Show a model. For admins."""
        return access.model_spec(asker, slug, model_id)[1]


urlpatterns = [
    path("projects/<slug:slug>/models/", Models.as_view(), name="models"),
    path("projects/<slug:slug>/models/<int:model_id>/", ModelView.as_view(), name="model"),
]
