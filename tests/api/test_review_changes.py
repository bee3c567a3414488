"""Changes by admins in what people judge and what is computed: the forms of the pages."""

from __future__ import annotations

import json

import pytest

from annotate.models import Caption
from inference.models import QualityScore
from review.captions.import_job import IMPORT_PREDICTIONS
from review.comparisons.models import Round
from review.elsewhere.jobs import IMPORT_RESULTS
from review.published.services import IMPORT_HUMAN
from review.triplets.models import TripletSet
from tests.api.asking import problem, program_of
from tests.cast import make_clip, make_person, make_project
from tests.import_work import run_file_import
from tests.review.comparisons.comparing import make_set
from tests.review.published.publishing import as_json, carebench_row
from tests.review.ratings.rating import make_example
from tests.review.threshold.studying import scored_captions
from tests.review.triplets.triplets import labelled_clip, make_label, modify

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


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


@pytest.mark.both_databases
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


def test_a_round_is_opened_by_a_worker_and_ended(program, project):
    clips = [make_clip(project)]
    sets = [make_set(project, name, clips).pk for name in ("Heron", "Egret")]
    assert fields_of(program.ask("post", "rounds/", {"sets": [2**40]})) == ["sets"]
    opened = program.ask("post", "rounds/", {"sets": sets, "votes_per_pair": 3})
    assert (opened.status_code, opened.json()["state"]) == (202, "waiting")
    round = Round.objects.create(project=project, kind="general", votes_per_pair=1)
    assert program.ask("post", f"rounds/{round.pk}/end/").json()["ended_at"]
    assert problem(program.ask("post", f"rounds/{round.pk}/end/")) == (409, "refused")


def test_a_threshold_is_adopted_and_studied_and_ratings_are_asked_for():
    project, program = admin_of("lovr")
    make_person("Vera", project, "annotator")
    scored_captions(project, [number / 20 for number in range(20)])
    scorer = QualityScore.objects.latest("pk").scorer
    adopted = program.ask("post", "thresholds/", {"scorer": scorer, "value": 0.3})
    assert (adopted.status_code, adopted.json()["value"]) == (201, 0.3)
    assert [row["value"] for row in program.rows("thresholds/")] == [0.3]
    assert fields_of(program.ask("post", "thresholds/", {"scorer": scorer, "value": 7})) == [
        "value"
    ]
    handed = program.ask("post", "thresholds/hand-out/").json()
    assert handed["opened"] == 6
    study = {"scorer": scorer, "captions": 20, "people": 1, "strata": 5, "seed": 0}
    too_few = program.ask("post", "studies/threshold/", study | {"design": "uncertain"})
    assert fields_of(too_few) == ["captions"]
    started = program.ask("post", "studies/threshold/", study)
    assert started.status_code == 201, started.text
    assert (started.json()["kind"], started.json()["waves"]) == ("threshold", 1)
    assert program.ask("post", f"studies/{started.json()['id']}/stop/").json()["stopped_at"]
    for _ in range(3):
        make_example(project)
    rated = program.ask("post", "studies/rating/", {"clips": 2, "videos": 0})
    assert rated.status_code == 201, rated.text
    shared = program.ask("patch", f"studies/{rated.json()['id']}/share/", {"per_rater": 1})
    assert shared.json()["per_rater"] == 1
    assert [row["kind"] for row in program.rows("studies/")] == ["rating", "threshold"]


def test_training_examples_of_ratings_are_added_moved_and_removed(rita, project):
    program = program_of(rita, project)
    first = make_example(project)
    caption = Caption.objects.create(
        project=project,
        clip=make_clip(project),
        kind="general",
        source="machine",
        text="A dive.",
        word_count=2,
    )
    body = {"caption": caption.pk, "value": "3", "explanation": "It lacks the turn."}
    made = program.ask("post", "rating-examples/", body)
    assert (made.status_code, made.json()["value"]) == (201, 3)
    address = f"rating-examples/{made.json()['id']}/"
    assert program.ask("post", f"{address}move/", {"direction": "up"}).status_code == 204
    assert program.ask("delete", f"rating-examples/{first.pk}/").status_code == 204
    assert [row["id"] for row in program.rows("rating-examples/")] == [made.json()["id"]]
    assert fields_of(program.ask("post", "rating-examples/", body | {"value": "9"})) == ["value"]


def test_the_next_release_is_prepared_and_built_as_chosen(program, project):
    make_clip(project)
    content = program.ask("put", "next-release/content/", {"only_signed": True})
    assert content.json()["only_signed"] is True
    assert program.get("next-release/content/").json() == content.json()
    gates = program.get("next-release/gates/").json()["gates"]
    free = next(gate for gate in gates if not gate["is_fixed"])
    changed = {"gates": [{"name": free["name"], "level": "off"}]}
    after = program.ask("patch", "next-release/gates/", changed).json()["gates"]
    assert [gate["level"] for gate in after if gate["name"] == free["name"]] == ["off"]
    unknown = {"gates": [{"name": "colour", "level": "off"}]}
    assert fields_of(program.ask("patch", "next-release/gates/", unknown)) == ["gates"]
    program.ask("put", "next-release/notes/", {"notes": "First."})
    assert program.get("next-release/notes/").json() == {"notes": "First."}


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


def test_a_prompt_of_modifications_takes_whole_examples():
    _, program = admin_of("tfcovr")
    example = {"source": "one turn", "target": "two turns", "modification": "turn once more"}
    body = {"instruction": "Say the difference.", "examples": [example]}
    saved = program.ask("post", "modifications/prompts/", body)
    assert (saved.status_code, saved.json()["version"]) == (201, 1)
    assert saved.json()["examples"] == [example]
    wrong = body | {"examples": [example | {"modification": "x"}]}
    assert fields_of(program.ask("post", "modifications/prompts/", wrong)) == [
        "examples.0.modification"
    ]


def test_rows_of_other_benchmarks_are_added_changed_and_removed(program):
    row = {"name": "MSVD", "source": "Chen (2011)", "values": {}}
    made = program.ask("post", "benchmark-rows/", row)
    assert made.status_code == 201
    address = f"benchmark-rows/{made.json()['id']}/"
    assert program.ask("put", address, row | {"name": "MSR-VTT"}).json()["name"] == "MSR-VTT"
    unknown = program.ask("post", "benchmark-rows/", row | {"values": {"colour": "red"}})
    assert fields_of(unknown) == ["values.colour"]
    assert program.ask("delete", address).status_code == 204


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
