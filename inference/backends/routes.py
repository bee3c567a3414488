"""Requests to a registered server: through the guard, each to the least busy of its addresses."""

from __future__ import annotations

import math
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

import httpcore2
import httpx2

from annotate.outgoing.errors import OutgoingFailed
from annotate.outgoing.network import GuardedNetwork, resolve_host
from inference.backends.retries import MAX_REQUESTED_WAIT, Retries
from inference.backends.servers import ModelServer, allowed_hosts

# A server that refuses a request with these may take the next one after a rest.
RESTING = {429, 502, 503, 504, 529}
USUAL_REST = 10.0
NOT_REACHED = (httpx2.ConnectError, httpx2.ConnectTimeout)


@dataclass
class Route:
    """An address: its requests in flight, and the moment until which it rests."""

    url: httpx2.URL
    in_flight: int = 0
    rests_until: float = -math.inf


class RoutedTransport(httpx2.BaseTransport):
    """Sends a request for the server's first address to any of them. One that can't be reached or
    is too busy rests, for as long as it asks, and the request goes to the next.
    """

    def __init__(
        self,
        server: ModelServer,
        *,
        trusted: ssl.SSLContext,
        limits: httpx2.Limits,
        timeout: float,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.routes = [Route(httpx2.URL(url)) for url in (server.url, *server.other_urls)]
        self._inner = _GuardedTransport(trusted, limits, timeout)
        self._now = now
        self._lock = Lock()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        tried: list[Route] = []
        while True:
            route = self._take(tried)
            tried.append(route)
            try:
                response = self._inner.handle_request(self._moved(request, route))
            except NOT_REACHED:
                self._release(route, rest=USUAL_REST)
                if self._is_last(tried):
                    raise
                continue
            except BaseException:
                self._release(route)
                raise
            if response.status_code not in RESTING:
                response.stream = _Counted(response.stream, partial(self._release, route))
                return response
            wait = Retries(1).seconds_asked(response.headers)
            rest = USUAL_REST if wait is None else min(wait, MAX_REQUESTED_WAIT)
            self._release(route, rest=rest)
            if self._is_last(tried):
                return response
            response.close()

    def close(self) -> None:
        self._inner.close()

    def _take(self, tried: list[Route]) -> Route:
        """Return the least busy address, but a resting one only if all rest."""
        with self._lock:
            route = min(
                (route for route in self.routes if route not in tried),
                key=lambda route: (max(0.0, route.rests_until - self._now()), route.in_flight),
            )
            route.in_flight += 1
            return route

    def _release(self, route: Route, *, rest: float = 0.0) -> None:
        with self._lock:
            route.in_flight -= 1
            if rest:
                route.rests_until = self._now() + rest

    def _is_last(self, tried: list[Route]) -> bool:
        """Return whether every other address was tried or rests."""
        with self._lock:
            others = [route for route in self.routes if route not in tried]
            return all(route.rests_until > self._now() for route in others)

    def _moved(self, request: httpx2.Request, route: Route) -> httpx2.Request:
        base = self.routes[0].url.raw_path.rstrip(b"/")
        path = route.url.raw_path.rstrip(b"/") + request.url.raw_path[len(base) :]
        headers = request.headers.copy()
        headers["Host"] = route.url.netloc.decode()
        return httpx2.Request(
            request.method,
            route.url.copy_with(raw_path=path),
            headers=headers,
            stream=request.stream,
            extensions=request.extensions,
        )


class _Counted(httpx2.SyncByteStream):
    """A reply's bytes; calls `ended` once, when it is closed."""

    def __init__(self, stream: object, ended: Callable[[], None]) -> None:
        assert isinstance(stream, httpx2.SyncByteStream)
        self._stream = stream
        self._ended: Callable[[], None] | None = ended

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        ended, self._ended = self._ended, None
        if ended:
            ended()
        self._stream.close()


class _GuardedTransport(httpx2.HTTPTransport):
    """Connects only to hosts that the guard permits, and through no proxy."""

    def __init__(self, trusted: ssl.SSLContext, limits: httpx2.Limits, timeout: float) -> None:
        super().__init__(verify=trusted, trust_env=False, limits=limits)
        # The client offers no other way to choose how it connects.
        self._pool = httpcore2.ConnectionPool(
            ssl_context=trusted,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            network_backend=_Network(allowed_hosts(), math.inf, timeout, resolve_host),
        )


class _Network(GuardedNetwork):
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        try:
            return super().connect_tcp(host, port, timeout)
        except OutgoingFailed as error:
            raise httpcore2.ConnectError(str(error)) from error
