"""The operations of the API: what each takes and gives is declared once, kept to, and described."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, cast

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.datastructures import MultiValueDict
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, Serializer
from rest_framework.views import APIView

from annotate.access import UserRequest
from annotate.api.forms import has_files, sent_files, typed
from annotate.api.paging import BY_KEY, Orders, page_of
from annotate.models import ApiToken, User

READ, WORK, ADMIN = ApiToken.Scope.READ, ApiToken.Scope.WORK, ApiToken.Scope.ADMIN
Handler = Callable[..., Any]


@dataclass(frozen=True)
class Operation:
    """`gives` describes the answer; None if it has no body. With `maybe_nothing` the body is
    optional; `gives_file` lists the types of a file.

    With `orders`, the handler returns the rows of a list, and one page of them is sent. `takes`
    describes the body (JSON, or a form if it has files) and `query` the parameters; other names are
    refused.
    """

    gives: type[BaseSerializer[Any]] | None = None
    gives_file: tuple[str, ...] = ()
    maybe_nothing: bool = False
    query: type[Serializer[Any]] | None = None
    takes: type[Serializer[Any]] | None = None
    takes_file: bool = False
    orders: Orders | None = None
    status: int = 200
    scope: ApiToken.Scope = READ

    @property
    def takes_form(self) -> bool:
        return self.takes is not None and has_files(self.takes)


def operation(**declared: Any) -> Callable[[Handler], Handler]:
    """Declare a handler's Operation. The handler reads the checked input in `self.query` and
    `self.values`.
    """
    of_handler = Operation(**declared)

    def declare(handler: Handler) -> Handler:
        @wraps(handler)
        def handle(view: ApiView, request: Request, **keys: Any) -> HttpResponseBase:
            view.declared = of_handler
            view.query = _checked(of_handler.query, request.query_params.dict())
            return view.answer(of_handler, handler(view, view.asker, **keys))

        handle.operation = of_handler  # type: ignore[attr-defined]  # read by the schema
        return handle

    return declare


def operation_of(view: APIView, method: str) -> Operation:
    return cast(Operation, getattr(view, method.lower()).operation)


def _checked(declared: type[Serializer[Any]] | None, sent: Any) -> dict[str, Any]:
    """Return the checked values of `sent`. Raises ValidationError, also for undeclared names."""
    if not isinstance(sent, Mapping):
        raise ValidationError({"body": "Send a JSON object."})
    fields = declared().fields if declared else {}
    if unknown := sorted(set(sent) - {name for name in fields if not fields[name].read_only}):
        allowed = ", ".join(fields) or "none"
        raise ValidationError(dict.fromkeys(unknown, f"Unknown field. Choose from: {allowed}."))
    if declared is None:
        return {}
    serializer = declared(data=sent)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class ApiView(APIView):
    """A resource for requests with a valid token. Its methods are operations. The documentation
    lists them under the `TAG` of its module."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    declared: Operation
    query: dict[str, Any]
    asker: UserRequest
    token: ApiToken

    def initial(self, request: Request, *args: Any, **keys: Any) -> None:
        """Sign in, and refuse a token of another project or of too small a scope."""
        super().initial(request, *args, **keys)
        self.asker = cast(UserRequest, request._request)
        self.asker.user = cast(User, request.user)
        self.token = cast(ApiToken, request.auth)
        own = self.token.membership.project.slug
        # Every other project gets the same answer: unknown, a stranger's, and the person's own.
        if keys.get("slug", own) != own:
            raise Http404
        if (method := (request.method or "").lower()) in self.http_method_names and hasattr(
            self, method
        ):
            needed = operation_of(self, method).scope
            if not self.token.allows(needed):
                has = self.token.scope
                raise PermissionDenied(f"This needs a token of the scope “{needed}”, not “{has}”.")

    def get_parsers(self) -> list[BaseParser]:
        # The schema is built without a request.
        method = self.request.method if getattr(self, "request", None) else None
        handler: Any = getattr(self, (method or "").lower(), None)
        if hasattr(handler, "operation") and handler.operation.takes_form:
            return [MultiPartParser()]
        return super().get_parsers()

    @cached_property
    def values(self) -> dict[str, Any]:
        """The body. It is checked when a handler asks for it, after the handler has checked the
        person's rights.
        """
        return _checked(self.declared.takes, self.request.data)

    def typed(self, prefix: str = "", **more: Any) -> QueryDict:
        """Return the body as a page's form sends it, with the values that a program can omit."""
        return typed(self.values | more, prefix)

    def files(self, prefix: str = "") -> MultiValueDict[str, UploadedFile[bytes]]:
        return sent_files(self.values, prefix)

    def answer(self, declared: Operation, result: Any) -> HttpResponseBase:
        if isinstance(result, HttpResponseBase):
            return result
        if declared.gives is None or result is None:
            return Response(status=204)
        if declared.orders is None:
            return Response(declared.gives(result).data, status=declared.status)
        rows, following = page_of(self.request, result, self.query, declared.orders)
        self.clear_hidden(self.asker, rows)
        return Response({"results": declared.gives(rows, many=True).data, "next": following})

    def clear_hidden(self, asker: UserRequest, rows: list[Any]) -> None:
        """Clear what the person may not read of the rows on a page of a list."""

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **keys: Any
    ) -> Response:
        final = super().finalize_response(request, response, *args, **keys)
        patch_vary_headers(final, ["Authorization"])
        if "Cache-Control" not in final:
            final["Cache-Control"] = "private, no-cache"
        if request.method in {"GET", "HEAD"} and isinstance(final, Response):
            final.add_post_render_callback(lambda rendered: _with_etag(request, rendered))
        return final


def _with_etag(request: HttpRequest, rendered: HttpResponse) -> HttpResponse | None:
    """Set the content's hash as its ETag; return 304 if the client has this content already."""
    if rendered.status_code != 200:
        return None
    etag = f'"{hashlib.sha256(rendered.content).hexdigest()[:32]}"'
    rendered["ETag"] = etag
    return get_conditional_response(request, etag, response=rendered)


__all__ = ["ADMIN", "BY_KEY", "READ", "WORK", "ApiView", "Operation", "operation", "operation_of"]
