"""Results made elsewhere: the preview keeps the chosen file, and the import opens its run."""

import json

from playwright.sync_api import expect

from inference.models import InferenceRun
from review.elsewhere.jobs import IMPORT_RESULTS
from tests.import_work import run_file_import
from tests.inference.scored import make_clips, write


def test_a_file_is_previewed_in_place_and_then_imported(
    page_of, project, ada, axe, screenshot, console_errors
):
    console_errors.expect("422")
    clips = make_clips(project, 2)
    write(clips[0], "A person wrote this.", source="merged")
    rows = [json.dumps({"clip": clip.name, "caption": "A diver jumps."}) for clip in clips]
    page = page_of(ada)
    page.goto("/p/dives/runs/import/")
    axe(page)
    data = "\n".join([*rows, '{"clip": "x", "caption": "A board."}']).encode()
    page.get_by_label("File").set_input_files(
        {"name": "all_clip.jsonl", "mimeType": "application/json", "buffer": data}
    )
    page.get_by_label("Model").fill("Qwen2.5-VL 72B")
    page.get_by_label("Frames").fill("seconds:8:64")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("The project has no clip 'x'")).to_be_visible()
    screenshot(page, "import-results-faults", full_page=True)
    page.get_by_label("File").set_input_files(
        {"name": "ok.jsonl", "mimeType": "application/json", "buffer": "\n".join(rows).encode()}
    )
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("0 of 1 human captions change.")).to_be_visible()
    screenshot(page, "import-results", full_page=True)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#import-state")).to_contain_text("has been importing since")
    run_file_import(IMPORT_RESULTS)
    page.get_by_role("link", name="See the run").click()
    expect(page.get_by_text("Made elsewhere").first).to_be_visible()
    assert page.url.endswith(f"/runs/{InferenceRun.objects.get().pk}/")
    screenshot(page, "run-elsewhere", full_page=True)
