"""Corrections of the labels since a triplet set was made."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from annotate.models import ClipLabelCorrection, LabelCorrection
from review.triplets.models import Triplet, TripletSet


@dataclass(frozen=True)
class Corrections:
    """`labels` and `clips` have been corrected; `queries` and `triplets` of the set use the old
    labels. A correction that was undone doesn't count.
    """

    labels: int
    clips: int
    queries: int
    triplets: int


def corrections_since(triplets: TripletSet) -> Corrections | None:
    """Return the corrections on which queries or triplets of the set rest, or None."""
    labels, clips = _corrected_labels(triplets), _corrected_clips(triplets)
    if not labels and not clips:
        return None
    of_labels = Q(modification__source__in=labels) | Q(modification__target__in=labels)
    queries = triplets.queries.filter(of_labels | Q(clip__in=clips)).count()
    targets = Triplet.objects.filter(query__triplets=triplets)
    outdated = targets.filter(
        Q(query__modification__source__in=labels)
        | Q(query__modification__target__in=labels)
        | Q(query__clip__in=clips)
        | Q(target__in=clips)
    ).count()
    if not outdated:
        return None
    return Corrections(len(labels), len(clips), queries, outdated)


def _corrected_labels(triplets: TripletSet) -> list[int]:
    rows = LabelCorrection.objects.filter(
        label__project=triplets.project_id, corrected_at__gt=triplets.created_at
    ).values_list("label", "caption", "event", "label__caption", "label__event")
    # The oldest comes last and is kept: what the label was when the set was made.
    changed = {
        label: (caption, event) != (caption_now, event_now)
        for label, caption, event, caption_now, event_now in rows.order_by("-pk")
    }
    return [label for label, is_changed in changed.items() if is_changed]


def _corrected_clips(triplets: TripletSet) -> list[int]:
    rows = ClipLabelCorrection.objects.filter(
        clip__project=triplets.project_id, corrected_at__gt=triplets.created_at
    ).values_list("clip", "label", "clip__label")
    changed = {clip: label != label_now for clip, label, label_now in rows.order_by("-pk")}
    return [clip for clip, is_changed in changed.items() if is_changed]
