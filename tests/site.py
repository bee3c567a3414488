"""A real web server on this machine, whose answers a test writes byte by byte."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from typing import Any, BinaryIO

LOOPBACK = {"names": frozenset(), "networks": (ip_network("127.0.0.1/32"),)}
NOTHING = {"names": frozenset(), "networks": ()}


@dataclass(frozen=True)
class Received:
    method: str
    path: str
    headers: dict[str, str]  # names in lower case
    body: bytes


Answer = Callable[[BinaryIO], object]


@dataclass
class Site:
    """`answers`: by path; `received`: in order of coming. A path without an answer gets 404."""

    port: int = 0
    scheme: str = "http"
    answers: dict[str, Answer] = field(default_factory=dict)
    received: list[Received] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"


@contextmanager
def serving(certificate: tuple[str, str] | None = None) -> Iterator[Site]:
    """Serve until the end; with a certificate and its key, by https."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            site.received.append(Received(self.command, self.path, headers, body))
            with suppress(OSError):  # the client may hang up
                site.answers.get(self.path, sends(b"", status=404))(self.wfile)
            self.close_connection = True

        do_GET = do_POST = answer

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = Quiet(("127.0.0.1", 0), Handler)
    if certificate:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(*certificate)
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        site.scheme = "https"
    site.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield site
    finally:
        site.stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()


class Quiet(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up during the handshake is what some tests are about."""


def sends(body: bytes, *headers: str, status: int = 200, length: int | None = None) -> Answer:
    """A whole answer; with `length`, it promises more bytes (or fewer) than it sends."""
    promised = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status} Told", f"Content-Length: {promised}", *headers]
    return lambda out: out.write("\r\n".join([*lines, "", ""]).encode() + body)


def redirects(location: str, status: int = 302) -> Answer:
    return sends(b"", f"Location: {location}", status=status)


def never_ends(site: Site, part: bytes, *, pause: float = 0) -> Answer:
    """A body in parts without an end, until the client hangs up."""

    def answer(out: BinaryIO) -> None:
        out.write(b"HTTP/1.1 200 Told\r\nTransfer-Encoding: chunked\r\n\r\n")
        while not site.stopped.wait(pause):
            out.write(b"%x\r\n%s\r\n" % (len(part), part))

    return answer
