"""How many requests a token, and an address without one, may send in a minute.

Counters are in the cache. Where several processes share a cache of files, a few simultaneous
requests may count as one.
"""

from __future__ import annotations

import time

from allauth.core.internal import ratelimit
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from rest_framework.exceptions import Throttled

MINUTE = 60
# Requests of an address without a valid token.
REFUSED_A_MINUTE = 60


def count_request(token_id: int) -> None:
    """Raise Throttled if the token has used up its minute."""
    _count(f"token-{token_id}", settings.VERICAP_API_REQUESTS_PER_MINUTE)


def count_refusal(request: HttpRequest) -> None:
    """Raise Throttled if the address sends nothing but requests without a valid token."""
    _count(f"address-{ratelimit.get_ip(request)}", REFUSED_A_MINUTE)


def _count(who: str, most: int) -> None:
    minute, second = divmod(int(time.time()), MINUTE)
    key = f"api-{who}-{minute}"
    # A counter that the cache has dropped in the meantime starts again.
    number = 1 if cache.add(key, 1, MINUTE) else _add_one(key)
    if number > most:
        raise Throttled(MINUTE - second, f"At most {most} requests a minute. Wait, then continue.")


def _add_one(key: str) -> int:
    try:
        return int(cache.incr(key))
    except ValueError:
        return 1
