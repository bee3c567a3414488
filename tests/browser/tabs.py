"""Browser tabs that are used again: a new one in a context of its own takes longer than a page.

A tab is handed out empty: nothing on it, no cookie, nothing stored. The browser keeps what it has
fetched. A tab to which a test did more than use its page is closed with its context.
"""

from __future__ import annotations

from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page

from tests.browser.complaints import Complaints

# What outlives the page that a tab shows, or reaches what does.
LASTING = {
    "add_init_script",
    "add_locator_handler",
    "clock",
    "close",
    "context",
    "expose_binding",
    "expose_function",
    "on",
    "once",
    "route",
    "route_from_har",
    "route_web_socket",
    "set_default_navigation_timeout",
    "set_default_timeout",
    "set_extra_http_headers",
}

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

    def __getattribute__(self, name: str) -> object:
        if name in LASTING:
            self.is_used_up = True
        return super().__getattribute__(name)


class Tab:
    """A tab in a context of its own."""

    def __init__(self, browser: Browser, site: str, width: int, height: int) -> None:
        self.site = site
        self.size = {"width": width, "height": height}
        self.context: BrowserContext = browser.new_context(
            base_url=site, viewport=self.size, service_workers="block"
        )
        self.complaints = Complaints()
        self.context.on("console", lambda message: self.complaints.note_message(message))
        self.context.on("weberror", lambda error: self.complaints.note_error(error))
        self.context.on("request", lambda request: self.complaints.note_request(request))
        self.context.set_default_timeout(10_000)
        self.page: Page = self.context.new_page()
        self._devtools: CDPSession = self.context.new_cdp_session(self.page)
        self.page.__class__ = WatchedPage

    def empty(self) -> bool:
        """Return whether the tab is empty again; where it can't be, its context is closed."""
        self.complaints = Complaints()
        if self.page.is_used_up or not self._leave():
            self.context.close()
            return False
        return True

    def _leave(self) -> bool:
        try:
            self.page.evaluate(LEAVE_QUIETLY)
            self.page.goto(RESTING_PLACE)
            self.page.mouse.move(-1, -1)
            self.page.emulate_media(color_scheme="null", reduced_motion="null")
            if self.page.viewport_size != self.size:
                self.page.set_viewport_size(self.size)
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

    def open(self, complaints: Complaints, width: int, height: int) -> Tab:
        """Return an empty tab of this size, whose complaints go to `complaints`."""
        size = {"width": width, "height": height}
        tab = next((tab for tab in self._free if tab.size == size), None)
        if tab is None:
            tab = Tab(self._browser, self._site, width, height)
        else:
            self._free.remove(tab)
        tab.complaints = complaints
        return tab

    def take_back(self, tab: Tab) -> None:
        if tab.empty():
            self._free.append(tab)
