"""An author's way through a TF-CoVR project: the given split, pairs and texts from tables, a set of
triplets, rankings made elsewhere, and the printed table.

The admin does each step in the browser, and sends a second table and ranking by plain forms; the
worker's part is called directly.
"""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from playwright.sync_api import expect

from annotate.jobs.services.working import work_on
from annotate.models import Clip, Job, Project, Video
from tests.cast import client_of, make_clip
from tests.review.triplets.triplets import make_label

TEXT = "show with 3.5 somersaults"
# Clips by label; each is cut from a video of its own.
CLIPS = {"a": ["q1", "q2", "train_a"], "b": ["t1", "t2", "train_b"], "c": ["c1", "c2", "c3"]}
# TF-CoVR's own files, which name the clips of each split.
TRAIN = f"""\
query_video,target_video,label1,label2,modification
train_a,train_b,a,b,"{{'b': {{'modification': '{TEXT}'}}}}"
"""
TEST = f"""\
query_id,query_video,target_video,modification,target_videos_ids
0,q1,t1,{TEXT},"['t1', 't2']"
1,q2,t1,{TEXT},"['t1', 't2', 'c1', 'c2', 'c3']"
"""
FIRST_SEED = {
    # Right at 1 and 3: (1/1 + 2/3) / 2 = 5/6, at every K.
    "0": ["t1", "c1", "t2", "c2", "c3", "q2"],
    # Right at 3 and 6: (1/3) / 2 = 1/6 among the first 5, (1/3 + 2/6) / 2 = 1/3 beyond.
    "1": ["c1", "q1", "t2", "c2", "c3", "t1"],
}
SECOND_SEED = {"0": ["t1", "t2"], "1": ["t2", "t1"]}  # all right: 1
# The mean of the seeds, (1/2 + 1) / 2 and (7/12 + 1) / 2, and their standard deviation with n - 1,
# (1 - 1/2) / √2 and (1 - 7/12) / √2.
AT_5, BEYOND = "75.00 ± 35.36", "79.17 ± 29.46"


@pytest.fixture
def clips(project) -> None:
    Project.objects.filter(pk=project.pk).update(protocol="tfcovr")
    for key, names in CLIPS.items():
        label = make_label(project, key, f"Forward, dive {key}")
        for name in names:
            clip = make_clip(project)
            Clip.objects.filter(pk=clip.pk).update(label=label, name=name)
            Video.objects.filter(pk=clip.video_id).update(original_name=f"{name}.mp4")


def file(name: str, text: str) -> dict:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def import_table(page, table: str, text: str) -> None:
    page.goto("/p/dives/tables/")
    page.get_by_label("Table", exact=True).select_option(table)
    page.get_by_label("File").set_input_files(file(f"{table}.csv", text))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Nothing is stored yet.")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 1 row.")).to_be_visible()


def upload(name: str, text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def import_ranking(client, seed: int, ranking: dict) -> None:
    form = {
        "name": "TF-CoVR-Base",
        "group": "fine_tuned",
        "fusion": "MLP",
        "query_frames": 12,
        "seed": seed,
        "has_video": "on",
        "has_text": "on",
        "rankings": upload(f"{seed}.json", json.dumps(ranking)),
    }
    client.post("/p/dives/triplets/1/results/import/", form)


def import_first_ranking(page) -> None:
    if not page.get_by_label("Model", exact=True).is_visible():
        page.locator("summary", has_text="Import a run").click()
    page.get_by_label("Model", exact=True).fill("TF-CoVR-Base")
    page.get_by_label("Training").select_option("fine_tuned")
    page.get_by_label("Fusion").fill("MLP")
    page.get_by_label("Frames of the query clip").fill("12")
    page.get_by_label("Seed").fill("0")
    page.get_by_label("File").set_input_files(file("0.json", json.dumps(FIRST_SEED)))
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("TF-CoVR-Base, seed 0").first).to_be_visible()


def test_from_the_given_split_to_the_printed_table(page_of, project, clips, ada, axe, screenshot):
    page = page_of(ada)
    page.goto("/p/dives/labels/split/")
    page.locator("#id_given-train").set_input_files(file("train.csv", TRAIN))
    page.locator("#id_given-test").set_input_files(file("test.csv", TEST))
    page.get_by_role("button", name="Check and apply").click()
    expect(page.get_by_text("The files split 9 source videos.")).to_be_visible()

    import_table(page, "pairs", "label1,label2,decision\na,b,temporal\n")
    axe(page)
    screenshot(page, "tables", full_page=True)
    head = "label1,label2,state,text,source"
    table = upload("m.csv", f"{head}\na,b,accepted,{TEXT},TF-CoVR 1.0\n")
    client = client_of(ada)
    client.post("/p/dives/tables/", {"table": "modifications", "file": table})

    page.goto("/p/dives/triplets/")
    page.get_by_role("button", name="Generate").click()
    expect(page.get_by_text("Started. You can leave this page.")).to_be_visible()
    work_on(job_id=Job.objects.get(kind="triplets").pk)
    page.goto("/p/dives/triplets/1/")
    axe(page)
    screenshot(page, "triplet-set", full_page=True)
    with page.expect_download() as download:
        page.get_by_role("link", name=f"Figure of {TEXT}").click()
    assert TEXT in Path(download.value.path()).read_text()
    page.get_by_role("link", name="All words").click()
    page.get_by_role("link", name="Word", exact=True).click()
    words = page.locator("tbody th")
    expect(words).to_have_text(["with", "somersaults", "show", "3.5"])
    axe(page)
    screenshot(page, "triplet-words", full_page=True)

    page.goto("/p/dives/triplets/1/results/")
    import_ranking(client, 1, SECOND_SEED)
    import_first_ranking(page)
    row = page.get_by_role("row", name=re.compile("TF-CoVR-Base"))
    cells = [" ".join(text.split()) for text in row.get_by_role("cell").all_inner_texts()]
    assert cells[2:5] == ["MLP", "12", "-"]
    numbers = [cell.removesuffix(" no interval") for cell in cells[5:]]
    assert numbers == [AT_5, BEYOND, BEYOND, BEYOND]
    expect(page.get_by_role("heading", name="as in Table 2")).to_be_visible()
    axe(page)
    screenshot(page, "composed-results", full_page=True)

    with page.expect_download() as download:
        page.get_by_role("link", name="LaTeX").click()
    latex = Path(download.value.path()).read_text()
    assert "75.00" in latex
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    rows = csv.DictReader(io.StringIO(Path(download.value.path()).read_text()))
    [circo] = [row for row in rows if row["convention"] == "circo"]
    assert [float(circo[f"map_at_{k}"]) for k in (5, 10, 50)] == pytest.approx(
        [3 / 4, 19 / 24, 19 / 24]
    )
    assert float(circo["map_at_5_sd"]) == pytest.approx(1 / 8**0.5)
