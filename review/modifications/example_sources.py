"""Where the examples of a prompt can come from: a pasted table, accepted texts, or our own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from annotate.models import Project
from annotate.text.csv_rows import read_records, separator_of
from review.errors import ReviewError
from review.modifications.first_examples import first_examples
from review.modifications.models import Modification
from review.modifications.prompts import EXAMPLE_PARTS, MAX_EXAMPLES
from review.modifications.queries import IN_USE, word_limits
from review.modifications.text import MAX_TEXT_LENGTH, Limits, problem_with

Example = dict[str, str]
HEADER = ("from", "to", "modification")


MAX_ACCEPTED_AT_ONCE = 20  # as many as the paper shows its model for gymnastics


def more_examples(
    project: Project, domain: str, source: str, pasted: str, present: Sequence[Example]
) -> list[Example]:
    """Return examples to add to the `present` ones, without repeats.

    `source`: "pasted", "accepted" or "first". Raises ReviewError if there is nothing to add.
    """
    room = MAX_EXAMPLES - len(present)
    match source:
        case "pasted":
            in_table = pasted_examples(pasted, word_limits(project))
            new = [example for example in in_table if example not in present]
            if len(new) > room:
                raise ReviewError(
                    f"{len(new)} examples are pasted, but a prompt has at most {MAX_EXAMPLES} "
                    f"and {len(present)} are there. Remove some."
                )
            nothing = "All pasted examples are there already."
        case "accepted":
            accepted = (e for e in accepted_examples(project, domain) if e not in present)
            new = list(islice(accepted, min(room, MAX_ACCEPTED_AT_ONCE)))
            nothing = "There are no other accepted texts between labels of this domain yet."
        case _:
            new = [example for example in first_examples(domain) if example not in present][:room]
            nothing = "Vericap’s examples are there already, or it has none for this domain."
    if not new:
        raise ReviewError(
            nothing if room else f"A prompt has at most {MAX_EXAMPLES} examples. Remove some."
        )
    return new


def pasted_examples(text: str, limits: Limits) -> list[Example]:
    """Return the examples of a table with the columns from, to and modification, separated by
    commas, semicolons or tabs. A first line with the names of the columns is left out.

    Raises ReviewError naming the line on which the row begins and the column.
    """
    rows = list(_rows(text))
    if not rows:
        raise ReviewError("Paste a table first: from, to, modification, one example per line.")
    if tuple(cell.lower() for cell in rows[0][1]) == HEADER:
        del rows[0]
    return [_checked(number, cells, limits) for number, cells in rows]


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row that isn't blank, with the line on which it begins."""
    lines = text.splitlines(keepends=True)
    first = next((line for line in lines if line.strip()), "")
    # Labels often contain commas, so the separator is the one that gives three cells.
    for row in read_records(lines, separator=separator_of(first, len(HEADER))):
        if row.problem:
            raise ReviewError(f"Line {row.line}: {row.problem}")
        cells = [" ".join(cell.split()) for cell in row.cells]
        if any(cells):
            yield row.line, cells


def _checked(number: int, cells: list[str], limits: Limits) -> Example:
    if len(cells) != len(HEADER):
        raise ReviewError(
            f"Line {number} has {len(cells)} column{'' if len(cells) == 1 else 's'} instead of 3: "
            "from, to, modification. Put a cell that contains the separator in quotation marks."
        )
    for name, cell in zip(HEADER, cells, strict=True):
        if not cell:
            raise ReviewError(f"Line {number}, {name}: it is empty. Fill it in.")
        if len(cell) > MAX_TEXT_LENGTH:
            raise ReviewError(
                f"Line {number}, {name}: shorten it to {MAX_TEXT_LENGTH} characters "
                f"(it has {len(cell)})."
            )
    if problem := problem_with(cells[-1], limits):
        raise ReviewError(f"Line {number}, modification: {problem}")
    return dict(zip(EXAMPLE_PARTS, cells, strict=True))


def accepted_examples(project: Project, domain: str) -> Iterator[Example]:
    """Yield accepted texts between labels of this domain, newest first, one per pair of labels."""
    accepted = Modification.objects.filter(
        pair__project=project,
        source__domain=domain,
        target__domain=domain,
        pair__kind__in=IN_USE,
        state=Modification.State.ACCEPTED,
    )
    seen: set[int] = set()
    for modification in accepted.select_related("source", "target").order_by("-pk").iterator():
        if modification.pair_id not in seen:
            seen.add(modification.pair_id)
            yield {
                "source": modification.source.caption,
                "target": modification.target.caption,
                "modification": modification.text,
            }
