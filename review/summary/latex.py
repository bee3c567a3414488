"""A section's table in LaTeX, with the rules of booktabs."""

from __future__ import annotations

from annotate.models import Project
from review.display.latex import RULE, UNDEFINED, escaped, one_line, row_line, table_lines
from review.frozen.models import Release
from review.reports.cells import Head, Shown
from review.reports.tables import CERTAIN, Section, Table

# The columns of more categories wouldn't fit a page.
MOST_CATEGORIES = 5


def latex_table(project: Project, release: Release | None, section: Section) -> str:
    """Return the table, with the best number of each column, as printed, in bold. Comments hold the
    signatures.
    """
    tables = [section.table]
    folded = section.by_category
    if folded and len(folded.heads) <= MOST_CATEGORIES:
        tables.insert(0, folded)
    of_release = f", release {release.version}" if release else ""
    simulated = "SIMULATED, made-up labels. " if project.is_simulated else ""
    old = " (old)" if section.is_old else ""
    caption = (
        f"{simulated}{section.title}{old} ({project.name}{of_release}). {section.unit} "
        "Bold: the best of each column, unless its interval overlaps the others."
        f"{f' {CERTAIN}' if section.has_certain else ''}"
        f"{f' {section.asked_notice}' if section.asked_notice else ''}"
    )
    lines = [
        *_comments(section, simulated),
        r"% Needs \usepackage{booktabs}, and \usepackage[T1]{fontenc} if names contain quotes.",
        *table_lines(
            caption,
            f"l{'r' * sum(len(table.columns) for table in tables)}",
            [*_heads(tables, is_beside=len(tables) > 1), RULE, *_body(tables)],
        ),
    ]
    return "\n".join(lines) + "\n"


def _comments(section: Section, simulated: str) -> list[str]:
    said = [f"{simulated}As in {section.paper}.", *section.every_note]
    said += [
        f"{one.name}: {one.theme_in_words}; frames: {one.frames_in_words}; "
        f"prompt: {one.prompt_in_words}"
        for one in section.asked
    ]
    if names := ", ".join(escaped(row.name) for row in section.rows if row.is_old):
        said.append(f"Out of date: the data behind {names} has changed. Recompute.")
    made = [
        f"{report.name} of {report.created_at.isoformat()}: {report.signature}"
        for report in section.reports
    ]
    return [f"% {one_line(line)}" for line in [*said, *made]]


def _heads(tables: list[Table], *, is_beside: bool) -> list[str]:
    """Return the groups of columns above their names, with a rule below each."""
    spans = [
        (head.name, head.span)
        for table in tables
        for head in (table.heads or [Head("Overall" if is_beside else "", len(table.columns))])
    ]
    lines = []
    if any(name for name, _ in spans):
        cells = [rf"\multicolumn{{{span}}}{{c}}{{{escaped(name)}}}" for name, span in spans]
        rules, first = [], 2
        for name, span in spans:
            if name:
                rules.append(rf"\cmidrule(lr){{{first}-{first + span - 1}}}")
            first += span
        lines += [row_line(["", *cells]), f"    {''.join(rules)}"]
    names = [escaped(column.name) for table in tables for column in table.columns]
    return [*lines, row_line(["Model", *names])]


def _body(tables: list[Table]) -> list[str]:
    lines = []
    for found in zip(*(table.shown for table in tables), strict=True):
        row = found[0][0]
        theme_mark = row.asked.mark if row.asked and row.asked.is_told else ""
        notes = ", ".join(note for note in (row.note, theme_mark) if note)
        name = f"{row.name} ({notes})" if notes else row.name
        cells = [_cell(shown) for _, cells in found for shown in cells]
        lines.append(row_line([escaped(name), *cells]))
    return lines


def _cell(shown: Shown) -> str:
    if shown.cell.value is None:
        return UNDEFINED
    number = shown.text if not shown.text.startswith("-") else f"$-${shown.text[1:]}"
    return rf"\textbf{{{number}}}" if shown.is_best else number
