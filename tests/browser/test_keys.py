"""The grammar of keys on work pages, and keys that a person has chosen."""

import pytest
from playwright.sync_api import expect

from tests.browser.work_pages import open_work, visit
from tests.hand_work import machine_caption
from tests.review.verification.verifying import CAPTION, hold_verification, open_verification
from tests.work import hold, make_work

# Keys of the player that type a letter or sign in a field: with Option, with AltGr, and in an input
# method, whose last Enter or letter Safari sends afterwards with the code 229.
TYPED = [
    {"key": "ł", "code": "KeyL", "altKey": True},
    {"key": "Ż", "code": "KeyX", "altKey": True, "shiftKey": True},
    {"key": "µ", "code": "KeyM", "altKey": True},
    {"key": "å", "code": "KeyA", "altKey": True, "ctrlKey": True},
    {"key": "ħ", "code": "KeyH", "altKey": True},
    {"key": "@", "code": "KeyG", "altKey": True, "modifierAltGraph": True},
    {"key": "k", "code": "KeyK", "altKey": True, "keyCode": 229},
    {"key": "Enter", "code": "Enter", "ctrlKey": True, "keyCode": 229},
]
TAKEN = """keys => keys.filter((key) => {
  const event = new KeyboardEvent("keydown", { ...key, bubbles: true, cancelable: true });
  return !document.activeElement.dispatchEvent(event);
}).map(({ key }) => key)"""


@pytest.fixture
def held(project, make_playable_clip, anna):
    open_verification(machine_caption(make_playable_clip(project), "A dog barks."))
    return hold_verification(anna, machine_caption(make_playable_clip(project), CAPTION))


def change(page, label, key):
    page.get_by_role("button", name=f"Change the key of {label}").click()
    page.keyboard.press(key)


def test_four_good_sentences_are_five_keys(page_of, held, anna):
    page = open_work(page_of, anna, held)
    for key in ("o", "o", "o", "o", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url(lambda url: not url.endswith(f"/{held.pk}/"))
    expect(page.locator("[data-text]")).to_have_text("A dog barks.")


def test_keys_can_be_changed_are_kept_and_come_back(page_of, held, anna, axe, screenshot):
    page = open_work(page_of, anna, held)
    page.keyboard.press("?")
    page.get_by_role("button", name="Change keys").click()
    status = page.locator("[data-keys-status]")
    change(page, "ok", "p")
    expect(status).to_have_text("P already does “Play its frames”. Choose another key.")
    page.keyboard.press("y")
    expect(status).to_have_text("Y now does “ok”.")
    axe(page)
    screenshot(page, "keys-changing")

    later = page.context.new_page()  # in the same browser
    visit(later, held)
    expect(later.locator("#verify-tools [data-do=ok] kbd")).to_have_text("Y")
    later.keyboard.press("o")
    later.keyboard.press("y")
    expect(later.locator("[data-decided]")).to_have_text("1")
    later.keyboard.press("?")
    later.get_by_role("button", name="Reset to default").click()
    later.get_by_role("button", name="Close").first.click()
    later.keyboard.press("u")
    later.keyboard.press("o")
    expect(later.locator("[data-decided]")).to_have_text("1")


def test_the_focus_is_where_typing_starts_and_escape_leaves_it(
    page_of, project, make_playable_clip, anna
):
    make_work(make_playable_clip(project), needed=1)
    held = hold(anna, make_work(make_playable_clip(project), needed=1))
    page = open_work(page_of, anna, held)
    expect(page.locator("#overview")).to_be_focused()
    expect(page.locator(".work-waiting")).to_have_text("1 more waits")
    page.keyboard.press("l")
    assert page.evaluate(TAKEN, TYPED) == []
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    expect(page.locator("[data-show=frame]")).to_have_text("f25")
    assert page.evaluate(TAKEN, [{"key": "å", "code": "KeyA", "altKey": True}]) == ["å"]
    expect(page.locator("#overview")).to_have_value("l")


def test_on_a_mac_option_types_and_with_control_it_is_alt(
    page_of, project, make_playable_clip, anna
):
    page = page_of(anna)
    page.add_init_script("Object.defineProperty(navigator, 'platform', { value: 'MacIntel' })")
    visit(page, hold(anna, make_work(make_playable_clip(project), needed=1)))
    expect(page.locator("#overview")).to_be_focused()
    option = {"key": "˚", "code": "KeyK", "altKey": True}
    assert page.evaluate(TAKEN, [option, {"key": ";", "code": "KeyL", "altKey": True}]) == []
    assert page.evaluate(TAKEN, [{**option, "ctrlKey": True}]) == ["˚"]
    expect(page.locator("video")).to_have_js_property("paused", False)
