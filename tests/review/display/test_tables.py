"""Tables leave as CSV, JSON and LaTeX."""

import json
from datetime import UTC, datetime

import pytest

from review.display.latex import RULE, row_line, table_lines
from review.display.tables import csv_lines, csv_text, json_lines

MOMENT = datetime(2026, 5, 1, 8, tzinfo=UTC)


def test_a_csv_holds_texts_that_no_spreadsheet_runs():
    rows = [["=1+1", -1, None, MOMENT], [["-a", "b"], 0.5, "a,b", '"']]
    assert csv_text(("+name", "b", "c", "d"), rows) == (
        '\'+name,b,c,d\n\'=1+1,-1,,2026-05-01T08:00:00+00:00\n\'-a b,0.5,"a,b",""""\n'
    )


def test_a_format_may_need_each_text_as_it_is_and_other_ends_of_lines():
    lines = csv_lines(("a",), [["=1"]], line_end="\r\n", is_guarded=False)
    assert list(lines) == ["a\r\n", "=1\r\n"]


@pytest.mark.parametrize("rows", [[], [{"a": "é"}], [{"a": 1}, {"a": 2}]])
def test_json_has_a_row_a_line(rows):
    text = "".join(json_lines(rows))
    assert json.loads(text) == rows
    assert text.count("\n") == len(rows) + 2


def test_a_latex_table_has_its_rules_and_runs_no_caption():
    rows = [row_line(["", "A"]), RULE, row_line(["1 & 2", "", "3"])]
    assert list(table_lines(r"50 % \input", "lr", rows)) == [
        r"\begin{table}",
        r"  \centering",
        r"  \caption{50 \% \textbackslash{}input}",
        r"  \begin{tabular}{lr}",
        r"    \toprule",
        r"    & A \\",
        r"    \midrule",
        r"    1 & 2 & & 3 \\",
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
