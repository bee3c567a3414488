"""Everybody signs in first; a script is told so in words that it can act on."""

from __future__ import annotations

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, JsonResponse

from annotate.views.responses import wants_json


class SignInFirst(LoginRequiredMiddleware):
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
