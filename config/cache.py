"""The cache of production."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import Any, ClassVar

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = logging.getLogger(__name__)
REDIS_OPTIONS = {
    "socket_connect_timeout": 1,
    "socket_timeout": 1,
    # A connection from before a restart of Redis fails once; more tries would only take time.
    "retry": Retry(NoBackoff(), 1),
}
PAUSE_SECONDS = 10


def _with_fallback(name: str) -> Callable[..., Any]:
    def method(self: RedisOrMemory, *args: Any, **options: Any) -> Any:
        if monotonic() >= RedisOrMemory.redis_again_at:
            try:
                return getattr(RedisCache, name)(self, *args, **options)
            except RedisError as error:
                RedisOrMemory.redis_again_at = monotonic() + PAUSE_SECONDS
                logger.error("Redis failed; caching in memory for %s s: %s", PAUSE_SECONDS, error)
        return getattr(self.memory, name)(*args, **options)

    return method


class RedisOrMemory(RedisCache):
    """Redis, or the memory of this process while Redis fails, so that no request fails with it.

    Limits then count for each process. Nothing in the cache may decide who is signed in: what was
    deleted in memory is still in Redis when it returns.
    """

    redis_again_at: ClassVar[float] = 0.0

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, {**params, "OPTIONS": REDIS_OPTIONS})
        self.memory = LocMemCache("while-redis-fails", params)

    add, get, set, touch = map(_with_fallback, ("add", "get", "set", "touch"))
    delete, get_many, has_key = map(_with_fallback, ("delete", "get_many", "has_key"))
    incr, set_many, delete_many = map(_with_fallback, ("incr", "set_many", "delete_many"))
    clear = _with_fallback("clear")
