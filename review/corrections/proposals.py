"""Proposed corrections of one caption side by side: what each changes in each sentence. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from annotate.text.diff import DiffSpan
from annotate.text.sentences import Sentence
from review.verification.judgment import Judgment, Missing, Verdict, sentence_changes


@dataclass(frozen=True)
class Proposal:
    """One person's judgment, with the sentences as they were cut for it. `number` counts from 1
    and is all that names the person."""

    number: int
    sentences: Sequence[Sentence]
    judgment: Judgment


@dataclass(frozen=True)
class Change:
    """A proposal's version of a sentence, and the types of error, joined as in A#B."""

    proposal: int
    types: str
    spans: list[DiffSpan]
    is_deletion: bool


@dataclass(frozen=True)
class Insertion:
    """What one proposal inserts before a sentence, or at the end."""

    proposal: int
    missing: Missing


@dataclass
class SentenceRow:
    """A sentence with all that is proposed for it. The row behind the last sentence has no
    `number` and no text."""

    number: int | None
    text: str
    changes: list[Change] = field(default_factory=list)
    insertions: list[Insertion] = field(default_factory=list)

    @property
    def is_unchanged(self) -> bool:
        return not self.changes and not self.insertions


@dataclass(frozen=True)
class UnchangedRows:
    """Consecutive sentences that nobody changes."""

    first: int
    last: int
    texts: list[str]


@dataclass(frozen=True)
class ChangeCounts:
    rewritten: int
    deleted: int
    inserted: int


def count_changes(judgment: Judgment) -> ChangeCounts:
    return ChangeCounts(
        rewritten=sum(bool(verdict.correction) for verdict in judgment.verdicts),
        deleted=sum(verdict.is_deleted for verdict in judgment.verdicts),
        inserted=len(judgment.missing),
    )


def correction_rows(proposals: Sequence[Proposal]) -> list[SentenceRow | UnchangedRows]:
    """Return the sentences in order; unchanged ones are folded into one row."""
    rows: dict[tuple[int, int], SentenceRow] = {}
    end = SentenceRow(None, "")
    for proposal in proposals:
        for place, sentence in enumerate(proposal.sentences):
            key = sentence.start, sentence.end
            row = rows.setdefault(key, SentenceRow(place + 1, sentence.text))
            verdict = proposal.judgment.verdicts[place]
            if verdict.is_deleted or verdict.correction:
                row.changes.append(_change(proposal.number, sentence.text, verdict))
        for missing in proposal.judgment.missing:
            row = end
            if missing.place < len(proposal.sentences):
                sentence = proposal.sentences[missing.place]
                row = rows[sentence.start, sentence.end]
            row.insertions.append(Insertion(proposal.number, missing))
    ordered = [rows[key] for key in sorted(rows)]
    return _folded([*ordered, *([end] if end.insertions else [])])


def _change(proposal: int, text: str, verdict: Verdict) -> Change:
    spans = [DiffSpan("delete", text)]
    if not verdict.is_deleted:
        spans = sentence_changes(text, verdict.correction)
    return Change(proposal, verdict.code, spans, verdict.is_deleted)


def _folded(rows: Sequence[SentenceRow]) -> list[SentenceRow | UnchangedRows]:
    folded: list[SentenceRow | UnchangedRows] = []
    for row in rows:
        last = folded[-1] if folded else None
        if not row.is_unchanged or row.number is None:
            folded.append(row)
        elif isinstance(last, UnchangedRows):
            folded[-1] = UnchangedRows(last.first, row.number, [*last.texts, row.text])
        else:
            folded.append(UnchangedRows(row.number, row.number, [row.text]))
    return folded
