"""What has been corrected in the labels since a triplet set was made."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from annotate.corpus.labels import CORRECT_CLIP_LABEL, CORRECT_LABEL
from annotate.models import ActionLabel, AuditEvent, Clip
from review.triplets.models import Triplet, TripletSet


@dataclass(frozen=True)
class Corrections:
    """`labels` and `clips` have been corrected; `queries` and `triplets` of the set rest on what
    they were. A correction that was taken back doesn't count.
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
    then = _first_before(triplets, CORRECT_LABEL)
    now = ActionLabel.objects.filter(pk__in=then).values("pk", "caption", "event")
    return [
        row["pk"]
        for row in now
        if then[row["pk"]] != {"caption": row["caption"], "event": row["event"]}
    ]


def _corrected_clips(triplets: TripletSet) -> list[int]:
    then = _first_before(triplets, CORRECT_CLIP_LABEL)
    now = Clip.objects.filter(pk__in=then).values_list("pk", "label__key")
    return [pk for pk, label in now if then[pk]["label"] != label]


def _first_before(triplets: TripletSet, verb: str) -> dict[int, dict[str, str]]:
    """Return what each corrected object was when the set was made."""
    events = AuditEvent.objects.filter(
        project=triplets.project_id, verb=verb, at__gt=triplets.created_at
    )
    # The oldest comes last and is kept.
    return dict(events.order_by("-id").values_list("object_id", "before"))
