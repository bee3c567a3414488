"""A release in TF-CoVR's form, read back as its own loaders and CIRCO's evaluation read files."""

import ast
import hashlib
import io
import json
from functools import partial

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from annotate.models import Clip
from review.captions.exchange import import_predictions
from review.errors import ReviewError
from review.frozen.models import ReleasedLabel
from review.frozen.query_models import ReleasedModification, ReleasedQuery
from review.releases.formats import export_release, formats_of
from review.releases.queries import latest_release, next_release
from review.retrieval.exchange import import_vectors
from review.retrieval.forms import ImportForm
from tests.cast import make_person
from tests.media import make_playable
from tests.review.releases.released_triplets import (
    FORMULA,
    HOSTILE,
    build,
    contents,
    make_dives,
    make_set,
    query_of,
    table,
    verify,
)
from tests.review.retrieval.vector_files import npz

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    project = make_dives(partial(make_playable, rendered_media))
    triplets = make_set(project)
    return {"project": project, "triplets": triplets, "release": build(project)}


@pytest.fixture
def triplets(shared):
    return shared["triplets"]


@pytest.fixture
def release(shared):
    return shared["release"]


def test_train_reads_as_its_loader_reads_it(release):
    """It indexes rows, evaluates the cell and takes the text by the target's label."""
    files = contents(release)
    train = table(files["annotations/train_finegd.csv"])
    assert list(train[0]) == ["query_video", "target_video", "label1", "label2", "modification"]
    read = []
    for row in train:
        literal = ast.literal_eval(row["modification"])
        assert list(literal) == [str(row["label2"])]
        text = literal[str(row["label2"])]["modification"]
        read.append((row["query_video"], row["target_video"], row["label1"], text))
        assert f"videos/{row['query_video']}.mp4" in files
        assert f"videos/{row['target_video']}.mp4" in files
    queries = ("clip-01", "clip-02", "clip-03")
    expected = [(q, t, "107b", HOSTILE) for q in queries for t in ("clip-04", "clip-05")]
    assert read == expected


@pytest.mark.parametrize(
    ("name", "queries"), [("val", ["clip-06"]), ("test", ["clip-09", "clip-10", "clip-14"])]
)
def test_held_out_queries_read_as_their_loader_reads_them(release, name, queries):
    """It takes query_id for the index of the row, and pads the list of targets to ten."""
    rows = table(contents(release)[f"annotations/{name}_finegd.csv"])
    assert [row["query_video"] for row in rows] == queries
    for place, row in enumerate(rows):
        assert rows[int(row["query_id"])] is rows[place]
        targets = ast.literal_eval(row["target_videos_ids"])
        assert targets[0] == row["target_video"]
        assert len(targets + [""] * (10 - len(targets))) == 10
        assert row["modification"] in {HOSTILE, FORMULA}


def average_precision_at(ranked: list[int], right: list[int], k: int) -> float:
    """CIRCO's evaluation of one query, without its numpy: the labels of the first K, their
    cumulated precision, divided by how many there can be."""
    hits, total = 0, 0.0
    for place, clip in enumerate(ranked[:k], 1):
        if clip in right:
            hits += 1
            total += hits / place
    return total / min(len(right), k)


def test_circo_has_its_fields_and_its_evaluation_runs(release):
    files = contents(release, "circo")
    validation, test, targets = (
        json.loads(files[f"annotations/{name}.json"]) for name in ("val", "test", "test_targets")
    )
    names = {int(row["id"]): row["clip"] for row in table(files["clips.csv"])}
    assert sorted(names) == list(range(14))
    for entries in (validation, targets):
        for place, entry in enumerate(entries):
            assert entry["id"] == place
            assert entry["target_img_id"] == entry["gt_img_ids"][0]
            assert entry["reference_img_id"] not in entry["gt_img_ids"]
            assert {*entry["gt_img_ids"], entry["reference_img_id"]} <= set(names)
    assert [set(entry) for entry in test] == [
        {"reference_img_id", "relative_caption", "shared_concept", "id"}
    ] * 3
    submission = {str(entry["id"]): entry["gt_img_ids"] for entry in targets}
    assert sorted(map(int, submission)) == [entry["id"] for entry in test]
    scores = [
        average_precision_at(submission[str(entry["id"])], entry["gt_img_ids"], 10)
        for entry in targets
    ]
    assert scores == [1.0, 1.0, 1.0]
    assert [names[number] for number in validation[0]["gt_img_ids"]] == ["clip-07", "clip-08"]


