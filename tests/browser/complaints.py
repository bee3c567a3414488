"""What the browser complained about while a test had it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

HOST = "127.0.0.1"
# Only tests of pages without a network let a service worker in.
BLOCKED = "Service Worker registration blocked by Playwright"


class Complaints:
    """What the browser complained about; `expect` names what a test causes on purpose."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._expected: list[re.Pattern[str]] = []

    def expect(self, pattern: str) -> None:
        self._expected.append(re.compile(pattern))

    @property
    def unexpected(self) -> list[str]:
        return [line for line in self.seen if not any(e.search(line) for e in self._expected)]

    def listen_to(self, context: BrowserContext) -> None:
        context.on("console", self.note_message)
        context.on("weberror", self.note_error)
        context.on("requestfailed", self.note_request)

    def note_message(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and message.text != BLOCKED:
            self.seen.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    def note_error(self, error: WebError) -> None:
        self.seen.append(f"uncaught: {error.error}")

    def note_request(self, request: Request) -> None:
        """Note a request that failed, as each to another host does: listening to those that the
        site answers would take as long as answering them."""
        url = urlsplit(request.url)
        if url.scheme not in {"data", "blob", "about"} and url.hostname != HOST:
            self.seen.append(f"request to another host: {request.url}")
