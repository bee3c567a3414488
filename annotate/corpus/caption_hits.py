"""Clips whose captions match the searched words, among captions that the member can read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from annotate.corpus.blindness import visible_captions
from annotate.models import Caption, Clip, Membership
from annotate.search.queries import with_terms
from annotate.search.words import Piece, Term, make_snippet

MAX_CAPTIONS = 1000  # so that a word in every caption takes no longer than others


@dataclass(frozen=True)
class Hits:
    """The newest matching caption of each clip, both by key. `is_cut`: there are older captions
    that match.
    """

    caption_of: dict[int, int]
    is_cut: bool


@dataclass(frozen=True)
class Snippet:
    """The part of a caption around the match; `label` says what kind of caption it is."""

    label: str
    pieces: list[Piece]


def find_captions(
    membership: Membership,
    terms: list[Term],
    clips: QuerySet[Clip] | None = None,
    most: int = MAX_CAPTIONS,
) -> Hits:
    """Search the newest `most` captions, of these clips if given. Captions that the member can't
    read neither match nor count.
    """
    captions = Caption.objects.filter(project=membership.project_id)
    if clips is not None:
        captions = captions.filter(clip__in=clips.order_by().values("pk"))
    readable = visible_captions(membership, with_terms(captions, terms))
    rows = list(readable.order_by("-pk").values_list("clip", "pk")[: most + 1])
    caption_of: dict[int, int] = {}
    for clip, caption in rows[:most]:
        caption_of.setdefault(clip, caption)
    return Hits(caption_of, is_cut=len(rows) > most)


def snippets_of(hits: Hits, clips: Iterable[int], terms: list[Term]) -> dict[int, Snippet]:
    """Return the match of each clip that has one."""
    keys = [hits.caption_of[clip] for clip in clips if clip in hits.caption_of]
    captions = Caption.objects.filter(pk__in=keys).only("clip_id", "kind", "text")
    return {
        caption.clip_id: Snippet(caption.get_kind_display(), make_snippet(caption.text, terms))
        for caption in captions
    }
