"""The models of a project, by keys alone and on a phone."""

import pytest
from playwright.sync_api import expect

from inference.specs.services import add_model, place_model


@pytest.fixture
def listed(project, ada):
    """Three captioners in the list of who writes again."""
    for name in ("First", "Second", "Third"):
        spec = add_model(project=project, backend="opencv-draft", name=name, admin=ada)
        place_model(spec=spec, move="in", admin=ada)


def order(page) -> list[str]:
    return page.locator("#refine-list ol .grow").all_inner_texts()


def test_the_models_are_put_in_order_and_retired_by_keys_alone(page_of, ada, listed):
    page = page_of(ada)
    page.goto("/p/dives/models/")
    check_buttons_fit_a_phone(page)
    check_order(page)
    page.get_by_role("button", name="Retire First").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("First is retired.")).to_be_visible()
    expect(page.get_by_role("button", name="Bring back First")).to_be_focused()


def check_buttons_fit_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 844})
    buttons = page.get_by_role("button", name="Retire").all()
    assert len(buttons) == 3
    for button in buttons:
        box = button.bounding_box()
        assert box["x"] + box["width"] <= 390
    page.set_viewport_size({"width": 1280, "height": 800})


def check_order(page):
    """A model moves up twice, and out of the list; the focus stays on what can be done next."""
    page.get_by_role("button", name="Third up").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#refine-list ol li").nth(1)).to_contain_text("Third")
    expect(page.get_by_role("button", name="Third up")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#refine-list ol li").first).to_contain_text("Third")
    assert order(page) == ["Third", "First", "Second"]
    expect(page.get_by_role("button", name="Third down")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Take out Third")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name="Not in the list")).to_contain_text("Third")
    expect(page.get_by_role("button", name="Add Third")).to_be_focused()
