"""From files with labeled clips to a split."""

import json

from django.urls import reverse
from playwright.sync_api import expect

from annotate.jobs.services.working import work_on
from annotate.models import Job, Project

CAPTIONS = {"103b": "Forward, 1.5 Soms.Pike", "105b": "Forward, 2.5 Soms.Pike"}
LABELS = [
    {"label": key, "caption": caption, "source": "FineDiving"} for key, caption in CAPTIONS.items()
]


def import_datasets() -> None:
    """What a worker does."""
    for key in Job.objects.filter(kind="dataset", state="waiting").values_list("pk", flat=True):
        work_on(job_id=key)


def labels_file() -> dict:
    return {"name": "l.json", "mimeType": "application/json", "buffer": json.dumps(LABELS).encode()}


def clips_file(videos, end: int) -> dict:
    rows = ["source_video,clip,label,first_frame,end_frame"]
    for video in videos:
        stem = video.original_name.removesuffix(".mp4")
        rows += [f"{stem}.mp4,{stem}_{key},{key},{at},{end}" for at, key in enumerate(CAPTIONS)]
    return {"name": "dives.csv", "mimeType": "text/csv", "buffer": "\n".join(rows).encode()}


def choose_and_import(page, videos, end: int) -> None:
    page.get_by_label("Clips").set_input_files(clips_file(videos, end=end))
    page.get_by_label("Labels").set_input_files(labels_file())
    page.get_by_role("button", name="Check and import").click()
    expect(page.locator("#import-state")).to_contain_text("has been importing since")
    import_datasets()


def preview_split(page):
    """Ask for three of four videos in train; return the preview."""
    page.get_by_label("Validation, percent").fill("0")
    page.get_by_label("Minimum source videos per split").first.fill("1")
    page.get_by_label("Train, percent").fill("75")
    page.get_by_label("Test, percent").fill("25")
    page.get_by_role("button", name="Preview").click()
    preview = page.locator("#split-preview")
    expect(preview.get_by_role("row", name="Train 3 6 75.0 % 2")).to_be_visible()
    expect(preview.get_by_text("2 labels have clips in train and in test.")).to_be_visible()
    return preview


def test_labeled_clips_come_in_and_their_videos_are_split(
    page_of, project, ada, make_playable_clip, axe, screenshot, console_errors
):
    console_errors.expect("422")
    Project.objects.filter(pk=project.pk).update(protocol="tfcovr")
    videos = [make_playable_clip(project).video for _ in range(4)]
    page = page_of(ada)
    page.goto(reverse("annotate:labels", args=[project.slug]))
    page.get_by_role("link", name="Import labeled clips").click()

    choose_and_import(page, videos, end=51)
    expect(page.get_by_text("8 things have to be fixed")).to_be_visible()
    expect(page.get_by_role("cell", name="end_frame").first).to_be_visible()
    axe(page)
    screenshot(page, "import-dataset", full_page=True)
    choose_and_import(page, videos, end=40)
    expect(page.get_by_text("8 new clips and 2 new labels.")).to_be_visible()
    page.get_by_role("link", name="See the labels").click()
    page.get_by_role("link", name="Split the videos").click()

    page.get_by_label("Validation, percent").fill("0")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("They must add up to 100 %")).to_be_visible()
    preview = preview_split(page)
    axe(page)
    screenshot(page, "split-videos", full_page=True)
    preview.get_by_role("button", name="Apply this split").click()
    expect(page.get_by_text("The source videos are split.")).to_be_visible()

    page.goto(reverse("annotate:labels", args=[project.slug]))
    row = page.get_by_role("row", name="103b Forward, 1.5 Soms.Pike diving 4 3 0 1")
    expect(row).to_be_visible()
    axe(page)
    screenshot(page, "labels", full_page=True)
    page.get_by_role("link", name="105b").click()
    expect(page.get_by_text("4 clips match")).to_be_visible()
    axe(page)
