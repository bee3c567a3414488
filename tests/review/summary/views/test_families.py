"""Rows of tables grouped by the family of their models, with the number of parameters."""

import csv
import io
import json

import pytest

from inference.models import InferenceRun, ModelSpec
from tests.cast import client_of
from tests.inference.cast import bare_recipe
from tests.markup import squeezed
from tests.review.reports.addresses import address
from tests.review.summary.metric_rows import capst_of, captions_of, recall_of

pytestmark = pytest.mark.django_db
NAMES = ("Plain", "CLIP", "CARE", "Qwen", "Own")


@pytest.fixture
def described(project):
    """Recall of five models: of three families, one of them with two models, and of none."""
    for name, family, count in (
        ("CLIP", "CLIP-based models", None),
        ("care", "contrastively trained MLLMs", 7_000_000_000),
        ("Qwen", "MLLMs", 72_000_000_000),
        ("Own", "mllms", 1_500_000_000),
    ):
        ModelSpec.objects.create(
            project=project,
            name=name,
            backend="elsewhere",
            family=family,
            parameter_count=count,
        )
    for place, name in enumerate(NAMES, 1):
        recall_of(project, name, place / 10)
    return project


def file_of(project, rita, section, ending):
    return client_of(rita).get(address(f"metrics:{section}.{ending}", project)).text


def test_rows_are_grouped_as_the_papers_group_them(described, rita):
    rows = list(csv.DictReader(io.StringIO(file_of(described, rita, "general", "csv"))))
    assert [(row["model"], row["family"], row["parameters"]) for row in rows] == [
        ("CLIP", "CLIP-based models", ""),
        ("Own", "mllms", "1500000000"),
        ("Qwen", "MLLMs", "72000000000"),
        ("CARE", "contrastively trained MLLMs", "7000000000"),
        ("Plain", "", ""),
    ]


def test_latex_has_a_line_for_each_family_and_the_sizes(described, rita):
    latex = file_of(described, rita, "general", "tex")
    lines = [line.strip() for line in latex.splitlines()]
    assert any(line.startswith(r"\begin{tabular}{lr") for line in lines)
    assert r"& & \multicolumn{4}{c}{Text to video} & \multicolumn{4}{c}{Video to text} \\" in lines
    assert r"\cmidrule(lr){3-6}\cmidrule(lr){7-10}" in lines
    start = lines.index(r"\multicolumn{10}{c}{CLIP-based models} \\")
    assert lines[start - 1] == lines[start + 1] == r"\midrule"
    assert lines[start + 2].startswith("CLIP (32 frames, evenly spread) & - &")
    qwen = next(line for line in lines if line.startswith("Qwen"))
    assert " & 72B & 40.0 &" in qwen
    assert latex.index("contrastively trained MLLMs") < latex.index("{Other models}")


def test_the_pages_show_families_and_sizes(described, rita):
    client = client_of(rita)
    for page in ("metrics", "recall"):
        text = squeezed(client.get(address(page, described)).text)
        assert '<th scope="rowgroup">CLIP-based models</th>' in text
        assert '<th scope="rowgroup">Other models</th>' in text
        assert '<td class="num">72B</td>' in text
        assert text.count("# Params") == 1
    numbers = json.loads(file_of(described, rita, "general", "json"))
    assert {model["model"]: model["parameters"] for model in numbers["models"]}["CLIP"] is None


def test_captions_of_a_run_have_the_facts_of_its_model(project, rita):
    spec = ModelSpec.objects.create(
        project=project, name="Qwen2-VL", backend="elsewhere", parameter_count=7_000_000_000
    )
    run = InferenceRun.objects.create(
        project=project, kind="caption", model=spec, recipe=bare_recipe("caption")
    )
    capst_of(project, "qwen, 32 frames")
    captions = captions_of(project, "qwen, 32 frames")
    captions.run = run
    captions.save()
    assert " & 7B & " in file_of(project, rita, "events", "tex")


def test_a_table_without_facts_has_neither(project, rita):
    recall_of(project, "CLIP")
    text = client_of(rita).get(address("metrics", project)).text
    assert "# Params" not in text
    assert "metric-group" not in text
    assert "Params" not in file_of(project, rita, "general", "tex")
