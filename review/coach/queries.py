"""A writer's finished texts with the final texts made from them."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.corpus.blindness import visible_captions
from annotate.models import Assignment, Caption, Membership, WorkItem

# Older texts say less about how a person writes now.
MOST_TEXTS = 20
FINAL = (Caption.Source.MERGED, Caption.Source.CORRECTED)


@dataclass(frozen=True)
class OwnText:
    """A text by the person, and the newest text that others made from it."""

    own: Caption
    final: Caption


def own_texts(membership: Membership, *, assignment: int | None = None) -> list[OwnText]:
    """Return the person's last texts with a final text by somebody else that they can read, newest
    first; with `assignment`, only that of this work. Two queries, plus those for what they can
    read.

    Nothing is compared before the merge is submitted, nor while the text is returned.
    """
    written = Caption.objects.filter(
        project=membership.project,
        author=membership.user,
        kind=Caption.Kind.GENERAL,
        assignment__state=Assignment.State.SUBMITTED,
        assignment__item__purpose=WorkItem.Purpose.WORK,
    )
    if assignment is not None:
        written = written.filter(assignment=assignment)
    links = Caption.parents.through.objects.filter(to_caption__in=written.values("pk"))
    made = Caption.objects.filter(
        pk__in=links.values("from_caption"), kind=Caption.Kind.GENERAL, source__in=FINAL
    ).exclude(author=membership.user)
    finals = visible_captions(membership, made).order_by("-pk").only("pk", "text", "created_at")
    texts: dict[int, OwnText] = {}
    recent = {final.pk: final for final in finals[: 2 * MOST_TEXTS]}
    rows = links.filter(from_caption__in=recent).order_by("-from_caption", "-to_caption")
    pairs = list(rows.values_list("from_caption", "to_caption"))
    own = written.select_related("clip", "assignment__item").in_bulk([key for _, key in pairs])
    for final, key in pairs:
        caption = own[key]
        texts.setdefault(caption.assignment_id or 0, OwnText(caption, recent[final]))
    return list(texts.values())[:MOST_TEXTS]
