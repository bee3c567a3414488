"""The page that describes the API, and its description as a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest

SAID_FORMATS = {"date-time", "uri", "email"}
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Field:
    name: str
    type: str
    is_required: bool
    help: str


@dataclass(frozen=True)
class OperationText:
    method: str
    path: str
    summary: str
    description: str
    parameters: list[Field]
    body: list[Field]
    answer: list[Field]
    statuses: list[str]


@require_GET
def reference(request: UserRequest) -> HttpResponse:
    # Imported by the first reader, because it takes memory.
    from annotate.api.schema import api_schema

    context = {"groups": operation_groups(api_schema())}
    return render(request, "annotate/api/reference.html", context)


@login_not_required  # programs that generate clients have no session
@require_GET
def openapi(request: HttpRequest) -> HttpResponse:
    from annotate.api.schema import api_schema_json

    return HttpResponse(api_schema_json(), content_type="application/vnd.oai.openapi+json")


def operation_groups(schema: dict[str, Any]) -> list[tuple[str, list[OperationText]]]:
    """Return the operations of an OpenAPI document by tag, in the order of their addresses."""
    groups: dict[str, list[OperationText]] = {}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if described := methods.get(method):
                text = _operation(schema, method, path, described)
                groups.setdefault(described["tags"][0], []).append(text)
    return sorted(groups.items())


def _operation(
    schema: dict[str, Any], method: str, path: str, described: dict[str, Any]
) -> OperationText:
    answers = described["responses"]
    succeeded = next(answers[status] for status in answers if status.startswith("2"))
    return OperationText(
        method.upper(),
        path,
        described["summary"],
        described.get("description", ""),
        [
            Field(
                parameter["name"],
                _type(parameter["schema"]),
                parameter.get("required", False),
                parameter.get("description", ""),
            )
            for parameter in described.get("parameters", [])
        ],
        _fields(schema, described.get("requestBody", {})),
        _fields(schema, succeeded),
        sorted(answers),
    )


def _fields(schema: dict[str, Any], body: dict[str, Any]) -> list[Field]:
    """Return the fields of a body or form; for a list, the fields of its rows."""
    content = body.get("content", {})
    described = content.get("application/json") or content.get("multipart/form-data") or {}
    shape = _resolved(schema, described.get("schema", {}))
    if rows := shape.get("properties", {}).get("results"):
        shape = _resolved(schema, rows["items"])
    required = shape.get("required", [])
    return [
        Field(name, _type(_resolved(schema, each)), name in required, each.get("description", ""))
        for name, each in shape.get("properties", {}).items()
    ]


def _resolved(schema: dict[str, Any], shape: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in shape:
        return shape
    resolved: dict[str, Any] = schema["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
    return resolved


def _type(shape: dict[str, Any]) -> str:
    if values := shape.get("enum"):
        return " | ".join(str(value) for value in values if value is not None)
    kind = shape.get("type", "object")
    kinds = kind if isinstance(kind, list) else [kind]
    named = [shape["format"]] if shape.get("format") in SAID_FORMATS else []
    return ", ".join([" or ".join(kinds), *named])
