"""What holds for every request: one policy for its page's content, and that people sign in."""

from __future__ import annotations

from collections.abc import Callable

from csp.utils import build_policy
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, JsonResponse

from annotate.views.responses import wants_json


class ContentPolicy:
    """The Content-Security-Policy of the settings, the same for every page, so it is built once.

    django-csp's own middleware builds it twice for each response, for views that change it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = build_policy()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers["Content-Security-Policy"] = self.policy
        return response


class SignInFirst(LoginRequiredMiddleware):
    """A script is told to sign in with words that it can act on."""

    def handle_no_permission(self, request: HttpRequest, view_func) -> HttpResponse:
        if wants_json(request):
            return JsonResponse(
                {
                    "code": "signed_out",
                    "message": "You are signed out. Sign in in another tab, then go on here.",
                },
                status=401,
            )
        return super().handle_no_permission(request, view_func)
