"""A section's table in LaTeX, with the rules of booktabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotate.models import Project
from review.display.latex import RULE, UNDEFINED, escaped, latex_text, one_line, row_line, simulated
from review.reports.cells import Head, Row, Shown
from review.reports.tables import CERTAIN, Section, Table

# The columns of more categories wouldn't fit a page.
MAX_CATEGORIES = 5


def latex_table(project: Project, version: str, section: Section) -> str:
    """Return the table, with the best number of each column, as printed, in bold. Comments hold the
    signatures.
    """
    tables = [section.table]
    folded = section.by_category
    if folded and len(folded.heads) <= MAX_CATEGORIES:
        tables.insert(0, folded)
    has_sizes = section.table.has_sizes
    of_release = f", release {version}" if version else ""
    old = " (old)" if section.is_old else ""
    caption = (
        f"{section.title}{old} ({project.name}{of_release}). {section.unit} "
        "Bold: the best of each column, unless its interval overlaps the others."
        f"{f' {CERTAIN}' if section.has_certain else ''}"
        f"{f' {section.asked_notice}' if section.asked_notice else ''}"
    )
    return latex_text(
        simulated(caption, project.is_simulated),
        f"l{'r' * (sum(len(table.columns) for table in tables) + has_sizes)}",
        [
            *_heads(tables, has_sizes=has_sizes, is_beside=len(tables) > 1),
            RULE,
            *_body(tables, has_sizes=has_sizes),
        ],
        comments=_comments(section, project.is_simulated),
        needs=r"\usepackage{booktabs}, and \usepackage[T1]{fontenc} if names contain quotes",
    )


def _comments(section: Section, is_simulated: bool) -> list[str]:
    comments = [simulated(f"As in {section.paper}.", is_simulated), *section.every_note]
    comments += [
        f"{instructions.name}: {instructions.theme_in_words}; "
        f"frames: {instructions.frames_in_words}; prompt: {instructions.prompt_in_words}"
        for instructions in section.asked
    ]
    if names := ", ".join(escaped(row.name) for row in section.rows if row.is_old):
        comments.append(f"Out of date: the data behind {names} has changed. Recompute.")
    made = [
        f"{report.name} of {report.created_at.isoformat()}: {report.signature}"
        for report in section.reports
    ]
    return [one_line(line) for line in [*comments, *made]]


def _heads(tables: list[Table], *, has_sizes: bool, is_beside: bool) -> list[str]:
    """Return the groups of columns above their names, with a rule below each."""
    spans = [
        (head.name, head.span)
        for table in tables
        for head in (table.heads or [Head("Overall" if is_beside else "", len(table.columns))])
    ]
    lines = []
    if any(name for name, _ in spans):
        cells = [rf"\multicolumn{{{span}}}{{c}}{{{escaped(name)}}}" for name, span in spans]
        rules, first = [], 2 + has_sizes
        for name, span in spans:
            if name:
                rules.append(rf"\cmidrule(lr){{{first}-{first + span - 1}}}")
            first += span
        lines += [row_line([*[""] * (1 + has_sizes), *cells]), f"    {''.join(rules)}"]
    names = [escaped(column.name) for table in tables for column in table.columns]
    sizes = [r"\# Params"] if has_sizes else []
    return [*lines, row_line(["Model", *sizes, *names])]


def _body(tables: list[Table], *, has_sizes: bool) -> list[str]:
    """Return the rows, below the name of their family where the table has families."""
    width = 1 + has_sizes + sum(len(table.columns) for table in tables)
    lines: list[str] = []
    for groups in zip(*(table.groups for table in tables), strict=True):
        if name := groups[0].name:
            heading = row_line([rf"\multicolumn{{{width}}}{{c}}{{{escaped(name)}}}"])
            lines += [*([RULE] if lines else []), heading, RULE]
        lines += _rows([group.rows for group in groups], has_sizes=has_sizes)
    return lines


def _rows(tables: Sequence[Sequence[tuple[Row, list[Shown]]]], *, has_sizes: bool) -> Iterator[str]:
    """Yield the rows of one family, with `tables` side by side."""
    for parts in zip(*tables, strict=True):
        row = parts[0][0]
        theme_mark = row.asked.mark if row.asked and row.asked.is_told else ""
        notes = ", ".join(note for note in (row.note, theme_mark) if note)
        name = f"{row.name} ({notes})" if notes else row.name
        size = [escaped(row.size) or "-"] if has_sizes else []
        cells = [_cell(cell) for _, cells in parts for cell in cells]
        yield row_line([escaped(name), *size, *cells])


def _cell(cell: Shown) -> str:
    if cell.cell.value is None:
        return UNDEFINED
    number = cell.text if not cell.text.startswith("-") else f"$-${cell.text[1:]}"
    return rf"\textbf{{{number}}}" if cell.is_best else number
