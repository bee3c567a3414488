"""The description of the API as OpenAPI 3.1, made from the declared operations.

This module is loaded on the first request for the schema: drf-spectacular takes memory that no
other request needs.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from typing import Any, cast

from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerFieldExtension,
)
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiParameter
from rest_framework.serializers import CharField, Serializer

from annotate.api.authentication import TokenAuthentication
from annotate.api.forms import NamedShapes, SentFile
from annotate.api.operations import READ, ApiView, Operation, operation_of
from annotate.api.problems import MEDIA_TYPE, ProblemSerializer


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


class SentFileDescription(OpenApiSerializerFieldExtension):
    target_class = SentFile

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, str]:
        return {"type": "string", "format": "binary"}


class NamedShapesDescription(OpenApiSerializerFieldExtension):
    target_class = NamedShapes
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        components = [
            ResolvedComponent(name, ResolvedComponent.SCHEMA, schema, object=name)
            for name, schema in self.target.shapes().items()
        ]
        for component in components:
            auto_schema.registry.register_on_missing(component)
        return {"anyOf": [component.ref for component in components]}


class OperationSchema(AutoSchema):
    """Describes an operation by its declaration and the docstring of its handler."""

    @property
    def operation(self) -> Operation:
        return operation_of(self.view, self.method)

    def get_operation_id(self) -> str:
        return (
            str(getattr(self.view, self.method.lower()).__doc__)
            .partition(".")[0]
            .lower()
            .replace(" ", "_")
        )

    def get_summary(self) -> str:
        return _lines(getattr(self.view, self.method.lower()))[0]

    def get_description(self) -> str:  # type: ignore[override]  # as its base class does
        more = _lines(getattr(self.view, self.method.lower()))[1]
        needs = "" if self.operation.scope == READ else f"Needs the scope `{self.operation.scope}`."
        return " ".join(filter(None, [more, needs]))

    def get_tags(self) -> list[str]:
        return [sys.modules[self.view.__module__].TAG]

    def get_override_parameters(self) -> list[Any]:
        offset = OpenApiParameter(
            "Upload-Offset",
            int,
            OpenApiParameter.HEADER,
            required=True,
            description="Where the bytes belong: how many have arrived.",
        )
        query = [self.operation.query] if self.operation.query else []
        return query + ([offset] if self.operation.takes_file else [])

    def get_request_serializer(self) -> Any:
        if self.operation.takes_file:
            return {"application/octet-stream": {"type": "string", "format": "binary"}}
        if self.operation.takes_form:
            return {"multipart/form-data": self.operation.takes}
        return self.operation.takes

    def get_response_serializers(self) -> Any:
        declared = self.operation
        answers: dict[Any, Any] = {}
        if declared.gives_file:
            answers |= {(200, file_type): _file(file_type) for file_type in declared.gives_file}
        elif declared.gives is None:
            answers[204] = None
        else:
            answers[declared.status] = (
                page_serializer(cast(Any, declared.gives)) if declared.orders else declared.gives
            )
        if declared.maybe_nothing:
            answers[204] = None
        if self.method == "GET":
            answers[304] = None
        problems = [400, 401, 403, 404, 406, 409, 422, 429, 503]
        if declared.takes_file:
            problems += [413, 507]
        if self.method != "GET":
            problems += [410, 415]
        return answers | {(status, MEDIA_TYPE): ProblemSerializer for status in sorted(problems)}

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False


@cache
def page_serializer(row: type[Any]) -> type[Serializer[Any]]:
    """Return the description of a page of rows."""
    name = row.__name__.removesuffix("Serializer")
    following = CharField(allow_null=True, help_text="Address of the next page; null on the last.")
    members = {"results": row(many=True), "next": following, "__doc__": f"A page of {name}."}
    return type(f"{name}PageSerializer", (Serializer,), members)


@cache
def api_schema() -> dict[str, Any]:
    """Return the OpenAPI document."""
    ApiView.schema = OperationSchema()
    described: dict[str, Any] = SchemaGenerator().get_schema(public=True)
    return described


@cache
def api_schema_json() -> bytes:
    return json.dumps(api_schema(), ensure_ascii=False).encode()


def _lines(handler: Any) -> tuple[str, str]:
    """Return the first sentence of the docstring, and the rest, each on one line."""
    text = re.sub(r"\s+", " ", handler.__doc__ or "").strip()
    first, _, more = text.partition(". ")
    return first.removesuffix(".") + ".", more


def _file(file_type: str) -> dict[str, str]:
    """Return the description of a file: JSON as its contents, anything else as bytes."""
    if file_type == "application/json":
        return {"description": "The file's JSON."}
    return {"type": "string", "format": "binary"}
