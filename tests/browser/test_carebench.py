"""An author's way through CaReBench v1: its captions from its file, CapST with prompts from a file,
and the printed tables, with numbers worked out by hand from what the judge said.

The admin sends the files and judges in the browser; the worker's part is called directly, and the
judge is a server on this machine.
"""

import csv
import io
import json
import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from playwright.sync_api import expect

from annotate.jobs.services.working import work_on
from annotate.models import Caption, Job
from config.environment import Secret
from inference.loading import forget_models
from review.capst.models import CapstRun
from review.captions.import_job import IMPORT_PREDICTIONS
from review.published.models import HumanImport
from tests.cast import client_of, make_clip
from tests.import_work import run_file_import
from tests.inference.backends.loopback import KEY, Received, running, says
from tests.markup import squeezed
from tests.review.capst.capst_runs import judge, server_model
from tests.review.reports.computing import work_on_report

PROMPTS = {
    "events": "List the events of: {text}",
    "objects": "List the objects of: {text}",
    "judge_events": "Judge the events {elements} by: {text}",
    "judge_objects": "Judge the objects {elements} by: {text}",
}
EYEBROWS, GOLF = "v_00000044_3.mp4", "v_00000107_1.mp4"
# In the form of CaReBench's metadata.json; the second clip has lists of elements.
RECORDS = [
    {
        "video": EYEBROWS,
        "caption": "A woman in a white coat draws her eyebrows.",
        "spatial_caption": "A woman in a white coat.",
        "temporal_caption": "She draws her eyebrows.",
        "category": "Personal Care",
        "subcategory": "apply_eyebrows",
    },
    {
        "video": GOLF,
        "caption": "A man on a lawn drops a ball.",
        "spatial_caption": "A man on a lawn.",
        "temporal_caption": "He drops a ball.",
        "category": "Sports, Excercise",
        "subcategory": "drop_golf",
        "events": ["drop, neutral", "wave, contradiction"],
        "objects": ["lawn, entailment"],
    },
]
PREDICTIONS = {EYEBROWS: "Somebody paints a face.", GOLF: "A golfer lets go of a ball."}
# What the model finds in each text; each element ends with what it will be judged to be.
FOUND = {
    RECORDS[0]["caption"]: {
        "events": ["sit, entailment", "draw, entailment", "smile, neutral"],
        "objects": ["coat, entailment", "face, entailment", "hand, entailment", "wall, neutral"],
    },
    PREDICTIONS[EYEBROWS]: {
        "events": ["paint, entailment", "laugh, contradiction"],
        "objects": ["face, entailment", "brush, entailment", "person, entailment"],
    },
    PREDICTIONS[GOLF]: {
        "events": ["let go, entailment", "bend, entailment", "walk, entailment", "sing, neutral"],
        "objects": ["ball, entailment", "golfer, neutral"],
    },
}
# F1, recall and precision of each clip, and F1 = 2RP / (R + P) of the mean recall and precision.
# Events: recall 2/3 and 0/2, precision 1/2 and 3/4. Means 1/3 and 5/8, F1 = (5/12) / (23/24).
# Objects: recall 3/4 and 1/1, precision 3/3 and 1/2. Means 7/8 and 3/4, F1 = (21/16) / (13/8).
EVENTS = {
    "Personal Care": (4 / 7, 2 / 3, 1 / 2),
    "Sports, Excercise": (0, 0, 3 / 4),
    "overall": (10 / 23, 1 / 3, 5 / 8),
}
OBJECTS = {
    "Personal Care": (6 / 7, 3 / 4, 1),
    "Sports, Excercise": (2 / 3, 1, 1 / 2),
    "overall": (21 / 26, 7 / 8, 3 / 4),
}
TABLES = {"events": EVENTS, "objects": OBJECTS}
PARTS = ("f1", "recall", "precision")


def thinks(received: Received, out: BinaryIO) -> None:
    """Answer the prompts of the file, in the form of CaReBench's code."""
    kind = "events" if "events" in received.prompt else "objects"
    if received.prompt.startswith("List"):
        says(json.dumps({kind: FOUND[received.prompt.partition(": ")[2]][kind]}))(received, out)
        return
    elements = json.loads(re.search(r"\[.*\]", received.prompt)[0])
    relations = [
        {kind[:-1]: element, "relationship": element.rpartition(", ")[2], "reason": "It says so."}
        for element in elements
    ]
    says(json.dumps({kind: relations}))(received, out)


