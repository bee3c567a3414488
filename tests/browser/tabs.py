"""Browser tabs that are used again: a new one in a context of its own takes longer than a page.

A tab is handed out empty: nothing on it, no cookie, nothing stored, no second page, no route, and
online. The browser keeps what it has fetched and compiled, which for a work page are 60 scripts.
A tab to which a test did what can't be undone is closed with its context.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page

from tests.browser.complaints import Complaints

# What outlives the page that a tab shows, or reaches what does, and isn't undone below.
LASTING = {
    "add_init_script",
    "add_locator_handler",
    "clock",
    "expose_binding",
    "expose_function",
    "grant_permissions",
    "once",
    "route_from_har",
    "route_web_socket",
    "set_default_navigation_timeout",
    "set_default_timeout",
    "set_extra_http_headers",
    "set_geolocation",
}
LASTING_OF_A_CONTEXT = LASTING | {"on", "route"}

# A picture of the site's own: the browser starts a new process where a tab goes to another site,
# and to about:blank.
RESTING_PLACE = f"{settings.STATIC_URL}img/mark.svg"
# Neither asks whether to stay nor sends what hasn't been saved.
LEAVE_QUIETLY = """
() => ["beforeunload", "pagehide", "visibilitychange"].forEach((name) =>
  addEventListener(name, (event) => event.stopImmediatePropagation(), { capture: true }))
"""


class WatchedPage(Page):
    """A page that notices when a test does something lasting to its tab."""

    is_used_up = False
    has_routes = False
    listeners: tuple[tuple[str, Callable[..., Any]], ...] = ()

    def __getattribute__(self, name: str) -> object:
        if name in LASTING:
            self.is_used_up = True
        elif name == "route":
            self.has_routes = True
        return super().__getattribute__(name)

    def on(self, event: str, f: Callable[..., Any]) -> None:
        # Where nobody answers a dialog, the tab waits for that answer.
        self.is_used_up |= event == "dialog"
        self.listeners += ((event, f),)
        super().on(event, f)

    def undo(self) -> None:
        """Take away what the test listened to and what it answered in the server's place."""
        if self.has_routes:
            self.unroute_all(behavior="ignoreErrors")
        for event, listener in self.listeners:
            self.remove_listener(event, listener)
        self.has_routes, self.listeners = False, ()


class WatchedContext(BrowserContext):
    """The context of a tab, which notices the same."""

    is_used_up = False
    was_offline = False

    def __getattribute__(self, name: str) -> object:
        if name in LASTING_OF_A_CONTEXT:
            self.is_used_up = True
        elif name == "set_offline":
            self.was_offline = True
        return super().__getattribute__(name)


class Tab:
    """A tab in a context of its own, with scripts or without."""

    def __init__(self, browser: Browser, site: str, size: dict[str, int], scripts: bool) -> None:
        self.site = site
        self.scripts = scripts
        self.context: Any = browser.new_context(
            base_url=site, viewport=size, service_workers="block", java_script_enabled=scripts
        )
        self.complaints = Complaints()
        self.context.on("console", lambda message: self.complaints.note_message(message))
        self.context.on("weberror", lambda error: self.complaints.note_error(error))
        self.context.on("requestfailed", lambda request: self.complaints.note_request(request))
        self.context.on("page", lambda page: setattr(page, "__class__", WatchedPage))
        self.context.set_default_timeout(10_000)
        self._open_page()
        self.context.__class__ = WatchedContext

    def _open_page(self) -> None:
        self.page: Any = self.context.new_page()
        self._devtools: CDPSession = self.context.new_cdp_session(self.page)

    def resize(self, size: dict[str, int]) -> None:
        if self.page.viewport_size != size:
            self.page.set_viewport_size(size)

    def empty(self) -> bool:
        """Return whether the tab is empty again; where it can't be, its context is closed."""
        self.complaints = Complaints()
        if not self._may_stay() or not self._leave():
            self.context.close()
            return False
        return True

    def _may_stay(self) -> bool:
        pages = (self.page, *self.context.pages)
        return not self.context.is_used_up and not any(page.is_used_up for page in pages)

    def _leave(self) -> bool:
        try:
            if self.context.was_offline:
                self.context.set_offline(False)
                self.context.was_offline = False
            for page in self.context.pages:
                page.undo()
                page.evaluate(LEAVE_QUIETLY)
                if page != self.page:
                    page.close()
            if self.page.is_closed():
                self._open_page()
            self.page.goto(RESTING_PLACE)
            self.page.mouse.move(-1, -1)
            self.page.emulate_media(color_scheme="null", reduced_motion="null")
            data = {"origin": self.site, "storageTypes": "all"}
            self._devtools.send("Storage.clearDataForOrigin", data)
            self.context.clear_cookies()
        except Error:
            return False
        return self.context.pages == [self.page]


class Tabs:
    """The tabs of a browser that show the pages of `site`."""

    def __init__(self, browser: Browser, site: str) -> None:
        self._browser = browser
        self._site = site
        self._free: list[Tab] = []

    def open(self, complaints: Complaints, width: int, height: int, *, scripts: bool = True) -> Tab:
        """Return an empty tab of this size, whose complaints go to `complaints`."""
        size = {"width": width, "height": height}
        tab = next((tab for tab in self._free if tab.scripts == scripts), None)
        if tab is None:
            tab = Tab(self._browser, self._site, size, scripts)
        else:
            self._free.remove(tab)
            tab.resize(size)
        tab.complaints = complaints
        return tab

    def take_back(self, tab: Tab) -> None:
        if tab.empty():
            self._free.append(tab)
