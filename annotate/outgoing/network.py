"""Connections that go only where `addresses` permits, until a deadline."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterable, Sequence
from ipaddress import ip_address
from threading import Thread
from typing import Any

import httpcore2

from annotate.outgoing.addresses import Allowed, is_permitted, not_public
from annotate.outgoing.errors import NoAnswer

Resolve = Callable[[str, int], Sequence[str]]
CONNECT_SECONDS = 10.0


def resolve_host(host: str, port: int) -> list[str]:
    """Return the addresses of the host, in the system's order. Raises OSError."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


class GuardedNetwork(httpcore2.NetworkBackend):
    """Resolves a host once, refuses it unless all answers are permitted, and connects to one of
    exactly these answers, so that a name can't point elsewhere between check and connection.
    """

    def __init__(self, allowed: Allowed, deadline: float, idle: float, resolve: Resolve) -> None:
        self._allowed = allowed
        self._deadline = deadline
        self._idle = idle
        self._resolve = resolve
        self._sockets = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        host = host.strip("[]")
        addresses = self._addresses(host, port)
        last: Exception | None = None
        for address in addresses:
            try:
                stream = self._sockets.connect_tcp(
                    address, port, min(CONNECT_SECONDS, seconds_until(self._deadline))
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                last = error
            else:
                return _TimedStream(stream, self._deadline, self._idle)
        raise NoAnswer("not_reached", f"{host} can't be reached on port {port}.") from last

    def _addresses(self, host: str, port: int) -> list[str]:
        """Return the host's addresses, all permitted. Runs in a thread, because name resolution has
        no time limit.
        """
        answers: list[str] = []

        def ask() -> None:
            try:
                answers.extend(self._resolve(host, port))
            except OSError:
                answers.clear()

        thread = Thread(target=ask, daemon=True)
        thread.start()
        thread.join(min(CONNECT_SECONDS, seconds_until(self._deadline)))
        addresses = [answer.partition("%")[0] for answer in answers]
        if not addresses:
            raise NoAnswer("unknown_host", f"No address is known for {host}. Check its spelling.")
        if not all(is_permitted(ip_address(each), host, self._allowed) for each in addresses):
            raise not_public(host)
        return addresses


class _TimedStream(httpcore2.NetworkStream):
    """Ends at the deadline, however slowly the bytes arrive."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: float, idle: float) -> None:
        self._stream = stream
        self._deadline = deadline
        self._idle = idle

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._seconds())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._seconds())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        name = (server_hostname or "").strip("[]") or None
        stream = self._stream.start_tls(ssl_context, name, self._seconds())
        return _TimedStream(stream, self._deadline, self._idle)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def _seconds(self) -> float:
        return min(self._idle, seconds_until(self._deadline))


def seconds_until(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise NoAnswer("too_slow", "The host took too long to answer.")
    return seconds
