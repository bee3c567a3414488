"""The browser tests' own tools notice what they are there to notice."""

import time

import pytest
from django.contrib.auth.decorators import login_not_required
from django.core.files.storage import default_storage
from django.http import FileResponse, HttpResponse
from django.urls import path

from config.favicon import favicon
from tests.browser.tabs import Tabs


@login_not_required
def plain(request):
    return HttpResponse("<!doctype html><html lang=en><title>Plain</title><main><h1>Plain</h1>")


@login_not_required
def file(request, name):
    return FileResponse(default_storage.open(name))


urlpatterns = [
    path("favicon.ico", favicon),
    path("plain/", plain),
    path("file/<path:name>", file),
]
pytestmark = pytest.mark.urls(__name__)


COMPLAINTS = {
    "console.error('spilt')": "error: spilt",
    "console.warn('spilt')": "warning: spilt",
    "setTimeout(() => { throw new Error('spilt') }, 0)": "spilt",
    "document.body.append(Object.assign(new Image(), {src: 'http://a.invalid/'}))": "a.invalid",
    "document.body.setAttribute('style', 'color: red')": "Content Security Policy",
    "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))": (
        "Content Security Policy"
    ),
}


def test_a_complaint_of_the_browser_is_noticed(page_of, console_errors):
    page = page_of()
    page.goto("/plain/")
    for script, complaint in COMPLAINTS.items():
        console_errors.seen.clear()
        page.evaluate(script)
        until = time.monotonic() + 5
        while not any(complaint in line for line in console_errors.seen):
            assert time.monotonic() < until, script
            page.wait_for_timeout(50)
        assert any(complaint in line for line in console_errors.unexpected)
    console_errors.expect("")


def test_only_what_was_expected_is_forgiven(console_errors):
    console_errors.seen += ["error: 409 (draft)", "error: spilt"]
    console_errors.expect("409")
    assert console_errors.unexpected == ["error: spilt"]
    console_errors.expect("spilt")


def test_axe_finds_a_picture_without_a_text(page_of, axe):
    page = page_of()
    page.goto("/plain/")
    page.evaluate("document.body.append(Object.assign(new Image(), {src: 'data:image/gif,'}))")
    with pytest.raises(AssertionError, match="image-alt"):
        axe(page)


def test_axe_finds_pale_text_among_many_of_another_kind(page_of, axe):
    page = page_of()
    page.goto("/plain/")
    page.evaluate(
        """() => {
            const style = new CSSStyleSheet();
            style.replaceSync('td { color: black } td.pale { color: #ccc }');
            document.adoptedStyleSheets = [style];
            const row = document.createElement('table').insertRow();
            for (let place = 0; place < 9; place += 1) row.insertCell().textContent = 'Text';
            row.cells[7].className = row.cells[3].className = 'pale';
            row.cells[3].textContent = 'x';  // axe forgives a letter alone
            document.querySelector('main').append(row.closest('table'));
        }"""
    )
    with pytest.raises(AssertionError, match="color-contrast"):
        axe(page)


def test_axe_finds_what_is_wrong_in_dark_alone_and_what_came_after_the_last_look(page_of, axe):
    page = page_of()
    page.goto("/plain/")
    page.evaluate(
        """() => {
            const style = new CSSStyleSheet();
            style.replaceSync('@media (prefers-color-scheme: dark) { main { color: #ccc } }');
            document.adoptedStyleSheets = [style];
            document.querySelector('main').append('Some text');
        }"""
    )
    axe(page)
    page.emulate_media(color_scheme="dark")
    with pytest.raises(AssertionError, match="color-contrast"):
        axe(page)
    page.emulate_media(color_scheme="light")
    page.evaluate("document.body.append(Object.assign(new Image(), {src: 'data:image/gif,'}))")
    with pytest.raises(AssertionError, match="image-alt"):
        axe(page)


def test_a_page_belongs_to_its_person_alone(page_of, anna, ben):
    session = {
        person: next(
            c["value"] for c in page_of(person).context.cookies() if "session" in c["name"]
        )
        for person in (anna, ben)
    }
    assert session[anna] != session[ben]
    assert page_of().context.cookies() == []


def test_a_tab_is_handed_out_again_with_nothing_in_it(browser, live, console_errors):
    tabs = Tabs(browser, live.url)
    tab = tabs.open(console_errors, 1280, 800)
    answered = []
    tab.page.on("request", lambda request: answered.append(request.url))
    tab.page.goto("/plain/")
    tab.page.evaluate("() => { localStorage.theme = 'dark'; document.cookie = 'a=b'; }")
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.page.emulate_media(color_scheme="dark")
    tab.page.route("**/plain/", lambda route: route.fulfill(body="In the server's place."))
    with tab.page.expect_popup() as popup:
        tab.page.evaluate("() => void open('/plain/')")
    popup.value.wait_for_load_state()  # a page that is on its way can't be asked to leave quietly
    tab.context.set_offline(True)
    tabs.take_back(tab)
    again = tabs.open(console_errors, 1280, 800)
    assert again is tab
    answered.clear()
    again.page.goto("/plain/")
    assert again.page.text_content("h1") == "Plain"
    assert answered == []
    dark = "matchMedia('(prefers-color-scheme: dark)').matches"
    left = f"() => [localStorage.length, document.cookie, innerWidth, {dark}]"
    assert again.page.evaluate(left) == [0, "", 1280, False]
    again.context.close()


def test_a_tab_whose_page_was_closed_gets_another(browser, live, console_errors):
    tabs = Tabs(browser, live.url)
    tab = tabs.open(console_errors, 1280, 800)
    tab.page.goto("/plain/")
    tab.page.close()
    tabs.take_back(tab)
    again = tabs.open(console_errors, 390, 844)
    assert again is tab
    again.page.goto("/plain/")
    assert again.page.evaluate("innerWidth") == 390
    again.context.close()


@pytest.mark.parametrize(
    "change",
    [
        lambda page: page.on("dialog", lambda dialog: dialog.accept()),
        lambda page: page.clock.install(),
        lambda page: page.context.clock.install(),
        lambda page: page.context.new_page().clock.install(),
        lambda page: page.context.grant_permissions(["clipboard-read"]),
    ],
)
def test_a_tab_to_which_more_was_done_is_closed(browser, live, console_errors, change):
    tabs = Tabs(browser, live.url)
    tab = tabs.open(console_errors, 1280, 800)
    tab.page.goto("/plain/")
    change(tab.page)
    tabs.take_back(tab)
    assert tab.page.is_closed()
    other = tabs.open(console_errors, 1280, 800)
    assert other is not tab
    other.context.close()


def test_chromium_plays_the_rendered_video(page_of, project, make_playable_clip):
    clip = make_playable_clip(project)
    page = page_of()
    page.goto("/plain/")
    seconds = page.evaluate(
        """name => new Promise((resolve, reject) => {
            const video = document.createElement('video');
            video.onloadedmetadata = () => resolve(video.duration);
            video.onerror = () => reject(video.error.message);
            video.src = `/file/${name}`;
        })""",
        clip.video.playback_file,
    )
    assert seconds == clip.seconds == 2
