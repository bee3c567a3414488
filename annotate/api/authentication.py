"""Sign in with a token: `Authorization: Bearer vericap_…`."""

from __future__ import annotations

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotate.api.limits import count_refusal, count_request
from annotate.models import ApiToken, User
from annotate.tokens.queries import find_token
from annotate.tokens.services import note_use

SCHEME = "Bearer"
SEND_ONE = (
    "Send “Authorization: Bearer” and a token. Make one under Settings → API tokens of the project."
)
NOT_VALID = "This token is unknown, revoked or expired. Make another under Settings → API tokens."


class TokenAuthentication(BaseAuthentication):
    """A session doesn't count here, so no other site can use a browser that is signed in."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken]:
        scheme, _, text = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        is_sent = scheme.lower() == SCHEME.lower() and text.strip()
        token = find_token(text.strip()) if is_sent else None
        if token is None:
            count_refusal(request._request)
            raise AuthenticationFailed(NOT_VALID if is_sent else SEND_ONE)
        count_request(token.pk)
        note_use(token)
        return token.membership.user, token

    def authenticate_header(self, request: Request) -> str:
        return SCHEME
