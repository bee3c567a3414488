"""A release proves its numbers: its folder is checked by Python and numpy alone."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest
from django.db.models import JSONField
from django.urls import reverse
from django.utils.html import escape

from review.frozen.models import Release
from review.proof.bundle import verify_pyz
from review.proof.freezing import freeze_reports
from review.proof.verifying.folder import MAX_LINE_LENGTH, Folder, Unreadable
from review.proof.verifying.hashes import Hashes, Manifest, own_problem
from review.proof.verifying.kinds import RECOMPUTED
from review.proof.verifying.main import verify
from review.proof.verifying.parsing import parsed
from review.proof.verifying.released import RELEASED
from review.proof.verifying.reports import INDEX, WITHDRAWN, check_report, check_reports
from review.proof.verifying.values import NAMES
from review.releases.choice import Choice
from review.releases.formats import export_release
from review.releases.gates.shared import COVERAGE
from review.releases.queries import content_of
from review.releases.services import build_release
from review.reports.registry import REPORTS
from review.takedowns.services import take_down
from tests.cast import client_of
from tests.review.proof.bare import numpy_alone, run_bare
from tests.review.proof.proved import make_proved
from tests.review.proof.tampering import sign
from tests.review.releases.key_orders import in_jsonb, reordered
from tests.shared_world import kept_for_the_module

LEADERBOARD = "reports/leaderboard-1.json"
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def exported(django_db_setup, django_db_blocker, rendered_media, tmp_path_factory):
    """A release as it was exported; tests that change it take a copy, `folder`."""
    target = tmp_path_factory.mktemp("releases") / "dives-0.1.0"
    with kept_for_the_module(django_db_blocker):
        project = make_proved(rendered_media)
        release = build_release(project=project, version="0.1.0", admin=None)
        export_release(release=release, format_name="carebench", target=target)
        yield target


@pytest.fixture
def folder(exported, tmp_path):
    shutil.copytree(exported, tmp_path / "copy")
    return tmp_path / "copy"


def test_reports_are_frozen_with_the_same_bytes_in_every_order_of_keys(exported, monkeypatch):
    release = Release.objects.get()
    read = JSONField.from_db_value
    monkeypatch.setattr(
        JSONField, "from_db_value", lambda *args: reordered(read(*args), order=in_jsonb)
    )
    frozen = freeze_reports(release.project)
    files = {file[0]: list(file) for file in frozen.files}
    stored = {path: [path, *rest] for path, *rest in release.proof["files"]}
    # The release knows what its reports cover, and the names of its clips.
    assert stored.keys() - files.keys() == {NAMES, RELEASED}
    assert [path for path in files if files[path] != stored[path]] == [INDEX]


def run_alone(folder: Path, tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the release's own program with nothing installed but numpy."""
    return run_bare(numpy_alone(tmp_path), folder / "verify.pyz", *arguments)


def problems_of(folder: Path) -> list[str]:
    return [str(problem) for problem in verify(folder, lambda text: None)]


def hash_problems_of(folder: Path) -> list[str]:
    """Of the first step alone, without the numbers that are then computed again."""
    hashes = Hashes(Folder(folder))
    hashes.check()
    return [str(problem) for problem in hashes.problems]


def change(folder: Path, path: str, old: str, new: str) -> None:
    text = (folder / path).read_text()
    assert old in text
    (folder / path).write_text(text.replace(old, new, 1))


def report_of(folder: Path, name: str) -> dict:
    return json.loads((folder / f"reports/{name}-1.json").read_text())


def test_numpy_alone_is_enough_to_check_a_release(exported, tmp_path):
    checked = run_alone(exported, tmp_path)
    assert (checked.returncode, checked.stderr) == (0, "")
    for name in RECOMPUTED:
        assert f"reports/{name}-1.json: recomputed, the same numbers." in checked.stdout
    assert "  Not recomputed: sha256. It has the keys of the rows in the database" in checked.stdout
    assert checked.stdout.endswith("OK\n")


