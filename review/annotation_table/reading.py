"""Reads and checks LoVR's annotation table (docs/formats.md). Stores nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from annotate.jobs.file_imports import MAX_KEPT, FileInvalid
from annotate.models import Caption, Clip, Project
from annotate.text.sentences import Sentence
from annotate.text.storable import UNSTORABLE
from review.annotation_table.csv_format import (
    THEMES,
    Fault,
    Group,
    Row,
    RowFault,
    group_faults,
    read_groups,
)
from review.annotation_table.marks import Mark, MarkRow, Marks, read_mark, unmarked
from review.errors import ReviewError
from review.verification.checks import problems_of
from review.verification.judgment import NO_FRAME, Judgment, Missing, Verdict, count_errors
from review.verification.models import Verification
from review.verification.recording import sentences_of

Key = tuple[int, str, str, bytes]
Sentences = Sequence[Sentence]
KINDS = (Caption.Kind.GENERAL.value, Caption.Kind.FULL_VIDEO.value)
MAX_PRINTED = 20
SAME_FILE = "{count} verifications by the same people are already stored. Is this the same file?"
OTHER_PROJECT = "{count} verifications are for unknown clips. Is this the right project?"


class TableInvalid(FileInvalid, ReviewError):
    """Nothing was imported. `faults` has everything that must be fixed; the header is row 1."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults, self.total = faults, len(faults)
        errors = "1 error" if self.total == 1 else f"{self.total:,} errors"
        super().__init__(f"Nothing was stored: {errors} to fix. The header is row 1.")

    def rows(self) -> list[dict[str, str]]:
        return [
            {
                "row": fault.row_numbers,
                "field": fault.column,
                "mend": fault.message[:1].upper() + fault.message[1:],
            }
            for fault in self.faults[:MAX_KEPT]
        ]

    def printed(self) -> list[str]:
        more = self.total - MAX_PRINTED
        lines = list(map(str, self.faults[:MAX_PRINTED]))
        return [*lines, f"And {more} more."] if more > 0 else lines


@dataclass(frozen=True, slots=True)
class Annotation:
    """One person's judgment of a caption, whose first row in the file is `row`."""

    row: int
    clip_id: int
    kind: str
    text: str
    label: str
    sentences: Sentences
    judgment: Judgment

    @property
    def key(self) -> Key:
        return _key(self.clip_id, self.kind, self.label, self.text)


class _Bad(Exception):
    """The faults of a group, with rows counted within the group."""

    def __init__(self, column: str, message: str, row: int = 0, *, together: str = "") -> None:
        self.faults = [RowFault(row, column, message, together)]


def read_annotations(
    *,
    project: Project,
    lines: Iterable[str],
    marks: Marks,
    count: Callable[[int], None] = lambda captions: None,
) -> list[Annotation]:
    """Return the annotated captions of the table, whose clips must exist. `count` is called with
    the number of captions read so far.

    Raises TableInvalid with every wrong row, or ReviewError if the file isn't text.
    """
    clips = Clip.objects.filter(project=project).select_related("video")
    by_name = {clip.name: clip for clip in clips.defer("video__probe")}
    taken = stored_keys(project)
    faults: list[RowFault] = []
    annotations: list[Annotation] = []
    try:
        for number, group in enumerate(read_groups(lines, faults), 1):
            count(number)
            try:
                annotation = _read_group(group, by_name, marks)
            except _Bad as error:
                faults += [replace(fault, row=group.first + fault.row) for fault in error.faults]
                continue
            if annotation.key in taken:
                faults.append(already_stored(annotation))
            taken.add(annotation.key)
            annotations.append(annotation)
    except UnicodeDecodeError as error:
        raise ReviewError("The file is not UTF-8; save it as CSV UTF-8.") from error
    if faults:
        raise TableInvalid(group_faults(faults))
    return annotations


def stored_keys(project: Project) -> set[Key]:
    """Return the keys of the imported verifications of the project."""
    rows = Verification.objects.filter(project=project).exclude(label="").order_by()
    columns = ("caption__clip", "caption__kind", "label", "caption__text")
    return {_key(*row) for row in rows.values_list(*columns).iterator()}


def already_stored(annotation: Annotation) -> RowFault:
    message = f"{annotation.label} has verified this caption already."
    return RowFault(annotation.row, "Annotator", message, SAME_FILE)


