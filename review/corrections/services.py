"""Deciding about the corrections that the people of a threshold study proposed."""

from __future__ import annotations

from django.db import transaction

from annotate.audit import record_event
from annotate.corpus.services.precedence import settle_captions
from annotate.models import Caption, Membership, User
from review.corrections.models import CorrectionDecision
from review.corrections.queries import corrections_to_decide
from review.errors import ReviewError
from review.verification.models import Verification


@transaction.atomic
def decide_corrections(
    *, membership: Membership, caption: Caption, accepted: Verification | None
) -> CorrectionDecision:
    """Make one of the proposed corrections the clip's caption, or, with None, keep the machine's.

    The new caption descends from the machine's and from the proposal. Raises ReviewError when there
    is nothing for this person to decide any more, or the verification proposes no correction of
    this caption.
    """
    # One at a time, so that a second decision sees the first one.
    Caption.objects.select_for_update(of=("self",), no_key=True).get(pk=caption.pk)
    if not corrections_to_decide(membership).filter(pk=caption.pk).exists():
        raise ReviewError(
            "You can no longer decide about this caption: somebody decided, the clip has another "
            "caption, or people are verifying this one again."
        )
    if accepted is not None and not _is_proposal(accepted, caption):
        raise ReviewError("This text is not a proposed correction of the caption. Choose another.")
    result = _accept(caption, accepted.corrected) if accepted and accepted.corrected else None
    decision = CorrectionDecision.objects.create(
        caption=caption, accepted=accepted, result=result, decided_by=membership.user
    )
    record_event(
        actor=membership.user,
        verb="accept correction" if accepted else "reject corrections",
        subject=caption,
        project=membership.project,
        before={"current": caption.pk},
        after={
            "verification": accepted.pk if accepted else None,
            "current": result.pk if result else caption.pk,
        },
    )
    return decision


def _is_proposal(verification: Verification, caption: Caption) -> bool:
    return (
        verification.caption_id == caption.pk
        and verification.corrected is not None
        and verification.corrected.kind == Caption.Kind.PROPOSAL
    )


def _accept(caption: Caption, proposal: Caption) -> Caption:
    """Store the proposed text as a corrected caption of its author. The assignment stays with the
    proposal, so that its words count once."""
    author: User | None = proposal.author
    accepted = Caption.objects.create(
        project_id=caption.project_id,
        clip_id=caption.clip_id,
        kind=caption.kind,
        source=Caption.Source.CORRECTED,
        text=proposal.text,
        word_count=proposal.word_count,
        author=author,
        provenance=proposal.provenance,
    )
    accepted.parents.add(caption, proposal)
    settle_captions([accepted])
    return accepted
