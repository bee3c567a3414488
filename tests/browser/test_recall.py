"""Recall and ReBias in a real browser: the tables, the pictures, one model, vectors from a file."""

import numpy as np
import pytest
from django.core.cache import cache
from django.urls import reverse
from playwright.sync_api import expect

from inference.runs import new_run_page
from review.reports.services import recompute
from review.retrieval.counts import counts_for_page
from tests.browser.looks import scrolls_sideways, widths
from tests.cast import make_clip
from tests.review.reports.computing import compute_as_asked
from tests.review.retrieval.vectors import described, embed, three_clips, write


def compute(project):
    for name in ("recall", "rebias"):
        recompute(project=project, name=name)


@pytest.fixture
def models(project):
    """Three models over eight clips, one of them with frames sampled in three ways."""
    clips = three_clips(project)
    for number in range(5):
        turn = (1, number / 4)
        category = ("Sports", "Personal care")[number % 2]
        clips.append(described(project, turn, turn, turn, (turn[1], 1), category=category))
    for count in (8, 128):
        for place, clip in enumerate(clips):
            embed(clip, 1, place / count, sampling={"kind": "middle", "count": count})
    for name in ("LanguageBind-Video", "InternVideo2 1B, finetuned on a very long name"):
        for place, clip in enumerate(clips):
            embed(clip, 1, place / 7, space=name[0] * 64, model=name)
            for caption in clip.captions.all():
                far = 3 * (caption.kind == "temporal")
                embed(caption, 1, (place + far) / 7, space=name[0] * 64, model=name)
    for clip in clips[:2]:
        embed(write(clip, kind="full_video"), 1, 0)


def test_the_numbers_come_while_the_page_waits(
    page_of, project, rita, axe, screenshot, monkeypatch
):
    page = page_of(rita)
    page.goto(reverse("review:report_page", args=[project.slug, "recall"]))
    axe(page)
    screenshot(page, "recall-empty", full_page=True)
    three_clips(project)
    page.reload()
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("They appear here when ready")).to_be_visible()
    axe(page)
    for name in ("recall", "rebias"):
        compute_as_asked(project, name)
    expect(
        page.get_by_role("heading", name="Spatial and temporal captions, ReBias")
    ).to_be_visible()
    # The page of a large project shows the counts of its vectors that it has, then new ones.
    cache.clear()
    monkeypatch.setattr(new_run_page, "MAX_COUNTED_AT_ONCE", 0)
    counts_for_page(project)
    described(project, (0, -1), (0, -1), (0, -1), (0, -1))
    page.reload()
    expect(page.get_by_text("Captions, vectors or categories have changed")).to_be_visible()
    expect(page.get_by_text("Vectors counted at")).to_be_visible()
    axe(page)
    screenshot(page, "recall-counted", full_page=True)


def test_models_are_compared_also_on_a_phone_and_one_is_opened(
    page_of, project, models, rita, axe, screenshot
):
    compute(project)
    page = page_of(rita)
    page.goto(reverse("review:report_page", args=[project.slug, "recall"]))
    axe(page)
    assert [width for width in widths(page) if scrolls_sideways(page)] == []
    page.set_viewport_size({"width": 1280, "height": 800})
    screenshot(page, "recall", full_page=True)
    the_widest_table_is_read_on_a_phone_by_keyboard(page, axe)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("link", name="LanguageBind-Video").first.click()
    expect(page.get_by_role("heading", name="LanguageBind-Video")).to_be_visible()
    axe(page)
    assert [width for width in widths(page) if scrolls_sideways(page)] == []
    only_the_first_column_stays_in_view(page)
    screenshot(page, "recall-model", full_page=True)
    page.get_by_role("button", name="Copy the signature").first.click()
    expect(page.get_by_role("button", name="the signature").first).to_contain_text("ed the")


def the_widest_table_is_read_on_a_phone_by_keyboard(page, axe):
    hint = page.locator("#halves [data-sideways]").first
    expect(hint).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 800})
    expect(hint).to_contain_text("Scroll the table sideways for")
    table = page.locator("#halves .table-scroll").first
    name = table.get_by_role("rowheader").first
    left = name.bounding_box()["x"]
    last = table.get_by_role("link", name="ReBias, S/T")
    last.focus()
    # The row's name stays in sight, and doesn't cover what has the focus.
    assert name.bounding_box()["x"] == left
    assert last.bounding_box()["x"] > left + name.bounding_box()["width"]
    axe(page)
    before = last.bounding_box()
    page.evaluate("window.isSamePage = true")
    page.keyboard.press("Enter")
    sorted_by = page.locator("#halves th[aria-sort=descending]")
    expect(sorted_by).to_contain_text("ReBias, S/T")
    # Sorted in place: the head keeps the focus and its place in view, also sideways.
    assert page.evaluate("window.isSamePage")
    expect(last).to_be_focused()
    assert abs(last.bounding_box()["y"] - before["y"]) < 1
    assert last.bounding_box()["x"] > left + name.bounding_box()["width"]
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def only_the_first_column_stays_in_view(page):
    times = page.get_by_role("region", name="Retrieval time in milliseconds")
    heads = [
        times.get_by_role("columnheader", name=name, exact=True)
        for name in ("Captions", "decode clips")
    ]
    first, second = (head.bounding_box()["x"] for head in heads)
    times.evaluate("region => { region.scrollLeft = 100; }")
    assert [head.bounding_box()["x"] for head in heads] == [first, second - 100]


def test_an_admin_imports_a_file_and_is_told_what_is_wrong_with_it(
    page_of, project, ada, axe, screenshot, tmp_path, console_errors
):
    console_errors.expect("422")
    clip = make_clip(project, original_name="dive.mp4")
    clip.project = project
    write(clip)
    wrong, right = tmp_path / "wrong.npz", tmp_path / "care.npz"
    for path, name in ((wrong, "nobody"), (right, "dive")):
        ids, vectors = np.array([name]), np.array([[1.0, 0]])
        np.savez(path, clips=ids, clip_vectors=vectors, general=ids, general_vectors=vectors)
    page = page_of(ada)
    page.goto(reverse("review:report_page", args=[project.slug, "recall"]))
    page.locator("summary", has_text="Import vectors").click()
    page.get_by_role("textbox", name="Model").fill("Long-CLIP")
    page.get_by_label("File", exact=True).set_input_files(wrong)
    page.get_by_role("button", name="Import").click()
    error = page.locator("#id_vectors_error")
    expect(error).to_contain_text("the project has no clip 'nobody'")
    axe(page)
    screenshot(page, "recall-import", full_page=True)
    page.get_by_label("File", exact=True).set_input_files(right)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("The vectors of Long-CLIP are imported.")).to_be_visible()
    expect(page.get_by_role("heading", name="Not computed yet")).to_be_visible()
