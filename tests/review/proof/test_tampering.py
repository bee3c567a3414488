"""A change of a release is found even after every hash in the folder was made again, by what the
folder's files say about each other or by the release hash alone."""

from __future__ import annotations

import json
import re
import shutil
from functools import partial
from pathlib import Path

import pytest

from annotate.models import Clip, Project
from review.proof.verifying.hashes import ABOUT, OWN_HASH
from review.proof.verifying.main import verify
from review.proof.verifying.released import RELEASED
from review.releases.choice import Choice
from review.releases.formats import export_release
from review.releases.services import build_release
from review.reports.services import recompute
from tests.cast import make_person, make_project
from tests.media import make_playable
from tests.review.cast import PARTS, make_complete_world, merge, open_clip, split, write
from tests.review.composed.retrieval import embed
from tests.review.proof.tampering import (
    added,
    both,
    more,
    of_csv,
    of_json,
    of_lines,
    of_parquet,
    remake,
    removed,
    set_to,
    swapped,
    without_last_target,
)
from tests.review.releases.released_triplets import make_dives, make_set, query_of
from tests.review.releases.released_triplets import verify as judge
from tests.review.takedowns.test_lovr import make_talks
from tests.shared_world import kept_for_the_module

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

METADATA, MANIFEST = "json/metadata.json", "manifest.json"
INDEX, REPORT = "reports/index.json", "reports/statistics-1.json"
CLIPS, VIDEOS = "caption_data/all_clip", "caption_data/all_video"
RECORDS = "caption_data/records.jsonl"
TRAIN, VALIDATION, TEST = (f"annotations/{name}_finegd.csv" for name in ("train", "val", "test"))
HASH = re.compile(r"Release hash ([0-9a-f]{64}): (.*)")


@pytest.fixture(scope="module")
def exported(django_db_setup, django_db_blocker, rendered_media, tmp_path_factory):
    """The folder of a release of each form; tests change copies."""
    target = tmp_path_factory.mktemp("releases")
    with kept_for_the_module(django_db_blocker):
        world = make_complete_world(rendered_media, "dive")
        texts = world["project"]
        swim = open_clip(texts, "swim", make=partial(make_playable, rendered_media))
        parts = PARTS | {"objects": "The lane is long and the cap is red."}
        write(texts, swim, world["anna"], world["ben"], parts=parts)
        merge(texts, swim, world["emil"])
        split(texts, swim, world["anna"], spatial="A lane is long and a cap is red.")
        talks = make_project("Talks", protocol=Project.Protocol.LOVR)
        make_talks(talks, rendered_media)
        dives = make_dives(partial(make_playable, rendered_media))
        queries = make_set(dives)
        judge(make_person("Vera", dives, "reviewer"), query_of(queries, "clip-09"))
        for clip in Clip.objects.filter(project=dives):
            embed(clip, 1.0, 0.5)
        for project in (texts, talks, dives):
            for name in ("statistics", "map"):
                recompute(project=project, name=name)
            choice = Choice(clip_files=True)
            release = build_release(project=project, version="1.0.0", admin=None, choice=choice)
            form = release.format
            export_release(release=release, format_name=form, target=target / form)
        yield target


def checked(folder: Path, expected: str = "") -> tuple[list[str], str]:
    """Return the problems and the release hash."""
    lines: list[str] = []
    problems = list(map(str, verify(folder, lines.append, expected=expected)))
    hashes = [match[1] for match in map(HASH.match, lines) if match]
    return problems, hashes[0] if hashes else ""


def not_recomputed(folder):
    of_json(INDEX, set_to("reports", 0, "recomputed", value=False))(folder)
    of_json(REPORT, set_to("recomputed", value=False))(folder)


def without(*names):
    return of_json(MANIFEST, lambda manifest: [manifest.pop(name) for name in names])


def tombstone(*withdrawn):
    item = {"id": 1, "what": "clip", "items": ["a"], "withdrawn_at": "2026-01-01", "reason": "x"}
    stones = {"about": "", "content_hash": "", "items": [item], "changed": [], "withdrawn": []}

    def tamper(folder):
        lost = [p.relative_to(folder).as_posix() for w in withdrawn for p in folder.glob(w)]
        (folder / "TOMBSTONES").write_text(json.dumps(stones | {"withdrawn": lost}))
        entry = {"path": "TOMBSTONES", "sha256": "0" * 64}
        of_json(MANIFEST, set_to("tombstones", value=entry))(folder)
        for path in lost:
            (folder / path).unlink()

    return tamper