@pytest.fixture
def server(settings):
    with running() as loopback:
        loopback.answers = [thinks]
        settings.VERICAP_MODEL_SERVERS = {"here": {"url": loopback.url, "key": Secret(KEY)}}
        forget_models()
        yield loopback
        forget_models()


def file(name: str, content: object) -> dict:
    buffer = json.dumps(content).encode()
    return {"name": name, "mimeType": "application/json", "buffer": buffer}


def upload(name: str, content: object) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, json.dumps(content).encode())


def import_human_captions(client) -> None:
    form = {"name": "CaReBench v1", "file": upload("metadata.json", RECORDS)}
    checked = client.post(reverse("review:check_human_captions", args=["dives"]), form, follow=True)
    text = squeezed(checked.text)
    assert "What will be imported" in text
    assert "2, about 2 clips of the project" in text
    assert "events of 1 and objects of 1 clips" in text
    assert not Caption.objects.exists()
    key = HumanImport.objects.get().pk
    client.post(reverse("review:import_human_captions", args=["dives", key]))
    work_on(job_id=Job.objects.get(kind="human-captions").pk)


def import_predictions(client) -> None:
    rows = [{"video": name, "caption": text} for name, text in PREDICTIONS.items()]
    form = {"file-file": upload("care.json", rows), "file-name": "CaRe 7B", "file-kind": "general"}
    client.post(reverse("review:import_predictions", args=["dives"]), form)
    run_file_import(IMPORT_PREDICTIONS)


def judge_with_prompts_of_file(page) -> None:
    page.goto("/p/dives/capst/?preset=official")
    page.locator("#id_prompts").set_input_files(file("prompts.json", PROMPTS))
    page.get_by_role("button", name="Load prompts").click()
    expect(page.get_by_text("The prompts are those of prompts.json")).to_be_visible()
    section = page.locator("#judge")
    section.get_by_label("Settings").select_option(label="Official")
    section.get_by_label("Captions").select_option(label="CaRe 7B")
    section.get_by_label("Elements found by").select_option(label="DeepSeek-V3")
    section.get_by_label("Judged by").select_option(label="DeepSeek-V3")
    section.get_by_role("button", name="Judge", exact=True).click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    assert judge(run=CapstRun.objects.get()).state == "done"


def printed(numbers: Iterable[float]) -> list[str]:
    """In percent with one decimal, as the paper prints them."""
    return [f"{100 * number:.1f}" for number in numbers]


def download(section, link: str) -> str:
    with section.page.expect_download() as downloaded:
        section.get_by_role("link", name=link).click()
    return Path(downloaded.value.path()).read_text()


def test_the_tables_are_those_of_the_judges_verdicts(page_of, project, server, ada, axe):
    for name in (EYEBROWS, GOLF):
        make_clip(project, original_name=name, category="", subcategory="")
    server_model(project, "DeepSeek-V3")
    page = page_of(ada)
    import_human_captions(client_of(ada))
    import_predictions(client_of(ada))
    judge_with_prompts_of_file(page)
    lists = [received.prompt for received in server.received if received.prompt[:4] == "List"]
    assert not [prompt for prompt in lists if RECORDS[1]["caption"] in prompt]
    expect(page.get_by_text("A worker will compute the numbers.")).to_be_visible()
    work_on_report(project, "capst")

    # The page shows the tables by itself.
    for kind, numbers in TABLES.items():
        table = page.get_by_role("region", name=f"CapST of {kind}")
        cells = [" / ".join(printed(of_one)) for of_one in numbers.values()]
        expect(table.locator("tbody td")).to_have_text([*cells, "", "–", "2"], use_inner_text=True)
    axe(page)
    page.goto("/p/dives/metrics/?preset=official")
    for kind, numbers in TABLES.items():
        [row] = csv.DictReader(io.StringIO(download(page.locator(f"#{kind}"), "CSV")))
        for name, of_one in numbers.items():
            columns = [f"{name}/{part}".removeprefix("overall/") for part in PARTS]
            assert [float(row[column]) / 100 for column in columns] == pytest.approx(of_one)
        latex = download(page.locator(f"#{kind}"), "LaTeX")
        cells = ["CaRe 7B", *chain(*map(printed, numbers.values())), "2"]
        assert " & ".join(cells) in latex
