"""Going to a page of the project by the sidebar."""

from __future__ import annotations

from playwright.sync_api import Page


def open_page(page: Page, group: str, label: str) -> None:
    """Open the page by its link, after its group if that is closed."""
    fold = page.locator(".sidebar details").filter(has=page.get_by_text(group, exact=True))
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()
    fold.get_by_role("link", name=label, exact=True).click()
