"""What the checking program says about a small folder, and how it ends."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from review.exchange.files import json_file
from review.proof.verifying.comparing import Difference, differences
from review.proof.verifying.folder import Folder, Unreadable
from review.proof.verifying.hashes import ABOUT
from review.proof.verifying.main import MISUSED, RIGHT, USAGE, WRONG, main, verify
from review.proof.verifying.released import METADATA, RELEASED
from review.proof.verifying.values import NAMES
from review.releases.writers.folder import manifest_file
from review.reports.signing import sign_report

ROWS = b"[\n]\n"
NO_SUM = "0" * 64
OUTSIDE = "The path leads out of the folder or isn't written plainly."
INDEX = "reports/index.json"
REPORT = "reports/leaderboard-1.json"
WITHOUT = [{"report": "statistics", "title": "Statistics", "reason": "Not computed."}]


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def sums_of(files: dict[str, bytes]) -> bytes:
    return "".join(f"{sha256(content)}  {name}\n" for name, content in files.items()).encode()


SUMS = sums_of({METADATA: ROWS})


def write(folder: Path, changed: dict[str, bytes | None], **manifest: Any) -> Path:
    """A release of a single file and no report, with these files instead, and its hashes."""
    files: dict[str, bytes | None] = {
        METADATA: ROWS,
        INDEX: json.dumps({"reports": [], "left_out": WITHOUT}).encode(),
        NAMES: b"",
        RELEASED: b"",
        "SHA256SUMS": SUMS,
        **changed,
    }
    proof = {name: files[name] or b"" for name in files if name.startswith("reports/")}
    files = {"reports/SHA256SUMS": sums_of(proof)} | files
    content_hash = sha256(files["SHA256SUMS"] or b"")
    facts = {
        "format": "carebench",
        "content_hash": content_hash,
        "signature": f"a|sha256:{content_hash}",
        "clips": [],
        **manifest,
    }
    own = manifest_file(facts, []) if ABOUT not in facts else json_file("manifest.json", facts)
    for name, content in ({"manifest.json": b"".join(own.open())} | files).items():
        if content is not None:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
    return folder


def stored_report(**changed: Any) -> bytes:
    fields: dict[str, Any] = {
        "report": "leaderboard", "subject": "1", "simulated": False, "computed_at": "2026-01-03",
        "parameters": {}, "labels": 3, "seed": 0, "method": "a 1", "inputs_hash": NO_SUM,
        "result": {}, "inputs": {}, "recomputed": False, "reason": "Too large.", **changed,
    }  # fmt: skip
    signature = sign_report(
        fields["report"], {}, labels=3, seed=0, method="a 1", inputs_hash=NO_SUM, is_simulated=False
    )
    return json.dumps(fields | {"signature": signature}).encode()


def with_report(*, is_listed_as_recomputed: bool = False, **changed: Any) -> dict[str, bytes]:
    report = stored_report(**changed)
    listed = {"report": changed.get("report", "leaderboard"), "title": "Leaderboard",
              "file": REPORT, "signature": json.loads(report)["signature"],
              "reason": "Too large.", "recomputed": is_listed_as_recomputed}  # fmt: skip
    index = json.dumps({"reports": [listed], "left_out": WITHOUT}).encode()
    return {INDEX: index, REPORT: report}


@pytest.mark.parametrize(
    ("changed", "manifest", "problems"),
    [
        ({}, {}, []),
        ({"SHA256SUMS": b"\n"}, {},
         ["SHA256SUMS: The file is empty.",
          "json/metadata.json: This isn't a file of the release; remove it."]),
        ({"SHA256SUMS": b"\xff"}, {},
         ["SHA256SUMS: The file isn't UTF-8 text.",
          "json/metadata.json: This isn't a file of the release; remove it."]),
        ({"SHA256SUMS": f"{NO_SUM}  reports\n".encode() + SUMS}, {},
         ["reports: This is not a file."]),
        ({"SHA256SUMS": f"{NO_SUM}  {'a' * 300}\n".encode() + SUMS}, {},
         [f"{'a' * 300}: File name too long"]),
        ({"SHA256SUMS": f"{NO_SUM}  a\0b\n{NO_SUM}  /\n".encode() + SUMS}, {},
         [f"a\\x00b: {OUTSIDE}", f"/: {OUTSIDE}"]),
        ({"manifest.json": None}, {}, ["manifest.json: The file is missing."]),
        ({}, {"files": [{"path": "b.json", "sha256": NO_SUM}]},
         ["manifest.json: b.json is in no list of hashes."]),
        ({}, {"files": [{"path": METADATA, "sha256": sha256(ROWS), "size": 9}]},
         ["json/metadata.json#size: the manifest says 9, the file has 4."]),
        ({"reports/SHA256SUMS": None},
         {"proof": {"path": "reports/SHA256SUMS", "sha256": NO_SUM}},
         ["reports/SHA256SUMS: The file is missing.", "reports/SHA256SUMS: The file is missing.",
          f"{INDEX}: This isn't a file of the release; remove it.",
          f"{NAMES}: This isn't a file of the release; remove it.",
          f"{RELEASED}: This isn't a file of the release; remove it."]),
        ({}, {"about": {"README.md": NO_SUM}, "manifest_sha256": "no"},
         ["manifest.json: manifest_sha256 or about is missing.",
          "README.md: The file is missing."]),
        ({"TOMBSTONES": json.dumps({"about": "", "content_hash": "", "items": [], "changed": [],
                                    "withdrawn": ["b.mp4"]}).encode()},
         {"withdrawals": {"path": "TOMBSTONES", "sha256": NO_SUM, "size": None}},
         ["TOMBSTONES: It names no item that was withdrawn.",
          "TOMBSTONES#sha256: the manifest says {zeros}, the file has {stones}."]),
        (with_report(), {}, [f"{REPORT}#recomputed: expected True, found False"]),
        (with_report(is_listed_as_recomputed=True), {},
         [f"{REPORT}#recomputed: expected True, found False"]),
        (with_report(is_listed_as_recomputed=True, recomputed=True, report="assessment"), {},
         [f"{REPORT}: Its inputs can't be read: The report names no facts among its inputs."]),
        (with_report(is_listed_as_recomputed=True, recomputed=True, report="x"), {},
         [f"{REPORT}: This program can't compute the report 'x'."]),
    ],
)  # fmt: skip
def test_each_problem_of_a_folder(tmp_path, changed, manifest, problems):
    stones = sha256(changed.get("TOMBSTONES") or b"")
    texts = list(map(str, verify(write(tmp_path, changed, **manifest), lambda text: None)))
    assert texts == [text.format(zeros=NO_SUM, stones=stones) for text in problems]


def test_vectors_in_another_form_are_refused(tmp_path):
    np.save(tmp_path / "v.npy", np.zeros(3))
    with pytest.raises(Unreadable, match="isn't one of float32 vectors, a row each"):
        Folder(tmp_path).vectors("v.npy")


def test_lists_of_another_length_differ_as_a_whole():
    assert list(differences({"a": [1, 2]}, {"a": [1]})) == [Difference("a", "2 values", "1 values")]


@pytest.mark.parametrize(
    ("arguments", "status", "out", "err"),
    [
        (["--help"], RIGHT, USAGE, ""),
        (["--fast"], MISUSED, "", USAGE),
        (["a", "b"], MISUSED, "", USAGE),
        (["nowhere"], MISUSED, "", "nowhere is neither a folder nor a release hash (64 digits)."),
    ],
)
def test_how_the_program_is_called(tmp_path, capsys, arguments, status, out, err):
    assert main(arguments, tmp_path) == status
    printed = capsys.readouterr()
    assert (printed.out.strip(), printed.err.strip()) == (out, err)


@pytest.mark.parametrize("beside", [".", "release"])
def test_without_a_folder_it_checks_the_release_beside_it(tmp_path, capsys, monkeypatch, beside):
    (tmp_path / "release").mkdir()
    write(tmp_path / "release", {})
    assert main([], tmp_path / beside) == RIGHT
    assert capsys.readouterr().out.endswith("OK\n")
    write(tmp_path / "release", {METADATA: b"[]\n"})
    assert main([str(tmp_path / "release")], tmp_path) == WRONG
    assert capsys.readouterr().out.endswith("FAILED: 3 problems.\n")


def test_without_a_release_beside_it_it_asks_for_the_folder(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([], tmp_path) == MISUSED
    assert capsys.readouterr().err == "There is no release here. Name its folder.\n"
