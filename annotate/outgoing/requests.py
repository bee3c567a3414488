"""Open an address that a person typed. Nothing else may: see tests/test_imports.py."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from urllib.parse import urljoin

import httpcore2
from django.conf import settings

from annotate.outgoing.addresses import Target, check_address
from annotate.outgoing.errors import NoAnswer, OutgoingFailed
from annotate.outgoing.network import GuardedNetwork, Resolve, resolve_host

MIB = 1024 * 1024
REDIRECTS = {301, 302, 303, 307, 308}
USER_AGENT = "Vericap"


@dataclass(frozen=True)
class Limits:
    """`seconds`: for the whole request. `idle`: at most between two arrivals. `max_bytes`: of the
    body. `redirects`: to follow.
    """

    seconds: float
    max_bytes: int
    idle: float = 30.0
    redirects: int = 0


@dataclass(frozen=True)
class Answer:
    """`headers` have names in lower case. `url` is where the answer came from."""

    status: int
    headers: Mapping[str, str]
    url: str
    _response: httpcore2.Response
    _limits: Limits

    def parts(self) -> Iterator[bytes]:
        """Yield the body as it comes. Raises OutgoingFailed if it is too long, compressed, cut
        short or too slow.
        """
        # Unpacked, it could be a thousand times as long.
        if self.headers.get("content-encoding", "identity").lower() != "identity":
            raise OutgoingFailed(
                "compressed",
                "The host compressed the file although it was told not to. Use another address.",
            )
        length = self.headers.get("content-length", "")
        if length.isascii() and length.isdigit() and int(length[:20]) > self._limits.max_bytes:
            raise _too_large(self._limits)
        size = 0
        for part in self._raw():
            size += len(part)
            if size > self._limits.max_bytes:
                raise _too_large(self._limits)
            yield part

    def beginning(self) -> bytes:
        """Return the first `max_bytes` as they were sent, and leave the rest unread."""
        data = b""
        for part in self._raw():
            data += part
            if len(data) >= self._limits.max_bytes:
                break
        return data[: self._limits.max_bytes]

    def _raw(self) -> Iterator[bytes]:
        with _in_words():
            yield from self._response.iter_stream()


@contextmanager
def open_address(
    address: str,
    *,
    limits: Limits,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    content: bytes = b"",
    resolve: Resolve = resolve_host,
) -> Iterator[Answer]:
    """Send one request; each redirect is checked again. Raises OutgoingFailed.

    Uses no proxy from the environment: it would connect for us, to unchecked addresses.
    """
    deadline = time.monotonic() + limits.seconds
    network = GuardedNetwork(settings.VERICAP_OUTGOING_ALLOWED, deadline, limits.idle, resolve)
    for _ in range(limits.redirects + 1):
        target = check_address(address, settings.VERICAP_OUTGOING_ALLOWED)
        with (
            httpcore2.ConnectionPool(
                ssl_context=_tls(),
                network_backend=network,
                max_connections=1,
                max_keepalive_connections=0,
            ) as pool,
            _sent(pool, target, method, dict(headers or {}), content) as response,
        ):
            answered = {
                name.decode("latin-1").lower(): value.decode("latin-1")
                for name, value in response.headers
            }
            if not limits.redirects or response.status not in REDIRECTS:
                yield Answer(response.status, answered, target.url, response, limits)
                return
            address = urljoin(target.url, answered.get("location", ""))
    raise OutgoingFailed(
        "redirects", f"The address was redirected more than {limits.redirects} times."
    )


@contextmanager
def _sent(
    pool: httpcore2.ConnectionPool,
    target: Target,
    method: str,
    headers: dict[str, str],
    content: bytes,
) -> Iterator[httpcore2.Response]:
    sent = {
        "Host": target.url.partition("//")[2].partition("/")[0],
        "User-Agent": USER_AGENT,
        "Accept-Encoding": "identity",
        "Connection": "close",
        **headers,
    }
    if method != "GET":
        sent["Content-Length"] = str(len(content))
    request = httpcore2.Request(method, target.url, headers=list(sent.items()), content=content)
    with _in_words():
        response = pool.handle_request(request)
    try:
        yield response
    finally:
        response.close()


@cache
def _tls() -> ssl.SSLContext:
    return httpcore2.default_ssl_context()


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise NoAnswer("too_slow", "The host took too long to answer.") from error
    except httpcore2.ConnectError as error:
        if _is_about_tls(error):
            raise NoAnswer(
                "certificate", "The host's certificate isn't valid for its name, or has expired."
            ) from error
        raise NoAnswer("not_reached", "The host can't be reached.") from error
    except httpcore2.ProtocolError as error:
        raise NoAnswer(
            "broken", "The host's answer broke off, or doesn't come from a web server."
        ) from error
    except httpcore2.NetworkError as error:
        raise NoAnswer("broken", "The host broke off its answer.") from error


def _is_about_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _too_large(limits: Limits) -> OutgoingFailed:
    return OutgoingFailed(
        "too_large", f"The host sends more than the limit of {limits.max_bytes / MIB:,.0f} MiB."
    )
