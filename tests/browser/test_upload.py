"""The upload page in a real browser: send, lose the connection, come back, see what came of it."""

import csv
import io
import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate import file_store
from annotate.models import Clip, ImportItem
from tests.cast import make_clip
from tests.import_work import run_imports

CHUNK = 4096


@pytest.fixture(autouse=True)
def small_chunks(settings):
    settings.VERICAP_CHUNK_BYTES = CHUNK


@pytest.fixture
def source(rendered_media, tmp_path):
    """A real video of several chunks, under a name of its own."""
    file = tmp_path / "v_00000044_3.mp4"
    file.write_bytes((rendered_media / "playback.mp4").read_bytes())
    assert file.stat().st_size > 2 * CHUNK
    return file


@pytest.fixture
def upload_page(page_of, ada, project):
    page = page_of(ada)
    page.goto(reverse("annotate:upload", args=[project.slug]))
    return page


def choose(page, *files) -> None:
    page.set_input_files("#picker", [str(file) for file in files])


def content_of(item) -> bytes:
    return file_store.incoming_file(item.pk).read_bytes()


def test_a_file_is_chosen_described_sent_and_imported(
    upload_page, source, tmp_path, axe, screenshot
):
    page = upload_page
    copy = tmp_path / "copy_of_one.mp4"
    copy.write_bytes(source.read_bytes())
    check_picker(page)
    page.get_by_label("Category", exact=False).first.fill("Sports")
    choose(page, source, copy)
    axe(page)
    screenshot(page, "upload", full_page=True)
    page.get_by_role("button", name="Upload 2 files").press("Enter")
    expect(page.get_by_text("Waiting for a worker")).to_have_count(2)
    first, second = ImportItem.objects.order_by("position")
    assert (first.state, first.category) == ("waiting", "Sports")
    assert content_of(first) == content_of(second) == source.read_bytes()
    run_imports()
    page.get_by_text("Imported", exact=True).wait_for()
    assert Clip.objects.get().name == "v_00000044_3"
    expect(page.locator("#announcement")).to_have_text(re.compile("^2 of 2 finished"))
    axe(page)
    # Only the reason is shown: neither the status nor the list contradicts it.
    page.get_by_text("The project already has this file").wait_for()
    expect(page.locator("#upload-status")).to_be_empty()
    expect(page.locator("#files > li")).to_have_count(0)


def check_picker(page):
    """It is a button: keys reach it and its focus is seen; pressed or clicked, it opens."""
    button, picker = page.get_by_text("Choose videos", exact=True), page.locator("#picker")
    # From here on Chromium tells of a chooser; asked for only later, it may come too late.
    page.on("filechooser", lambda chooser: None)
    assert button.evaluate("e => getComputedStyle(e).outlineStyle") == "none"
    page.locator("main").get_by_role("link", name="Imports", exact=True).focus()
    page.keyboard.press("Tab")
    expect(picker).to_be_focused()
    assert button.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    with page.expect_file_chooser():
        page.keyboard.press("Enter")
    with page.expect_file_chooser():
        button.click()
    box = picker.bounding_box()
    assert (box["width"], box["height"]) == (1, 1)


def test_what_can_not_come_in_is_refused_and_a_manifest_says_what_a_file_is(
    upload_page, source, tmp_path
):
    page = upload_page
    empty, notes, manifest = (tmp_path / name for name in ("empty.mp4", "notes.txt", "m.csv"))
    empty.touch()
    notes.write_text("no video")
    manifest.write_text("file,category\nother.mp4,Gym\n")
    choose(page, empty, notes, source)
    expect(page.get_by_text("The file is empty.")).to_be_visible()
    expect(page.get_by_text("has no suffix of a video")).to_be_visible()
    expect(page.get_by_role("button", name="Upload 1 file")).to_be_enabled()
    choose(page, manifest)
    page.get_by_text("there is no file 'other.mp4'").wait_for()
    icon = page.locator("#manifest use")
    assert icon.get_attribute("href").endswith("#danger")
    expect(page.locator("#start")).to_be_disabled()
    assert ImportItem.objects.count() == 0
    text = io.StringIO()
    csv.writer(text).writerows([["file", "category"], [source.name, "<b>Gym</b>"]])
    manifest.write_text(text.getvalue())
    choose(page, manifest)
    page.get_by_text("m.csv says what each file is.").wait_for()
    assert icon.get_attribute("href").endswith("#check")
    page.locator("#start").click()
    page.get_by_text("Waiting for a worker").wait_for()
    assert ImportItem.objects.get().category == "<b>Gym</b>"


def lose_all_but_the_first_chunk(page, source):
    """Begin an upload whose connection is lost after the first chunk."""
    page.route(
        "**/chunks/",
        lambda route: (
            route.continue_()
            if route.request.headers["upload-offset"] == "0"
            else route.abort("internetdisconnected")
        ),
    )
    choose(page, source)
    page.locator("#start").click()
    page.get_by_text("No connection; continues automatically").wait_for()


def test_an_upload_survives_a_lost_connection_and_a_reload(upload_page, source, console_errors):
    console_errors.expect("ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch")
    page = upload_page
    page.on("dialog", lambda dialog: dialog.accept())
    lose_all_but_the_first_chunk(page, source)
    page.get_by_role("button", name="Remove v_00000044_3.mp4").click()
    page.get_by_text("Canceled", exact=True).wait_for()
    canceled = ImportItem.objects.get()
    assert (canceled.state, canceled.code, canceled.received) == ("failed", "cancelled", CHUNK)
    assert not file_store.incoming_file(canceled.pk).exists()

    page.unroute("**/chunks/")
    lose_all_but_the_first_chunk(page, source)
    page.unroute("**/chunks/")
    page.reload()
    check_continues_with_the_same_file_where_it_stopped(page, source)
    [continued] = ImportItem.objects.exclude(pk=canceled.pk)
    assert content_of(continued) == source.read_bytes()


def check_continues_with_the_same_file_where_it_stopped(page, source):
    """It does so by itself when the connection is lost twice more."""
    sent, lost = [], []

    def lose_two_chunks(route):
        sent.append(route.request.headers["upload-offset"])
        if len(lost) < 2:
            lost.append(route.request.url)
            route.abort("internetdisconnected")
        else:
            route.continue_()

    page.route("**/chunks/", lose_two_chunks)
    expect(page.get_by_text("Not fully uploaded yet")).to_be_visible()
    choose(page, source)
    expect(page.get_by_text("Continues where it stopped", exact=True)).to_be_visible()
    page.locator("#start").click()
    page.get_by_text("No connection; continues automatically").wait_for()
    page.get_by_text("Waiting for a worker").wait_for()
    assert len(lost) == 2
    assert sent[0] == str(CHUNK)


def test_the_corpus_and_its_pages_are_accessible(
    page_of, ada, project, make_playable_clip, axe, screenshot
):
    page = page_of(ada)
    page.goto(reverse("annotate:corpus", args=[project.slug]))
    axe(page)
    screenshot(page, "corpus-empty")
    clip = make_playable_clip(project)
    make_playable_clip(
        project, original_name="a-very-long-name-" * 9 + ".mp4", category="Sports " * 12
    )
    make_clip(project, video=clip.video, end_frame=25)
    for name, arguments in (("corpus", []), ("corpus_balance", []), ("clip", [clip.pk])):
        page.goto(reverse(f"annotate:{name}", args=[project.slug, *arguments]))
        axe(page)
        screenshot(page, name.replace("_", "-"), full_page=True)
        page.set_viewport_size({"width": 390, "height": 844})
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.set_viewport_size({"width": 1280, "height": 800})
