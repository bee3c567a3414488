"""Changes of the corpus and of models by admins: the forms and services of the pages."""

from __future__ import annotations

import json

import pytest

from annotate.datasets.importing import IMPORT_DATASET
from annotate.models import ActionLabel, Candidate, Clip, GuidelineExample
from tests.annotate.candidates.cast import annotated
from tests.annotate.dynamics.disputing import disagree
from tests.api.asking import problem, program_of
from tests.cast import make_clip, make_person, make_project
from tests.import_work import run_file_import
from tests.inference.cast import make_model
from tests.review.triplets.triplets import make_label
from tests.work import WRITE_UP, hold, make_work, submit_write_up

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def program(ada, project):
    return program_of(ada, project)


@pytest.mark.both_databases
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


def test_labels_with_one_caption_count_as_one_and_apart(program, project):
    first, second = make_label(project, "a", "2 turns"), make_label(project, "b", "2 turns")
    program.ask("post", f"labels/{second.pk}/count-as-one/")
    together = {row["key"]: row["counts_as"] for row in program.rows("labels/")}
    assert sorted(together.values(), key=str) in ([first.pk, None], [second.pk, None])
    program.ask("post", f"labels/{second.pk}/count-apart/")
    assert {row["counts_as"] for row in program.rows("labels/")} == {None}


def test_candidates_are_decided_together_and_alone(program, project):
    video = make_clip(project).video
    rows = Candidate.objects.bulk_create(
        Candidate(
            project=project, video=video, number=n, start_frame=n, end_frame=n + 9, subcategory="A"
        )
        for n in range(2)
    )
    keys = [row.pk for row in rows]
    refused = program.ask("post", "candidates/decide/", {"candidate": keys, "action": "reject"})
    assert [error["field"] for error in refused.json()["errors"]] == ["reason"]
    body = {"candidate": keys, "action": "reject", "reason": "Hidden"}
    assert program.ask("post", "candidates/decide/", body).json() == {"decided": 2}
    undone = program.ask("post", f"candidates/{keys[0]}/decide/", {"action": "undo"})
    assert undone.json()["state"] == "undecided"
    assert [row["id"] for row in program.rows("candidates/?state=rejected")] == [keys[1]]
    elsewhere = program.ask("post", "candidates/decide/", body | {"candidate": [2**60]})
    assert problem(elsewhere) == (422, "invalid")
    file = json.dumps(annotated(v_0=[("Dive", 0, 1)])).encode()
    started = program.send("candidates/import/", {}, annotations=("a.json", file))
    assert started.status_code == 202


def test_a_dispute_goes_to_a_third_person_or_is_decided(ada):
    project = make_project("Films", protocol="lovr")
    program = program_of(make_person("Ida", project, "admin"), project)
    anna, ben, rita = (make_person(name, project, "annotator") for name in ("A", "B", "C"))
    video = disagree(make_clip(project).video, anna, ben)
    member = project.memberships.get(user=rita).pk
    again = project.memberships.get(user=anna).pk
    refused = program.ask("post", f"videos/{video.pk}/third-person/", {"member": again})
    assert [error["field"] for error in refused.json()["errors"]] == ["person"]
    invited = program.ask("post", f"videos/{video.pk}/third-person/", {"member": member})
    assert invited.status_code == 204
    body = {"answer": "static", "reason": "One shot"}
    decided = program.ask("post", f"videos/{video.pk}/decide-dynamics/", body)
    assert decided.json()["is_dynamic"] is False


def test_the_consent_text_is_written_upon_the_version_that_was_read(program):
    assert problem(program.get("consent-text/")) == (404, "not-found")
    body = {"text": "Agree.", "asks_again": True, "base_number": 0}
    assert program.ask("put", "consent-text/", body).json()["number"] == 1
    assert problem(program.ask("put", "consent-text/", body | {"text": "No."})) == (409, "refused")
    assert program.get("consent-text/").json()["text"] == "Agree."


