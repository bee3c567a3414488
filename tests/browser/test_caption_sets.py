"""Model captions and a round of comparisons, in a real browser."""

import json

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.jobs.services.working import work_on
from annotate.models import Caption
from annotate.models.jobs import Job
from review.captions.import_job import IMPORT_PREDICTIONS
from review.captions.models import SetCaption
from review.comparisons.models import Round
from tests.browser.looks import widths
from tests.cast import make_clip
from tests.import_work import run_file_import
from tests.review.comparisons.comparing import make_set, predict, vote_for
from tests.review.reports.computing import compute_as_asked, work_on_report

TEXTS = (
    "A diver jumps from a tower and turns twice in the air.",
    "Two men open a red door and go into the house.",
    "A dog runs along the beach and brings a stick back.",
)


@pytest.fixture
def clips(project):
    clips = [make_clip(project, original_name=f"clip-{number}.mp4") for number in range(6)]
    for clip, text in zip(clips, TEXTS, strict=False):
        Caption.objects.create(
            project=project, clip=clip, kind="general", source="merged", text=text, word_count=11
        )
    return clips


def file_of(clips, tmp_path, *more):
    rows = [{"video": f"{clip.name}.mp4", "caption": f"{TEXTS[0]} {clip.name}"} for clip in clips]
    path = tmp_path / "heron-predictions.jsonl"
    path.write_text("\n".join(map(json.dumps, [*rows, *more])))
    return path


def sets_url(project):
    return reverse("review:report_page", args=[project.slug, "caption-sets"])


def fits(page) -> bool:
    return page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_file_is_imported_after_its_faults_are_mended(
    page_of, project, clips, ada, axe, screenshot, tmp_path, console_errors
):
    page = page_of(ada)
    page.goto(sets_url(project))
    expect(page.get_by_role("heading", name="No model captions yet")).to_be_visible()
    axe(page)
    screenshot(page, "caption-sets-empty", full_page=True)

    section = page.locator("#import")
    wrong = [{"clip": "gone", "caption": "A."}, {"clip": "clip-1", "caption": ""}]
    section.get_by_label("File").set_input_files(file_of(clips, tmp_path, *wrong))
    section.get_by_label("Name").fill("Heron")
    page.get_by_role("button", name="Import captions").click()
    expect(page.locator("#import-state")).to_contain_text("has been importing since")
    run_file_import(IMPORT_PREDICTIONS)
    expect(page.get_by_role("cell", name="line 7")).to_be_visible()
    axe(page)
    screenshot(page, "caption-sets-faults", full_page=True)

    section.get_by_label("File").set_input_files(file_of(clips, tmp_path))
    section.get_by_label("Name").fill("Heron")
    page.get_by_role("button", name="Import captions").click()
    expect(page.locator("#import-state")).to_contain_text("has been importing since")
    run_file_import(IMPORT_PREDICTIONS)
    expect(page.locator("#imported")).to_contain_text("Heron")  # without a reload
    page.get_by_role("link", name="See the model captions").click()
    expect(page.get_by_text("6 captions of Heron.")).to_be_visible()
    expect(page.get_by_text("A worker will compute the numbers")).to_be_visible()
    compute_as_asked(project, "overlap")
    expect(page.get_by_text("A worker will compute the numbers")).to_be_hidden()
    expect(page.locator("#overlap-table .overlap-cell")).to_have_count(4)


def test_the_list_and_the_page_of_one_are_whole_on_every_screen(
    page_of, project, clips, ada, axe, screenshot
):
    make_set(project, "Heron-7B", clips, f"{TEXTS[0]} It is a sunny day.")
    make_set(project, "Egret with a rather long name 2.5-72B-Instruct", clips[:2], TEXTS[1])
    make_set(project, "Bittern", clips[3:])
    work_on_report(project, "overlap")
    page = page_of(ada)
    page.goto(sets_url(project))
    page.get_by_text("Method", exact=True).click()
    axe(page)
    screenshot(page, "caption-sets", full_page=True)
    for _ in widths(page):
        assert fits(page)
    page.get_by_role("button", name="Stop offering Heron-7B").click()
    page.get_by_role("button", name="Offer again Heron-7B").click()
    expect(page.get_by_role("button", name="Stop offering Heron-7B")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("link", name="Heron-7B").first.click()
    page.get_by_text("The human caption").first.click()
    axe(page)
    screenshot(page, "caption-set", full_page=True)
    for _ in widths(page):
        assert fits(page)


def test_a_round_is_previewed_opened_watched_and_ended(
    page_of, project, clips, ada, rita, emil, axe, screenshot
):
    page = page_of(ada)
    page.goto(reverse("review:comparisons", args=[project.slug]))
    expect(page.get_by_role("heading", name="Nothing to compare yet")).to_be_visible()
    axe(page)
    names = ("Avocet", "Bittern", "Crane", "Qwen2-VL-7B")
    sets = [make_set(project, name, clips) for name in names]
    telling = predict(clips[0], "As Qwen2-VL-7B I see a dog.")
    SetCaption.objects.filter(caption_set=sets[-1], clip=clips[0]).update(caption=telling)
    page.reload()
    for name in names:
        page.get_by_label(name).check()
    page.get_by_label("Votes per pair of models").fill("4")
    screenshot(page, "comparisons-form", full_page=True)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="This round asks for")).to_be_visible()
    expect(page.get_by_label("Crane")).to_be_checked()
    page.get_by_text("Votes per pair", exact=True).click()
    axe(page)
    screenshot(page, "comparisons-preview", full_page=True)
    assert not Round.objects.exists()
    page.get_by_role("button", name="Open round").click()
    expect(page.get_by_text("A worker is opening the round of")).to_be_visible()
    work_on(job_id=Job.objects.latest("pk").pk)
    for person in (rita, rita, rita, emil, emil):
        vote_for(project, person, "Avocet")
    page.goto(reverse("review:comparisons", args=[project.slug]))
    expect(page.get_by_role("progressbar", name="Votes")).to_be_visible()
    page.locator("#round-policy summary").click()
    axe(page)
    screenshot(page, "comparisons-running", full_page=True)
    for _ in widths(page):
        assert fits(page)
    page.get_by_text("End the round…").click()
    page.get_by_role("button", name="End round").click()
    expect(page.get_by_role("heading", name="Earlier rounds")).to_be_visible()
    page.get_by_role("link", name="Round 1", exact=True).click()
    axe(page)
