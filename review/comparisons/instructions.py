"""What the models of a round were asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from review.captions.instructions import Asked, asked_by
from review.comparisons.models import ComparisonRound, Entrant


def asked_in_round(round: ComparisonRound) -> dict[str, Asked]:
    """By the keys of the round's entrants as its reports have them, in the order of entering."""
    entrants = Entrant.objects.filter(round=round).select_related("caption_set__run")
    return asked_by_entrants(entrants.order_by("pk"))


def asked_by_entrants(entrants: Iterable[Entrant]) -> dict[str, Asked]:
    """By their keys; their sets and runs should be loaded with them."""
    return {str(one.pk): replace(asked_by(one.caption_set), name=one.name) for one in entrants}
