"""Takedowns in TF-CoVR's form: queries, targets, numbers, vectors."""

import ast
import csv
import io
import json
from functools import partial

import numpy as np
import pytest

from annotate.models import Clip, Video
from review.proof.released_values import NOT_RELEASED
from review.proof.verifying.main import verify as check
from review.proof.verifying.released import RELEASED
from review.proof.verifying.values import NAMES
from review.releases.formats import export_release
from review.releases.queries import latest_release, next_release
from review.releases.services import build_release
from review.reports.services import recompute
from tests.cast import make_person
from tests.media import make_playable
from tests.review.composed.retrieval import embed
from tests.review.releases.released_triplets import make_dives, make_set, query_of, verify
from tests.review.takedowns.releases import fresh, json_lines, take, tombstones, written

pytestmark = pytest.mark.django_db

VALIDATION = "annotations/val_finegd.csv"


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    project = make_dives(partial(make_playable, rendered_media))
    triplets = make_set(project)
    verify(make_person("Rita", project, "reviewer"), query_of(triplets, "clip-09"))
    for clip in Clip.objects.filter(project=project):
        embed(clip, 1.0, 0.5)
    release = build_release(project=project, version="0.1.0", admin=None)
    return {"project": project, "release": release}


@pytest.fixture
def release(shared):
    return shared["release"]


def table(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_queries_and_targets_of_the_clip_are_gone_and_numbers_stay(project, release, tmp_path):
    before = written(release, "tfcovr")
    target = Clip.objects.get(project=project, name="clip-11")
    query = Clip.objects.get(project=project, name="clip-09")
    take(target, "clip")
    files = written(release, "tfcovr")
    assert tombstones(files)["items"][0]["items"] == ["clip-11"]
    for path in set(files) - {"TOMBSTONES", "SHA256SUMS", NAMES, RELEASED}:
        if not path.endswith((".mp4", ".pkl", ".pyz")):
            assert b"clip-11" not in files[path], path
    ids = {row["clip"]: row["id"] for row in table(before["clips.csv"])}
    assert {row["clip"]: row["id"] for row in table(files["clips.csv"])} == {
        name: number for name, number in ids.items() if name != "clip-11"
    }
    old, new = (table(of["annotations/test_finegd.csv"]) for of in (before, files))
    [was] = [row for row in old if row["query_video"] == query.name]
    [now] = [row for row in new if row["query_video"] == query.name]
    assert now["query_id"] == was["query_id"]
    left = [name for name in ast.literal_eval(was["target_videos_ids"]) if name != "clip-11"]
    assert ast.literal_eval(now["target_videos_ids"]) == left
    native = written(release, "native")
    vectors = np.load(io.BytesIO(native["clip_vectors.npy"]), allow_pickle=False)
    assert len(vectors) == len(json_lines(native["clips.jsonl"])) == len(ids) - 1
    circo = written(release, "circo")
    assert json.loads(circo["manifest.json"])["clip_count"] == len(ids) - 1
    targets = json.loads(circo["annotations/test_targets.json"])
    assert int(ids["clip-11"]) not in {n for entry in targets for n in entry["gt_img_ids"]}
    folder = tmp_path / "out"
    export_release(release=fresh(release), format_name="tfcovr", target=folder)
    assert check(folder, lambda text: None) == []


def test_a_query_without_another_target_is_gone_and_counts_are_of_what_is_left(project, release):
    before = json.loads(written(release, "tfcovr")["manifest.json"])
    for name in ("clip-07", "clip-08"):
        take(Clip.objects.get(project=project, name=name), "clip")
    files = written(release, "tfcovr")
    assert table(files[VALIDATION]) == []
    manifest = json.loads(files["manifest.json"])
    assert before["queries"]["validation"] == 1
    assert manifest["queries"] == before["queries"] | {"validation": 0}
    assert manifest["clip_count"] == before["clip_count"] - 2


def test_a_video_takes_all_files_of_its_source(project, release):
    names = ("clip-01", "clip-02")
    Video.objects.filter(clips__name__in=names).update(cut_from="final.mp4")
    take(Video.objects.get(clips__name="clip-01"), "video")
    assert tombstones(written(release, "tfcovr"))["items"][0]["items"] == list(names)


def test_the_next_release_has_neither_the_clip_nor_its_queries(project, release, tmp_path):
    recompute(project=project, name="map")
    take(Clip.objects.get(project=project, name="clip-11"), "clip")
    following = next_release(project, latest_release(project))
    assert "clip clip-11" in following.difference.removed
    second = build_release(project=project, version="0.2.0", admin=None)
    assert second.clip_count == release.clip_count - 1
    assert not fresh(second).withdrawn
    # The takedown leaves the report as it was, but it has queries that the release lacks.
    assert {"report": "map", "reason": NOT_RELEASED}.items() <= second.proof["left_out"][-1].items()
    export_release(release=second, format_name="tfcovr", target=tmp_path / "second")
    assert check(tmp_path / "second", lambda text: None) == []
    for format_name in ("tfcovr", "circo", "native"):
        new, old = written(second, format_name), written(release, format_name)
        texts = b"".join(new[path] for path in new if path.endswith((".csv", ".jsonl")))
        assert b"clip-11" not in texts
        assert new.keys() - {"TOMBSTONES"} == old.keys() - {"TOMBSTONES"}
