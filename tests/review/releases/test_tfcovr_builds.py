"""Builds of releases in TF-CoVR's form: what goes into them, and what stops them."""

import ast
import io
import json
import pickle
import zipfile
from functools import partial

import pytest
from django.core.files.storage import default_storage

from annotate.jobs.services.working import work_on
from annotate.models import Clip, Video
from annotate.models.jobs import Job
from review.errors import ReviewError
from review.releases.archives import start_archive
from review.releases.queries import next_release
from review.releases.services import start_release
from tests.cast import make_person
from tests.media import make_playable
from tests.review.composed.retrieval import DIMENSION, embed
from tests.review.releases.released_triplets import (
    FORMULA,
    HOSTILE,
    add_clip,
    build,
    contents,
    make_dives,
    make_set,
    query_of,
    table,
    verify,
)
from tests.review.studio.cast import names_by_gate

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    project = make_dives(partial(make_playable, rendered_media))
    return {"project": project}


@pytest.fixture
def triplets(project):
    return make_set(project)


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


def test_the_same_content_gives_the_same_bytes_whatever_the_project(make_playable_clip):
    releases = []
    for name in ("One", "Two"):
        project = make_dives(make_playable_clip, name)
        make_set(project)
        releases.append(build(project))
    assert releases[0].content_hash == releases[1].content_hash
    first, second = map(contents, releases)
    # The names of clips have their keys.
    ours = {"README.md", "manifest.json", "reports/names.jsonl", "reports/SHA256SUMS"}
    assert {path: first[path] for path in first.keys() - ours} == {
        path: second[path] for path in second.keys() - ours
    }


def test_checks_that_warn(project, triplets):
    verify(
        make_person("Rita", project),
        query_of(triplets, "clip-09"),
        wrong=["clip-11", "clip-12", "clip-13"],
    )
    Video.objects.filter(original_name="source-1.mp4").update(license="")
    following = next_release(project, None)
    assert following.blocks == []
    assert names_by_gate(following.warnings) == {
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
    assert names_by_gate(blocks) == {
        "split-leakage": ["final"],
        "same-names": ["CLIP-03", "clip-03"],
    }
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
    project.model_specs.update(weights_license="MIT")
    release = build(project, "0.2.0")
    vectors = open_as_the_loader_does(contents(release)["embeddings/clips.pkl"])
    assert list(vectors) == [clip.name for clip in clips]
    last = vectors[clips[-1].name]
    assert (str(last.dtype), list(last.shape)) == ("torch.float32", [DIMENSION])
    assert last[:2].tolist() == [pytest.approx(1 / 3), 99.0]
    files = contents(release)
    assert "embeddings/clips.pkl" in files["README.md"].decode()
    manifest = json.loads(files["manifest.json"])
    assert [model["weights_license"] for model in manifest["models"]] == ["MIT"]
    assert "weights" not in manifest


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
