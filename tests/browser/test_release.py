"""From complete clips to a file on one's disk, and the overview on the way, in a real browser."""

import hashlib
import json
import re
import zipfile

import pytest
from playwright.sync_api import expect

from annotate.jobs.services.working import work_on
from annotate.models import Assignment
from annotate.models.jobs import Job
from annotate.queue.services import skip
from annotate.split.services import send_back_split
from review.releases.services import build_release
from tests.browser.looks import scrolls_sideways
from tests.review.cast import complete, make_short_project, merge, open_clip, take, write


@pytest.fixture
def project(transactional_db):
    return make_short_project()


@pytest.fixture
def busy(project, anna, ben, emil, make_playable_clip):
    """Clips at every step, some of them stuck; two are complete and one of those is released."""

    def opened(name, **fields):
        return open_clip(project, name, make=make_playable_clip, **fields)

    complete(project, opened("dive_red_tuck", subcategory="Platform"), [anna, ben], emil)
    build_release(project=project, version="0.1.0", admin=None, notes="The first dives.")
    complete(project, opened("bikes", category="Street", license=""), [anna, ben], emil)
    returned = complete(project, opened("carphone"), [anna, ben], emil)
    merged = opened("dive_green_pike")
    write(project, merged, anna, ben)
    merge(project, merged, emil)
    write(project, opened("sort_balls"), anna, ben)
    write(project, opened("bunny"), anna)
    for person in (anna, ben):
        hold = take(project, person, "write", opened_once(project, opened, "black"))
        skip(assignment_id=hold.pk, annotator=person, reason="The picture is black throughout.")
    take(project, anna, "write", opened("dive_purple"))
    send_back_split(clip=returned, expert=emil, comment="Say more about the seats.")
    Assignment.objects.filter(state="submitted").update(active_seconds=1260)
    return project


def build_waiting_release() -> None:
    """What a worker does about the release that was asked for."""
    work_on(job_id=Job.objects.filter(kind="release").latest("pk").pk)


def opened_once(project, opened, name):
    return project.clips.filter(name=name).first() or opened(name)


def test_an_admin_frees_stuck_work_builds_a_release_and_takes_it_home(
    busy, ada, page_of, axe, screenshot, tmp_path
):
    page, plain = page_of(ada), page_of(ada, java_script_enabled=False)
    check_stuck_work_is_seen_and_freed(page, busy, axe, screenshot)
    check_content_and_notes_of_the_next_release(page, busy, axe, screenshot)
    check_build_is_begun_and_canceled(page)
    check_build_is_begun_without_scripts(plain, busy)
    page.goto(f"/p/{busy.slug}/releases/next/")
    check_build_is_followed_to_the_release(page, axe, screenshot)
    check_archive_is_taken_home(page, busy, axe, screenshot, tmp_path)
    page.get_by_role("link", name="Take it down").first.click()
    page.get_by_label("License").check()
    page.get_by_label("I have looked at").check()
    page.get_by_role("button", name="Take it down").click()
    expect(page.get_by_text("Clip: bikes is taken down.")).to_be_visible()
    expect(page.get_by_role("heading", name="Clip: bikes")).to_be_visible()


def check_nothing_is_wider_than_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 844})
    assert not scrolls_sideways(page), page.url
    page.set_viewport_size({"width": 1280, "height": 800})


def check_stuck_work_is_seen_and_freed(page, project, axe, screenshot):
    page.goto(f"/p/{project.slug}/activity/")
    expect(page.get_by_text("The picture is black throughout.").first).to_be_visible()
    axe(page)
    screenshot(page, "activity", full_page=True)
    page.get_by_role("button", name=re.compile("Offer again")).click()
    expect(page.get_by_text("black is available again.")).to_be_visible()
    expect(page.get_by_role("heading", name="Skipped")).to_have_count(0)


