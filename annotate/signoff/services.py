"""An expert signs off a clip's final texts, or returns one of them."""

from __future__ import annotations

from django.db import connection

from annotate.errors import AnnotateError, LeaseLost, WorkInvalid
from annotate.models import Assignment, SignOff, WorkItem
from annotate.queue.content import Content
from annotate.queue.services import Submission, submits
from annotate.signoff.queries import texts_to_sign
from annotate.split.services import reopen_merge, send_back_split
from annotate.text.parts import Problem

Verdict = SignOff.Verdict
MAX_COMMENT_LENGTH = 2000
NO_TEXTS = "These texts no longer exist. Skip this clip and tell an admin."
SENT_BACK = (
    "Another expert has sent a text of this clip back, so these texts will change. "
    "Nothing was stored, and your comment is kept here to read or copy."
)


@submits()
def submit_sign_off(submission: Submission) -> None:
    """Store the verdict. A returned text opens for its author with the comment and ends this work
    for everybody: the new texts need new sign-offs.

    Raises WorkInvalid, which says what to fix, AnnotateError if nobody can get the text back,
    LeaseLost, or DraftConflict.
    """
    verdict, comment = checked_sign_off(submission.content)
    if submission.item.state == WorkItem.State.CANCELLED:
        raise LeaseLost(SENT_BACK)
    texts = texts_to_sign(submission.assignment)
    if texts is None:
        raise AnnotateError(NO_TEXTS)
    SignOff.objects.create(
        texts=texts,
        assignment=submission.assignment,
        expert=submission.person,
        verdict=verdict,
        comment=comment,
    )
    submission.complete()
    submission.record(verb="sign off", after={"verdict": verdict, "comment": comment})
    if verdict != Verdict.AGREE:
        _end_for_others(submission.assignment)
        send_back = reopen_merge if verdict == Verdict.MERGE else send_back_split
        send_back(clip=submission.item.clip, expert=submission.person, comment=comment)


def checked_sign_off(content: Content) -> tuple[Verdict, str]:
    """Return the verdict and its comment. Raises WorkInvalid."""
    comment = content.get("comment", "").strip()
    verdict = content.get("verdict", "")
    problems = []
    if verdict not in Verdict.values:
        problems.append(Problem("verdict", "Choose one: sign off, or what you send back."))
    elif verdict != Verdict.AGREE and not comment:
        message = "Write what should change: the author goes by your comment."
        problems.append(Problem("comment", message))
    if len(comment) > MAX_COMMENT_LENGTH:
        mend = f"shorten it to {MAX_COMMENT_LENGTH:,} (it has {len(comment):,})."
        problems.append(Problem("comment", f"The comment has too many characters; {mend}"))
    if problems:
        raise WorkInvalid(problems)
    return Verdict(verdict), comment


def _end_for_others(assignment: Assignment) -> None:
    """End the work on these texts. An expert who submits at this moment is locked already; their
    submit is refused, because the work is canceled."""
    WorkItem.objects.filter(pk=assignment.item_id).update(state=WorkItem.State.CANCELLED)
    others = Assignment.objects.filter(item=assignment.item_id, state=Assignment.State.HELD)
    if connection.features.has_select_for_update_skip_locked:
        others = others.select_for_update(skip_locked=True)
    keys = list(others.values_list("pk", flat=True))
    Assignment.objects.filter(pk__in=keys).update(state=Assignment.State.EXPIRED)