def test_a_text_says_who_made_it_and_who_judged_its_pair_under_numbers(release):
    files = contents(release)
    [row, _] = table(files["modifications.csv"])
    assert (row["label1"], row["label2"], row["kind"], row["made"]) == (
        "107b", "109b", "temporal", "person",
    )  # fmt: skip


def test_the_hashes_fit_and_the_content_hash_is_that_of_the_sums(release, tmp_path):
    export_release(release=release, format_name="tfcovr", target=tmp_path / "out")
    call_command("verify_release", tmp_path / "out")
    sums = (tmp_path / "out" / "SHA256SUMS").read_bytes()
    assert hashlib.sha256(sums).hexdigest() == release.content_hash
    assert [entry.name for entry in formats_of(release)][:2] == ["tfcovr", "circo"]
    for line in sums.decode().splitlines():
        sha256, path = line.split("  ")
        assert hashlib.sha256((tmp_path / "out" / path).read_bytes()).hexdigest() == sha256
    call_command("export_release", "gym", "0.1.0", "--format", "circo", "--out", tmp_path / "circo")
    circo = tmp_path / "circo"
    assert {str(path.relative_to(circo)) for path in circo.rglob("*") if path.is_file()} == {
        "README.md", "LICENSE.txt", "manifest.json", "SHA256SUMS", "clips.csv",
        "annotations/val.json", "annotations/test.json", "annotations/test_targets.json",
    }  # fmt: skip


def test_a_release_stays_as_it_is_when_the_project_changes(project, triplets, release):
    before = [contents(release, name) for name in ("tfcovr", "circo")]
    verify(make_person("Rita", project), query_of(triplets, "clip-09"), wrong=["clip-11"])
    project.action_labels.update(caption="Other")
    Clip.objects.filter(name="clip-01").update(name="renamed")
    project.videos.update(license="other", source_url="https://other.example")
    make_set(project, most_targets=1)
    assert [contents(release, name) for name in ("tfcovr", "circo")] == before


def test_no_row_of_a_release_can_be_changed(release):
    for rows in (
        ReleasedLabel.objects.filter(release=release),
        ReleasedModification.objects.filter(release=release),
        ReleasedQuery.objects.filter(release=release),
        release.triplet_clips.all(),
    ):
        assert rows.exists()
        with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
            rows.update(release=release)


def test_the_same_content_again_is_refused_with_its_version(project, release):
    assert not next_release(project, latest_release(project)).difference
    with pytest.raises(ReviewError, match=r"Release 0\.1\.0 already has exactly this content"):
        build(project, "0.2.0")
    assert project.releases.count() == 1


def test_it_says_what_the_next_release_changes(project, triplets, release):
    first = next_release(project, None).difference
    assert len(first.added) == 3 + 1 + 3
    verify(make_person("Rita", project), query_of(triplets, "clip-09"))
    project.action_labels.filter(key="307c").update(caption="Inward")
    following = next_release(project, release)
    assert following.difference.changed == ["clip-09, 107b to 109b", "label 307c"]
    assert (following.difference.added, following.difference.removed) == ([], [])
    smaller = make_set(project, most_targets=1)
    difference = next_release(project, release).difference
    assert smaller.queries.filter(split="test").count() == 3
    assert difference.changed == [
        "clip-06, 107b to 109b", "clip-09, 107b to 109b", "clip-10, 107b to 109b",
        "clip-14, 307c to 107b", "label 307c",
    ]  # fmt: skip
    assert str(following.suggested) == "0.1.1"


def test_captions_made_elsewhere_find_its_clips_and_vectors_are_refused(project, release):
    clip = Clip.objects.get(name="clip-01")
    Clip.objects.filter(pk=clip.pk).update(name="renamed")
    file = io.BytesIO(json.dumps([{"path": "clip-01", "cap": "A dive."}]).encode())
    options = {"project": project, "admin": None, "release": release}
    made = import_predictions(file=file, name="Heron", file_name="h.json", **options)
    assert made.captions.get().caption.clip == clip
    with pytest.raises(ReviewError, match="has triplets and no captions"):
        import_vectors(file=npz(), name="CARE", file_name="c.npz", **options)
    assert not ImportForm(project).fields["release"].queryset.exists()