def check_content_and_notes_of_the_next_release(page, project, axe, screenshot):
    page.goto(f"/p/{project.slug}/releases/")
    axe(page)
    screenshot(page, "releases", full_page=True)
    check_nothing_is_wider_than_a_phone(page)
    page.get_by_role("link", name="Prepare the next release").click()
    expect(page.get_by_role("heading", name="Compared with 0.1.0")).to_be_visible()
    page.locator("summary", has_text="Change the checks").click()
    axe(page)
    screenshot(page, "release-studio", full_page=True)

    page.get_by_label("Notes").fill("Now with bikes.")
    expect(page.get_by_text("Notes kept.")).to_be_visible()
    page.get_by_text("Leave out categories").click()
    page.get_by_label("Street", exact=True).check()
    page.get_by_role("button", name="Update the content").click()
    expect(page.get_by_text("Nothing to build")).to_be_visible()
    expect(page.get_by_label("Notes")).to_have_value("Now with bikes.")
    page.get_by_label("Street", exact=True).uncheck()
    page.get_by_role("button", name="Update the content").click()
    expect(page.get_by_text("Nothing to build")).to_have_count(0)
    page.get_by_role("link", name="All changes with their texts").click()
    expect(page.get_by_text("bikes.mp4")).to_be_visible()
    axe(page)
    screenshot(page, "release-changes", full_page=True)
    page.locator("main").get_by_role("link", name="Next release").click()
    expect(page.get_by_label("Notes")).to_have_value("Now with bikes.")


def check_build_is_begun_and_canceled(page):
    page.get_by_role("button", name="Build and freeze").click()
    assert page.url.endswith("/releases/next/"), "the browser itself asks for the tick first"
    page.get_by_label("I have looked at").check()
    page.get_by_role("button", name="Build and freeze").click()
    expect(page.locator("#release-build strong")).to_be_in_viewport()
    expect(page.locator("#build #release-build")).to_be_focused()
    expect(page.locator("#announcement")).to_have_text("Release 0.2.0 is being built.")
    expect(page.get_by_role("button", name="Build and freeze")).to_have_count(0)
    page.reload()
    expect(page.locator("#build #release-build")).to_be_focused()
    page.get_by_role("button", name="Cancel the build").click()
    expect(page.get_by_role("button", name="Build and freeze")).to_be_in_viewport()


def check_build_is_begun_without_scripts(plain, project):
    plain.goto(f"/p/{project.slug}/releases/next/")
    plain.get_by_label("I have looked at").check()
    plain.get_by_role("button", name="Build and freeze").click()
    expect(plain.get_by_text("Release 0.2.0 is being built")).to_be_visible()


def check_build_is_followed_to_the_release(page, axe, screenshot):
    expect(page.locator("#release-build strong")).to_be_in_viewport()
    expect(page.locator("#build #release-build")).to_be_focused()
    axe(page)
    screenshot(page, "release-building")
    build_waiting_release()
    expect(page.locator("#build #release-build")).to_be_focused()
    page.get_by_role("link", name="Open release 0.2.0").click()
    page.wait_for_url("**/releases/0.2.0/")
    axe(page)
    check_nothing_is_wider_than_a_phone(page)
    page.get_by_text("bikes.mp4").click()
    expect(page.get_by_text("A diver jumps from a tower.").first).to_be_visible()
    expect(page.get_by_text("The ZIP is being prepared")).to_be_visible()
    screenshot(page, "release", full_page=True)


def check_archive_is_taken_home(page, project, axe, screenshot, tmp_path):
    work_on(job_id=Job.objects.get(kind="release_archive").pk)
    expect(page.locator("#archive-carebench").get_by_text("SHA-256")).to_be_visible()
    axe(page)
    screenshot(page, "release-archive")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download CaReBench ZIP").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "dives-0.2.0-carebench.zip"
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        sums = archive.read("dives-0.2.0-carebench/SHA256SUMS")
        records = json.loads(archive.read("dives-0.2.0-carebench/json/metadata.json"))
    assert hashlib.sha256(sums).hexdigest() == project.releases.get(version="0.2.0").content_hash
    assert [record["video"] for record in records] == ["bikes.mp4", "dive_red_tuck.mp4"]


def test_the_pages_are_calm_when_there_is_nothing(project, ada, page_of, axe, screenshot):
    page = page_of(ada)
    for name in ("releases", "releases/next", "overview"):
        page.goto(f"/p/{project.slug}/{name}/")
        axe(page)
        screenshot(page, f"{name.replace('/', '-')}-empty")
