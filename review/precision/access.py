"""How pages and programs get a study, a round or a spot check by its key."""

from __future__ import annotations

from django.http import Http404

from annotate.models import Membership
from review.precision.queries import Judging, judgings_of


def judging_of(membership: Membership, key: str) -> Judging:
    """Return the study, round or spot check with this key; 404 without one."""
    judging = find_judging(membership, key)
    if judging is None:
        raise Http404("This project has no such study, round or spot check.")
    return judging


def find_judging(membership: Membership, key: str) -> Judging | None:
    judgings = judgings_of(membership.project)
    return next((judging for judging in judgings if judging.key == key), None)
