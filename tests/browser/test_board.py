"""The board in a real browser: it counts again by itself, and leads to what comes next."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from annotate.models import Project
from tests.browser.looks import scrolls_sideways, widths_and_schemes
from tests.cast import make_clip
from tests.hand_work import open_hand
from tests.inference.cast import make_model
from tests.inference.scored import write


def test_the_board_follows_the_project_and_leads_to_the_next_step(project, ada, page_of, axe):
    Project.objects.update(protocol="lovr")
    make_model(project)
    write(make_clip(project))
    make_clip(project)
    page = page_of(ada)
    page.goto("/p/dives/overview/")
    board = page.locator("#board")
    expect(board.get_by_role("heading", name="Caption Ready")).to_be_visible()
    for _ in widths_and_schemes(page):
        axe(page)
        assert not scrolls_sideways(page)
    open_hand(make_clip(project))
    row = board.get_by_role("row", name="Write by hand")
    expect(row).to_contain_text("–")
    # What the board does every ten seconds.
    page.evaluate(
        "htmx.ajax('GET', '/p/dives/overview/live/', {target: '#board', swap: 'outerHTML'})"
    )
    expect(row).to_contain_text("Nobody has the role annotator or expert.")
    expect(board).to_have_count(1)
    following = board.get_by_role("link", name="New caption run").first
    expect(following).to_be_visible()
    expect(following).to_have_attribute("href", re.compile(r"/runs/new/\?kind=caption"))
