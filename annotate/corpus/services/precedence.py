"""The one place that decides which caption replaces which.

The rule is in `annotate/corpus/precedence.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction

from annotate.audit import record_event
from annotate.corpus.precedence import (
    BY_MEMBERS,
    DESCRIBING,
    current_caption,
    current_keys,
    ranks_of,
)
from annotate.corpus.services.sign_offs import open_sign_offs
from annotate.errors import AnnotateError
from annotate.models import Caption, CaptionRank, Clip, User, WorkItem
from annotate.queue.services.withdrawing import withdraw_work_about
from annotate.search.services import index_soon

Rank = CaptionRank.Rank
Because = CaptionRank.Because
_RANK_OF = {
    Because.WRITE_UP: Rank.RECORD,
    Because.LATE: Rank.RECORD,
    Because.NOT_BETTER: Rank.RECORD,
    Because.REFINED: Rank.ACCEPTED,
    Because.VERIFIED: Rank.ACCEPTED,
}


def settle_captions(captions: Sequence[Caption], because: str = "") -> None:
    """Rank new captions, withdraw work about the captions that they replace, and have a worker
    index their words.

    Without `because` their rank follows from their source; if an admin has chosen the clip's
    caption, a text that people write later becomes the chosen one. Call it in the transaction that
    stores the captions.
    """
    if not captions:
        return
    index_soon()
    if because:
        rank = _RANK_OF[Because(because)]
        CaptionRank.objects.bulk_create(
            [CaptionRank(caption=caption, rank=rank, because=because) for caption in captions],
            batch_size=500,
        )
    by_people = [caption for caption in captions if caption.source in BY_MEMBERS]
    if by_people and not because:
        _take_choice_over(by_people)
    if not because or _RANK_OF[Because(because)] > Rank.RECORD:
        withdraw_work_about(_replaced_by(captions))


def accept_captions(captions: Collection[int], because: str) -> None:
    """Rank these machine captions above those that nobody has accepted. Safe to repeat: the first
    reason stays.
    """
    if not captions:
        return
    ranks = CaptionRank.objects.filter(caption__in=captions)
    ranks.filter(rank=None).update(rank=Rank.ACCEPTED, because=because)
    have = set(ranks.values_list("caption", flat=True))
    CaptionRank.objects.bulk_create(
        [
            CaptionRank(caption_id=caption, rank=Rank.ACCEPTED, because=because)
            for caption in captions
            if caption not in have
        ],
        ignore_conflicts=True,
        batch_size=500,
    )


@transaction.atomic
def make_current(*, caption_id: int, clip: Clip, admin: User) -> Caption:
    """Make a caption the current one of its kind and clip, whatever its rank.

    No run replaces it afterwards, but later texts and corrections by people do. Raises
    AnnotateError if it can't become current or already is.
    """
    clip = Clip.objects.select_for_update(of=("self",), no_key=True).get(pk=clip.pk)
    caption = Caption.objects.filter(pk=caption_id, clip=clip).first()
    if caption is None or caption.kind not in DESCRIBING:
        raise AnnotateError("This text can't be the clip's caption. Choose one of its captions.")
    if CaptionRank.objects.filter(caption=caption, because=Because.WRITE_UP).exists():
        raise AnnotateError("A write-up can't be the clip's caption. It is merged first.")
    before = current_caption(clip, caption.kind)
    if before == caption:
        raise AnnotateError("This is the current caption already. Nothing was changed.")
    others = CaptionRank.objects.filter(caption__clip=clip, caption__kind=caption.kind)
    others.filter(is_chosen=True, rank=None).delete()
    others.update(is_chosen=False)
    CaptionRank.objects.update_or_create(caption=caption, defaults={"is_chosen": True})
    record_event(
        actor=admin,
        verb="make current",
        subject=caption,
        project=caption.project,
        before={"current": before.pk if before else None},
        after={"current": caption.pk, "clip": clip.pk, "kind": caption.kind},
    )
    withdraw_work_about(_replaced_by([caption]))
    if clip.project.sign_offs:
        open_sign_offs(clip.project, Clip.objects.filter(pk=clip.pk))
    return caption


def _take_choice_over(captions: Sequence[Caption]) -> None:
    chosen = set(
        CaptionRank.objects.filter(
            is_chosen=True, caption__clip__in={caption.clip_id for caption in captions}
        ).values_list("caption__clip", "caption__kind")
    )
    CaptionRank.objects.bulk_create(
        CaptionRank(caption=caption, is_chosen=True)
        for caption in captions
        if (caption.clip_id, caption.kind) in chosen
    )


def _replaced_by(captions: Sequence[Caption]) -> list[WorkItem]:
    """Return the open work about captions that these ones replace, except the work that the
    captions came from.
    """
    own = {caption.assignment.item_id for caption in captions if caption.assignment}
    open_work = list(
        WorkItem.objects.filter(
            clip__in={caption.clip_id for caption in captions},
            kind__in=["verify", "hand"],
            state=WorkItem.State.OPEN,
        )
        .exclude(pk__in=own)
        .order_by("pk")
    )
    if not open_work:
        return []
    current = current_keys({caption.pk for caption in captions})
    ranks = ranks_of(current)
    new = {(caption.clip_id, caption.kind): caption for caption in captions if caption.pk in ranks}
    kind_of = dict(
        Caption.objects.filter(pk__in={item.subject for item in open_work}).values_list(
            "pk", "kind"
        )
    )

    def is_replaced(item: WorkItem) -> bool:
        if item.kind == "verify":
            caption = new.get((item.clip_id, kind_of.get(item.subject, "")))
            return caption is not None and caption.pk != item.subject
        caption = new.get((item.clip_id, Caption.Kind.GENERAL))
        # After a model's next attempt, the text must still be written by hand; after an accepted
        # text, not.
        return caption is not None and ranks[caption.pk] > Rank.MACHINE

    return [item for item in open_work if is_replaced(item)]
