"""Who sees the page of the tests of identification."""

from __future__ import annotations

from django.http import Http404

from annotate.models import Membership


def with_texts_to_identify(membership: Membership) -> Membership:
    """Return the membership; raise 404 in a project whose clips have no texts to identify them."""
    if "identification" not in membership.project.pipeline.keys:
        raise Http404("The protocol of this project has no tests of identification.")
    return membership
