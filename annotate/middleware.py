"""Rules for every request: refusals, sign-in, and response headers."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from csp.utils import build_policy
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.urls import is_valid_path

from annotate.api.forms import MAX_KEY
from annotate.api.problems import NOT_THERE, Problem, problem_response
from annotate.responses import wants_json

API = "/api/"
NUL = Problem(400, "unreadable", "Can’t be read", "A NUL character in the address or in a cookie.")
NO_SUCH_KEY = Problem(404, "not-found", "Not found", NOT_THERE)


class ContentPolicy:
    """Adds the Content-Security-Policy, which is the same for every page and built only once.

    django-csp's own middleware builds it twice for each response, for views that change it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = build_policy()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers["Content-Security-Policy"] = self.policy
        return response


class RefuseUnstorable:
    """Refuse what would make a query fail: a URL or a cookie with a NUL character, which PostgreSQL
    can't store, and the key of a row in an address that is larger than any key. Forms refuse both
    in their fields, and drafts replace NUL (`annotate.queue.content`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        query = request.META.get("QUERY_STRING", "")
        if "%00" in query or any(
            "\0" in text for text in (query, request.path, *_cookies(request))
        ):
            if request.path.startswith(API):
                return problem_response(NUL)
            raise BadRequest(NUL.detail)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: dict[str, object]
    ) -> HttpResponse | None:
        if any(isinstance(value, int) and value > MAX_KEY for value in kwargs.values()):
            if request.path.startswith(API):
                return problem_response(NO_SUCH_KEY)
            raise Http404
        return None


def _cookies(request: HttpRequest) -> list[str]:
    return [text for cookie in request.COOKIES.items() for text in cookie]


class LeadBack:
    """Redirect a GET of a form's address that only takes POST to the page above it. After a refusal
    the browser shows this address, and people open it again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_browser = "text/html" in request.headers.get("Accept", "")
        if response.status_code == 405 and request.method == "GET" and is_browser:
            return redirect(_page_above(request.path_info))
        return response


class OpenPage:
    """Let htmx load the page to which a form in place (`saves_in`) redirects, unless it is the
    form's own page, of which htmx swaps a part.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_in_place = request.method == "POST" and request.headers.get("HX-Boosted") == "true"
        if not is_in_place or response.status_code != 302:
            return response
        page, address = request.headers.get("HX-Current-URL", ""), response.headers["Location"]
        if urlsplit(address).path != urlsplit(page).path:
            response.status_code = 200  # of a redirect, htmx would only see where it leads
            del response.headers["Location"]
            response.headers["HX-Redirect"] = address
        return response


def _page_above(address: str) -> str:
    """Return the nearest address above this one that leads anywhere; it may be a form's again."""
    parts = address.strip("/").split("/")[:-1]
    while parts:
        above = f"/{'/'.join(parts)}/"
        if is_valid_path(above):
            return above
        parts.pop()
    return "/"


class KeepPrivate:
    """Forbid caching of a signed-in person's pages, so that the back button shows none after
    signing out. A view's own rule, such as that of a video, has priority.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.has_header("Cache-Control") and request.user.is_authenticated:
            response.headers["Cache-Control"] = "private, no-store"
        return response


class SignInFirst(LoginRequiredMiddleware):
    """Require signing in; scripts, htmx too, get a response that they can act on."""

    def handle_no_permission(  # type: ignore[override]  # Django sends any response on
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponse:
        if wants_json(request):
            return JsonResponse(
                {
                    "code": "signed_out",
                    "message": "You are signed out. Sign in in another tab, then continue here.",
                },
                status=401,
            )
        if request.headers.get("HX-Request") == "true":
            return HttpResponse("You are signed out.", status=401)
        return super().handle_no_permission(request, view_func)
