"""Tables of metrics as CSV, LaTeX and JSON, whatever models are called."""

import csv
import io
import json
import re

import pytest
from django.utils import timezone

from review.display.latex import escaped
from review.reports.few import FEW
from review.reports.services import recompute
from review.reports.small_samples import TOO_FEW
from tests.cast import client_of
from tests.review.reports.addresses import address
from tests.review.summary.metric_rows import capst_of, overlap_of, rebias_of, recall_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def fetch(project, rita):
    def fetch(section, ending, query=""):
        url = address(f"metrics:{section}.{ending}", project)
        return client_of(rita).get(f"{url}{query}")

    return fetch


def rows_of(response):
    return list(csv.DictReader(io.StringIO(response.text)))


def test_the_name_says_project_table_and_day(project, fetch):
    overlap_of(project, "CARE")
    today = timezone.localdate().isoformat()
    for ending in ("csv", "tex", "json"):
        disposition = fetch("overlap", ending)["Content-Disposition"]
        assert disposition == f'attachment; filename="dives-overlap-{today}.{ending}"'
    project.is_simulated = True
    project.save()
    assert f"dives-overlap-simulated-{today}.csv" in fetch("overlap", "csv")["Content-Disposition"]


def test_csv_has_every_number_in_full_with_its_signature(project, fetch):
    recall = recall_of(project, "CARE", 1 / 3, kinds=("spatial", "temporal"))
    rebias = rebias_of(project, recall)
    [row] = rows_of(fetch("halves", "csv"))
    assert float(row["spatial_t2v_1"]) == pytest.approx(100 / 3)
    assert (row["table5"], row["table5_low"], row["table5_high"]) == ("20.0", "10.0", "30.0")
    assert row["recall_signature"] == recall.signature
    assert row["rebias_signature"] == rebias.signature
    assert (row["simulated"], row["old"]) == ("no", "yes")
    assert "spatial_t2v_1_low" not in row


def test_csv_has_the_categories(project, fetch):
    capst_of(project, "CARE", 0.2, categories={"Sports": 6})
    [row] = rows_of(fetch("events", "csv"))
    assert (row["f1"], row["Sports/recall"]) == ("20.0", "20.0")


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_no_name_is_a_formula(project, fetch, name):
    capst_of(project, name, categories={name: 6})
    response = fetch("events", "csv")
    [row] = rows_of(response)
    assert row["model"] == f"'{name}"
    assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@", "\t"))]


def test_csv_follows_the_order_of_the_page(project, fetch):
    for name, first in (("A", 0.1), ("B", 0.5), ("C", 0.3)):
        recall_of(project, name, first)
    assert [row["model"] for row in rows_of(fetch("general", "csv"))] == ["B", "C", "A"]
    response = fetch("general", "csv", "?sort=general.t2v_1&ascending=1")
    assert [row["model"] for row in rows_of(response)] == ["A", "C", "B"]


def test_json_has_each_number_with_its_report(project, fetch):
    recall, capst = recall_of(project, "CARE", 0.77, 0.79), capst_of(project, "CARE", 0.352, 0.316)
    unified = recompute(project=project, name="unified")[0]
    data = json.loads(fetch("unified", "json").text)
    assert (data["section"], data["as_in"], data["simulated"]) == ("unified", "Table 6", False)
    [model] = data["models"]
    assert model["numbers"]["unified"]["value"] == pytest.approx(55.7)
    assert model["numbers"]["unified"]["report"] == unified.pk
    [report] = data["reports"]
    assert (report["signature"], report["inputs_hash"]) == (unified.signature, unified.inputs_hash)
    assert {recall.pk, capst.pk}.isdisjoint({unified.pk})


def test_latex_has_rules_heads_and_the_best_in_bold(project, fetch):
    for name, t2v, v2t in (("CARE", 0.78, 0.7), ("Tarsier", 0.26, 0.9)):
        recall_of(project, name, t2v, v2t)
    text = fetch("general", "tex").text
    assert r"\begin{tabular}{lrrrrrrrr}" in text
    assert r"& \multicolumn{4}{c}{Text to video} & \multicolumn{4}{c}{Video to text} \\" in text
    assert r"\cmidrule(lr){2-5}\cmidrule(lr){6-9}" in text
    sizes = "12 / 100"
    assert (
        rf"CARE (32 frames, evenly spread) & \textbf{{78.0}} & 80.0 & 90.0 & {sizes} "
        rf"& 70.0 & 80.0 & 90.0 & {sizes} \\" in text
    )
    assert rf"& 26.0 & 80.0 & 90.0 & {sizes} & \textbf{{90.0}} & 80.0 & 90.0 & {sizes} \\" in text
    assert "Bold: the best of each column" in text
    assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")


