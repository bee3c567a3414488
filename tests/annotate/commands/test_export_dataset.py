"""manage.py export_dataset: what it writes comes in again as the same."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotate.corpus.labels import labeled_clips
from tests.cast import make_project, make_video
from tests.review.triplets.triplets import labelled_clip, make_label

PART = {"original_name": "rio_1.mp4", "cut_from": "rio"}
VARIES = {"probe": {"variable_frame_rate": True}, "fps_num": 30000, "fps_den": 1001}


@pytest.fixture
def dives(db):
    """A label in a long video, in a file cut from one, and in one whose frame rate varies."""
    project = make_project(protocol="tfcovr")
    label = make_label(project, "103b", "Forward, “pike”")
    labelled_clip(project, label, "", make_video(project, original_name="riga.mp4", split="test"))
    part = make_video(project, **PART)
    part.clips.update(label=label)
    video = make_video(project, original_name="oslo.mp4", **VARIES)
    for _ in range(3):
        labelled_clip(project, label, "", video)
    return project


def rows(project):
    fields = ("name", "label__key", "start_frame", "end_frame", "video__original_name")
    return sorted(labeled_clips(project).values_list(*fields))


def without_split(path):
    return [{**row, "split": ""} for row in json.loads(path.read_text())]


def test_what_is_written_comes_in_again_as_the_same(dives, tmp_path):
    clips, labels = tmp_path / "clips.json", tmp_path / "labels.json"
    call_command("export_dataset", "dives", annotations=clips, labels=labels)
    assert json.loads(clips.read_text())[-2:] == [
        {"source_video": "riga", "clip": "riga_1_11", "label": "103b",
         "first_frame": 1, "end_frame": 11, "split": "test"},
        {"source_video": "rio", "clip": "rio_1", "label": "103b", "split": ""},
    ]  # fmt: skip
    copy = make_project("Copy", protocol="tfcovr")
    make_video(copy, original_name="riga.mp4")
    make_video(copy, original_name="rio_1.mp4")
    make_video(copy, original_name="oslo.mp4", **VARIES)
    call_command("import_dataset", "copy", annotations=clips, labels=labels)
    assert rows(copy) == rows(dives)
    assert copy.videos.get(original_name="rio_1.mp4").cut_from == "rio"
    again = tmp_path / "again.json"
    call_command("export_dataset", "copy", annotations=again)
    assert without_split(again) == without_split(clips)


def test_what_is_missing_is_reported(dives, tmp_path):
    with pytest.raises(CommandError, match="no project"):
        call_command("export_dataset", "nowhere", annotations=tmp_path / "a.json")
    with pytest.raises(CommandError, match="can't be written"):
        call_command("export_dataset", "dives", annotations=tmp_path / "no" / "a.json")
