"""LoVR's annotation table as CSV (docs/formats.md): one row a mark, a row for a clean caption."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from django.db.models import QuerySet

from annotate.models import Project
from review.display.spreadsheets import guarded
from review.errors import ReviewError
from review.models import Verification
from review.verification.annotation_table import MarkRow, Marks, marked, rows_of
from review.verification.judgement import NO_FRAME
from review.verification.stored import judged_sentences, judgement_of

COLUMNS = (
    *("Clip", "Annotator", "Kind", "Caption", "Type", "Correction", "Start frame", "End frame"),
    *("Theme", "Content errors", "Sentences with content errors", "Topic errors"),
)
"""What Kind to Theme say of the whole caption stands in its first row only, but Clip and Annotator
in each."""

THEMES = {True: "ok", False: "off"}
AT_ONCE = 100


def annotation_lines(
    project: Project, marks: Marks, among: QuerySet[Verification] | None = None
) -> Iterator[str]:
    """The project's verifications, or those `among` them, in the order they were made, as lines of
    CSV.

    Raises ReviewError where a caption's own text looks like a mark.
    """
    yield _line(COLUMNS)
    labels = annotator_labels(project)
    if among is None:
        among = Verification.objects.filter(caption__project=project)
    for verification in among.for_table().iterator(chunk_size=AT_ONCE):
        label = verification.label or labels[verification.reviewer_id]
        yield from map(_line, _rows(verification, label, marks))


def annotator_labels(project: Project) -> dict[int, str]:
    """A number instead of a name for each person who verified, in the order of their first one."""
    rows = (
        Verification.objects.filter(caption__project=project)
        .order_by("pk")
        .values_list("reviewer_id", "label")
    )
    people = dict.fromkeys(person for person, _ in rows if person is not None)
    taken = {label for _, label in rows if label}
    free = (str(n) for n in range(1, len(people) + len(taken) + 1) if str(n) not in taken)
    return dict(zip(people, free, strict=False))


def _rows(verification: Verification, label: str, marks: Marks) -> Iterator[tuple[object, ...]]:
    caption, judgement = verification.caption, judgement_of(verification)
    try:
        whole = marked(caption.text, judged_sentences(verification), judgement, marks)
    except ValueError as error:
        raise ReviewError(f"The caption of {caption.clip} can't be exported: {error}") from error
    counts = (
        verification.content_errors,
        verification.content_error_sentences,
        verification.topic_errors,
    )
    about = (caption.kind, whole), (THEMES[verification.fits_theme], *counts)
    for row in rows_of(judgement) or [MarkRow("", "")]:
        kind_and_caption, counted = about
        frames = ("" if n == NO_FRAME else n for n in (row.start_frame, row.end_frame))
        mark = (row.types, row.correction, *frames)
        yield (caption.clip.name, label, *kind_and_caption, *mark, *counted)
        about = ("", ""), ("", "", "", "")


class _Echo:
    def write(self, line: str) -> str:
        return line


def _line(values: Iterable[object]) -> str:
    return str(csv.writer(_Echo()).writerow([guarded(str(value)) for value in values]))
