"""The models of a project, by keys alone and on a phone."""

import pytest
from playwright.sync_api import expect

from inference.specs.services import add_model, place_model
from tests.inference.cast import make_model


@pytest.fixture
def listed(project, ada):
    """Three captioners in the list of who writes again."""
    for name in ("First", "Second", "Third"):
        spec = add_model(project=project, backend="opencv-draft", name=name, admin=ada)
        place_model(spec=spec, move="in", admin=ada)


def order(page) -> list[str]:
    return page.locator("#refine-list ol .grow").all_inner_texts()


def test_the_list_is_put_in_order_by_keys_alone(page_of, ada, listed):
    page = page_of(ada)
    page.goto("/p/dives/models/")
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


def test_a_model_is_retired_and_brought_back_by_keys_alone(page_of, project, ada):
    make_model(project, name="First")
    page = page_of(ada)
    page.goto("/p/dives/models/")
    page.get_by_role("button", name="Retire First").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("First is retired.")).to_be_visible()
    expect(page.get_by_role("button", name="Bring back First")).to_be_focused()


def test_on_a_phone_nothing_of_a_model_is_out_of_sight(page_of, ada, listed):
    page = page_of(ada, width=390, height=844)
    page.goto("/p/dives/models/")
    for button in page.get_by_role("button", name="Retire").all():
        box = button.bounding_box()
        assert box["x"] + box["width"] <= 390
