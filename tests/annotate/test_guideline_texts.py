"""The guideline texts that a new project starts with."""

import json
import re
from pathlib import Path

import pytest

from annotate.text.words import count_words

FOLDER = Path(__file__).parents[2] / "annotate" / "guidelines"
STEPS = [
    "write",
    "merge",
    "split",
    "dynamics",
    "hand",
    "verify",
    "rate",
    "pair",
    "modify",
    "triplet",
]


@pytest.mark.parametrize("step", STEPS)
def test_a_guideline_is_short_and_starts_with_one_line(step):
    text = (FOLDER / f"{step}.md").read_text(encoding="utf-8")
    assert count_words(text) < 350
    assert re.match(r"\w[^\n]+\.\n\n", text)
    assert text.count("## Example: ") == 2


@pytest.mark.parametrize("step", STEPS)
def test_a_guideline_uses_only_simple_marks(step):
    for line in (FOLDER / f"{step}.md").read_text(encoding="utf-8").splitlines():
        assert not re.search(r"[`<>\[\]|_]|^\s+|^\d+\.|^#{3}|!\[", line), line
        assert line.count("*") % 2 == 0, line


def test_the_checklist_has_points_for_every_part():
    points = json.loads((FOLDER / "write_checklist.json").read_text(encoding="utf-8"))
    assert 8 <= len(points) <= 12
    assert {point["part"] for point in points} == {"overview", "objects", "actions", "misc"}
    assert len({point["point"] for point in points}) == len(points)
