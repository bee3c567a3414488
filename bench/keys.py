"""One item after the other of each kind of work, by keyboard alone in Chromium: the keys that an
item takes, and the wait from the last key until the next item can be worked on.

    python -m bench.keys [--only verify,merge]

A chord (Ctrl Enter) counts as one key; the letters of a text that somebody writes are not counted,
the keys that lead to the field are. An item is done in the shortest way that the card of keys
names, and nothing is wrong with it: four good sentences, no error, the text of A. The next item can
be worked on when its page is loaded and its video shows its first frame. Server, database and
browser share the machine.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bench.keys_world import ITEMS, build
from bench.server import fresh_environment, running_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

MAX_TABS = 120
# The page has loaded its scripts, and its visible videos show their first picture.
IS_READY = """(before) => location.pathname !== before && document.readyState === "complete"
  && [...document.querySelectorAll("video")].filter((video) => {
    const { top, bottom, width } = video.getBoundingClientRect();
    return width && bottom > 0 && top < innerHeight && video.closest("dialog") === null;
  }).every((video) => video.readyState >= 2 && !video.seeking)"""
HAS_FOCUS = "(selector) => document.activeElement.matches(selector)"
WRITE_UP = {
    "overview": "A diver jumps from a tall board into a blue pool.",
    "objects": "The diver wears red trunks and a white cap. " * 11,
    "actions": "First she steps to the edge, then she bends her knees and jumps. " * 5,
    "misc": "The camera follows the diver from the side. It looks like a training video.",
}


class Keys:
    """The keyboard, which counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.count += 1

    def go_to(self, selector: str) -> None:
        """Press Tab until the element has the focus, if it hasn't already."""
        for _ in range(MAX_TABS):
            if self.page.evaluate(HAS_FOCUS, selector):
                return
            self.press("Tab")
        raise SystemExit(f"Tab never reached {selector}.")

    def write(self, text: str) -> None:
        self.page.keyboard.insert_text(text)


def write(keys: Keys) -> None:
    for part, text in WRITE_UP.items():
        keys.go_to(f"#{part}")
        keys.write(text)
    keys.press("Control+Enter")


def merge(keys: Keys) -> None:
    """Take A in each row that has one; the conflicts are asked about once."""
    rows = keys.page.locator("#work-form [data-row]").count()
    keys.press(*["1"] * rows)
    keys.press("Enter", "Control+Enter")


def split(keys: Keys) -> None:
    """Make every other sentence spatial; the open warnings are asked about once."""
    rows = keys.page.locator(".split-sentence:not(:has(input:checked))").count()
    for row in range(rows):
        keys.press("t" if row % 2 else "s")
    keys.press("Control+Enter")
    keys.page.wait_for_selector("#warned:not([hidden])")
    keys.press("Control+Enter")


def sign_off(keys: Keys) -> None:
    keys.press("Shift+S")


def compare(keys: Keys) -> None:
    keys.press("Shift+Digit1")


def identify(keys: Keys) -> None:
    keys.press("Shift+Digit1")


def elements(keys: Keys) -> None:
    keys.press("Control+Enter")


def write_by_hand(keys: Keys) -> None:
    keys.go_to("#text")
    keys.write(WRITE_UP["objects"])
    keys.press("Control+Enter")


def verify(keys: Keys) -> None:
    """Judge four good sentences and the theme."""
    keys.press("o", "o", "o", "o", "Enter")


def rate(keys: Keys) -> None:
    keys.press("Shift+Digit4")


def check_dynamics(keys: Keys) -> None:
    """Look at the end of the video; too little watched is asked about once."""
    keys.press("Shift+D", "Control+Enter")


def judge_pair(keys: Keys) -> None:
    keys.press("t")


def modify(keys: Keys) -> None:
    keys.press("e")
    keys.write("show one more turn")
    keys.press("Control+Enter")


def verify_triplet(keys: Keys) -> None:
    keys.press("v", "v", "v", "1", "2", "3", "Control+Enter")


WORK: dict[str, Callable[[Keys], None]] = {
    "write": write,
    "merge": merge,
    "split": split,
    "signoff": sign_off,
    "compare": compare,
    "identify": identify,
    "elements": elements,
    "hand": write_by_hand,
    "verify": verify,
    "rate": rate,
    "dynamics": check_dynamics,
    "pair": judge_pair,
    "modify": modify,
    "triplet": verify_triplet,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(WORK), help="kinds of work, separated by commas")
    kinds = parser.parse_args().only.split(",")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright runs an event loop in this thread
    with fresh_environment("sqlite"):
        os.environ["VERICAP_PRIVATE_HOSTS"] = "127.0.0.1"
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        with tempfile.TemporaryDirectory() as folder:
            first = build(Path(folder))
        with running_server(workers=2, threads=4) as (port, _):
            rows = measure(port, {kind: first[kind] for kind in kinds})
    print("| work | keys an item | until the next item, median s (least, most) |")
    print("|---|---|---|")
    print("\n".join(rows))


def measure(port: int, first: dict[str, int]) -> list[str]:
    from playwright.sync_api import sync_playwright

    from annotate.models import User
    from bench.world import session_cookie

    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    site = f"http://127.0.0.1:{port}"
    cookie = session_cookie(User.objects.get(name="Kim"))
    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 800})
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
        page = context.new_page()
        for kind, assignment in first.items():
            counts, waits = work_through(page, kind, assignment)
            counted = ", ".join(map(str, sorted(set(counts))))
            spread = f"({min(waits):.2f}, {max(waits):.2f})"
            rows.append(f"| {kind} | {counted} | {statistics.median(waits):.2f} {spread} |")
            print(rows[-1], flush=True)
        browser.close()
    return rows


def work_through(page: Page, kind: str, assignment: int) -> tuple[list[int], list[float]]:
    counts, waits = [], []
    page.goto(f"/assignments/{assignment}/")
    page.wait_for_function(IS_READY, arg="")
    for _ in range(ITEMS - 1):
        page.wait_for_timeout(1500)  # time for what the page does by itself
        before = page.evaluate("location.pathname")
        keys = Keys(page)
        WORK[kind](keys)
        started = time.perf_counter()
        try:
            page.wait_for_function(IS_READY, arg=before, timeout=20_000)
        except Exception as error:
            notice = page.locator("#problems").inner_text()
            raise SystemExit(f"{kind}: no next item came. {notice} {page.url}") from error
        waits.append(time.perf_counter() - started)
        counts.append(keys.count)
    return counts, waits


if __name__ == "__main__":
    main()
