"""Verifications in a real browser: found, read beside the clip, and their table in and out."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.corpus.precedence import current_caption
from review.annotation_table.jobs import IMPORT_TABLE
from review.studies.models import Study, StudyCaption
from tests.cast import join, make_person, make_project
from tests.hand_work import machine_caption
from tests.import_work import run_file_import
from tests.review.verification.verifying import (
    ALL_OK,
    CAPTION,
    MENDED,
    MENDED_TEXT,
    hold_verification,
    verified,
    verify,
)

HOSTILE = "<script>alert(1)</script> הוא הולך. 😀 " + "word " * 300


@pytest.fixture
def project(db):
    return make_project(protocol="lovr")


@pytest.fixture
def clip(project, make_playable_clip):
    # Ten frames a second make its 50 frames long enough for a missing segment.
    return make_playable_clip(project, fps_num=10, original_name="door.mp4")


def mended(clip, person):
    return verified(person, clip, MENDED | {"missing-1-start": "10", "missing-1-end": "45"})


def test_a_verification_is_found_and_played(page_of, project, clip, anna, ada, axe, screenshot):
    mended(clip, anna)
    page = page_of(ada)
    page.goto(reverse("annotate:my_work", args=[project.slug]))
    page.get_by_text("Quality", exact=True).click()
    page.get_by_role("link", name="Verifications").click()
    page.get_by_label("With error").select_option("A")
    page.get_by_role("button", name="Filter").click()
    axe(page)
    screenshot(page, "verifications", full_page=True)
    page.get_by_role("link", name="door").click()
    expect(page.locator(".verdict.missing")).to_contain_text("He climbs a rope.")
    expect(page.locator("[data-show=length]")).to_have_text("0:05.00")  # the player is there
    page.get_by_role("link", name="1.00 to 4.50 s").click()
    expect(page.get_by_role("button", name="Clear the loop")).to_be_enabled()
    page.wait_for_function("() => !document.querySelector('video').paused")
    page.wait_for_function("() => document.querySelector('video').currentTime > 1")
    page.get_by_role("button", name="Pause").click()
    axe(page)
    screenshot(page, "verification", full_page=True)


def test_a_study_correction_is_chosen_by_keyboard_alone(
    page_of, project, clip, anna, emil, axe, screenshot
):
    machine = machine_caption(clip, CAPTION)
    study = Study.objects.create(
        project=project, kind="threshold", people=2, scorer="f" * 64, strata=1
    )
    StudyCaption.objects.create(study=study, caption=machine)
    for person in (anna, make_person("Cleo", project, "annotator")):
        content = MENDED | {"missing-1-start": "10", "missing-1-end": "45"}
        changed = content if person == anna else ALL_OK | {"verdict-3": "D", "delete-3": "1"}
        verify(hold_verification(person, machine, people=2), machine, changed)
    page = page_of(emil)
    page.goto(reverse("annotate:my_work", args=[project.slug]))
    page.get_by_text("Quality", exact=True).click()
    page.get_by_role("link", name="Study corrections 1 waiting").click()
    expect(page.get_by_role("link", name="Decide")).to_be_visible()
    axe(page)
    screenshot(page, "study-corrections", full_page=True)
    page.get_by_role("link", name="Decide").click()
    page.wait_for_load_state()  # the keys work from now on
    expect(page.locator("[data-show=length]")).to_have_text("0:05.00")
    page.keyboard.press("2")
    expect(page.get_by_label("Correction 2 2")).to_be_checked()
    page.keyboard.press("1")
    axe(page)
    screenshot(page, "study-correction", full_page=True)
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.get_by_text("The correction is now the clip's caption.")).to_be_visible()
    expect(page.get_by_role("heading", name="Nothing to decide")).to_be_visible()
    assert current_caption(clip).text == MENDED_TEXT


def test_the_table_is_taken_home_and_brought_in(
    page_of, project, clip, anna, ada, axe, screenshot, tmp_path, make_playable_clip, console_errors
):
    console_errors.expect("422")
    mended(clip, anna)
    other = make_project("Elsewhere", protocol="lovr")
    join(other, ada, "admin")
    page = page_of(ada)
    page.goto(reverse("review:annotation_table", args=[project.slug]))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download table").click()
    table = tmp_path / download.value.suggested_filename
    download.value.save_as(table)
    assert table.name == "dives-annotations.csv"

    page.goto(reverse("review:verifications", args=[other.slug]))
    page.get_by_role("link", name="Import a table").click()
    page.get_by_label("Table", exact=True).set_input_files(table)
    page.get_by_role("button", name="Upload table").click()
    expect(page.locator("#import-state")).to_contain_text("has been importing since")
    run_file_import(IMPORT_TABLE)
    expect(page.get_by_text("The project has no clip “door”")).to_be_visible()
    axe(page)
    screenshot(page, "annotation-table-faults", full_page=True)

    make_playable_clip(other, fps_num=10, original_name="door.mp4")
    page.get_by_label("Table", exact=True).set_input_files(table)
    page.get_by_role("button", name="Upload table").click()
    expect(page.locator("#import-state")).to_contain_text("has been importing since")
    run_file_import(IMPORT_TABLE)
    expect(page.get_by_text("UTC: 1 verification.")).to_be_visible()


def test_long_and_hostile_text_in_any_direction_stays_in_its_place(
    page_of, project, clip, anna, ada, axe
):
    content = {"verdict-0": "A", "correction-0": "<b>הוא</b> רץ.", "theme": "ok"}
    content |= {f"verdict-{number}": "ok" for number in range(1, 4)}
    verified(anna, clip, content, text=HOSTILE + "x" * 500)
    page = page_of(ada, width=390, height=844)
    page.goto(reverse("review:verifications", args=[project.slug]))
    page.get_by_role("link", name="door").click()
    expect(page.locator(".verdicts")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".verdicts b, .verdicts script").count() == 0
    axe(page)
