"""Imports LoVR's annotation table (docs/formats.md) as verifications."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Caption, Clip, Project, User
from annotate.text.storable import UNSTORABLE
from annotate.text.words import count_words
from review.errors import ReviewError
from review.reports.agreement_due import agreement_changed
from review.reports.models import Report
from review.reports.services import recompute_later
from review.studies.models import Study
from review.verification.annotation_csv import (
    THEMES,
    Fault,
    Group,
    Row,
    RowFault,
    group_faults,
    read_groups,
)
from review.verification.annotation_table import Mark, MarkRow, Marks, read_mark, unmarked
from review.verification.checks import problems_of
from review.verification.judgement import NO_FRAME, Judgement, Missing, Verdict, count_errors
from review.verification.models import Verification
from review.verification.services import Judged, record_verifications, sentences_of

Key = tuple[int, str, str, bytes]
KINDS = (Caption.Kind.GENERAL.value, Caption.Kind.FULL_VIDEO.value)
MOST_SHOWN = 20
SAME_FILE = "{count} verifications by the same people are already stored. Is this the same file?"
OTHER_PROJECT = "{count} verifications are for unknown clips. Is this the right project?"
AT_ONCE = 32  # no more than sentences_of keeps, or they would be found twice


class TableInvalid(ReviewError):
    """Nothing was imported. `faults` has everything that must be fixed."""

    def __init__(self, faults: list[Fault]) -> None:
        more = len(faults) - MOST_SHOWN
        listed = [*map(str, faults[:MOST_SHOWN]), *([f"And {more} more."] if more > 0 else [])]
        super().__init__("\n".join(listed))
        self.faults = faults


@dataclass(frozen=True)
class Read:
    """One group, ready to be stored."""

    clip: Clip
    kind: str
    text: str
    label: str
    judgement: Judgement

    @property
    def key(self) -> Key:
        return _key(self.clip.pk, self.kind, self.label, self.text)


class _Bad(Exception):
    """The faults of a group, with rows counted within the group."""

    def __init__(self, column: str, message: str, row: int = 0, *, together: str = "") -> None:
        self.faults = [RowFault(row, column, message, together)]


@transaction.atomic
def import_annotations(
    *, project: Project, lines: Iterable[str], marks: Marks, actor: User | None = None
) -> list[Verification]:
    """Store a verification for each annotated caption of the table, with its corrected caption.

    The clips must exist. A caption is the clip's machine or imported caption with this text, or is
    created. Imports everything or nothing: raises TableInvalid with every wrong row, or ReviewError
    if the file isn't text.
    """
    # One import at a time, because two imports of a table would not see each other's rows. The key
    # isn't locked, because other rows stored meanwhile refer to it.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    clips = Clip.objects.filter(project=project).select_related("video")
    by_name = {clip.name: clip for clip in clips}
    taken = _stored_already(project)
    faults: list[RowFault] = []
    stored: list[Verification] = []
    waiting: list[Read] = []
    try:
        for group in read_groups(lines, faults):
            try:
                read = _read(group, by_name, marks)
                if read.key in taken:
                    message = f"{read.label} has verified this caption already."
                    raise _Bad("Annotator", message, together=SAME_FILE)
            except _Bad as error:
                faults += [replace(fault, row=group.first + fault.row) for fault in error.faults]
                continue
            taken.add(read.key)
            waiting.append(read)
            # Stored in batches, so that a long table is never in memory as a whole; the first fault
            # rolls everything back.
            if len(waiting) == AT_ONCE:
                stored += [] if faults else _store(project, waiting)
                waiting = []
    except UnicodeDecodeError as error:
        raise ReviewError("The file is not UTF-8; save it as CSV UTF-8.") from error
    if faults:
        raise TableInvalid(group_faults(faults))
    stored += _store(project, waiting)
    record_event(
        actor=actor,
        verb="import_annotations",
        subject=project,
        project=project,
        after={"verifications": len(stored)},
    )
    if Study.objects.filter(project=project, kind=Study.Kind.THRESHOLD).exists():
        recompute_later(project.pk, Report.Name.THRESHOLD)
    if stored:
        agreement_changed(project.pk)
    return stored


def _read(group: Group, clips: dict[str, Clip], marks: Marks) -> Read:
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
        text, found = unmarked(first["Caption"], marks)
    except ValueError as error:
        raise _Bad("Caption", str(error)) from error
    if not sentences_of(text):
        raise _Bad("Caption", "the caption has no sentence.")
    judgement, row_of = _judgement(group, text, found, _theme(first))
    _check(judgement, clip, text, row_of)
    _check_counts(judgement, first)
    return Read(clip, kind, text, label, judgement)


def _check_characters(group: Group) -> None:
    for place, row in enumerate(group.rows):
        for column, value in row.items():
            if UNSTORABLE.search(value):
                raise _Bad(column, "remove the character that can't be stored.", place)


def _judgement(
    group: Group, text: str, marks: list[Mark], fits_theme: bool
) -> tuple[Judgement, dict[str, int]]:
    """Return the judgment, and the row within the group of each problem's field."""
    sentences = sentences_of(text)
    verdicts = [Verdict(frozenset())] * len(sentences)
    missing: dict[int, Missing] = {}
    rows = [(place, row) for place, row in enumerate(group.rows) if row]
    if not marks and len(rows) == 1 and not rows[0][1]["Type"].strip():
        return Judgement(tuple(verdicts), (), fits_theme), {}
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
    return Judgement(tuple(verdicts), tuple(missing.values()), fits_theme), row_of


def _check(judgement: Judgement, clip: Clip, text: str, row_of: dict[str, int]) -> None:
    problems = problems_of(judgement, sentences_of(text), frames=clip.frames, fps=clip.video.fps)
    if problems:
        bad = _Bad("", "")
        bad.faults = [
            RowFault(row_of.get(problem.field, 0), _column(problem.field), problem.message)
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


def _stored_already(project: Project) -> set[Key]:
    rows = Verification.objects.filter(project=project).exclude(label="").order_by()
    columns = ("caption__clip", "caption__kind", "label", "caption__text")
    return {_key(*row) for row in rows.values_list(*columns).iterator()}


def _store(project: Project, some: Sequence[Read]) -> list[Verification]:
    captions = _captions(project, some)
    return record_verifications(
        [
            Judged(captions[read.clip.pk, read.kind, read.text], read.judgement, label=read.label)
            for read in some
        ]
    )


def _captions(project: Project, some: Sequence[Read]) -> dict[tuple[int, str, str], Caption]:
    """Return the captions by clip, kind and text: the newest of each, or a new one."""
    there = Caption.objects.filter(
        project=project,
        clip__in={read.clip.pk for read in some},
        source__in=[Caption.Source.MACHINE, Caption.Source.IMPORTED],
    ).order_by("pk")
    captions = {(caption.clip_id, caption.kind, caption.text): caption for caption in there}
    new = {
        (read.clip.pk, read.kind, read.text): Caption(
            project=project,
            clip=read.clip,
            kind=read.kind,
            source=Caption.Source.IMPORTED,
            text=read.text,
            word_count=count_words(read.text),
        )
        for read in some
        if (read.clip.pk, read.kind, read.text) not in captions
    }
    Caption.objects.bulk_create(new.values())
    return captions | new
