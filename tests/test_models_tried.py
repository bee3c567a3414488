"""The table of models in docs/running-models.md names only what exists."""

from __future__ import annotations

import re
from pathlib import Path

from inference.backends.embedding_styles import EMBEDDING_STYLES
from inference.registry import BACKENDS
from inference.specs.served_families import SERVED_FAMILIES

ROOT = Path(__file__).parent.parent
SECTION = (
    (ROOT / "docs" / "running-models.md")
    .read_text()
    .partition("\n## Which models are tried\n")[2]
    .partition("\n## ")[0]
)
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in SECTION.splitlines()
    if line.startswith("| ")
][1:]
TESTS = dict(re.findall(r"^- (\w): (.+)$", SECTION, re.MULTILINE))
BEGIN_WITH = {
    "openai-compatible": {family.name for family in SERVED_FAMILIES.values()},
    "transformers-vlm": set(EMBEDDING_STYLES),
}


def test_every_row_names_a_kind_of_model_settings_and_what_was_tried():
    assert len(ROWS) >= 25
    for model, _, kind, begin_with, tried in ROWS:
        kind = kind.strip("`")
        assert kind in BACKENDS, model
        assert begin_with == "–" or begin_with.strip("`") in BEGIN_WITH[kind], model
        if tried == "not at all":
            continue
        how, letters = re.fullmatch(
            r"(stub|(?:tiny|published) weights) \(([a-z, ]+)\)", tried
        ).groups()
        assert set(letters.split(", ")) <= TESTS.keys(), model
        assert (how == "tiny weights") == kind.startswith("transformers-"), model


def test_all_families_with_settings_have_a_row():
    named = {row[3].strip("`") for row in ROWS}
    assert BEGIN_WITH["openai-compatible"] <= named


def test_every_letter_is_a_test_that_exists():
    used = {letter for row in ROWS for letter in re.findall(r"\b([a-z])\b", row[4])}
    assert TESTS.keys() == used
    for tests in TESTS.values():
        for path, name in re.findall(r"`([^`]+)::([^`]+)`", tests):
            assert f"\ndef {name}(" in (ROOT / path).read_text(), name
