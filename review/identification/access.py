"""Who sees the page of the tests of identification."""

from __future__ import annotations

from django.http import Http404

from annotate.models import Membership, Project


def only_carebench(membership: Membership) -> Membership:
    """Return the membership; raise 404 in a project whose clips have no texts to identify them."""
    if membership.project.protocol != Project.Protocol.CAREBENCH:
        raise Http404("Only a project with the protocol CaReBench has tests of identification.")
    return membership
