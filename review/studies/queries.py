"""Which captions studies have drawn."""

from __future__ import annotations

from collections.abc import Collection

from review.studies.models import Study, StudyCaption


def in_threshold_studies(captions: Collection[int]) -> set[int]:
    """Return those of these captions that a threshold study has drawn, running or stopped."""
    drawn = StudyCaption.objects.filter(
        caption__in=list(captions), study__kind=Study.Kind.THRESHOLD
    )
    return set(drawn.values_list("caption", flat=True))
