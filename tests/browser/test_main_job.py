"""The main job in one piece: a file in, written twice, merged, split, and out as a release.

It is done in the browser by the people who would do it; only the worker's part and the second
write-up, which is written as the first, are called directly. With UPDATE_README=1 the picture in
the README is taken on the way.
"""

import io
import json
import os
import re
import zipfile
from pathlib import Path

import av
import pytest
from playwright.sync_api import expect

from annotate.jobs.services.working import work_on
from annotate.models import Job, Project, WorkItem
from fixtures.demo_content import load_demo
from fixtures.render import render_scene
from fixtures.scenes.cast import SCENES
from tests.browser.work_pages import SAVED
from tests.import_work import run_imports
from tests.work import submit_write_up

README_PICTURE = Path(__file__).parents[2] / "docs" / "img" / "write.png"
FILE = "dive_red_tuck.mp4"
STORY = next(video for video in load_demo().videos if video.file == FILE)


@pytest.fixture
def dive(tmp_path) -> Path:
    return render_scene(SCENES["dive_red_tuck"], tmp_path / FILE)


def write(page, parts):
    page.goto("/p/dives/")
    page.get_by_role("button", name="Write next").first.click()
    for part, text in parts.items():
        page.locator(f"textarea[name={part}]").fill(text)
    expect(page.locator("#save-state")).to_have_text(SAVED)


def submit(page):
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page).to_have_url(re.compile("/p/dives/$"))


def test_from_the_upload_to_the_exported_file(page_of, live, dive, ada, anna, ben, emil):
    project = Project.objects.get()

    admin = page_of(ada)
    admin.goto("/p/dives/videos/upload/")
    admin.locator("#facts [name=category]").fill("Sports & Exercise")
    admin.locator("#facts [name=subcategory]").fill("platform_diving")
    admin.set_input_files("input[type=file]", dive)
    admin.get_by_role("button", name=re.compile("^Upload")).click()
    expect(
        admin.get_by_text(re.compile("waits|queued|Waiting", re.IGNORECASE)).first
    ).to_be_visible()
    run_imports()

    first, second = (write_up.parts() for write_up in STORY.write_ups)
    page = page_of(anna)
    write(page, first)
    if os.environ.get("UPDATE_README"):
        page.wait_for_function("() => document.querySelector('video').readyState >= 3")
        page.screenshot(path=README_PICTURE, animations="disabled")
    submit(page)
    submit_write_up(ben, WorkItem.objects.get(kind="write"), **second)

    expert = page_of(emil)
    expert.goto("/p/dives/")
    expert.get_by_role("button", name="Merge next").first.click()
    for part, text in STORY.merged.parts().items():
        fields = expert.locator(f"textarea[name^={part}-]")
        fields.first.fill(text)
    expect(expert.locator("#save-state")).to_have_text(SAVED)
    submit(expert)

    page = page_of(anna)
    page.goto("/p/dives/")
    page.get_by_role("button", name="Split next").first.click()
    page.locator("textarea[name=spatial]").fill(STORY.split.spatial)
    page.locator("textarea[name=temporal]").fill(STORY.split.temporal)
    expect(page.locator("#save-state")).to_have_text(SAVED)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#undecided")).to_be_visible()  # asked once: the texts decide
    submit(page)

    admin.goto("/p/dives/releases/next/")
    admin.get_by_label("Version").fill("0.1.0")
    admin.get_by_label("I have looked at the clips").check()
    admin.get_by_role("button", name="Build and freeze").click()
    expect(admin.locator("#release-build strong")).to_be_visible()
    work_on(job_id=Job.objects.get(kind="release").pk)
    # Two parts of the page link to the release at times, so the address is asked for.
    admin.goto("/p/dives/releases/0.1.0/")
    expect(admin.get_by_role("heading", name=re.compile("0.1.0"))).to_be_visible()
    work_on(job_id=Job.objects.get(kind="release_archive").pk)
    with admin.expect_download() as download:
        admin.locator("#archive-carebench").get_by_role(
            "link", name=re.compile("^Download")
        ).click()
    archive = zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes()))

    [record] = json.loads(archive.read("dives-0.1.0-carebench/json/metadata.json"))
    assert list(record) == [
        "video",
        "caption",
        "spatial_caption",
        "temporal_caption",
        "category",
        "subcategory",
    ]
    assert record["video"] == FILE
    assert record["caption"] == " ".join(STORY.merged.parts().values())
    assert record["spatial_caption"] == STORY.split.spatial
    assert record["temporal_caption"] == STORY.split.temporal
    assert (record["category"], record["subcategory"]) == ("Sports & Exercise", "platform_diving")
    with av.open(io.BytesIO(archive.read(f"dives-0.1.0-carebench/videos/{FILE}"))) as exported:
        frames = sum(1 for _ in exported.decode(video=0))
    assert frames == project.videos.get().frames
