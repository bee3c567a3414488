"""Changes of the corpus and of models by admins: the forms and services of the pages."""

from __future__ import annotations

import json

import pytest

from annotate.datasets.importing import IMPORT_DATASET
from annotate.models import ActionLabel
from tests.api.asking import problem, program_of
from tests.cast import make_person, make_project
from tests.import_work import run_file_import

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def program(ada, project):
    return program_of(ada, project)


def test_labels_are_imported_as_a_job_and_corrected(ada):
    project = make_project("Labels", protocol="tfcovr")
    make_person("Ida", project, "admin")
    program = program_of(project.memberships.get().user, project)
    labels = json.dumps([{"label": "103b", "caption": "Forward", "source": "FineDiving"}]).encode()
    started = program.send("labels/import/", {"format": "csv"}, labels=("labels.json", labels))
    assert (started.status_code, started.json()["state"]) == (202, "waiting")
    run_file_import(IMPORT_DATASET)
    job = program.get(f"jobs/{started.json()['id']}/").json()
    assert (job["state"], job["faults"]) == ("done", [])
    assert program.get("labels/clips.json").getvalue() == b"[\n]\n"
    exported = json.loads(program.get("labels/labels.json").getvalue())
    assert [row["label"] for row in exported] == ["103b"]
    assert problem(program.get("labels/other.json")) == (404, "not-found")
    [row] = program.rows("labels/")
    corrected = program.ask("put", f"labels/{row['id']}/", {"caption": "Forward dive"})
    assert (corrected.json()["caption"], corrected.json()["key"]) == ("Forward dive", "103b")
    assert problem(program.ask("put", f"labels/{row['id']}/", {"caption": " "})) == (422, "invalid")


def test_a_refused_file_names_its_rows(ada):
    project = make_project("Labels", protocol="tfcovr")
    program = program_of(make_person("Ida", project, "admin"), project)
    wrong = json.dumps([{"label": "", "caption": "Forward"}]).encode()
    refused = program.send("labels/import/", {}, labels=("labels.json", wrong))
    assert problem(refused) == (422, "invalid")
    assert refused.json()["errors"][0]["field"].startswith("labels.json, ")
    assert not ActionLabel.objects.filter(project=project).exists()
    assert problem(program.send("labels/import/", {"format": "csv"})) == (422, "invalid")
    as_json = program.ask("post", "labels/import/", {"format": "csv"})
    assert problem(as_json) == (415, "unsupported-media-type")


def test_models_are_added_changed_and_retired(program, project):
    body = {"backend": "opencv-draft", "name": "Draft"}
    made = program.ask("post", "models/", body).json()
    assert (made["name"], made["is_active"]) == ("Draft", True)
    address = f"models/{made['id']}/"
    assert program.ask("patch", address, {"family": "Rules"}).json()["name"] == "Draft"
    unknown = program.ask("patch", address, {"parameters": {"colour": 1}})
    assert [error["field"] for error in unknown.json()["errors"]] == ["parameters.colour"]
    assert program.ask("post", f"{address}use/", {"in_use": False}).json()["is_active"] is False
