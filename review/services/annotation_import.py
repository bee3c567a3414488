"""LoVR's annotation table (docs/formats.md) becomes verifications."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import QuerySet

from annotate.models import Caption, Clip, Project, User
from annotate.services.audit import record_event
from annotate.text.words import count_words
from review.annotation_table import Mark, MarkRow, Marks, read_mark, unmarked
from review.errors import ReviewError
from review.exports.lovr_annotations import COLUMNS, THEMES
from review.models import Verification
from review.services.verifying import record_verification, sentences_of
from review.verification import NO_FRAME, Judgement, Missing, Verdict, count_errors
from review.verification_checks import problems_of

Row = dict[str, str]
KINDS = (Caption.Kind.GENERAL.value, Caption.Kind.FULL_VIDEO.value)
MOST_SHOWN = 20
# A field of the caption of a whole video may be longer than the 128 KB that csv allows.
LONGEST_FIELD = 10_000_000


class TableInvalid(ReviewError):
    """Nothing was imported. `problems` names each row, its field, and the mend."""

    def __init__(self, problems: list[str]) -> None:
        more = len(problems) - MOST_SHOWN
        shown = [*problems[:MOST_SHOWN], *([f"And {more} more."] if more > 0 else [])]
        super().__init__("\n".join(shown))
        self.problems = problems


@dataclass
class Group:
    """One person's rows about one caption; the first is row `first` of the file."""

    first: int
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True)
class Read:
    """One group as it is to be stored."""

    clip: Clip
    kind: str
    text: str
    label: str
    judgement: Judgement


class _Bad(Exception):
    """What is wrong in a group: (row within it, column, sentence with the mend) each."""

    def __init__(self, column: str, message: str, row: int = 0) -> None:
        self.faults = [(row, column, message)]


@transaction.atomic
def import_annotations(
    *, project: Project, lines: Iterable[str], marks: Marks, actor: User | None = None
) -> list[Verification]:
    """Store a verification for each annotated caption of the table, with its corrected caption.

    The clips must be there. A caption is the clip's machine or imported one with this text, or is
    made. It is all or nothing: raises TableInvalid with every row that is wrong.
    """
    clips = Clip.objects.filter(project=project).select_related("video")
    by_name = {clip.name: clip for clip in clips}
    problems: list[str] = []
    found: list[Read] = []
    seen: set[tuple[int, str, str, str]] = set()
    for group in _groups(lines, problems):
        try:
            read = _read(group, by_name, marks)
            same = (read.clip.pk, read.kind, read.text, read.label)
            if same in seen or _is_stored(read):
                raise _Bad("Annotator", f"{read.label} has verified this caption already.")
            seen.add(same)
            found.append(read)
        except _Bad as error:
            problems += [
                f"Row {group.first + row}, {column}: {message}"
                for row, column, message in error.faults
            ]
    if problems:
        raise TableInvalid(problems)
    stored = [_store(project, read) for read in found]
    record_event(
        actor=actor,
        verb="import_annotations",
        subject=project,
        project=project,
        after={"verifications": len(stored)},
    )
    return stored


def _groups(lines: Iterable[str], problems: list[str]) -> Iterator[Group]:
    csv.field_size_limit(LONGEST_FIELD)
    reader = csv.reader(lines)
    header = [name.strip().lstrip("\ufeff") for name in next(reader, [])]
    needed = [name for name in COLUMNS if name not in header]
    if needed:
        problems.append(
            f"Row 1: the column {needed[0]} is not there. Columns: {', '.join(COLUMNS)}."
        )
        return
    group = None
    for number, values in enumerate(reader, 2):
        if not any(values):
            continue
        row = dict(zip(header, [*values, *[""] * (len(header) - len(values))], strict=False))
        if row["Caption"]:
            if group:
                yield group
            group = Group(number)
        if group is None:
            problems.append(f"Row {number}, Caption: the first row of a caption must hold it.")
            return
        # Rows are numbered without a gap, also where a blank one was passed over.
        group.rows += [{}] * (number - group.first - len(group.rows))
        group.rows.append(row)
    if group:
        yield group


