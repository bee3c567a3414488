"""The API of a project's models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.rows import RowSerializer
from inference import access
from inference.model_facts import WEIGHTS
from inference.models import ModelSpec
from inference.registry import BACKENDS, backend_info
from inference.specs import services
from inference.specs.forms import PREFIX, ModelForm, initial_of

TAG = "Models"


class ModelSerializer(RowSerializer[ModelSpec]):
    class Meta:
        model = ModelSpec
        fields = (
            *("id", "name", "backend", "model_id", "revision", "parameters", "family"),
            *("parameter_count", *WEIGHTS, "refine_order", "is_active", "created_at", "updated_at"),
        )


FIELDS = ("name", "model_id", "revision", "family", "size", *WEIGHTS, "parameters")


class ModelFieldsSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=80)
    model_id = serializers.CharField(max_length=200, required=False, allow_blank=True)
    revision = serializers.CharField(max_length=100, required=False, allow_blank=True)
    family = serializers.CharField(max_length=60, required=False, allow_blank=True)
    size = serializers.CharField(
        max_length=20, required=False, allow_blank=True, help_text="Of parameters: `7B`, `427M`."
    )
    weights_source = serializers.CharField(
        max_length=200, required=False, allow_blank=True, help_text="Where the weights are from."
    )
    weights_license = serializers.CharField(
        max_length=100, required=False, allow_blank=True, help_text="Of the weights."
    )
    weights_sha256 = serializers.CharField(
        max_length=64,
        required=False,
        allow_blank=True,
        help_text="Of the weights; a worker that loads them stores it itself.",
    )
    parameters = serializers.DictField(
        required=False, help_text="Settings of the backend; the others have their usual values."
    )


class NewModelSerializer(ModelFieldsSerializer):
    backend = serializers.ChoiceField(choices=list(BACKENDS))


class ChangedModelSerializer(ModelFieldsSerializer):
    """Fields that are left out stay unchanged."""

    name = serializers.CharField(max_length=80, required=False)
    accepts_outdated = serializers.BooleanField(
        default=False, help_text="Also where results of the model become outdated."
    )


class UseSerializer(serializers.Serializer[Any]):
    in_use = serializers.BooleanField(help_text="False retires the model; its results stay.")


class Models(ApiView):
    @operation(gives=ModelSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[ModelSpec]:
        """List models. For admins."""
        return ModelSpec.objects.filter(project=access.admin(asker, slug).project)

    @operation(gives=ModelSerializer, takes=NewModelSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> ModelSpec:
        """Add a model."""
        project = access.admin(asker, slug).project
        backend = self.values["backend"]
        form = _checked(ModelForm(_typed(self.values, backend), backend=backend))
        return services.add_model(
            project=project,
            backend=backend,
            admin=asker.user,
            **form.values,
            description=form.description,
        )


class ModelView(ApiView):
    @operation(gives=ModelSerializer)
    def get(self, asker: UserRequest, slug: str, model_id: int) -> ModelSpec:
        """Show a model. For admins."""
        return access.model_spec(asker, slug, model_id)[1]

    @operation(gives=ModelSerializer, takes=ChangedModelSerializer, scope=ADMIN)
    def patch(self, asker: UserRequest, slug: str, model_id: int) -> ModelSpec:
        """Change a model. Results of its former settings become outdated, if that is accepted."""
        membership, spec = access.model_spec(asker, slug, model_id)
        spec.project = membership.project
        stored = initial_of(spec)
        form = _checked(
            ModelForm(stored | _typed(self.values, spec.backend), backend=spec.backend, spec=spec)
        )
        outdated = services.count_outdated_by(spec=spec, **form.values)
        if outdated and not self.values["accepts_outdated"]:
            mend = f"{outdated:,} results become outdated. Accept that, or leave it as it is."
            raise serializers.ValidationError({"accepts_outdated": mend})
        services.change_model(
            spec=spec, admin=asker.user, description=form.description, **form.values
        )
        return access.model_spec(asker, slug, model_id)[1]


class UseModel(ApiView):
    @operation(gives=ModelSerializer, takes=UseSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, model_id: int) -> ModelSpec:
        """Retire a model, or use it again."""
        _, spec = access.model_spec(asker, slug, model_id)
        services.set_in_use(spec=spec, in_use=self.values["in_use"], admin=asker.user)
        return access.model_spec(asker, slug, model_id)[1]


def _typed(values: Mapping[str, Any], backend: str) -> dict[str, Any]:
    """Return the values as the form of the backend sends them. Raises ValidationError for
    parameters that it doesn’t have."""
    data = {name: values[name] for name in FIELDS if name in values}
    parameters = data.pop("parameters", {})
    parameter_names = [parameter.name for parameter in backend_info(backend).parameters]
    if unknown := sorted(set(parameters) - set(parameter_names)):
        has = f"{backend} has: {', '.join(parameter_names) or 'none'}."
        wrong = dict.fromkeys(unknown, f"Unknown parameter. {has}")
        raise serializers.ValidationError({"parameters": wrong})
    return data | {PREFIX + name: str(value) for name, value in parameters.items()}


def _checked(form: ModelForm) -> ModelForm:
    if form.is_valid():
        return form
    errors = {
        name.replace(PREFIX, "parameters.").replace("__all__", "body"): list(map(str, messages))
        for name, messages in form.errors.items()
    }
    raise serializers.ValidationError(errors)


ALL = "projects/<slug:slug>/models/"
urlpatterns = [
    path(ALL, Models.as_view(), name="models"),
    path(f"{ALL}<int:model_id>/", ModelView.as_view(), name="model"),
    path(f"{ALL}<int:model_id>/use/", UseModel.as_view(), name="use_model"),
]
