"""A caption written by hand, where no model's attempt reached the threshold (LoVR, 3.2.2)."""

from __future__ import annotations

from annotate.corpus.services.captions import record_captions
from annotate.errors import WorkInvalid
from annotate.models import Caption, CaptionRank, WorkItem
from annotate.queue.content import timed_fields
from annotate.queue.services import Submission, submits
from annotate.text.parts import Problem
from annotate.text.spans import make_spans
from annotate.text.words import count_words


@submits(takes_late=True)
def submit_hand_writing(submission: Submission) -> None:
    """Store the text as a caption that descends from the models' attempts. If the work has been
    withdrawn in the meantime, it is kept as a record that never becomes current.

    Raises WorkInvalid when it has no words, LeaseLost, or DraftConflict.
    """
    assignment, content = submission.assignment, submission.content
    text = content.get("text", "").strip()
    if not count_words(text):
        raise WorkInvalid([Problem("text", "The caption has no words; write what the clip shows.")])
    sentences = timed_fields(content, {"text": text}, assignment.item)
    is_late = submission.is_expired
    record_captions(
        assignment,
        Caption.Source.HUMAN,
        [
            {
                "kind": Caption.Kind.GENERAL,
                "text": text,
                "spans": make_spans(text, sentences) or None,
            }
        ],
        parents=_attempts(assignment.item),
        because=CaptionRank.Because.LATE if is_late else "",
    )
    submission.complete(is_late=is_late)
    submission.record(
        after={"is_late": True} if is_late else {},
    )


def _attempts(item: WorkItem) -> list[Caption]:
    """Return the captions that the writer's page showed, without those of other clips."""
    captions = [attempt.get("caption") for attempt in item.context.get("attempts", [])]
    keys = [key for key in captions if isinstance(key, int)]
    return list(Caption.objects.filter(pk__in=keys, clip=item.clip_id).order_by("pk"))
