"""Access to releases and their formats."""

from __future__ import annotations

from django.http import Http404

from annotate.access import UserRequest
from annotate.models import Membership
from review.frozen.access import release
from review.frozen.models import Release
from review.releases.formats import formats_of


def release_format(
    request: UserRequest, slug: str, version: str, format_name: str
) -> tuple[Membership, Release]:
    membership, found = release(request, slug, version)
    if format_name not in formats_of(found):
        raise Http404("The release is not in this format.")
    return membership, found
