"""The guideline texts that a new project starts with."""

import re

import pytest

from annotate.guidelines import default_guideline, write_checklist
from annotate.text.words import count_words

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
    text = default_guideline(step)
    assert count_words(text) < 350
    assert re.match(r"\w[^\n]+\.\n\n", text)
    assert text.count("## Example: ") == 2


@pytest.mark.parametrize("step", STEPS)
def test_a_guideline_uses_only_simple_marks(step):
    for line in default_guideline(step).splitlines():
        assert not re.search(r"[`<>\[\]|_]|^\s+|^\d+\.|^#{3}|!\[", line), line
        assert line.count("*") % 2 == 0, line


def test_the_checklist_has_points_for_every_part():
    points = write_checklist()
    assert 8 <= len(points) <= 12
    assert {point["part"] for point in points} == {"overview", "objects", "actions", "misc"}
    assert len({point["point"] for point in points}) == len(points)
