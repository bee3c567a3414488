"""A real Chromium on a live server, and Firefox where a test asks for it.

Every test fails on anything the browser complains about.
"""

from __future__ import annotations

import os
import shutil
from ctypes.util import find_library
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.browser.accessibility import KeptStaticFiles, faults_of
from tests.browser.complaints import HOST, Complaints
from tests.browser.tabs import Tabs
from tests.cast import session_of

# Playwright's synchronous interface keeps an event loop in this thread; Django would take that
# for asynchronous code and refuse to touch the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

SCREENSHOTS = Path(__file__).parents[2] / "test-results" / "screenshots"
SIZES = {"1280": (1280, 800), "390": (390, 844)}
QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    # A request to anywhere else is seen, fails and fails the test; it never leaves the machine.
    f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {HOST}",
    # Containers often give /dev/shm 64 MB, which Chromium fills with one video.
    "--disable-dev-shm-usage",
    # A page lives too shortly for what its scripts would gain by being optimized.
    "--js-flags=--no-opt --no-maglev",
]
# Nothing is fetched from Mozilla while a test runs, and nothing of a first run is shown.
QUIET_FIREFOX = {
    "app.update.auto": False,
    "browser.region.network.url": "",
    "browser.safebrowsing.downloads.remote.enabled": False,
    "datareporting.healthreport.uploadEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "media.gmp-manager.url": "",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.server": "",
}


def find_chromium() -> str:
    """Where the headless Chromium is. The windowed one draws for a screen that nobody sees."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        install = "apt-get install -y chromium-headless-shell"
        pytest.fail(f"Chromium is missing. Install it: {install}", pytrace=False)
    return program


@pytest.fixture(scope="session")
def browser(playwright):
    chromium = find_chromium()
    arguments = [*QUIET, "--no-sandbox"] if os.geteuid() == 0 else QUIET
    browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
    yield browser
    browser.close()


def find_firefox() -> str:
    """Return the path of Debian's Firefox ESR; without it the test fails, it isn't skipped."""
    path = shutil.which("firefox-esr")
    if path is None or find_library("avcodec") is None:
        install = "apt-get install -y --no-install-recommends firefox-esr ffmpeg"
        pytest.fail(f"Firefox or its H.264 decoder is missing. Install: {install}", pytrace=False)
    return path


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="module")
def firefox(playwright):
    """Firefox ESR as Debian ships it, driven over WebDriver BiDi.

    It keeps the processor busy for as long as it is open, even with nothing to show.
    Playwright 1.65 sends it a command that Firefox 153 doesn't have, so 1.64 is pinned.
    """
    browser = playwright.firefox.launch(
        channel="moz-firefox", executable_path=find_firefox(), firefox_user_prefs=QUIET_FIREFOX
    )
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def live_server(django_db_setup):
    """One server for all browser tests of a process, of which the browser asks for each static file
    once."""
    server = LiveServer(HOST, start=False)
    server.thread.static_handler = KeptStaticFiles
    server.start()
    yield server
    server.stop()


@pytest.fixture
def live(live_server):
    """The running site: `live.url`. Pages are real, media files come from the test's storage."""
    return live_server


@pytest.fixture
def console_errors():
    """The browser's complaints so far: `console_errors.expect(pattern)` allows one on purpose."""
    return Complaints()


@pytest.fixture(autouse=True)
def _nothing_to_complain_about(console_errors):
    yield
    assert console_errors.unexpected == []


@pytest.fixture(scope="session")
def tabs(browser, live_server):
    return Tabs(browser, live_server.url)


@pytest.fixture
def page_of(live, request, console_errors):
    """A function: an empty page in a browser context without cookies and with nothing stored, in
    which nobody but `person` is signed in (None: a visitor).

    Relative addresses work: `page.goto("/")`. `engine` names the fixture of another browser than
    Chromium. Further arguments go to the browser context, which is then a new one (but for
    `java_script_enabled`).
    """
    opened, contexts = [], []

    def open_page(
        person=None, *, width: int = 1280, height: int = 800, engine="browser", **options
    ) -> Page:
        if engine == "browser" and options.keys() <= {"java_script_enabled"}:
            scripts = options.get("java_script_enabled", True)
            tab = request.getfixturevalue("tabs").open(
                console_errors, width, height, scripts=scripts
            )
            opened.append(tab)
            context, page = tab.context, tab.page
        else:
            if engine == "browser":
                # A page that comes from a service worker is not the page that a test changed.
                options = {"service_workers": "block"} | options
            context = request.getfixturevalue(engine).new_context(
                base_url=live.url, viewport={"width": width, "height": height}, **options
            )
            contexts.append(context)
            console_errors.listen_to(context)
            context.set_default_timeout(10_000)
            page = None
        if person is not None:
            cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session_of(person)}
            context.add_cookies([{**cookie, "url": live.url}])
        return page or context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    for tab in opened:
        request.getfixturevalue("tabs").take_back(tab)


@pytest.fixture
def axe():
    """A function that fails with axe's own report if `page` has an accessibility fault."""

    def check(page: Page) -> None:
        results = faults_of(page)
        assert results.violations_count == 0, results.generate_report()

    return check


@pytest.fixture
def screenshot():
    """A function that keeps `page` as it looks wide and narrow, light and dark, where somebody has
    asked for that (KEEP_SCREENSHOTS=1)."""

    def take(page: Page, name: str, *, full_page: bool = False) -> None:
        if not os.environ.get("KEEP_SCREENSHOTS"):
            return
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        before = page.viewport_size
        for width, size in SIZES.items():
            page.set_viewport_size({"width": size[0], "height": size[1]})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                path = SCREENSHOTS / f"{name}-{width}-{scheme}.png"
                page.screenshot(path=path, full_page=full_page, animations="disabled")
        page.emulate_media(color_scheme="null", reduced_motion="null")
        page.set_viewport_size(before)

    return take
