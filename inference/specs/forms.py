"""Forms of a model: the fields of its backend, each with its bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings

from annotate.forms import validate_visible
from inference.allowed_models import refuse_unlisted
from inference.backends import servers
from inference.errors import InferenceError
from inference.model_facts import FAMILIES, WEIGHTS, Description, read_size, size_words
from inference.models import ModelSpec
from inference.parameters import Parameter
from inference.registry import ON_SERVERS, Backend, backend_info
from inference.specs.served_families import ServedFamily

PREFIX = "parameter_"
DESCRIPTION = ("family", "size", *WEIGHTS)


class ModelForm(forms.Form):
    """The form of one backend; `families` are suggestions. A new model begins with the settings of
    `family`.
    """

    families = FAMILIES
    name = forms.CharField(
        max_length=80,
        help_text="What people call it here.",
        label="Name in this project",
        validators=[validate_visible],
    )

    def __init__(
        self,
        *args: Any,
        backend: str,
        spec: ModelSpec | None = None,
        family: ServedFamily | None = None,
        **kwargs: Any,
    ) -> None:
        if spec is not None:
            kwargs["initial"] = initial_of(spec)
        elif family is not None:
            kwargs["initial"] = {PREFIX + name: value for name, value in family.values.items()}
        super().__init__(*args, **kwargs)
        self.backend = backend
        self.info = backend_info(backend)
        if self.info.needs_id:
            self._add_identity()
        self._add_description()
        if self.info.needs_id:
            self._add_weights()
        for parameter in self.info.parameters:
            self.fields[PREFIX + parameter.name] = _field(parameter, backend)
        if spec is not None:
            # Sent with the confirmation of how many results become outdated, so it is never shown
            # empty.
            self.fields["confirmed"] = forms.CharField(required=False, widget=forms.HiddenInput)

    def _add_identity(self) -> None:
        if self.backend == Backend.ELSEWHERE:
            self.fields["model_id"] = forms.CharField(
                max_length=200,
                required=False,
                label="Model id",
                help_text="What its authors call it, such as openai/clip-vit-large-patch14.",
            )
            return
        on_server = self.backend in ON_SERVERS
        self.fields["model_id"] = forms.CharField(
            max_length=200,
            label="Model id",
            help_text="The name that the server knows it by."
            if on_server
            else f"Such as openai/clip-vit-base-patch32. {_allowed()}",
            widget=forms.TextInput({"list": "served-models"} if on_server else {}),
        )
        if not on_server:
            self.fields["revision"] = forms.CharField(
                max_length=100,
                required=False,
                help_text="A commit of the model, so that later runs load the very same one.",
            )

    def _add_description(self) -> None:
        """Add what only tables of results show."""
        self.fields["family"] = forms.CharField(
            max_length=60,
            required=False,
            help_text="Tables of results group their rows by it, as the papers do. Such as "
            f"{', '.join(FAMILIES)}.",
            validators=[validate_visible],
            widget=forms.TextInput({"list": "families"}),
        )
        self.fields["size"] = forms.CharField(
            max_length=20,
            required=False,
            label="Number of parameters",
            help_text="Those of its language model, as the papers print them: 7B, 1.5B or 427M.",
        )

    def _add_weights(self) -> None:
        """Add what releases say of the weights."""
        self.fields["weights_source"] = forms.CharField(
            max_length=200,
            required=False,
            label="Source of the weights",
            help_text="Such as its page, or a package with its version.",
            validators=[validate_visible],
        )
        self.fields["weights_license"] = forms.CharField(
            max_length=100,
            required=False,
            label="License of the weights",
            help_text="Such as Apache-2.0.",
            validators=[validate_visible],
        )
        self.fields["weights_sha256"] = forms.RegexField(
            r"^[0-9a-f]{64}$",
            required=False,
            label="SHA-256 of the weights",
            help_text="A worker that loads .safetensors files here fills it in.",
            error_messages={"invalid": "Write the 64 digits 0-9 and a-f of a SHA-256."},
        )

    @property
    def weights_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in WEIGHTS if name in self.fields]

    def clean_size(self) -> int | None:
        try:
            return read_size(self.cleaned_data["size"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        parameters = {
            name.removeprefix(PREFIX): value
            for name, value in data.items()
            if name.startswith(PREFIX) and value not in (None, "")
        }
        data = {name: value for name, value in data.items() if not name.startswith(PREFIX)}
        if not self.errors:
            try:
                refuse_unlisted(self.backend, data.get("model_id", ""), parameters)
            except InferenceError as error:
                on_server = f"{PREFIX}server" in self.fields
                self.add_error(f"{PREFIX}server" if on_server else "model_id", str(error))
        return data | {"parameters": parameters}

    @property
    def values(self) -> dict[str, Any]:
        """Return the services' arguments that results depend on."""
        other = {"confirmed", *DESCRIPTION}
        return {name: value for name, value in self.cleaned_data.items() if name not in other}

    @property
    def description(self) -> Description:
        """Return what only describes the model."""
        data = self.cleaned_data
        weights = {name: data.get(name, "") for name in WEIGHTS}
        return Description(data["family"], data["size"], **weights)

    @property
    def served_models(self) -> list[tuple[str, str]]:
        """Return the ids of models that superusers named, each with its server, as suggestions."""
        return servers.model_ids(self.backend) if self.backend in ON_SERVERS else []

    @property
    def parameter_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name.startswith(PREFIX)]