def test_every_kind_of_report_is_recomputed_and_has_a_title_that_tells_it_apart(exported):
    # Those on programs calibrate them in the project, and no release has them.
    assert REPORTS.keys() == RECOMPUTED.keys() | {"programs"}
    index = json.loads((exported / "reports/index.json").read_text())
    assert {entry["report"] for entry in index["reports"] if entry["recomputed"]} == set(RECOMPUTED)
    assert all(entry["recomputed"] and not entry["reason"] for entry in index["reports"])
    titles = [entry["title"] for entry in index["reports"]]
    assert len(set(titles)) == len(titles)
    assert {
        "CapST, captions “Dunlin”, settings “Default”",
        "Human assessment",
        "Overlap with human captions, captions “Avocet”, general",
        "Recall@K, model CARE, 32 frames, evenly spread",
        "Relative gaps to Eider, 32 frames, evenly spread",
        "Unified score, settings “Default”",
    } <= set(titles)
    running = {"title": "Leaderboard, round 2", "reason": "The round is still running."}
    assert {"report": "leaderboard", **running} in index["left_out"]


def test_the_program_is_the_same_bytes_for_the_same_source(exported):
    verify_pyz.cache_clear()
    assert (exported / "verify.pyz").read_bytes() == verify_pyz()
    names = zipfile.ZipFile(exported / "verify.pyz").namelist()
    assert names == sorted(names)
    assert {name.split("/")[0] for name in names} == {"__main__.py", "metrics", "review"}


def test_nobody_is_named(exported):
    everything = b"".join(path.read_bytes() for path in exported.glob("reports/**/*.json*"))
    assert b"Kim Doe" not in everything
    raters = {
        json.loads(line)["rater"]
        for path in exported.glob("reports/inputs/votes-*.jsonl")
        for line in path.read_text().splitlines()
    }
    assert raters == {"user:1", "user:2", "label:1"}


def test_changed_bytes_are_named(folder):
    patterns = ("json/*", "videos/*.mp4", "verify.pyz", "reports/recall-1.json",
                "reports/inputs/votes*", "reports/inputs/clips_vectors*",
                "reports/inputs/captions-*", "reports/inputs/recalls-*",
                "reports/inputs/verifications-*")  # fmt: skip
    changed = [sorted(folder.glob(pattern))[0] for pattern in patterns]
    for path in changed:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    problems = hash_problems_of(folder)
    for path in changed:
        start = f"{path.relative_to(folder).as_posix()}: The content has changed: expected SHA-256 "
        assert any(problem.startswith(start) for problem in problems)


@pytest.mark.parametrize(
    "name", ["README.md", "LICENSE.txt", "manifest.json", "SHA256SUMS", "reports/SHA256SUMS"]
)
def test_a_changed_byte_of_what_no_list_has_is_found(folder, name):
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    assert hash_problems_of(folder)


def test_every_byte_of_the_manifest_counts(exported):
    content = (exported / "manifest.json").read_bytes()
    assert own_problem(parsed(json.loads(content), Manifest), content) is None
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1
        try:
            manifest = parsed(json.loads(changed), Manifest)
        except (ValueError, Unreadable):
            continue  # It can't be read, which is a problem of its own.
        assert own_problem(manifest, bytes(changed)), place


def test_a_number_that_was_changed_with_its_hash_is_found(folder, tmp_path):
    path = "reports/leaderboard-1.json"
    report = report_of(folder, "leaderboard")
    [best, *_] = report["result"]["elo"]["ratings"]
    before = report["result"]["elo"]["ratings"][best]
    report["result"]["elo"]["ratings"][best] = before + 1
    (folder / path).write_text(json.dumps(report))
    sign(folder, path)
    checked = run_alone(folder, tmp_path, str(folder))
    assert checked.returncode == 1
    assert checked.stderr == ""
    line = f"{path}#result.elo.ratings.{best}: expected {before + 1}, found {before}"
    assert line in checked.stdout.splitlines()


