"""A release in TF-CoVR's form, read back as its own loaders and CIRCO's evaluation read files."""

import ast
import csv
import hashlib
import io
import json
import pickle
import zipfile
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import DatabaseError, transaction

from annotate.jobs.services.working import work_on
from annotate.models import Clip, Video
from annotate.models.jobs import Job
from review.captions.exchange import import_predictions
from review.errors import ReviewError
from review.frozen.models import ReleasedLabel, ReleasedModification, ReleasedQuery
from review.releases.archives import start_archive
from review.releases.exporting import export_release
from review.releases.formats import FORMATS, formats_of
from review.releases.queries import latest_release, next_release
from review.releases.services import build_release, start_release
from review.retrieval.exchange import import_vectors
from review.retrieval.forms import ImportForm
from tests.cast import make_person
from tests.review.composed.retrieval import DIMENSION, embed
from tests.review.releases.released_triplets import (
    FORMULA,
    HOSTILE,
    add_clip,
    make_dives,
    make_set,
    query_of,
    verify,
)
from tests.review.retrieval.vector_files import npz
from tests.review.studio.cast import found

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def project(db, make_playable_clip):
    return make_dives(make_playable_clip)


@pytest.fixture
def triplets(project):
    return make_set(project)


def build(project, version="0.1.0", **options):
    return build_release(project=project, version=version, admin=None, **options)


def contents(release, format_name="tfcovr") -> dict[str, bytes]:
    files = FORMATS[format_name].files(release, Path())
    return {file.path: b"".join(file.checked()) for file in files}