def test_an_example_is_made_of_finished_work_changed_and_removed(program, project, anna):
    done = submit_write_up(anna, make_work(make_clip(project), needed=1))
    body = {"kind": "write", "work": done.pk, "tone": "good", "comment": "It is short."}
    made = program.ask("post", "guideline-examples/", body)
    assert made.status_code == 201
    assert WRITE_UP["overview"] in str(made.json()["parts"])
    address = f"guideline-examples/{made.json()['id']}/"
    changed = program.ask(
        "put", address, {"tone": "bad", "comment": "It is long.", "parts": ["A dive."]}
    )
    assert (changed.json()["is_good"], changed.json()["parts"][0]["text"]) == (False, "A dive.")
    many = program.ask("put", address, {"comment": "Why.", "parts": ["A"] * 20})
    assert [error["field"] for error in many.json()["errors"]] == ["parts"]
    [row] = program.rows("guideline-examples/?kind=write")
    assert program.ask("delete", f"guideline-examples/{row['id']}/").status_code == 204
    assert program.rows("guideline-examples/") == []
    assert GuidelineExample.objects.count() == 2
    nothing = program.ask("post", "guideline-examples/", {"kind": "write", "comment": "Why."})
    assert problem(nothing) == (404, "not-found")


def test_models_are_added_changed_and_retired(program, project):
    body = {"backend": "opencv-draft", "name": "Draft"}
    made = program.ask("post", "models/", body).json()
    assert (made["name"], made["is_active"]) == ("Draft", True)
    address = f"models/{made['id']}/"
    assert program.ask("patch", address, {"family": "Rules"}).json()["name"] == "Draft"
    unknown = program.ask("patch", address, {"parameters": {"colour": 1}})
    assert [error["field"] for error in unknown.json()["errors"]] == ["parameters.colour"]
    assert program.ask("post", f"{address}use/", {"in_use": False}).json()["is_active"] is False
    assert program.ask("post", "models/built-in/").status_code == 204
    captioner = make_model(project, name="Second")
    moved = program.ask("post", f"models/{captioner.pk}/place/", {"move": "in"})
    assert moved.json()["refine_order"] == 1


def test_a_theme_is_corrected_and_taken_back(program, project):
    video = make_clip(project).video
    corrected = program.ask("put", f"videos/{video.pk}/theme/", {"theme": " Diving "})
    assert corrected.json()["theme"] == "Diving"
    assert program.ask("delete", f"videos/{video.pk}/theme/").status_code == 204
    assert problem(program.ask("delete", f"videos/{video.pk}/theme/")) == (409, "refused")


def test_a_member_gets_subcategories_that_exist(program, project, anna):
    make_clip(project)
    member = project.memberships.get(user=anna).pk
    address = f"members/{member}/subcategories/"
    shares = {"shares": [{"category": "Sports", "subcategory": "Diving"}]}
    video = Clip.objects.get().video
    shares["shares"][0] |= {"category": video.category, "subcategory": video.subcategory}
    assert program.ask("put", address, shares).json() == shares
    assert program.get(address).json() == shares
    wrong = {"shares": [{"category": "None", "subcategory": "such"}]}
    assert problem(program.ask("put", address, wrong)) == (422, "invalid")


def test_skipped_work_is_offered_again(program, project, anna):
    item = make_work(make_clip(project), needed=1)
    mine = program_of(anna, project)
    assignment = hold(anna, item)
    mine.ask("post", f"work/{assignment.pk}/skip/", {"reason": "Dark"})
    [row] = program.rows("work-items/?kind=write")
    assert program.ask("post", f"work-items/{row['id']}/offer-again/").json()["open_slots"] == 1
    assert problem(mine.get("work-items/")) == (403, "forbidden")
    assert mine.ask("post", "work/take/write/").json()["id"] == assignment.pk