@pytest.mark.parametrize(
    ("report", "table", "column", "value", "number"),
    [
        ("assessment-1", "verifications", "content_errors", 9, "result.parts.1.rows"),
        ("assessment-1", "verdicts", "label", "dynamic", "result.parts.0.rows"),
        ("assessment-1", "ratings", "value", 0, "result.parts.3.rows"),
        ("overlap-1", "captions", "words", 99, "result.mean_words"),
        ("overlap-1", "captions", "pairs", [[9, 1, 1, 1, 0.5]], "result.meteor.value"),
        ("threshold-1", "drawn", "probability", 0.9, "result.effective"),
        ("unified-1", "captions", "events", 0.123, "result.models"),
        ("unified-2", "recalls", "shares", {"t2v": [0.5] * 3, "v2t": [0.5] * 3}, "result.models"),
    ],
)
def test_a_changed_value_is_found_in_the_numbers_that_rest_on_it(
    exported, tmp_path, report, table, column, value, number
):
    folder, path = tmp_path / "copy", f"reports/{report}.json"
    shutil.copytree(exported / "reports", folder / "reports")
    inputs = folder / json.loads((folder / path).read_text())["inputs"][table]
    rows = [json.loads(line) for line in inputs.read_text().splitlines()]
    for row in rows:
        row[column] = value
    inputs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    problems = list(map(str, check_report(Folder(folder), path)))
    assert any(problem.startswith(f"{path}#{number}") for problem in problems)


def test_votes_vectors_and_signatures_that_were_changed_with_their_hashes_are_found(folder):
    votes = report_of(folder, "leaderboard")["inputs"]["votes"]
    change(folder, votes, '"outcome": "left"', '"outcome": "right"')
    vectors = report_of(folder, "recall")["inputs"]["spatial_vectors"]
    swapped = np.load(folder / vectors)
    swapped[[0, 1]] = swapped[[1, 0]]
    np.save(folder / vectors, swapped)
    change(folder, "reports/threshold-1.json", "|captions:12|", "|captions:13|")
    for path in (votes, vectors, "reports/threshold-1.json"):
        sign(folder, path)
    assert hash_problems_of(folder) == []
    problems = problems_of(folder)
    for start in (
        "reports/leaderboard-1.json#result.elo.ratings",
        "reports/recall-1.json#result.kinds.spatial.t2v.hits.1: expected ",
        "reports/rebias-1.json#result.table5",
    ):
        assert any(problem.startswith(start) for problem in problems), start
    [problem] = [each for each in problems if each.startswith("reports/threshold-1.json")]
    assert problem.startswith("reports/threshold-1.json#signature: expected 'threshold|")


def test_missing_and_added_files_and_links_are_named(folder):
    (folder / "reports/leaderboard-1.json").unlink()
    (folder / "videos/other.mp4").write_bytes(b"")
    os.symlink("/etc/passwd", folder / "videos/link.mp4")
    (folder / "verify.pyz").unlink()
    os.symlink(Path(__file__), folder / "verify.pyz")
    problems = hash_problems_of(folder)
    for problem in (
        "reports/leaderboard-1.json: The file is missing.",
        "videos/other.mp4: This isn't a file of the release; remove it.",
        "videos/link.mp4: This is a link or not a file; remove it.",
        "verify.pyz: This is a link; a release has none.",
    ):
        assert problem in problems


def test_a_path_that_leads_out_of_the_folder_is_refused(folder):
    (folder.parent / "outside").write_bytes(b"x")
    paths = ["../outside", "/etc/passwd", "reports/../../outside", "a\\..\\b", ".", "reports//x"]
    with (folder / "SHA256SUMS").open("a") as sums:
        sums.writelines(f"{'0' * 64}  {path}\n" for path in paths)
    problems = hash_problems_of(folder)
    outside = "The path leads out of the folder or isn't written plainly."
    for path in paths:
        assert f"{path}: {outside}" in problems
        report = report_of(folder, "leaderboard")
        report["inputs"]["votes"] = path
        (folder / LEADERBOARD).write_text(json.dumps(report))
        [problem] = check_report(Folder(folder), LEADERBOARD)
        assert problem.message == f"Its inputs can't be read: {outside}"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[" * 100_000,
        b'{"reports": [1], "left_out": []}',
        b'{"reports": [{"file": "x", "recomputed": true, "reason": ""}], "left_out": []}',
        b'{"x": NaN}',
        b"\xff\xfe",
    ],
)
def test_a_file_that_is_no_report_is_a_sentence(folder, content):
    for path in (INDEX, LEADERBOARD):
        (folder / path).write_bytes(content)
    assert list(check_report(Folder(folder), LEADERBOARD))
    assert list(check_reports(Folder(folder), lambda text: None))


