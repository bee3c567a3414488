"""Which text of a guideline a person has seen."""

from __future__ import annotations

from annotate.guidelines import guideline_text
from annotate.guidelines.changes import paragraph_digests, version_of
from annotate.models import Membership, SeenGuideline


def seen_guideline(membership: Membership, kind: str) -> str | None:
    """Return the digests of the text that the person has seen last, or None."""
    seen = SeenGuideline.objects.filter(membership=membership, kind=kind)
    return seen.values_list("digests", flat=True).first()


def record_seen(*, membership: Membership, kind: str, version: str) -> bool:
    """Store that the person has seen this version of the guideline, and return True. Return False,
    and store nothing, if the guideline has changed since."""
    digests = paragraph_digests(guideline_text(membership.project, kind))
    if version_of(digests) != version:
        return False
    SeenGuideline.objects.update_or_create(
        membership=membership, kind=kind, defaults={"digests": digests}
    )
    return True
