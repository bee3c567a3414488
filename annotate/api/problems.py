"""Errors as problem details (RFC 9457). None says more than the page would."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied
from django.forms import BaseForm
from django.http import Http404, JsonResponse
from rest_framework import exceptions, serializers
from rest_framework.response import Response

from annotate.agreed import ConsentMissing
from annotate.errors import DraftConflict, LeaseLost, Refused, WorkWithdrawn

MEDIA_TYPE = "application/problem+json"
NOT_THERE = "Nothing was found at this address, or your token gives no access to it."


@dataclass(frozen=True)
class Problem:
    """`name` is the end of its type, a URN that never changes; `more` are additional members."""

    status: int
    name: str
    title: str
    detail: str
    errors: tuple[dict[str, str], ...] = ()
    more: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "type": f"urn:vericap:problem:{self.name}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
        }
        return document | ({"errors": list(self.errors)} if self.errors else {}) | self.more


class ProblemError(Exception):
    """Answer with this problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


Form = TypeVar("Form", bound=BaseForm)


def checked_form(form: Form) -> Form:
    """Return the form if it is valid, or raise its errors, with the names of its fields."""
    if form.is_valid():
        return form
    raise exceptions.ValidationError(
        {
            "body" if name == NON_FIELD_ERRORS else name: [str(error) for error in errors]
            for name, errors in form.errors.items()
        }
    )


class FieldErrorSerializer(serializers.Serializer[Any]):
    field = serializers.CharField(help_text="The field, with dots and numbers for inner ones.")
    detail = serializers.CharField(help_text="What is wrong and what to do.")


class ProblemSerializer(serializers.Serializer[Any]):
    """A problem, as in RFC 9457."""

    type = serializers.CharField(help_text="`urn:vericap:problem:` and a name, which never change.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="A sentence for a person.")
    errors = FieldErrorSerializer(  # type: ignore[assignment]  # a field of this name
        many=True, required=False
    )


def problem_response(problem: Problem) -> JsonResponse:
    """Return the answer for what no view of the API sees."""
    return JsonResponse(problem.as_dict(), status=problem.status, content_type=MEDIA_TYPE)


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the answer to an error of a view, or None for an error of the program."""
    problem = problem_of(error)
    if problem is None:
        return None
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    return Response(
        problem.as_dict(), status=problem.status, headers=headers, content_type=MEDIA_TYPE
    )


def problem_of(error: Exception) -> Problem | None:
    match error:
        case Http404() | exceptions.NotFound():
            return Problem(404, "not-found", "Not found", NOT_THERE)
        case PermissionDenied() | exceptions.PermissionDenied():
            return Problem(403, "forbidden", "Not allowed", _detail(error))
        case exceptions.ValidationError():
            errors = tuple(_flat(error.detail))
            detail = " ".join(f"{each['field']}: {each['detail']}" for each in errors)
            return Problem(422, "invalid", "Invalid", detail, errors)
        case exceptions.APIException():
            return Problem(error.status_code, *_OF_HTTP[error.status_code], _detail(error))
        case ProblemError():
            return error.problem
        case Refused():
            return _of_refusal(error)
    return None


_OF_HTTP = {
    400: ("unreadable", "Can’t be read"),
    401: ("no-token", "No valid token"),
    405: ("method-not-allowed", "Method not allowed"),
    406: ("not-acceptable", "No such representation"),
    415: ("unsupported-media-type", "Unsupported media type"),
    429: ("too-many-requests", "Too many requests"),
}


def _of_refusal(error: Refused) -> Problem:
    match error:
        case DraftConflict():
            stored = error.assignment
            more = {"version": stored.draft_version, "content": stored.draft}
            return Problem(409, "draft-conflict", "The draft has changed", str(error), more=more)
        case ConsentMissing():
            return Problem(403, "consent-missing", "Consent is missing", str(error))
        case WorkWithdrawn():
            return Problem(410, "withdrawn", "The work was withdrawn", str(error))
        case LeaseLost():
            return Problem(410, "lease-lost", "The lease has ended", str(error))
    if wrong := error.by_field():
        errors = tuple({"field": field or "body", "detail": mend} for field, mend in wrong)
        return Problem(422, "invalid", "Invalid", str(error), errors)
    return Problem(409, "refused", "Refused", str(error))


def _detail(error: Exception) -> str:
    return str(error) or "Your role in the project does not allow this."


def _flat(detail: Any, path: str = "") -> list[dict[str, str]]:
    """Return each message with its field, such as `items.3.name`."""
    if isinstance(detail, dict):
        inner = [(str(key), value) for key, value in detail.items()]
    elif isinstance(detail, list) and any(isinstance(each, (dict, list)) for each in detail):
        inner = [(str(place), value) for place, value in enumerate(detail) if value]
    else:
        messages = detail if isinstance(detail, list) else [detail]
        return [{"field": path or "body", "detail": str(message)} for message in messages]
    return [
        error
        for key, value in inner
        for error in _flat(value, path if key == "non_field_errors" else f"{path}.{key}".strip("."))
    ]