def initial_of(spec: ModelSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "model_id": spec.model_id,
        "revision": spec.revision,
        "family": spec.family,
        "size": size_words(spec.parameter_count),
        **{name: getattr(spec, name) for name in WEIGHTS},
        **{PREFIX + name: value for name, value in spec.parameters.items()},
    }


def _allowed() -> str:
    patterns = settings.VERICAP_ALLOWED_MODELS
    if not patterns:
        return (
            "None may be loaded here until the person who runs this site sets "
            "VERICAP_ALLOWED_MODELS."
        )
    return f"May be loaded here: {', '.join(patterns)}."


def _field(parameter: Parameter, backend: str) -> forms.Field:
    shared = {
        "label": parameter.name.replace("_", " ").capitalize(),
        "required": False,
        "initial": parameter.default,
    }
    if parameter.name == "server":
        names = servers.names(backend)
        return forms.ChoiceField(
            **shared | {"required": True},
            choices=[("", "Choose a server"), *((name, name) for name in names)],
            help_text="Superusers add servers on the page Model servers.",
            error_messages={
                "required": f"Choose a server. Named here: {', '.join(names) or 'none'}."
            },
        )
    help_text = f"{_sentence(parameter.help)} {_bounds(parameter)}Empty: {_shown(parameter)}."
    if parameter.choices:
        choices = [(choice, choice) for choice in parameter.choices]
        return forms.ChoiceField(
            **shared, choices=choices, help_text=_sentence(parameter.help), widget=forms.Select
        )
    if parameter.kind is str:
        longest = 1000 if parameter.is_json else 100
        return forms.CharField(**shared, max_length=longest, help_text=help_text)
    kind = forms.IntegerField if parameter.kind is int else forms.FloatField
    return bounded(kind, parameter.least, parameter.most, **shared, help_text=help_text)


def bounded(
    kind: Callable[..., forms.Field], least: float, most: float, **options: Any
) -> forms.Field:
    """Return a number field whose error states both bounds."""
    mend = f"Keep it {between(least, most)}."
    messages = {"min_value": mend, "max_value": mend}
    return kind(
        **options,
        min_value=least if math.isfinite(least) else None,
        max_value=most if math.isfinite(most) else None,
        error_messages=messages,
    )


def between(least: float, most: float) -> str:
    if math.isfinite(most):
        return f"between {_plain(least)} and {_plain(most)}"
    return f"at {_plain(least)} or more"


def _bounds(parameter: Parameter) -> str:
    if not math.isfinite(parameter.least):
        return ""
    if not math.isfinite(parameter.most):
        return f"From {_plain(parameter.least)}. "
    return f"{_plain(parameter.least)} to {_plain(parameter.most)}. "


def _plain(number: float) -> str:
    return f"{number:,.6f}".rstrip("0").rstrip(".")


def _shown(parameter: Parameter) -> str:
    if parameter.kind is str:
        return str(parameter.default) or "nothing"
    return _plain(parameter.default)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."
