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


def test_a_file_is_chosen_described_sent_and_imported(upload_page, source, axe, screenshot):
    page = upload_page
    page.get_by_label("Category", exact=False).first.fill("Sports")
    choose(page, source)
    axe(page)
    screenshot(page, "upload", full_page=True)
    page.get_by_role("button", name="Upload 1 file").press("Enter")
    page.get_by_text("Waiting for a worker").wait_for()
    item = ImportItem.objects.get()
    assert (item.state, item.category) == ("waiting", "Sports")
    assert file_store.incoming_file(item.pk).read_bytes() == source.read_bytes()
    run_imports()
    page.get_by_text("Imported", exact=True).wait_for()
    assert Clip.objects.get().name == "v_00000044_3"
    expect(page.locator("#announcement")).to_have_text(re.compile("^1 of 1 finished"))
    axe(page)


def test_nothing_on_the_page_denies_what_became_of_a_file(upload_page, source, tmp_path):
    page = upload_page
    copy = tmp_path / "copy_of_one.mp4"
    copy.write_bytes(source.read_bytes())
    choose(page, source, copy)
    page.locator("#start").click()
    expect(page.get_by_text("Waiting for a worker")).to_have_count(2)
    run_imports()
    page.get_by_text("The project already has this file").wait_for()
    expect(page.locator("#upload-status")).to_be_empty()
    expect(page.locator("#files > li")).to_have_count(0)


def test_the_picker_is_a_button(upload_page, source):
    page = upload_page
    with page.expect_file_chooser() as opened:
        page.get_by_text("Choose videos", exact=True).click()
    opened.value.set_files(source)
    expect(page.get_by_role("button", name="Upload 1 file")).to_be_enabled()
    box = page.locator("#picker").bounding_box()
    assert (box["width"], box["height"]) == (1, 1)


def test_keys_reach_the_picker_and_its_button_shows_the_focus(upload_page):
    page, button = upload_page, upload_page.get_by_text("Choose videos", exact=True)
    # From here on Chromium tells of a chooser; asked for only later, it may come too late.
    page.on("filechooser", lambda chooser: None)
    assert button.evaluate("e => getComputedStyle(e).outlineStyle") == "none"
    page.locator("main").get_by_role("link", name="Imports", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.locator("#picker")).to_be_focused()
    assert button.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    with page.expect_file_chooser():
        page.keyboard.press("Enter")


def test_what_can_not_come_in_is_refused_before_a_byte_is_sent(upload_page, source, tmp_path):
    empty, notes = tmp_path / "empty.mp4", tmp_path / "notes.txt"
    empty.touch()
    notes.write_text("no video")
    choose(upload_page, empty, notes, source)
    expect(upload_page.get_by_text("The file is empty.")).to_be_visible()
    expect(upload_page.get_by_text("has no suffix of a video")).to_be_visible()
    expect(upload_page.get_by_role("button", name="Upload 1 file")).to_be_enabled()
    assert ImportItem.objects.count() == 0


def test_an_upload_goes_on_by_itself_after_a_lost_connection(upload_page, source, console_errors):
    console_errors.expect("ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch")
    page, lost = upload_page, []

    def lose_the_second_chunk_twice(route):
        if route.request.headers["upload-offset"] == str(CHUNK) and len(lost) < 2:
            lost.append(route.request.url)
            route.abort("internetdisconnected")
        else:
            route.continue_()

    page.route("**/chunks/", lose_the_second_chunk_twice)
    choose(page, source)
    page.locator("#start").click()
    page.get_by_text("No connection; continues automatically").wait_for()
    page.get_by_text("Waiting for a worker").wait_for()
    item = ImportItem.objects.get()
    assert len(lost) == 2
    assert file_store.incoming_file(item.pk).read_bytes() == source.read_bytes()


def test_an_upload_goes_on_after_a_reload_with_the_same_file(upload_page, source, console_errors):
    console_errors.expect("ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch")
    page = upload_page
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
    page.unroute("**/chunks/")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()

    sent = []
    page.on(
        "request",
        lambda r: sent.append(r.headers["upload-offset"]) if r.url.endswith("/chunks/") else None,
    )
    expect(page.get_by_text("Not fully uploaded yet")).to_be_visible()
    choose(page, source)
    expect(page.get_by_text("Continues where it stopped", exact=True)).to_be_visible()
    page.locator("#start").click()
    page.get_by_text("Waiting for a worker").wait_for()
    item = ImportItem.objects.get()
    assert sent[0] == str(CHUNK)
    assert file_store.incoming_file(item.pk).read_bytes() == source.read_bytes()


def test_a_manifest_fills_in_what_each_file_is(upload_page, source, tmp_path):
    page, manifest = upload_page, tmp_path / "manifest.csv"
    manifest.write_text("file,category\nother.mp4,Gym\n")
    choose(page, source, manifest)
    page.get_by_text("there is no file 'other.mp4'").wait_for()
    expect(page.locator("#start")).to_be_disabled()
    text = io.StringIO()
    csv.writer(text).writerows([["file", "category"], [source.name, "<b>Gym</b>"]])
    manifest.write_text(text.getvalue())
    choose(page, manifest)
    page.get_by_text("manifest.csv says what each file is.").wait_for()
    page.locator("#start").click()
    page.get_by_text("Waiting for a worker").wait_for()
    assert ImportItem.objects.get().category == "<b>Gym</b>"


def test_an_upload_can_be_cancelled(upload_page, source, console_errors):
    console_errors.expect("ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch")
    page = upload_page
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
    page.get_by_role("button", name="Remove v_00000044_3.mp4").click()
    page.get_by_text("Canceled", exact=True).wait_for()
    item = ImportItem.objects.get()
    assert (item.state, item.code, item.received) == ("failed", "cancelled", CHUNK)
    assert not file_store.incoming_file(item.pk).exists()


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
        page.wait_for_load_state("networkidle")
        axe(page)
        screenshot(page, name.replace("_", "-"), full_page=True)
        page.set_viewport_size({"width": 390, "height": 844})
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.set_viewport_size({"width": 1280, "height": 800})
