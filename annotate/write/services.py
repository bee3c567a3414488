"""Stage I: one annotator's four-part write-up of a clip."""

from __future__ import annotations

from annotate.corpus.services.captions import record_captions
from annotate.corpus.services.opening import open_next
from annotate.errors import WorkInvalid
from annotate.models import Assignment, Caption, CaptionRank, WorkItem
from annotate.queue.content import Content, timed_fields, write_up_parts
from annotate.queue.queries import latest_caption
from annotate.queue.services import Submission, submits
from annotate.text.parts import check_parts, join_parts
from annotate.text.spans import Timed, make_spans
from annotate.write.queries import opened_machine_draft


def check_write_up(content: Content, item: WorkItem) -> list[Timed]:
    """Return the timed sentences. Raises WorkInvalid, which says what to fix."""
    project, parts = item.project, write_up_parts(content)
    problems = check_parts(parts, min_words=project.min_words, max_words=project.max_words)
    if problems:
        raise WorkInvalid(problems)
    return timed_fields(content, parts, item)


@submits()
def submit_write_up(submission: Submission) -> None:
    """Store the write-up as a caption; the last write-up of a clip opens the merge. Without a merge
    in the protocol the write-up is the final text.

    Raises WorkInvalid, which says what to fix, LeaseLost, or DraftConflict.
    """
    assignment, content = submission.assignment, submission.content
    parts = write_up_parts(content)
    sentences = check_write_up(content, assignment.item)
    text = join_parts(parts)
    earlier = latest_caption(assignment) if assignment.returned_by_id else None
    steps = assignment.item.project.pipeline.keys
    is_merged = "merge" in steps or "write" not in steps
    record_captions(
        assignment,
        Caption.Source.HUMAN,
        [
            {
                "kind": Caption.Kind.GENERAL,
                "text": text,
                "parts": parts,
                "spans": make_spans(text, sentences) or None,
                "provenance": _provenance(assignment, content),
            }
        ],
        parents=[earlier] if earlier else [],
        because=CaptionRank.Because.WRITE_UP if is_merged else "",
    )
    if submission.complete() and is_merged:
        open_next(
            assignment,
            "merge",
            comment="A write-up that you sent back has been rewritten. Your merge is as it was.",
        )
    submission.record()


def _provenance(assignment: Assignment, content: Content) -> list[dict[str, int]]:
    """Return the machine draft that the writer had opened: their text depends on it."""
    key = content.get("machine_draft", "")
    opened = opened_machine_draft(assignment.item.clip_id, key) if key else None
    return [{"machine_draft": opened.pk}] if opened else []
