"""The pages of the corrections from studies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator

from annotate.models import Caption, Membership, Project
from annotate.text.diff import DiffSpan
from review.corrections.proposals import (
    ChangeCounts,
    Proposal,
    SentenceRow,
    UnchangedRows,
    correction_rows,
    count_changes,
)
from review.corrections.queries import corrections_to_decide, count_corrections, proposals_of
from review.verification.content import judged_sentences, judgment_of
from review.verification.forms import CorrectionForm
from review.verification.judgment import caption_changes
from review.verification.models import Verification
from review.verification.pages import Segment, segment_of

Context = dict[str, Any]

PER_PAGE = 50


@dataclass(frozen=True)
class Choice:
    """A proposed correction to choose. `changes` is None if the text is too long to compare."""

    number: int
    verification: int
    text: str
    counts: ChangeCounts
    changes: list[DiffSpan] | None


@dataclass(frozen=True)
class InsertedRow:
    proposal: int
    segment: Segment


@dataclass(frozen=True)
class PageRow:
    """A sentence with its proposed changes, or a run of sentences that nobody changes."""

    sentence: SentenceRow | None
    inserted: list[InsertedRow]
    unchanged: UnchangedRows | None


def corrections_context(membership: Membership, page: str | None) -> Context:
    project = membership.project
    waiting = corrections_to_decide(membership)
    return {
        "membership": membership,
        "project": project,
        "page": Paginator(waiting, PER_PAGE).get_page(page),
        "counts": count_corrections(membership),
        "keeps_out": project.study_corrections == Project.StudyCorrections.KEEP_OUT,
    }


def correction_context(
    membership: Membership, caption: Caption, form: CorrectionForm | None = None
) -> Context:
    verifications = list(proposals_of(caption))
    proposals = [
        Proposal(number, judged_sentences(each), judgment_of(each))
        for number, each in enumerate(verifications, 1)
    ]
    return {
        "membership": membership,
        "project": membership.project,
        "caption": caption,
        "clip": caption.clip,
        "rows": [_row(row, caption) for row in correction_rows(proposals)],
        "choices": [
            _choice(caption, verification, proposal)
            for verification, proposal in zip(verifications, proposals, strict=True)
        ],
        "form": form or CorrectionForm(None, verifications=verifications),
        "waiting": corrections_to_decide(membership).count(),
    }


def _row(row: SentenceRow | UnchangedRows, caption: Caption) -> PageRow:
    if isinstance(row, UnchangedRows):
        return PageRow(None, [], row)
    inserted = [
        InsertedRow(
            insertion.proposal,
            segment_of(
                caption.clip,
                insertion.missing.text,
                insertion.missing.start_frame,
                insertion.missing.end_frame,
            ),
        )
        for insertion in row.insertions
    ]
    return PageRow(row, inserted, None)


def _choice(caption: Caption, verification: Verification, proposal: Proposal) -> Choice:
    assert verification.corrected is not None
    return Choice(
        number=proposal.number,
        verification=verification.pk,
        text=verification.corrected.text,
        counts=count_changes(proposal.judgment),
        changes=caption_changes(caption.text, proposal.sentences, proposal.judgment),
    )
