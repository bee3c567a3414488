"""The fields of a vote's form."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.signing import Signer

from annotate.errors import WorkInvalid
from annotate.queue.content import Content
from annotate.queue.fields import DraftField
from annotate.text.parts import Problem
from review.comparisons.models import CaptionPair, Vote

MAX_REMARK_LENGTH = 2000
CHOOSE_ONE = "Choose one: left, right, both are good, or both are bad."
_SALT = "review.comparisons.shown"
FIELDS = (
    DraftField("outcome", "The vote.", Vote.Outcome.values),
    *(DraftField(f"reason-{key}", f"Any text: {label}.") for key, label in Vote.Reason.choices),
    DraftField("remark", "A remark."),
    DraftField("shown", "A signature of the captions and their sides, as in the task."),
)


@dataclass(frozen=True)
class Choice:
    outcome: str
    reasons: tuple[str, ...] = ()
    remark: str = ""


def shown_on(caption_pair: CaptionPair) -> str:
    """Return a signature of this pair with these sides, which reveals nothing about either."""
    sides = f"{caption_pair.pk} {caption_pair.left_id} {caption_pair.right_id}"
    return Signer(salt=_SALT).signature(sides)


def read_choice(content: Content) -> Choice:
    """Raises WorkInvalid, with what to fix, unless one of the four outcomes is chosen."""
    problems = []
    outcome = content.get("outcome", "")
    if outcome not in Vote.Outcome.values:
        problems.append(Problem("outcome", CHOOSE_ONE))
    remark = content.get("remark", "").strip()
    if len(remark) > MAX_REMARK_LENGTH:
        mend = f"shorten it to {MAX_REMARK_LENGTH} characters (it has {len(remark)})."
        problems.append(Problem("remark", f"The remark is too long: {mend}"))
    if problems:
        raise WorkInvalid(problems)
    ticked = [reason for reason in Vote.Reason.values if content.get(f"reason-{reason}")]
    return Choice(outcome, tuple(ticked), remark)


def written(choice: Choice) -> Content:
    """Return the content that `read_choice` reads as this choice."""
    ticked = {f"reason-{reason}": "on" for reason in choice.reasons}
    return {"outcome": choice.outcome, "remark": choice.remark, **ticked}


def written_vote(vote: Vote) -> Content:
    """Return the content of a stored vote."""
    return written(Choice(vote.outcome, tuple(vote.reasons), vote.remark))
