"""Decide which caption of a clip is current, by one rule for every protocol and page.

For each kind, the caption of the highest rank is current; within a rank, the newest (the greatest
key).

5. chosen: an admin made it current, or a person has written or corrected it since;
4. a person's final text: written by hand, merged, or a half of the split;
3. a machine caption as corrected by its verifier, and a human caption of a published data set;
2. a machine caption that reached the threshold of a refine run, or that its verifier left
   unchanged;
1. any other machine caption, and imported text, which can be a machine's;
0. never current: a write-up before merging, a text submitted after its source caption was replaced,
   and an attempt of a refine run that stayed below the threshold and scored no higher than the
   caption before it.

`services/precedence.py` stores ranks that don't follow from a caption's source.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Case, Exists, F, IntegerField, OuterRef, Q, QuerySet, Value, When

from annotate.models import Caption, CaptionRank, Clip

Rank = CaptionRank.Rank
Source = Caption.Source
# The kinds that describe a clip; predictions and proposals never do.
DESCRIBING = (
    Caption.Kind.GENERAL,
    Caption.Kind.SPATIAL,
    Caption.Kind.TEMPORAL,
    Caption.Kind.FULL_VIDEO,
)
# Captions that people in the project wrote, and together with these, published captions by other
# people.
BY_MEMBERS = (Source.HUMAN, Source.MERGED, Source.CORRECTED)
BY_PEOPLE = (*BY_MEMBERS, Source.PUBLISHED)

# The rank follows from the source, unless another is stored; most captions have no stored rank.
_RANK = Case(
    When(given__is_chosen=True, then=Value(Rank.CHOSEN.value)),
    When(given__rank__isnull=False, then=F("given__rank")),
    When(source__in=[Source.HUMAN, Source.MERGED], then=Value(Rank.FINAL.value)),
    When(source__in=[Source.CORRECTED, Source.PUBLISHED], then=Value(Rank.CORRECTED.value)),
    default=Value(Rank.MACHINE.value),
    output_field=IntegerField(),
)


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class Ranked(TypedDict):
    precedence: int


def with_rank(captions: QuerySet[Caption]) -> QuerySet[WithAnnotations[Caption, Ranked]]:
    """Annotate the captions with their `precedence`."""
    return captions.annotate(precedence=_RANK)


def ranks_of(captions: Collection[int]) -> dict[int, int]:
    """Return the rank of each of these captions, by key."""
    ranked = Caption.objects.filter(pk__in=captions).annotate(precedence=_RANK)
    return dict(ranked.values_list("pk", "precedence"))


def only_current(captions: QuerySet[Caption]) -> QuerySet[Caption]:
    """Return the captions that are current for their kind and clip."""
    others = Caption.objects.filter(clip=OuterRef("clip"), kind=OuterRef("kind"))
    better = others.alias(precedence=_RANK).filter(
        Q(precedence__gt=OuterRef("precedence"))
        | Q(precedence=OuterRef("precedence"), pk__gt=OuterRef("pk"))
    )
    return captions.alias(precedence=_RANK).filter(~Exists(better), precedence__gt=Rank.RECORD)


def current_captions(clips: QuerySet[Clip], kind: str = Caption.Kind.GENERAL) -> QuerySet[Caption]:
    """Return the current caption of this kind of each of the clips that has one."""
    return only_current(Caption.objects.filter(kind=kind, clip__in=clips.order_by().values("pk")))


def current_keys(captions: Collection[int]) -> set[int]:
    """Return the keys of the current ones among these captions."""
    return set(only_current(Caption.objects.filter(pk__in=captions)).values_list("pk", flat=True))


def current_caption(clip: Clip | int, kind: str = Caption.Kind.GENERAL) -> Caption | None:
    """Return the clip's current caption of this kind."""
    return only_current(Caption.objects.filter(clip=clip, kind=kind)).first()


def only_outdated(captions: QuerySet[Caption]) -> QuerySet[Caption]:
    """Return the captions of whole videos that were made from an outdated clip caption, or that
    correct such a caption.
    """
    corrected = _MadeFrom.objects.filter(
        _has_replaced_parent("to_caption"),
        from_caption=OuterRef("pk"),
        to_caption__kind=Caption.Kind.FULL_VIDEO,
    )
    return captions.filter(_has_replaced_parent("pk") | Q(Exists(corrected)))


_MadeFrom = Caption.parents.through


def _has_replaced_parent(caption: str) -> Q:
    current = only_current(Caption.objects.filter(pk=OuterRef("to_caption")))
    parents = _MadeFrom.objects.filter(
        from_caption=OuterRef(caption), to_caption__kind=Caption.Kind.GENERAL
    )
    return Q(Exists(parents.filter(~Exists(current))))
