"""manage.py import_dataset"""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate.models import ActionLabel, Clip
from annotate.models.jobs import Job
from tests.cast import make_project, make_video

ROWS = "source_video,clip,label,first_frame,end_frame\nriga.mp4,riga_1.mp4,103b,0,50\n"
LABELS = json.dumps([{"label": "103b", "caption": "Forward", "source": "FineDiving"}])


@pytest.fixture
def dives(db):
    project = make_project(protocol="tfcovr")
    make_video(project, original_name="riga.mp4")
    return project


@pytest.fixture
def files(tmp_path):
    (tmp_path / "dives.csv").write_text(ROWS)
    (tmp_path / "labels.json").write_text(LABELS)
    return tmp_path


def run(*arguments) -> tuple[str, str]:
    out, errors = io.StringIO(), io.StringIO()
    try:
        call_command("import_dataset", *map(str, arguments), stdout=out, stderr=errors)
    except CommandError as error:
        return f"refused: {error}", errors.getvalue()
    return out.getvalue(), errors.getvalue()


def test_it_brings_in_clips_with_their_labels(dives, files):
    output, _ = run(
        "dives", "--format", "csv",
        "--annotations", files / "dives.csv", "--labels", files / "labels.json",
    )  # fmt: skip
    assert output.startswith("1 new clip and 1 new label.")
    assert Clip.objects.get(name="riga_1").label.domain == "diving"


def test_labels_may_come_alone(dives, files):
    run("dives", "--labels", files / "labels.json")
    assert ActionLabel.objects.count() == 1


def test_faults_are_listed_and_nothing_is_stored(dives, files):
    output, errors = run("dives", "--annotations", files / "dives.csv", "--here")
    assert output == "refused: Nothing was imported: 1 thing has to be fixed first."
    assert errors == (
        "dives.csv, row 2, label: Label '103b' is unknown (1 clip). Add it to the labels file.\n"
    )
    assert Clip.objects.exclude(label=None).count() == 0


def test_rows_with_an_error_are_listed_and_left_out_on_request(dives, files):
    (files / "dives.csv").write_text(f"{ROWS}oslo.mp4,oslo_1.mp4,103b,0,5\nriga.mp4,a,,0,5\n")
    arguments = ["dives", files / "dives.csv", "--labels", files / "labels.json", "--skip-bad"]
    result = "1 new clip and 1 new label. 2 rows with an error left out."
    for option, ending in (("--dry-run", " Nothing was stored."), ("--here", "")):
        answer, errors = run(*arguments, option)
        assert answer.strip() == result + ending
        assert [error.partition(":")[0] for error in errors.splitlines()] == [
            "dives.csv, row 4, label",
            "dives.csv, row 3",
        ]


def test_faults_within_a_file_are_listed_before_a_job_starts(dives, files):
    (files / "dives.csv").write_text(ROWS.replace("50", "many"))
    output, errors = run("dives", "--annotations", files / "dives.csv")
    assert output.startswith("refused: Nothing was imported")
    assert errors.startswith("dives.csv, row 2, end_frame: ")
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere", "--labels", "x"), "no project 'nowhere'"),
        (("dives",), "Give the file with the labels"),
        (("dives", "--labels", "missing.csv"), "Nothing was imported"),
        (("dives", "--annotations", "missing.csv", "--times", "x.json"), "Nothing was imported"),
    ],
)
def test_what_is_missing_is_reported(dives, arguments, words):
    assert words in run(*arguments)[0]


def test_a_project_of_another_protocol_is_refused(files, db):
    make_project("Kitchen")
    assert "TF-CoVR" in run("kitchen", "--labels", files / "labels.json")[0]