def first(name, value):
    return set_to(0, name, value=value)


TAMPERINGS = {
    "a word is added to a caption": ("carebench", of_json(METADATA, first("caption", more))),
    "and to a spatial one": ("carebench", of_json(METADATA, first("spatial_caption", more))),
    "two captions are swapped": (
        "carebench",
        of_json(METADATA, swapped("caption")),
    ),
    "all texts are swapped": ("carebench", of_json(METADATA, swapped("video"))),
    "a category is changed": ("carebench", of_json(METADATA, first("category", more))),
    "a clip is dropped": ("carebench", of_json(METADATA, lambda rows: rows.pop())),
    "a report says it isn't recomputed": ("carebench", not_recomputed),
    "its numbers are changed": (
        "carebench",
        of_json(REPORT, set_to("result", "clips", "items", value=9)),
    ),
    "a report isn't listed": ("carebench", of_json(INDEX, set_to("reports", value=[]))),
    "a report has another title's signature": (
        "carebench",
        of_json(INDEX, set_to("reports", 0, "signature", value=more)),
    ),
    "the manifest's hash is removed": ("carebench", without(OWN_HASH)),
    "about is removed": ("carebench", without(ABOUT)),
    "both are removed": ("carebench", without(OWN_HASH, ABOUT)),
    "the manifest says it is another format": (
        "carebench",
        of_json(MANIFEST, set_to("format", value="webdataset")),
    ),
    "a file is added": ("carebench", added("tool.py")),
    "a text is added": ("carebench", added("NOTICE.md")),
    "a text is added to about": ("carebench", added("NOTICE.md", ABOUT)),
    "a file is added to the hashes": ("carebench", added("tool.py", "SHA256SUMS")),
    "a folder is added to the hashes": ("carebench", added("tools/a.py", "SHA256SUMS")),
    "a takedown hides a report's labels": ("carebench", tombstone("reports/inputs/captions*")),
    "a takedown hides a report": ("carebench", tombstone(REPORT)),
    "what the reports were made of is removed": ("carebench", removed(RELEASED)),
    "a caption in JSON lines": ("lovr", of_lines(f"{CLIPS}.jsonl", first("cap", more))),
    "captions in JSON lines are swapped": ("lovr", of_lines(f"{CLIPS}.jsonl", swapped("cap"))),
    "a caption in Parquet": ("lovr", of_parquet(f"{CLIPS}.parquet", first("cap", more))),
    "captions in Parquet are swapped": ("lovr", of_parquet(f"{CLIPS}.parquet", swapped("cap"))),
    "a row of Parquet": ("lovr", of_parquet(f"{CLIPS}.parquet", lambda rows: rows.pop())),
    "a caption of a video in Parquet": (
        "lovr",
        of_parquet(f"{VIDEOS}.parquet", first("cap", more)),
    ),
    "a caption in records": ("lovr", of_lines(RECORDS, first("clip_caption", more))),
    "a caption of a video in records": ("lovr", of_lines(RECORDS, first("video_caption", more))),
    "a time in records": ("lovr", of_lines(RECORDS, first("start_time", 0.04))),
    "the frames of a clip": (
        "lovr",
        of_json(MANIFEST, set_to("videos", 0, "clips", 0, "end_frame", value=7)),
    ),
    "a caption in all files alike": (
        "lovr",
        both(
            of_lines(f"{CLIPS}.jsonl", first("cap", more)),
            of_parquet(f"{CLIPS}.parquet", first("cap", more)),
            of_lines(RECORDS, first("clip_caption", more)),
        ),
    ),
    "a target of a test query": (
        "tfcovr",
        of_csv(TEST, first("target_videos_ids", without_last_target)),
    ),
    "a target of a validation query": (
        "tfcovr",
        of_csv(VALIDATION, first("target_videos_ids", without_last_target)),
    ),
    "a triplet of train": ("tfcovr", of_csv(TRAIN, lambda rows: rows.pop())),
    "the first target alone": ("tfcovr", of_csv(TEST, first("target_video", "clip-01"))),
    "a query": ("tfcovr", of_csv(TEST, lambda rows: rows.pop())),
    "a query clip": ("tfcovr", of_csv(TEST, first("query_video", "clip-01"))),
    "a modification": ("tfcovr", of_csv(TEST, first("modification", more))),
    "a modification in the table": (
        "tfcovr",
        of_csv("modifications.csv", first("modification", more)),
    ),
    "who judged a pair": ("tfcovr", of_csv("modifications.csv", first("pair_verdicts", more))),
    "a verdict is reversed": (
        "tfcovr",
        of_lines("verdicts.jsonl", first("right", lambda right: not right)),
    ),
    "a target is judged wrong": (
        "tfcovr",
        of_lines("verdicts.jsonl", lambda rows: rows[0]["wrong"].append(rows[0]["valid"].pop())),
    ),
    "a verdict is dropped": ("tfcovr", of_lines("verdicts.jsonl", lambda rows: rows.pop())),
    "a label": ("tfcovr", of_csv("labels.csv", first("caption", more))),
    "the split of a clip": ("tfcovr", of_csv("clips.csv", first("split", "test"))),
}
# Nothing else in the folder repeats what these change.
FOUND_BY_THE_RELEASE_HASH = {
    "the license": ("carebench", of_json(MANIFEST, set_to("licence", value="CC0"))),
    "who wrote a text": (
        "carebench",
        of_json(MANIFEST, set_to("clips", 0, "written_by", value=["person-9"])),
    ),
    "who signed a text off": (
        "carebench",
        of_json(MANIFEST, set_to("clips", 0, "signed_off_by", value=["signer-1"])),
    ),
    "the frames of a file": ("carebench", of_json(MANIFEST, set_to("clips", 0, "frames", value=7))),
    "a number of the README": (
        "carebench",
        lambda folder: (folder / "README.md").write_text(
            (folder / "README.md").read_text().replace("2 clips", "3 clips")
        ),
    ),
}


