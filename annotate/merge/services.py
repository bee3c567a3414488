"""The expert's merge of the write-ups into one Stage-I text."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotate.corpus.services.captions import record_captions
from annotate.corpus.services.opening import open_next
from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import Assignment, Caption, User, WorkItem
from annotate.queue.content import Content, merge_rows
from annotate.queue.services import Submission, pause_item, send_back, submits
from annotate.text.looked import conflict_checks
from annotate.text.merging import Rows, current_rows, merged_parts, merged_spans, provenance
from annotate.text.parts import check_parts, join_parts
from annotate.write.queries import texts_of, write_ups


def checked_merge(item: WorkItem, sources: Sequence[Caption], content: Content) -> Rows:
    """Return the rows that the page sent, as the write-ups are now. Raises WorkInvalid."""
    a, b = texts_of(sources)
    # The sentences in the page's form can be outdated or not from the write-ups.
    rows = current_rows(merge_rows(content), a, b)
    limits = {"min_words": item.project.min_words, "max_words": item.project.max_words}
    if problems := check_parts(merged_parts(rows), **limits):
        raise WorkInvalid(problems)
    return rows


@submits()
def submit_merge(submission: Submission) -> None:
    """Store the merged text with the origin of each sentence and its conflicts; the split opens.

    Raises WorkInvalid, which says what to fix, LeaseLost, or DraftConflict.
    """
    assignment, content = submission.assignment, submission.content
    sources = write_ups(assignment.item.clip)
    rows = checked_merge(assignment.item, sources, content)
    a, b = texts_of(sources)
    parts = merged_parts(rows)
    text, origins = join_parts(parts), provenance(rows)
    record_captions(
        assignment,
        Caption.Source.MERGED,
        [
            {
                "kind": Caption.Kind.GENERAL,
                "text": text,
                "parts": parts,
                "provenance": origins,
                "spans": merged_spans(text, origins, a, b) or None,
                "checks": conflict_checks(rows, content),
            }
        ],
        parents=sources,
    )
    if submission.complete():
        open_next(
            assignment,
            "split",
            comment="The merged text has changed. Your split is as you left it.",
        )
    submission.record()


@transaction.atomic
def send_back_write_up(
    *, merge_assignment_id: int, expert: User, caption_id: int, comment: str
) -> Assignment:
    """Return one write-up from the merge to its author. The merge and its draft wait.

    Returns the expert's assignment. Raises AnnotateError if the write-up isn't part of the merge.
    """
    merge = (
        Assignment.objects.select_related("item__clip", "item__project")
        .select_for_update(of=("self", "item"))
        .get(pk=merge_assignment_id, annotator=expert)
    )
    if merge.state not in {Assignment.State.HELD, Assignment.State.PAUSED}:
        raise AnnotateError("You no longer hold this merge, so nothing was sent back.")
    if merge.item.purpose != WorkItem.Purpose.WORK:
        raise AnnotateError("This is training, so nothing is sent back. Merge both as they are.")
    caption = next((c for c in write_ups(merge.item.clip) if c.pk == caption_id), None)
    if caption is None:
        raise AnnotateError("This write-up has been replaced by a newer one. Reload the page.")
    if caption.assignment_id is None:
        raise AnnotateError("This write-up was not made here, so nobody can rewrite it.")
    writing = (
        Assignment.objects.select_related("item__project")
        .select_for_update(of=("self", "item"))
        .get(pk=caption.assignment_id)
    )
    send_back(writing, by=expert, comment=comment)
    pause_item(merge.item)
    merge.refresh_from_db()
    return merge
