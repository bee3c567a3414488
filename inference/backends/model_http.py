"""HTTP with a model server: which headers are sent, and how much of a reply is read."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from functools import cache

import httpx2

from inference.backends.protocols import BackendError
from inference.backends.routes import RoutedTransport
from inference.backends.servers import ModelServer

MAX_REPLY = 2 * 1024 * 1024
CONNECT_SECONDS = 10.0
# The client adds values of OPENAI_* variables and facts about this machine. Servers get only these
# headers and their own key.
HEADERS_SENT = {
    "host",
    "accept",
    "accept-encoding",
    "connection",
    "content-type",
    "content-length",
    "user-agent",
    "x-stainless-raw-response",  # the client reads it again when the reply arrives
}


@cache
def _trusted() -> ssl.SSLContext:
    """Return the trusted certificates. Cached, because reading them takes longest in making a
    client.
    """
    return httpx2.create_ssl_context()


def http_client(server: ModelServer, *, timeout: float, parallel: int) -> httpx2.Client:
    """Return a client. `timeout`: seconds until the reply begins, and again until it ends.

    Follows no redirects, because the operator of the site decides where frames and keys go. Reading
    a reply raises BackendError if it has over MAX_REPLY bytes or is too slow.
    """

    def shorten(request: httpx2.Request) -> None:
        for name in set(request.headers) - HEADERS_SENT:
            del request.headers[name]
        # A compressed reply's size is known only after unpacking.
        request.headers["Accept-Encoding"] = "identity"
        if server.key:
            request.headers["Authorization"] = f"Bearer {server.key}"

    def bound(response: httpx2.Response) -> None:
        plain = response.headers.pop("Content-Encoding", "identity").lower() == "identity"
        if not plain and not response.is_error:
            raise BackendError(
                "wrong_shape",
                f"{server.name} compressed its reply although the request forbids it. Switch "
                f"compression off for it.",
            )
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _Bounded(
            response.stream,
            server.name,
            seconds=timeout,
            largest=MAX_REPLY if plain else 0,
            cut=response.is_error,
        )

    limits = httpx2.Limits(max_connections=parallel, max_keepalive_connections=parallel)
    routed = RoutedTransport(server, trusted=_trusted(), limits=limits, timeout=timeout)
    return httpx2.Client(
        verify=_trusted(),
        timeout=httpx2.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
        limits=limits,
        transport=routed if server.is_registered else None,
        follow_redirects=False,
        event_hooks={"request": [shorten], "response": [bound]},
    )


class _Bounded(httpx2.SyncByteStream):
    """Reads a reply's first `largest` bytes, for at most `seconds` from now.

    A longer reply is cut with `cut`, which is enough for errors; otherwise it is refused.
    """

    def __init__(
        self,
        stream: httpx2.SyncByteStream,
        server: str,
        *,
        seconds: float,
        largest: int,
        cut: bool,
    ) -> None:
        self._stream = stream
        self._server = server
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._largest = largest
        self._cut = cut

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for part in self._stream:
            size += len(part)
            late = time.monotonic() > self._end
            if self._cut and (late or size > self._largest):
                return
            if size > self._largest:
                raise BackendError(
                    "too_large",
                    f"{self._server} sent more than {self._largest // 1024 // 1024} MiB for one "
                    "text. Check that the server's URL is that of a model server.",
                )
            if late:
                raise BackendError(
                    "timeout",
                    f"{self._server} didn't finish its reply within {self._seconds:g} s. Raise the "
                    "model's timeout, or lower its max tokens.",
                    transient=True,
                )
            yield part

    def close(self) -> None:
        self._stream.close()