def _read_group(group: Group, clips: dict[str, Clip], marks: Marks) -> Annotation:
    first = group.rows[0]
    _check_characters(group)
    label, kind = first["Annotator"].strip(), first["Kind"].strip() or KINDS[0]
    clip = clips.get(first["Clip"])
    if clip is None:
        message = f"the project has no clip “{first['Clip']}”. Import its video first."
        raise _Bad("Clip", message, together=OTHER_PROJECT)
    if not 0 < len(label) <= 60:
        raise _Bad("Annotator", "name the annotator in 1 to 60 characters.")
    if kind not in KINDS:
        raise _Bad("Kind", f"“{kind}” is not one of {', '.join(KINDS)}.")
    try:
        text, marked = unmarked(first["Caption"], marks)
    except ValueError as error:
        raise _Bad("Caption", str(error)) from error
    sentences = sentences_of(text)
    if not sentences:
        raise _Bad("Caption", "the caption has no sentence; write one.")
    judgment, row_of = _judgment(group, sentences, marked, _theme(first))
    _check(judgment, clip, sentences, row_of)
    _check_counts(judgment, first)
    return Annotation(group.first, clip.pk, kind, text, label, sentences, judgment)


def _check_characters(group: Group) -> None:
    for place, row in enumerate(group.rows):
        for column, value in row.items():
            if UNSTORABLE.search(value):
                raise _Bad(column, "remove the character that can't be stored.", place)


def _judgment(
    group: Group, sentences: Sentences, marks: list[Mark], fits_theme: bool
) -> tuple[Judgment, dict[str, int]]:
    """Return the judgment, and the row within the group of each problem's field."""
    verdicts = [Verdict(frozenset())] * len(sentences)
    missing: dict[int, Missing] = {}
    rows = [(place, row) for place, row in enumerate(group.rows) if row]
    if not marks and len(rows) == 1 and not rows[0][1]["Type"].strip():
        return Judgment(tuple(verdicts), (), fits_theme), {}
    row_of: dict[str, int] = {}
    if len(rows) != len(marks):
        raise _Bad("Caption", f"{len(marks)} marks, but {len(rows)} rows for them.")
    for (place, row), mark in zip(rows, marks, strict=True):
        if (row["Clip"], row["Annotator"]) != (group.rows[0]["Clip"], group.rows[0]["Annotator"]):
            raise _Bad(
                "Clip", "this row starts another clip or annotator but has no Caption.", place
            )
        frames = [_frame(row, column, place) for column in ("Start frame", "End frame")]
        try:
            says = read_mark(
                mark, MarkRow(row["Type"].strip(), row["Correction"].strip(), *frames), sentences
            )
        except ValueError as error:
            raise _Bad("Type", str(error), place) from error
        if isinstance(says, Missing):
            if says.place in missing:
                raise _Bad("Caption", "two placeholders are at one place; join them.", place)
            missing[says.place] = says
            row_of |= {f"missing-{says.place}-{part}": place for part in ("text", "start")}
        else:
            number, verdicts[number] = says
            fields = (f"verdict-{number}", f"correction-{number}", f"span-{number}-start")
            row_of |= dict.fromkeys(fields, place)
    return Judgment(tuple(verdicts), tuple(missing.values()), fits_theme), row_of


def _check(judgment: Judgment, clip: Clip, sentences: Sentences, row_of: dict[str, int]) -> None:
    problems = problems_of(judgment, sentences, frames=clip.frames, fps=clip.video.fps)
    if problems:
        bad = _Bad("", "")
        bad.faults = [
            RowFault(row_of.get(problem.field, 0), _column(problem.field), problem.message)
            for problem in problems
        ]
        raise bad


def _check_counts(judgment: Judgment, first: Row) -> None:
    counts = count_errors(judgment.verdicts)
    for column, counted in (
        ("Content errors", counts.content_errors),
        ("Sentences with content errors", counts.content_error_sentences),
        ("Topic errors", counts.topic_errors),
    ):
        if first[column].strip() not in {"", str(counted)}:
            raise _Bad(column, f"“{first[column]}” is given, but the rows have {counted}.")


def _column(name: str) -> str:
    """Return the table's column for a problem of the judgment."""
    match name.split("-"):
        case ["theme"]:
            return "Theme"
        case ["verdict", _]:
            return "Type"
        case ["missing" | "span", _, "start"]:
            return "Start frame"
        case ["correction", _] | ["missing", _, "text"]:
            return "Correction"
    return "Caption"


def _theme(row: Row) -> bool:
    for fits, name in THEMES.items():
        if row["Theme"].strip() == name:
            return fits
    raise _Bad("Theme", f"“{row['Theme']}” must be ok or off.")


def _frame(row: Row, column: str, place: int) -> int:
    value = row[column].strip()
    if not value:
        return NO_FRAME
    if not (value.isascii() and value.isdigit() and len(value) <= 9):
        raise _Bad(
            column,
            f"“{value}” is not a frame; count from 0 at the clip's start.",
            place,
        )
    return int(value)


def _key(clip: int, kind: str, label: str, text: str) -> Key:
    return clip, kind, label, sha256(text.encode()).digest()