def test_inputs_that_nothing_can_be_computed_from_are_a_sentence(folder):
    votes = folder / report_of(folder, "leaderboard")["inputs"]["votes"]
    for content in (b"", b'{"key": 1}\n', b"1\n", b"x" * (MAX_LINE_LENGTH + 2)):
        votes.write_bytes(content)
        assert list(check_report(Folder(folder), LEADERBOARD))
    vectors = folder / report_of(folder, "recall")["inputs"]["clips_vectors"]
    claims_much = (
        np.lib.format.magic(1, 0)
        + b"v\0"
        + (
            b"{'descr': '<f4', 'fortran_order': False, 'shape': (999999999, 9999), }".ljust(117)
            + b"\n"
        )
    )
    for content in (b"", b"x" * 100, claims_much, b"\x80\x04N."):
        vectors.write_bytes(content)
        assert list(check_report(Folder(folder), "reports/recall-1.json"))


def test_the_page_lists_the_reports_and_says_how_to_check_them(exported, db):
    release = Release.objects.get()
    anna = release.project.memberships.get(user__name="Anna").user
    page = client_of(anna).get(reverse("review:release", args=[release.project.slug, "0.1.0"]))
    text = page.content.decode()
    assert "<code>python verify.pyz</code>" in text
    for entry in (*release.proof["reports"], *release.proof["left_out"]):
        assert escape(entry["title"]) in text
    assert text.count("Covers 2 of 5 clips") == 1
    sums = (exported / "reports/SHA256SUMS").read_bytes()
    assert hashlib.sha256(sums).hexdigest() in text


def test_a_report_on_fewer_clips_says_so_before_and_after_the_build(exported, tmp_path, db):
    release = Release.objects.get()
    content = content_of(release.project, Choice())
    [partial] = [named.name for named in COVERAGE.find(content, 0)]
    assert partial == "CapST, captions “Dunlin”, settings “Default” covers 2 of 5 clips"
    export_release(release=release, format_name="huggingface", target=tmp_path / "card")
    for folder in (exported, tmp_path / "card"):
        assert (folder / "README.md").read_text().count(f"  - {partial}\n") == 1


def test_vectors_of_a_withdrawn_clip_are_withheld_and_the_other_reports_recomputed(
    exported, tmp_path
):
    release = Release.objects.get()
    clip = release.clips.earliest("pk").clip
    take_down(project=release.project, what="clip", key=clip.pk, reason="request", admin=None)
    target = tmp_path / "withdrawn"
    export_release(release=Release.objects.get(), format_name="carebench", target=target)
    checked = run_alone(target, tmp_path)
    assert (checked.returncode, checked.stderr) == (0, "")
    lines = checked.stdout.splitlines()
    withheld = {line.partition(":")[0] for line in lines if WITHDRAWN in line}
    assert withheld == {
        f"reports/{name}-{number}.json" for name in ("rebias", "recall") for number in (1, 2)
    }
    readme = (target / "README.md").read_text()
    assert "can’t be computed again from this copy" in readme
    assert "  - Recall@K, model CARE, 32 frames, evenly spread\n" in readme
    for name in RECOMPUTED.keys() - {"rebias", "recall"}:
        assert f"reports/{name}-1.json: recomputed, the same numbers." in lines
    change(target, "reports/SHA256SUMS", "  reports/capst-1.json", "  reports/capst-2.json")
    assert hash_problems_of(target)
