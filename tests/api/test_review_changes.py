"""Changes by admins in what people judge and what is computed: the forms of the pages."""

from __future__ import annotations

import json

import pytest

from annotate.models import Caption
from review.captions.import_job import IMPORT_PREDICTIONS
from review.elsewhere.jobs import IMPORT_RESULTS
from review.published.services import IMPORT_HUMAN
from review.triplets.models import TripletSet
from tests.api.asking import problem, program_of
from tests.cast import make_clip, make_person, make_project
from tests.import_work import run_file_import
from tests.review.published.publishing import as_json, carebench_row
from tests.review.triplets.triplets import labelled_clip, make_label, modify

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def program(ada, project):
    return program_of(ada, project)


def admin_of(protocol):
    project = make_project("Other", protocol=protocol)
    return project, program_of(make_person("Ida", project, "admin"), project)


def fields_of(refused):
    assert problem(refused) == (422, "invalid")
    return [error["field"] for error in refused.json()["errors"]]


def test_model_captions_are_imported_as_a_job_which_says_what_to_fix(program, project):
    clip = make_clip(project)

    def send(*rows):
        lines = "\n".join(map(json.dumps, rows)).encode()
        sent = program.send(
            "caption-sets/import/", {"name": "Heron", "kind": "general"}, file=("a.jsonl", lines)
        )
        assert sent.status_code == 202, sent.text
        run_file_import(IMPORT_PREDICTIONS)
        return program.get(f"jobs/{sent.json()['id']}/").json()

    failed = send({"clip": "nowhere", "caption": "A heron."})
    assert (failed["state"], len(failed["faults"])) == ("failed", 1)
    assert failed["faults"][0]["mend"]
    assert send({"clip": clip.name, "caption": "A heron."})["state"] == "done"
    [row] = program.rows("caption-sets/")
    assert (row["name"], row["clip_count"], row["is_used"]) == ("Heron", 1, True)
    changed = program.ask("patch", f"caption-sets/{row['id']}/", {"is_used": False})
    assert changed.json()["is_used"] is False
    assert fields_of(program.send("caption-sets/import/", {"name": "Heron"})) == ["file", "kind"]


def test_human_captions_are_checked_imported_and_removed(program, project):
    clip = make_clip(project)
    name = clip.name
    checked = program.send(
        "human-imports/",
        {"name": "CareBench", "skips_bad": "true"},
        file=("metadata.json", as_json(carebench_row(name), {"video": "none.mp4"})),
    )
    assert checked.status_code == 201, checked.text
    address = f"human-imports/{checked.json()['id']}/"
    assert checked.json()["preview"]["general"] == 1
    started = program.ask("post", f"{address}run/")
    assert started.status_code == 202
    run_file_import(IMPORT_HUMAN)
    assert Caption.objects.filter(clip=clip, kind="general").exists()
    assert program.rows("human-imports/")[0]["imported_at"]
    assert program.ask("delete", address).status_code == 204
    assert not Caption.objects.filter(clip=clip, kind="general").exists()
    wrong = program.send("human-imports/", {"name": "X"}, file=("metadata.json", b"[{}]"))
    assert problem(wrong) == (422, "invalid")


def test_videos_are_split_and_triplets_generated_with_a_limit():
    project, program = admin_of("tfcovr")
    labels = make_label(project, "a"), make_label(project, "b")
    for label in labels:
        for _ in range(4):
            labelled_clip(project, label, "")
    shares = {"train": 50, "validation": 0, "test": 50, "seed": 1}
    assert fields_of(program.ask("post", "splits/", shares | {"test": 60})) == ["body"]
    assert program.ask("post", "splits/", shares).status_code == 204
    modify(*labels)
    made = program.ask("post", "triplets/", {"seed": 3, "most_targets": 5})
    assert made.status_code == 202, made.text
    assert made.json()["seed"] == 3
    TripletSet.objects.update(state="finished")
    handed = program.ask("post", "triplets/1/hand-out/", {"split": "test"})
    assert handed.json() == {"queries": 0}
    table = program.get("tables/pairs.csv")
    assert table.headers["Content-Type"].startswith("text/csv")
    assert problem(program.get("tables/colours.csv")) == (404, "not-found")


def test_a_report_is_downloaded_as_its_page_offers_it(program, project):
    assert problem(program.get("report-file/?page=recall&file=../x.csv")) == (422, "invalid")
    answer = program.get("report-file/?page=recall&file=recall.csv")
    assert answer.status_code in {200, 404}


def test_results_of_models_are_imported_as_a_run(program, project):
    rows = [{"clip": make_clip(project).name, "caption": "A dive."}, {"clip": "?", "caption": "A."}]
    data = "\n".join(map(json.dumps, rows)).encode()
    fields = {"kind": "caption", "model": "Qwen 72B", "skips_bad": "true"}
    started = program.send("runs/import/", fields, file=("a.jsonl", data))
    assert started.status_code == 202, started.text
    assert run_file_import(IMPORT_RESULTS).state == "done"
    assert [caption.text for caption in Caption.objects.all()] == ["A dive."]
