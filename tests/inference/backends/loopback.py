"""A real HTTP server on this machine that answers as a test tells it to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, BinaryIO


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]  # names in lower case
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        content = self.body["messages"][-1]["content"]
        return content if isinstance(content, str) else content[-1]["text"]


KEY = "sk-loopback-4f1d9a"
NOON = 1_795_262_400.0  # 21 November 2026, 12:00 UTC
Answer = Callable[[Received, BinaryIO], None]


class Loopback:
    """`url` is what a model server's URL would be; `received` is what came, in order of coming.

    The n-th request gets the n-th of `answers`, and the last of them is given from then on.
    """

    def __init__(self) -> None:
        self.answers: list[Answer] = [says("A dog runs.")]
        self.received: list[Received] = []
        self.url = ""
        self.stopped = threading.Event()
        self._lock = threading.Lock()

    def answer(self, received: Received, out: BinaryIO) -> None:
        with self._lock:
            number = len(self.received)
            self.received.append(received)
        self.answers[min(number, len(self.answers) - 1)](received, out)


@contextmanager
def running() -> Iterator[Loopback]:
    loopback = Loopback()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            with suppress(OSError):  # the client may hang up
                loopback.answer(Received(self.path, headers, json.loads(body)), self.wfile)
            self.close_connection = True

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            with suppress(OSError):
                loopback.answer(Received(self.path, headers, {}), self.wfile)
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    loopback.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield loopback
    finally:
        loopback.stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()


def completion(text: object, finish_reason: str = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return {
        "id": "c-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
    }


def sends(
    body: bytes,
    *headers: str,
    status: int = 200,
    kind: str = "application/json",
    length: int | None = None,
) -> Answer:
    """A whole reply; with `length`, it promises more bytes (or fewer) than it sends."""

    def answer(_: Received, out: BinaryIO) -> None:
        promised = len(body) if length is None else length
        lines = [f"HTTP/1.1 {status} Told", f"Content-Type: {kind}", f"Content-Length: {promised}"]
        out.write("\r\n".join([*lines, *headers, "Connection: close", "", ""]).encode() + body)

    return answer


def sends_json(reply: object, *headers: str, status: int = 200) -> Answer:
    return sends(json.dumps(reply).encode(), *headers, status=status)


def says(text: object, finish_reason: str = "stop") -> Answer:
    return sends_json(completion(text, finish_reason))


def fails(status: int, message: str = "", *headers: str) -> Answer:
    return sends_json({"error": {"message": message}}, *headers, status=status)


def refuses_formats(*types: str, body: object, then: Answer, status: int = 400) -> Answer:
    """A server that answers `then`, but refuses every request for a reply of these formats."""

    def answer(received: Received, out: BinaryIO) -> None:
        is_refused = received.body.get("response_format", {}).get("type") in types
        (sends_json(body, status=status) if is_refused else then)(received, out)

    return answer


def keeps_silent(loopback: Loopback) -> Answer:
    return lambda received, out: loopback.stopped.wait(10) and None


def drips(loopback: Loopback, part: bytes, *, pause: float) -> Answer:
    """A reply that never ends by itself, a part at a time; after 5 s the server gives it up."""

    def answer(_: Received, out: BinaryIO) -> None:
        out.write(b"HTTP/1.1 200 Told\r\nContent-Type: application/json\r\n")
        out.write(b"Transfer-Encoding: chunked\r\n\r\n")
        end = time.monotonic() + 5
        while time.monotonic() < end and not loopback.stopped.wait(pause):
            out.write(b"%x\r\n%s\r\n" % (len(part), part))

    return answer
