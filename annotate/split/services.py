"""Stage II: split the merged text into a spatial and a temporal caption."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from django.db import transaction

from annotate.corpus.services.captions import record_captions
from annotate.corpus.services.sign_offs import open_sign_offs, withdraw_sign_offs
from annotate.errors import AnnotateError, WorkInvalid
from annotate.merge.queries import merged_caption
from annotate.models import Assignment, Caption, Clip, User, WorkItem
from annotate.queue.content import Content, split_targets, split_texts
from annotate.queue.services import Submission, pause_item, send_back, submits
from annotate.split.queries import split_neighbors
from annotate.text.parts import PARTS, Problem
from annotate.text.sentences import split_sentences
from annotate.text.spans import Span, Timed, inherited_times, make_spans, with_times
from annotate.text.split_checks import SplitWarning, check_split
from annotate.text.split_kept import with_dismissals
from annotate.text.words import count_words

FIELDS = {"spatial": Caption.Kind.SPATIAL, "temporal": Caption.Kind.TEMPORAL}


def merged_sentences(merged: Caption) -> list[tuple[str, str]]:
    """Return (part, sentence) of the merged text, in order."""
    return [
        (part, sentence.text)
        for part in PARTS
        for sentence in split_sentences(merged.parts.get(part, ""))
    ]


def split_warnings(
    merged: Caption, texts: Mapping[str, str], neighbors: Mapping[str, tuple[str, str]]
) -> list[SplitWarning]:
    """Return the Stage-II warnings for the two texts, given the merged caption and
    the neighbors.
    """
    return check_split(
        spatial=texts["spatial"],
        temporal=texts["temporal"],
        stage_one=merged.text,
        overview=merged.parts.get("overview", ""),
        neighbors=neighbors,
    )


def timed_sentences(merged: Caption) -> list[Timed]:
    """Return the sentences of the merged text with their frames, in order."""
    sentences = [sentence for _, sentence in merged_sentences(merged)]
    return with_times(merged.text, merged.spans, sentences)


def _spans(text: str, merged: Caption) -> list[Span] | None:
    """Return the spans of one half: each sentence has the time of its merged sentence."""
    if not merged.spans:
        return None
    return make_spans(text, inherited_times(text, timed_sentences(merged))) or None


def checked_split(clip: Clip, content: Content) -> Caption:
    """Return the merged text of both captions. Raises WorkInvalid if one is empty, and
    AnnotateError if the merged text has changed since the page was opened."""
    problems = [
        Problem(field, f"The {field} caption is empty. Write it from the sentences of the text.")
        for field, text in split_texts(content).items()
        if not count_words(text)
    ]
    if problems:
        raise WorkInvalid(problems)
    merged = merged_caption(clip)
    if merged is None:
        raise AnnotateError("There is no merged text to split yet.")
    _refuse_another_text(merged, content)
    return merged


@submits()
def submit_split(submission: Submission) -> None:
    """Store the spatial and the temporal caption with their warnings, including dismissed ones.

    Raises WorkInvalid if one is empty, AnnotateError if the merged text has changed since the page
    was opened, LeaseLost, or DraftConflict.
    """
    assignment, content = submission.assignment, submission.content
    texts, merged = split_texts(content), checked_split(assignment.item.clip, content)
    warnings = split_warnings(merged, texts, split_neighbors(assignment.item.clip))
    record_captions(
        assignment,
        Caption.Source.HUMAN,
        [
            {
                "kind": kind,
                "text": texts[field],
                "spans": _spans(texts[field], merged),
                "checks": [
                    {**asdict(part), "dismissed": dismissed}
                    for warning in warnings
                    if warning.field == field
                    for part, dismissed in with_dismissals(warning, texts[field], content)
                ],
            }
            for field, kind in FIELDS.items()
        ],
        parents=[merged],
    )
    is_done = submission.complete({**content, "merged": str(merged.pk)})
    submission.record()
    if is_done and submission.project.sign_offs:
        open_sign_offs(submission.project, Clip.objects.filter(pk=submission.item.clip_id))


@transaction.atomic
def send_back_split(*, clip: Clip, expert: User, comment: str) -> None:
    """Return the submitted split to its author, with a comment."""
    send_back(_submitted(clip, "split"), by=expert, comment=comment)
    withdraw_sign_offs(clip)


@transaction.atomic
def reopen_merge(*, clip: Clip, expert: User, comment: str) -> None:
    """Return the merged text to its expert; the split and its draft wait for the new text."""
    send_back(_submitted(clip, "merge"), by=expert, comment=comment)
    split = WorkItem.objects.select_for_update().filter(clip=clip, kind="split").first()
    if split is not None:
        pause_item(split)
    withdraw_sign_offs(clip)


def _refuse_another_text(merged: Caption, content: Content) -> None:
    """Refuse the submission if the merged text has changed since the page was opened."""
    sentences = [sentence for sentence, _ in split_targets(content)]
    if sentences and sentences != [sentence for _, sentence in merged_sentences(merged)]:
        raise AnnotateError(
            "The merged text has changed since this page was loaded. "
            "Reload it to see what is new; your two texts stay as they are."
        )


def _submitted(clip: Clip, kind: str) -> Assignment:
    assignment = (
        Assignment.objects.select_related("item__project")
        .select_for_update(of=("self", "item"))
        .filter(item__clip=clip, item__kind=kind, state=Assignment.State.SUBMITTED)
        .first()
    )
    if assignment is None:
        raise AnnotateError(f"There is no finished {kind} of this clip to send back.")
    return assignment