def table(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_train_reads_as_its_loader_reads_it(project, triplets):
    """It indexes rows, evaluates the cell and takes the text by the target's label."""
    files = contents(build(project))
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
def test_held_out_queries_read_as_their_loader_reads_them(project, triplets, name, queries):
    """It takes query_id for the index of the row, and pads the list of targets to ten."""
    rows = table(contents(build(project))[f"annotations/{name}_finegd.csv"])
    assert [row["query_video"] for row in rows] == queries
    for place, row in enumerate(rows):
        assert rows[int(row["query_id"])] is rows[place]
        targets = ast.literal_eval(row["target_videos_ids"])
        assert targets[0] == row["target_video"]
        assert len(targets + [""] * (10 - len(targets))) == 10
        assert row["modification"] in {HOSTILE, FORMULA}


def test_more_targets_than_the_loader_reads_are_cut_there_and_whole_in_circo(
    project, make_playable_clip
):
    label = project.action_labels.get(key="109b")
    for number in range(9):
        add_clip(make_playable_clip, label, "test", f"more-{number}", 50 + number)
    make_set(project, most_targets=20)
    release = build(project)
    files = contents(release)
    rows = table(files["annotations/test_finegd.csv"])
    assert [len(ast.literal_eval(row["target_videos_ids"])) for row in rows] == [10, 10, 2]
    assert "2 queries have more" in " ".join(files["README.md"].decode().split())
    entries = json.loads(contents(release, "circo")["annotations/test_targets.json"])
    assert [len(entry["gt_img_ids"]) for entry in entries] == [12, 12, 2]


def average_precision_at(ranked: list[int], right: list[int], k: int) -> float:
    """CIRCO's evaluation of one query, without its numpy: the labels of the first K, their
    cumulated precision, divided by how many there can be."""
    hits, total = 0, 0.0
    for place, clip in enumerate(ranked[:k], 1):
        if clip in right:
            hits += 1
            total += hits / place
    return total / min(len(right), k)


def test_circo_has_its_fields_and_its_evaluation_runs(project, triplets):
    files = contents(build(project), "circo")
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


@pytest.mark.both_databases
def test_verified_queries_are_as_most_people_judged_them(project, triplets):
    rita, omar = make_person("Rita", project), make_person("Omar", project)
    judged = query_of(triplets, "clip-09")
    for person in (rita, omar):
        verify(
            person, judged, wrong=["clip-12"], added=["clip-14"], corrected="show with three turns"
        )
    refused = query_of(triplets, "clip-10")
    verify(rita, refused, wrong=["clip-11", "clip-12", "clip-13"])
    in_train = query_of(triplets, "clip-01")
    verify(omar, in_train, wrong=["clip-04"])
    release = build(project)
    files = contents(release)
    first = table(files["annotations/test_finegd.csv"])[0]
    assert (first["query_video"], first["modification"]) == ("clip-09", "show with three turns")
    assert ast.literal_eval(first["target_videos_ids"]) == ["clip-11", "clip-13", "clip-14"]
    queries = [row["query_video"] for row in table(files["annotations/test_finegd.csv"])]
    assert queries == ["clip-09", "clip-14"]
    train = table(files["annotations/train_finegd.csv"])
    assert [row["target_video"] for row in train if row["query_video"] == "clip-01"] == ["clip-05"]
    verdicts = [json.loads(line) for line in files["verdicts.jsonl"].decode().splitlines()]
    assert [(v["split"], v["query"], v["by"]) for v in verdicts] == [
        ("test", 0, "person-1"), ("test", 0, "person-2"), ("train", 0, "person-2"),
    ]  # fmt: skip
    assert verdicts[0]["wrong"] == ["clip-12"]
    assert release.triplet_facts["verified"] == {"test": 1, "validation": 0, "train": 1}
    everything = b"".join(text for path, text in files.items() if not path.endswith(".mp4"))
    assert not [name for name in (b"Rita", b"Omar", b"vericap.example") if name in everything]


def test_our_own_tables_start_no_formula_and_ids_stay(project, triplets):
    Clip.objects.filter(name="clip-01").update(name="-id_E_1")
    files = contents(build(project))
    assert {row["caption"] for row in table(files["labels.csv"])} == {"'-The same caption"}
    texts = {row["modification"] for row in table(files["modifications.csv"])}
    assert texts == {HOSTILE, f"'{FORMULA}"}
    assert table(files["clips.csv"])[0]["clip"] == "-id_E_1"
    assert table(files["annotations/test_finegd.csv"])[2]["modification"] == FORMULA


def test_a_text_says_who_made_it_and_who_judged_its_pair_under_numbers(project, triplets):
    files = contents(build(project))
    [row, _] = table(files["modifications.csv"])
    assert (row["label1"], row["label2"], row["kind"], row["made"]) == (
        "107b", "109b", "temporal", "person",
    )  # fmt: skip


def test_the_hashes_fit_and_the_content_hash_is_that_of_the_sums(project, triplets, tmp_path):
    release = build(project)
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


def test_the_same_content_gives_the_same_bytes_whatever_the_project(make_playable_clip):
    releases = []
    for name in ("One", "Two"):
        project = make_dives(make_playable_clip, name)
        make_set(project)
        releases.append(build(project))
    assert releases[0].content_hash == releases[1].content_hash
    first, second = map(contents, releases)
    ours = {"README.md", "manifest.json"}
    assert {path: first[path] for path in first.keys() - ours} == {
        path: second[path] for path in second.keys() - ours
    }


@pytest.mark.both_databases
def test_a_release_stays_as_it_is_when_the_project_changes(project, triplets):
    release = build(project)
    before = [contents(release, name) for name in ("tfcovr", "circo")]
    verify(make_person("Rita", project), query_of(triplets, "clip-09"), wrong=["clip-11"])
    project.action_labels.update(caption="Other")
    Clip.objects.filter(name="clip-01").update(name="renamed")
    project.videos.update(license="other", source_url="https://other.example")
    make_set(project, most_targets=1)
    assert [contents(release, name) for name in ("tfcovr", "circo")] == before


@pytest.mark.both_databases
def test_no_row_of_a_release_can_be_changed(project, triplets):
    release = build(project)
    for rows in (
        ReleasedLabel.objects.filter(release=release),
        ReleasedModification.objects.filter(release=release),
        ReleasedQuery.objects.filter(release=release),
        release.triplet_clips.all(),
    ):
        assert rows.exists()
        with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
            rows.update(release=release)


def test_the_same_content_again_is_refused_with_its_version(project, triplets):
    build(project)
    assert not next_release(project, latest_release(project)).difference
    with pytest.raises(ReviewError, match=r"Release 0\.1\.0 already has exactly this content"):
        build(project, "0.2.0")
    assert project.releases.count() == 1


def test_it_says_what_the_next_release_changes(project, triplets):
    first = next_release(project, None).difference
    assert len(first.added) == 3 + 1 + 3
    release = build(project)
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


def test_checks_that_warn(project, triplets):
    verify(
        make_person("Rita", project),
        query_of(triplets, "clip-09"),
        wrong=["clip-11", "clip-12", "clip-13"],
    )
    Video.objects.filter(original_name="source-1.mp4").update(license="")
    following = next_release(project, None)
    assert following.blocks == []
    assert found(following.warnings) == {
        "unverified-tests": ["clip-10, 107b to 109b", "clip-14, 307c to 107b"],
        "without-target": ["clip-09, 107b to 109b"],
        "video-licenses": ["clip-01"],
        "equal-labels": ["107b = 109b = 307c"],
    }
    assert following.content.tally.splits == [
        ("Train", 3, 0, 6), ("Validation", 1, 0, 2), ("Test", 2, 0, 5),
    ]  # fmt: skip


def test_a_source_video_in_two_splits_and_equal_names_block(project, triplets):
    videos = Video.objects.filter(original_name__in=["source-1.mp4", "source-9.mp4"])
    videos.update(cut_from="final")
    Clip.objects.filter(name="clip-02").update(name="CLIP-03")
    blocks = next_release(project, None).blocks
    assert found(blocks) == {"split-leakage": ["final"], "same-names": ["CLIP-03", "clip-03"]}
    with pytest.raises(ReviewError, match="in several splits"):
        build(project)
    assert not project.releases.exists()


def test_without_a_set_nothing_is_built(project):
    assert next_release(project, None).rows == []
    with pytest.raises(ReviewError, match="No set of triplets is finished yet"):
        start_release(project=project, version="0.1.0", admin=None)
    assert not Job.objects.exists()


def test_clips_that_are_parts_of_videos_are_cut_into_files(project):
    clip = Clip.objects.get(name="clip-09")
    Clip.objects.filter(pk=clip.pk).update(start_frame=10, end_frame=20)
    make_set(project)
    release = build(project)
    row = table(contents(release)["clips.csv"])[8]
    assert (row["clip"], row["first_frame"], row["end_frame"]) == ("clip-09", "10", "20")
    assert release.triplet_clips.get(name="clip-09").provenance["frames"] == 10


def open_as_the_loader_does(content: bytes) -> dict:
    """It loads dicts of tensors until the file ends, and stacks some of them."""
    torch = pytest.importorskip("torch")
    vectors, stream = {}, io.BytesIO(content)
    while True:
        try:
            vectors |= pickle.load(stream)
        except EOFError:
            break
    torch.stack(list(vectors.values()))
    return vectors


def test_vectors_of_all_clips_open_as_tensors(project, triplets):
    clips = list(Clip.objects.filter(project=project).order_by("name"))
    for place, clip in enumerate(clips[:-1]):
        embed(clip, 1 / 3, place)
    assert build(project).triplet_facts["vectors"] is None
    embed(clips[-1], 1 / 3, 99)
    release = build(project, "0.2.0")
    vectors = open_as_the_loader_does(contents(release)["embeddings/clips.pkl"])
    assert list(vectors) == [clip.name for clip in clips]
    last = vectors[clips[-1].name]
    assert (str(last.dtype), list(last.shape)) == ("torch.float32", [DIMENSION])
    assert last[:2].tolist() == [pytest.approx(1 / 3), 99.0]
    assert "embeddings/clips.pkl" in contents(release)["README.md"].decode()


def test_captions_made_elsewhere_find_its_clips_and_vectors_are_refused(project, triplets):
    release = build(project)
    clip = Clip.objects.get(name="clip-01")
    Clip.objects.filter(pk=clip.pk).update(name="renamed")
    file = io.BytesIO(json.dumps([{"path": "clip-01", "cap": "A dive."}]).encode())
    options = {"project": project, "admin": None, "release": release}
    made = import_predictions(file=file, name="Heron", file_name="h.json", **options)
    assert made.captions.get().caption.clip == clip
    with pytest.raises(ReviewError, match="has triplets and no captions"):
        import_vectors(file=npz(), name="CARE", file_name="c.npz", **options)
    assert not ImportForm(project).fields["release"].queryset.exists()


def test_the_worker_builds_it_and_the_archives_have_its_files(project, triplets, ada):
    start_release(project=project, version="0.1.0", admin=ada)
    for job in iter(lambda: Job.objects.filter(state="waiting").first(), None):
        work_on(job_id=job.pk)
    assert Job.objects.get(kind="release").state == Job.State.DONE
    release = project.releases.get()
    work_on(job_id=start_archive(release=release, format_name="circo", user=ada).pk)
    for archive in release.archives.all():
        with default_storage.open(archive.file) as file, zipfile.ZipFile(file) as packed:
            folder = f"gym-0.1.0-{archive.format}/"
            assert all(name.startswith(folder) for name in packed.namelist())
            files = {name.removeprefix(folder): packed.read(name) for name in packed.namelist()}
        assert files == contents(release, archive.format)
    assert release.archives.count() == 2