def test_every_file_says_from_how_many_queries_among_how_many(project, fetch):
    recall_of(project, "CARE", gallery=9)
    [row] = rows_of(fetch("general", "csv"))
    assert (row["t2v_queries"], row["t2v_gallery"]) == ("12", "9")
    [model] = json.loads(fetch("general", "json").text)["models"]
    assert model["numbers"]["v2t"] == {"queries": 12, "gallery": 9}
    text = fetch("general", "tex").text
    assert "80.0 & (90.0) & 12 / 9" in text
    assert "In parentheses: recall at a K" in text


def test_files_of_too_few_clips_have_no_interval_and_no_bold(project, fetch):
    capst_of(project, "A", 0.1, clips=FEW)
    capst_of(project, "B", 0.9, clips=FEW - 1)
    first, second = rows_of(fetch("events", "csv", "?sort=events.f1&ascending=1"))
    ends = [float(first[part]) for part in ("f1", "f1_low", "f1_high")]
    assert ends == pytest.approx([10.0, 5.0, 15.0])
    assert (second["f1"], second["f1_low"], second["f1_high"]) == ("90.0", "", "")
    data = json.loads(fetch("events", "json").text)
    assert TOO_FEW in data["notes"]
    [f1] = [model["numbers"]["f1"] for model in data["models"] if model["model"] == "B"]
    assert (f1["value"], f1["low"], f1["high"]) == (90.0, None, None)
    assert f1["reason"] == "From 9 clips; an interval needs at least 10."
    text = fetch("events", "tex").text
    assert "textbf" not in text
    assert f"% {TOO_FEW}" in text


def test_latex_says_which_numbers_are_old(project, fetch):
    # The rows of recall stand for vectors that are not there.
    recall_of(project, "CARE")
    text = fetch("general", "tex").text
    assert "% Out of date: the data behind CARE has changed. Recompute." in text
    assert r"\caption{General captions (old) (Dives)." in text


def test_the_tables_of_capst_name_their_judge(project, fetch):
    capst_of(project, "CARE", judge="Qwen2.5-72B")
    assert "judged by Qwen2.5-72B. The intervals are over clips." in fetch("events", "tex").text
    assert "judged by Qwen2.5-72B" in json.loads(fetch("objects", "json").text)["unit"]


def test_latex_has_few_categories_before_all(project, fetch):
    capst_of(project, "CARE", 0.2, categories={"Sports": 6, "": 3})
    text = fetch("events", "tex").text
    assert (
        r"\multicolumn{3}{c}{No category} & \multicolumn{3}{c}{Sports} & \multicolumn{4}{c}"
        r"{Overall}" in text
    )
    capst_of(project, "Wide", 0.2, categories={str(n): 3 for n in range(6)})
    assert "Sports" not in fetch("events", "tex").text


def test_latex_runs_nothing_that_a_model_is_called(project, fetch):
    hostile = "\\input{/etc/passwd} 100% a_b & c $x$ #1 ~^ {} \\\\"
    recall_of(project, hostile)
    recall_of(project, "[5em] two\nlines")
    text = fetch("general", "tex").text
    assert r"\input" not in text.replace(r"\textbackslash{}input", "")
    commented = [line for line in text.splitlines() if line.startswith("%")]
    lines = [line for line in text.splitlines() if line not in commented]
    [row] = [line for line in lines if "passwd" in line]
    assert row.startswith(
        r"    \textbackslash{}input\{/etc/passwd\} 100\% a\_b \& c \$x\$ \#1 "
        r"\textasciitilde{}\textasciicircum{} \{\} \textbackslash{}\textbackslash{} (32"
    )
    # Nine cells a row, whatever the name holds.
    assert len(re.findall(r"(?<!\\)&", row)) == 8
    # After the end of the line before, a bracket would be that line's argument.
    assert any(line.startswith("    {[}5em{]} two lines (32") for line in lines)


@pytest.mark.parametrize("text", ["a\u202eb", "a\rb", "a\x00b", "a\u2028b"])
def test_unseen_characters_are_spaces(text):
    assert escaped(text) == "a b"


def test_a_simulated_table_says_so(project, fetch):
    overlap_of(project, "CARE")
    project.is_simulated = True
    project.save()
    text = fetch("overlap", "tex").text
    assert text.startswith("% SIMULATED, made-up labels.")
    assert r"\caption{SIMULATED, made-up labels." in text
    assert rows_of(fetch("overlap", "csv"))[0]["simulated"] == "yes"
    assert json.loads(fetch("overlap", "json").text)["simulated"] is True


def test_there_is_no_file_without_numbers(project, rita, fetch):
    assert fetch("overlap", "csv").status_code == 404
    overlap_of(project, "CARE")
    metrics = address("metrics", project)
    assert client_of(rita).get(f"{metrics}overlap.exe").status_code == 404
    assert fetch("nothing", "csv").status_code == 404
