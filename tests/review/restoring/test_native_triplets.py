"""A native release of triplets brings its labels, clips and splits, or is refused with the fix."""

import json

import pytest

from annotate.datasets.faults import DatasetInvalid
from annotate.models import ActionLabel, Video
from review.errors import ReviewError
from review.exchange.bundle import Folder
from review.restoring.triplets import NativeTriplets, restore_triplets
from review.triplets.models import TripletSet
from tests.cast import make_project, make_video
from tests.review.triplets.triplets import make_label

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


PART = {"place": {"start": "0", "end": "0.4"}}


def label(key, **fields):
    return {"label": key, "caption": f"Dive {key}", "event": "", "source": "diving",
            "counts_as": "", **fields}  # fmt: skip


def clip(name, key, split, **fields):
    place = {"place": {"start": "0", "end": "10"}}
    return {"clip": name, "label": key, "split": split, "source_video": name, "test_gallery": False,
            "file_name": f"videos/{name}.mp4", "size": 1, "sha256": "", "provenance": place,
            **fields}  # fmt: skip


def query(number, split, name, target, **fields):
    return {"split": split, "number": number, "query": name, "label1": "1", "label2": "2",
            "kind": "temporal", "domain": "diving", "modification": "show two turns",
            "targets": [target], "verdicts": [], **fields}  # fmt: skip


CLIPS = [clip("a", "1", "train"), clip("b", "2", "train"), clip("c", "1", "test"),
         clip("d", "2", "test")]  # fmt: skip
LABELS = [label("1"), label("2")]
QUERIES = [query(0, "train", "a", "b"), query(0, "test", "c", "d")]
RELEASE = {
    "clips.jsonl": CLIPS,
    "labels.jsonl": LABELS,
    "modifications.jsonl": [
        {"label1": "1", "label2": "2", "kind": "temporal", "modification": "show two turns",
         "provenance": {}}
    ],
    "queries.jsonl": QUERIES,
}  # fmt: skip


@pytest.fixture
def project(db):
    project = make_project(protocol="tfcovr")
    for name in "abcd":
        make_video(project, original_name=f"{name}.mp4")
    return project


@pytest.fixture
def restore(project, tmp_path):
    def with_files(**changed):
        files = RELEASE | {f"{name}.jsonl": rows for name, rows in changed.items()}
        for name, rows in files.items():
            (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        return restore_triplets(project, NativeTriplets(Folder(tmp_path)), "temporal", None)

    return with_files


def test_it_brings_labels_clips_and_splits(project, restore):
    triplets = restore(labels=[*LABELS, label("3", counts_as="2")])
    assert triplets.triplet_count == 2
    assert dict(project.videos.values_list("original_name", "split")) == {
        "a.mp4": "train", "b.mp4": "train", "c.mp4": "test", "d.mp4": "test",
    }  # fmt: skip
    assert ActionLabel.objects.get(key="3").counts_as.key == "2"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"queries": [query(1, "test", "c", "d")]},
         "queries.jsonl, line 1: number is 1; it must be 0 in test."),
        ({"queries": [query(0, "test", "c", "d", targets=["d", "d"])]},
         "queries.jsonl, line 1: targets names a clip twice. Keep one."),
        ({"labels": [*LABELS, label("3", counts_as="9")]},
         "labels.jsonl, line 3: counts_as: the project has no label '9'. Name another one."),
        ({"labels": [*LABELS, label("3", counts_as="3")]},
         "labels.jsonl, line 3: counts_as: a label can't count as itself. Name another one."),
        ({"clips": [*CLIPS, clip("e", "1", "test", source_video="a", provenance=PART)]},
         "clips.jsonl, line 5: a is in train too. Give it one split."),
        ({"clips": CLIPS[:3]},
         "queries.jsonl, line 2: d is in no split in this project. Split its video as in the "
         "files."),
    ],
)  # fmt: skip
def test_each_fault_of_a_line(restore, changed, message):
    with pytest.raises(ReviewError) as refused:
        restore(**changed)
    assert str(refused.value) == message
    assert not TripletSet.objects.exists()


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"labels": [*LABELS, label("2")]},
         "labels.jsonl, line 3, label: It is at line 2 already. Keep one."),
        ({"clips": [*CLIPS, clip("d", "2", "test")]},
         "clips.jsonl, line 5, clip: It is at line 4 already. Keep one."),
        ({"clips": [*CLIPS[:3], clip("d", "2", "test", provenance={"place": {"start": "x"}})]},
         "clips.jsonl, line 4, start: 'x' is not a time. Give seconds, such as 12.48."),
    ],
)  # fmt: skip
def test_each_fault_of_labels_and_clips(restore, changed, fault):
    with pytest.raises(DatasetInvalid) as refused:
        restore(**changed)
    assert list(map(str, refused.value.faults)) == [fault]


def test_a_source_video_that_the_release_lacks_is_named(project, restore):
    two = make_label(project, "2")
    for name in ("e", "f"):
        make_video(project, original_name=f"{name}.mp4").clips.update(label=two)
    with pytest.raises(ReviewError) as refused:
        restore(labels=[label("1"), label("2", caption=two.caption)])
    assert str(refused.value) == (
        "2 source videos with labeled clips are not in the release, such as e. "
        "Split the videos first."
    )


def test_splits_that_the_project_has_stay(project, restore):
    Video.objects.filter(original_name="a.mp4").update(split="test")
    with pytest.raises(ReviewError) as refused:
        restore()
    assert str(refused.value) == (
        "clips.jsonl, line 1: a is 1, train in the file, but 1, test in this project."
    )


def test_a_project_of_another_protocol_has_no_triplets(tmp_path):
    (tmp_path / "queries.jsonl").write_text("")
    source = NativeTriplets(Folder(tmp_path))
    with pytest.raises(ReviewError) as refused:
        restore_triplets(make_project("Dives"), source, "temporal", None)
    assert str(refused.value) == (
        "Only a project with the protocol TF-CoVR can have triplets. "
        "Import them into such a project."
    )
