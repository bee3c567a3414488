"""What the models of a round were asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from review.captions.instructions import instructions_of
from review.comparisons.models import ComparisonRound, Entrant
from review.reports.instructions import Instructions


def instructions_of_round(round: ComparisonRound) -> dict[str, Instructions]:
    """By the keys of the round's entrants as its reports have them, in the order of entering."""
    entrants = Entrant.objects.filter(round=round).select_related("caption_set__run")
    return instructions_of_entrants(entrants.order_by("pk"))


def instructions_of_entrants(entrants: Iterable[Entrant]) -> dict[str, Instructions]:
    """By their keys; their sets and runs should be loaded with them."""
    return {
        str(entrant.pk): replace(instructions_of(entrant.caption_set), name=entrant.name)
        for entrant in entrants
    }