def _read(group: Group, clips: dict[str, Clip], marks: Marks) -> Read:
    first = group.rows[0]
    label, kind = first["Annotator"].strip(), first["Kind"].strip() or KINDS[0]
    clip = clips.get(first["Clip"])
    if clip is None:
        raise _Bad("Clip", f"the project has no clip “{first['Clip']}”. Import its video first.")
    if not 0 < len(label) <= 60:
        raise _Bad("Annotator", "name who judged it, in 1 to 60 characters.")
    if kind not in KINDS:
        raise _Bad("Kind", f"“{kind}” is none of {', '.join(KINDS)}.")
    try:
        text, found = unmarked(first["Caption"], marks)
    except ValueError as error:
        raise _Bad("Caption", str(error)) from error
    if not sentences_of(text):
        raise _Bad("Caption", "it has no sentence.")
    judgement, row_of = _judgement(group, text, found, _theme(first))
    _check(judgement, clip, text, row_of)
    _check_counts(judgement, first)
    return Read(clip, kind, text, label, judgement)


def _judgement(
    group: Group, text: str, marks: list[Mark], fits_theme: bool
) -> tuple[Judgement, dict[str, int]]:
    """The judgement, and the row within the group of each problem's field."""
    sentences = sentences_of(text)
    verdicts = [Verdict(frozenset())] * len(sentences)
    missing: dict[int, Missing] = {}
    rows = [(place, row) for place, row in enumerate(group.rows) if row]
    if not marks and len(rows) == 1 and not rows[0][1]["Type"].strip():
        return Judgement(tuple(verdicts), (), fits_theme), {}
    row_of: dict[str, int] = {}
    if len(rows) != len(marks):
        raise _Bad("Caption", f"{len(marks)} marks in it, but {len(rows)} rows for them.")
    for (place, row), mark in zip(rows, marks, strict=True):
        if (row["Clip"], row["Annotator"]) != (group.rows[0]["Clip"], group.rows[0]["Annotator"]):
            raise _Bad(
                "Clip", "this row is of another clip or annotator but has no Caption.", place
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
                raise _Bad("Caption", "two placeholders stand at one place; join them.", place)
            missing[says.place] = says
            row_of |= {f"missing-{says.place}-{part}": place for part in ("text", "start")}
        else:
            number, verdicts[number] = says
            fields = (f"verdict-{number}", f"correction-{number}", f"span-{number}-start")
            row_of |= dict.fromkeys(fields, place)
    return Judgement(tuple(verdicts), tuple(missing.values()), fits_theme), row_of


def _check(judgement: Judgement, clip: Clip, text: str, row_of: dict[str, int]) -> None:
    problems = problems_of(judgement, sentences_of(text), frames=clip.frames, fps=clip.video.fps)
    if problems:
        bad = _Bad("", "")
        bad.faults = [
            (row_of.get(problem.field, 0), _column(problem.field), problem.message)
            for problem in problems
        ]
        raise bad


def _check_counts(judgement: Judgement, first: Row) -> None:
    counts = count_errors(judgement.verdicts)
    for column, counted in (
        ("Content errors", counts.content_errors),
        ("Sentences with content errors", counts.content_error_sentences),
        ("Topic errors", counts.topic_errors),
    ):
        if first[column].strip() not in {"", str(counted)}:
            raise _Bad(column, f"“{first[column]}” stands there, but the rows have {counted}.")


def _column(name: str) -> str:
    """Where a problem of the judgement is mended in the table."""
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
    raise _Bad("Theme", f"“{row['Theme']}” is neither ok nor off.")


def _frame(row: Row, column: str, place: int) -> int:
    value = row[column].strip()
    if not value:
        return NO_FRAME
    if not (value.isascii() and value.isdigit() and len(value) <= 9):
        raise _Bad(column, f"“{value}” is no frame; count from 0 at the clip's beginning.", place)
    return int(value)


def _captions(read: Read) -> QuerySet[Caption]:
    sources = [Caption.Source.MACHINE, Caption.Source.IMPORTED]
    return Caption.objects.filter(
        clip=read.clip, kind=read.kind, source__in=sources, text=read.text
    )


def _is_stored(read: Read) -> bool:
    return Verification.objects.filter(caption__in=_captions(read), label=read.label).exists()


def _store(project: Project, read: Read) -> Verification:
    caption = _captions(read).order_by("-pk").first() or Caption.objects.create(
        project=project,
        clip=read.clip,
        kind=read.kind,
        source=Caption.Source.IMPORTED,
        text=read.text,
        word_count=count_words(read.text),
    )
    return record_verification(caption=caption, judgement=read.judgement, label=read.label)
