"""The queue for all human work: claim, heartbeat, draft, skip, submit, expire, send back.

Lock order everywhere: an assignment before its item. `expire_leases` and `claim_next` skip rows
that others have locked, so that there are no deadlocks.
"""

from annotate.queue.services.choosing import claim_chosen
from annotate.queue.services.claims import (
    claim_next,
    claimable_by,
    free_items,
    next_clip,
    skip,
    take_again,
    take_known,
)
from annotate.queue.services.drafts import Heartbeat, SavedDraft, beat, save_draft
from annotate.queue.services.leases import expire_leases, release_holds
from annotate.queue.services.returns import offer_again, pause_item, resume_item, send_back
from annotate.queue.services.submissions import Submission, complete, lock_for_submit
from annotate.queue.services.submitting import submit_once, submits

__all__ = [
    "Heartbeat",
    "SavedDraft",
    "Submission",
    "beat",
    "claim_chosen",
    "claim_next",
    "claimable_by",
    "complete",
    "expire_leases",
    "free_items",
    "lock_for_submit",
    "next_clip",
    "offer_again",
    "pause_item",
    "release_holds",
    "resume_item",
    "save_draft",
    "send_back",
    "skip",
    "submit_once",
    "submits",
    "take_again",
    "take_known",
]
