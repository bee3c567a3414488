"""A page's form as the body of an operation, so that the same form checks what a program sends.

Fields of a form become fields of the body, with their bounds and usual values. The form itself
checks what depends on the project, such as the choices of a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from rest_framework import serializers
from rest_framework.fields import empty

MIN_NUMBER, MAX_NUMBER = -(2**31), 2**31 - 1
MAX_KEY = 2**63 - 1


class SentFile(serializers.FileField):
    """A file in a body of the type `multipart/form-data`."""


class NamedShapes(serializers.DictField):
    """A map of texts with one of several shapes, each a JSON Schema with a name."""

    def shapes(self) -> dict[str, dict[str, Any]]:
        raise NotImplementedError


class Tick(serializers.BooleanField):
    """A checkbox of a form. If it is missing, it has its usual value, also in a body with files."""

    default_empty_html = empty


class Whole(serializers.IntegerField):
    """A whole number that every database stores."""

    def __init__(self, **options: Any) -> None:
        given = {name: value for name, value in options.items() if value is not None}
        super().__init__(**{"min_value": MIN_NUMBER, "max_value": MAX_NUMBER} | given)


def key_field(**options: Any) -> Whole:
    """Return a field for the key of a row."""
    return Whole(min_value=1, max_value=MAX_KEY, **options)


def body_of(name: str, form: type[forms.BaseForm]) -> type[serializers.Serializer[Any]]:
    """Return the description of a body with the fields of a form."""
    fields = {
        key: _field(field)
        for key, field in form.base_fields.items()  # type: ignore[attr-defined]  # by its metaclass
    }
    return type(f"{name}Serializer", (serializers.Serializer,), fields)


def has_files(body: type[serializers.Serializer[Any]]) -> bool:
    return any(isinstance(field, SentFile) for field in body().fields.values())


def typed(values: Mapping[str, Any], prefix: str = "") -> QueryDict:
    """Return values as a page sends them, with the prefix of the form."""
    data = QueryDict(mutable=True)
    for name, value in values.items():
        key = f"{prefix}-{name}" if prefix else name
        if value is not None and not isinstance(value, UploadedFile):
            data[key] = str(value)
    return data


def sent_files(
    values: Mapping[str, Any], prefix: str = ""
) -> MultiValueDict[str, UploadedFile[bytes]]:
    return MultiValueDict(
        {
            f"{prefix}-{name}" if prefix else name: [value]
            for name, value in values.items()
            if isinstance(value, UploadedFile)
        }
    )


def _field(field: forms.Field) -> serializers.Field[Any, Any, Any, Any]:
    usual = field.initial() if callable(field.initial) else field.initial
    options: dict[str, Any] = {"help_text": str(field.help_text or field.label or "") or None}
    if usual is None:
        options["required"] = field.required
    else:
        options["default"] = usual
    if isinstance(field, forms.FileField):
        return SentFile(**options)
    if isinstance(field, forms.BooleanField):
        options.pop("required", None)
        return Tick(**{"default": False} | options)
    if isinstance(field, forms.ChoiceField):
        return _choice(field, options)
    if isinstance(field, forms.IntegerField):
        return Whole(min_value=field.min_value, max_value=field.max_value, **options)
    if isinstance(field, forms.DateField):
        return serializers.DateField(**options)
    longest = field.max_length if isinstance(field, forms.CharField) else None
    return serializers.CharField(
        max_length=longest, allow_blank=not field.required, trim_whitespace=False, **options
    )


def _choice(
    field: forms.ChoiceField, options: dict[str, Any]
) -> serializers.Field[Any, Any, Any, Any]:
    if isinstance(field, forms.ModelChoiceField):
        if field.to_field_name:
            return serializers.CharField(max_length=200, **options)
        return key_field(**options)
    if getattr(field, "coerce", None) is int:
        return Whole(min_value=0, max_value=MAX_KEY, **options)
    if choices := [key for key, _ in list(cast(Any, field.choices)) if key != ""]:
        return serializers.ChoiceField(choices=choices, **options)
    return serializers.CharField(max_length=1000, **options)
