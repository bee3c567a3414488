"""The pages of the verifications: the list with its totals, and one verification."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import QueryDict

from annotate.lists.columns import Column
from annotate.models import Clip, Membership
from annotate.text.diff import DiffSpan
from review.verification.content import judged_sentences, judgment_of
from review.verification.forms import ANY, VerificationsForm
from review.verification.judgment import caption_changes, parse_types, sentence_changes
from review.verification.models import MissingSegment, SentenceVerdict, Verification
from review.verification.queries import (
    Totals,
    count_hidden,
    list_verifications,
    studies_verified,
    verified_parts,
    who_verified,
)

Context = dict[str, Any]

PER_PAGE = 50
COLUMNS = (
    Column("who", "Verified by"),
    Column("when", "Verified at"),
    Column("sentences", "Sentences"),
    Column("errors", "A, B, C and D"),
    Column("by_type", "Errors by type"),
    Column("by_sentence", "Errors by sentence"),
    Column("theme", "Theme"),
)
SENTENCES_PER_PAGE = 200
TYPE_WORDS = {
    "A": "wrong",
    "B": "redundant",
    "C": "missing content",
    "D": "off topic",
}


@dataclass(frozen=True)
class TypeRow:
    """A type of error in the totals; `width` of its bar is in percent of the longest."""

    type: str
    words: str
    sentences: int
    per_100: float
    width: float


@dataclass(frozen=True)
class Stretch:
    """Playable frames of a sentence or a missing segment: the video's, half-open. The seconds are
    those of the clip, and of the video for a link to its file."""

    first: int
    end: int
    start_seconds: float
    end_seconds: float
    start_in_video: float
    end_in_video: float

    @property
    def media_fragment(self) -> str:
        """The stretch as the end of an address of the video's file (W3C Media Fragments)."""
        return f"#t={self.start_in_video:.3f},{self.end_in_video:.3f}"


@dataclass(frozen=True)
class Segment:
    """A segment that the caption leaves out."""

    text: str
    stretch: Stretch


@dataclass(frozen=True)
class Row:
    """A judged sentence, and what is missing before it. `types` are letters with their words;
    `changes` is None if it stays."""

    number: int
    text: str
    types: list[tuple[str, str]]
    is_deleted: bool
    changes: list[DiffSpan] | None
    stretch: Stretch | None
    missing: Segment | None


def verifications_context(membership: Membership, asked: QueryDict) -> Context:
    """Return the context. `asked`: the address's parameters."""
    project = membership.project
    form = VerificationsForm(
        asked, who=[ANY, *who_verified(project)], study=[ANY, *studies_verified(project)]
    )
    # Only keys, so that nothing of other pages is read.
    parts = verified_parts(project)
    filters = form.filters | {"of": form.part(parts)}
    keys, totals = list_verifications(membership, filters)
    pages: Paginator[Any] = Paginator(keys, PER_PAGE)
    pages.count = totals.verifications
    page = pages.get_page(asked.get("page"))
    rows = Verification.objects.for_list().in_bulk(page.object_list)
    page.object_list = [rows[key] for key in page.object_list]
    return {
        "membership": membership,
        "project": project,
        "form": form,
        "of": filters["of"],
        "has_both": len(parts) > 1,
        "page": page,
        "totals": totals,
        "types": _type_rows(totals),
        "hidden": count_hidden(
            membership, readable=None if form.filters or len(parts) > 1 else totals.verifications
        ),
        "is_empty": not totals.verifications and not form.filters,
    }


def verification_context(
    membership: Membership, verification: Verification, page_number: str | None
) -> Context:
    caption = verification.caption
    verdicts = verification.verdicts.all()
    page = Paginator(verdicts, SENTENCES_PER_PAGE).get_page(page_number)
    rows, last_missing = _rows(verification, page)
    return {
        "membership": membership,
        "project": membership.project,
        "verification": verification,
        "caption": caption,
        "clip": caption.clip,
        "page": page,
        "rows": rows,
        "missing_at_end": last_missing,
        "run": caption.provenance[0].get("run") if caption.provenance else None,
        "changes": _changes(verification),
        "proposal_state": _proposal_state(verification),
    }


def _type_rows(totals: Totals) -> list[TypeRow]:
    longest = max(total.per_100 for total in totals.types) or 1
    return [
        TypeRow(
            total.type,
            TYPE_WORDS[total.type],
            total.sentences,
            total.per_100,
            100 * total.per_100 / longest,
        )
        for total in totals.types
    ]


def _rows(
    verification: Verification, page: Page[SentenceVerdict]
) -> tuple[list[Row], Segment | None]:
    """Return the sentences of this page of verdicts, and what is missing at the end of the
    caption.
    """
    verdicts: list[SentenceVerdict] = list(page.object_list)
    missing = _missing(verification.missing_segments.all(), verification.caption.clip)
    rows = [
        _row(verdict, verification.caption.text, verification.caption.clip, missing)
        for verdict in verdicts
    ]
    return rows, None if page.has_next() else missing.get(verification.sentences)


def _row(verdict: SentenceVerdict, caption: str, clip: Clip, missing: dict[int, Segment]) -> Row:
    text = caption[verdict.start : verdict.end]
    return Row(
        number=verdict.number + 1,
        text=text,
        types=[(letter, TYPE_WORDS[letter]) for letter in sorted(parse_types(verdict.types))],
        is_deleted=verdict.is_deleted,
        changes=_sentence_changes(text, verdict),
        stretch=(
            _stretch(clip, verdict.start_frame, verdict.end_frame)
            if verdict.start_frame is not None and verdict.end_frame is not None
            else None
        ),
        missing=missing.get(verdict.number),
    )


def _sentence_changes(text: str, verdict: SentenceVerdict) -> list[DiffSpan] | None:
    if verdict.is_deleted:
        return [DiffSpan("delete", text)]
    if not verdict.correction:
        return None
    return sentence_changes(text, verdict.correction)


def _missing(segments: Iterable[MissingSegment], clip: Clip) -> dict[int, Segment]:
    return {
        segment.place: segment_of(clip, segment.text, segment.start_frame, segment.end_frame)
        for segment in segments
    }


def segment_of(clip: Clip, text: str, start: int, end: int) -> Segment:
    """Return the missing segment between two frames of the clip, half-open."""
    return Segment(text, _stretch(clip, start, end))


def _stretch(clip: Clip, start: int, end: int) -> Stretch:
    fps = clip.video.fps
    first, behind = clip.start_frame + start, clip.start_frame + end
    return Stretch(
        first,
        behind,
        float(start / fps),
        float(end / fps),
        float(first / fps),
        float(behind / fps),
    )


def _proposal_state(verification: Verification) -> str:
    """Return whether a correction from a study was accepted, rejected, or still waits."""
    decision = getattr(verification.caption, "correction_decision", None)
    if decision is None:
        return "proposed in a study, undecided"
    if decision.accepted_id == verification.pk:
        return "proposed in a study and accepted"
    return "proposed in a study and rejected"


def _changes(verification: Verification) -> list[DiffSpan] | None:
    if verification.corrected is None:
        return None
    return caption_changes(
        verification.caption.text, judged_sentences(verification), judgment_of(verification)
    )