@pytest.mark.parametrize(("form", "tamper"), TAMPERINGS.values(), ids=TAMPERINGS)
def test_a_change_is_found_although_all_hashes_are_made_again(exported, tmp_path, form, tamper):
    folder = tmp_path / "copy"
    shutil.copytree(exported / form, folder)
    tamper(folder)
    remake(folder)
    problems, changed = checked(folder)
    assert problems
    assert changed != checked(exported / form)[1]


@pytest.mark.parametrize(
    ("form", "tamper"), FOUND_BY_THE_RELEASE_HASH.values(), ids=FOUND_BY_THE_RELEASE_HASH
)
def test_the_release_hash_covers_what_nothing_repeats(exported, tmp_path, form, tamper):
    folder = tmp_path / "copy"
    shutil.copytree(exported / form, folder)
    _, expected = checked(folder)
    tamper(folder)
    remake(folder)
    problems, changed = checked(folder)
    assert problems == []
    assert changed != expected
    problems, _ = checked(folder, expected)
    assert problems == [f"release hash: expected {expected}, found {changed}."]


def test_it_covers_a_caption_that_was_changed_in_everything(exported, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(exported / "carebench", folder)
    _, expected = checked(folder)
    of_json(METADATA, first("caption", more))(folder)
    remake(folder, with_released=True)
    problems, _ = checked(folder, expected)
    assert [problem.partition(":")[0] for problem in problems] == ["release hash"]


def test_retrieval_is_scored_by_the_released_targets(exported, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(exported / "tfcovr", folder)
    of_csv(TEST, first("target_videos_ids", without_last_target))(folder)
    remake(folder, with_released=True)
    problems, _ = checked(folder)
    assert problems
    assert all(problem.startswith("reports/map-1.json#result.") for problem in problems)


def test_files_of_the_hub_are_not_of_the_release(exported, tmp_path):
    folder = tmp_path / "copy"
    for form in ("carebench", "lovr", "tfcovr"):
        shutil.copytree(exported / form, folder)
        _, expected = checked(folder)
        (folder / ".cache/huggingface").mkdir(parents=True)
        (folder / ".cache/huggingface/a.lock").touch()
        (folder / ".gitattributes").touch()
        assert checked(folder, expected) == ([], expected)
        shutil.rmtree(folder)
