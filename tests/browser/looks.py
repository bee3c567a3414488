"""The widths and color schemes in which one page is looked at, without loading it for each."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")
# Otherwise a color on its way from light to dark is taken for the page's.
END_TRANSITIONS = """() => {
  for (const animation of document.getAnimations()) {
    if (animation instanceof CSSTransition) animation.finish();
  }
}"""


def widths(page: Page) -> Iterator[int]:
    """Make the page as wide as a desktop and as a phone; yield each width."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        yield width


def schemes(page: Page) -> Iterator[str]:
    """Give the page light and dark colors; yield each color scheme."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.evaluate(END_TRANSITIONS)
        yield scheme


def widths_and_schemes(page: Page) -> Iterator[int]:
    """The same in light and in dark colors."""
    for width in widths(page):
        for _ in schemes(page):
            yield width


def scrolls_sideways(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")
