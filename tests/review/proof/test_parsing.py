"""Files that anybody can have written are read as dataclasses, or the wrong field is named."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from review.proof.verifying.folder import Folder, Unreadable
from review.proof.verifying.hashes import Hashes
from review.proof.verifying.parsing import parsed
from review.proof.verifying.reports import check_reports
from review.proof.verifying.tables import INDEX, ReportInputs, StoredReport


class Corner(NamedTuple):
    x: int
    y: float = 0.5


@dataclass(frozen=True, kw_only=True)
class Shape:
    name: str
    is_open: bool = False
    corners: Sequence[Corner]
    size: tuple[int, int] | None = None
    key: Hashable = None
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    about: Any = None


MINIMUM = {"name": "kite", "corners": []}


def test_a_value_becomes_its_dataclass_without_keys_that_have_no_field():
    stored = MINIMUM | {
        "corners": [{"x": 1}, [2, 3]], "size": [4, 5], "key": ["a", [6]], "notes": {"b": ["c"]},
        "about": [{"d": None}], "unknown": 7,
    }  # fmt: skip
    assert parsed(MINIMUM, Shape) == Shape(name="kite", corners=[])
    assert parsed(stored, Shape) == Shape(
        name="kite", corners=[Corner(1), Corner(2, 3)], size=(4, 5), key=("a", (6,)),
        notes={"b": ["c"]}, about=[{"d": None}],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ([], "The content is missing or isn't an object with its fields."),
        ({"name": "kite"}, "corners is missing or isn't a list."),
        (MINIMUM | {"name": 1}, "name is missing or isn't a text."),
        (MINIMUM | {"is_open": 1}, "is_open is missing or isn't true or false."),
        (MINIMUM | {"corners": [[1, "2"]]}, "corners.0.y is missing or isn't a number."),
        (MINIMUM | {"corners": [{"y": 1}]}, "corners.0.x is missing or isn't a whole number."),
        (MINIMUM | {"corners": [{"x": True}]}, "corners.0.x is missing or isn't a whole number."),
        (MINIMUM | {"size": [1]}, "size is missing or isn't an object with its fields."),
        (MINIMUM | {"key": {}}, "key is missing or isn't a text, a number or a list of them."),
        (MINIMUM | {"notes": []}, "notes is missing or isn't an object."),
        (MINIMUM | {"notes": {"a": [1]}}, "notes.a.0 is missing or isn't a text."),
    ],
)
def test_the_first_wrong_field_is_named(stored, message):
    with pytest.raises(Unreadable) as error:
        parsed(stored, Shape)
    assert str(error.value) == message


def test_parameters_and_rows_are_named_with_their_place(tmp_path):
    report = StoredReport(
        report="leaderboard", subject="1", simulated=False, computed_at="", parameters={},
        labels=1, seed=0, method="", inputs_hash="", signature="", result={},
        inputs={"votes": "votes.jsonl"}, recomputed=True,
    )  # fmt: skip
    (tmp_path / "votes.jsonl").write_text('{"x": 1}\n{"x": 2, "y": "3"}\n')
    inputs = ReportInputs(Folder(tmp_path), report)
    with pytest.raises(Unreadable, match=r"^parameters\.x is missing or isn't a whole number\.$"):
        inputs.parameters(Corner)
    rows = inputs.rows("votes", Corner)
    assert next(rows) == Corner(1)
    with pytest.raises(Unreadable, match=r"^votes\.jsonl, line 2: y is missing or isn't a number"):
        next(rows)


def test_the_index_the_manifest_and_the_tombstones_are_named(tmp_path):
    listed = {"report": "map", "title": "", "file": "x", "signature": "", "reason": "",
              "recomputed": "yes"}  # fmt: skip
    stones = {"about": "", "content_hash": "", "items": [], "withdrawn": [1], "changed": []}
    (tmp_path / "reports").mkdir()
    for name, content in {
        INDEX: {"reports": [listed], "left_out": []},
        "manifest.json": {"content_hash": 1},
        "TOMBSTONES": stones,
    }.items():
        (tmp_path / name).write_text(json.dumps(content))
    [problem] = check_reports(Folder(tmp_path), lambda text: None)
    assert problem.message == "reports.0.recomputed is missing or isn't true or false."
    hashes = Hashes(Folder(tmp_path))
    hashes.check()
    problems = [str(problem) for problem in hashes.problems]
    assert "TOMBSTONES: withdrawn.0 is missing or isn't a text." in problems
    assert "manifest.json: content_hash is missing or isn't a text." in problems
