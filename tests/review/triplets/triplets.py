"""Labeled clips, decided pairs and modifications, for tests."""

from __future__ import annotations

from typing import Any

from annotate.models import ActionLabel, Clip, Project, Video
from review.modifications.models import Modification
from review.pairs.models import LabelPair
from review.triplets.models import ComposedQuery, Triplet, TripletSet
from tests.cast import make_parts, make_video


def make_label(
    project: Project, key: str, caption: str = "", domain: str = "diving", event: str = ""
) -> ActionLabel:
    return ActionLabel.objects.create(
        project=project, key=key, caption=caption or f"Dive {key}", domain=domain, event=event
    )


def labelled_clip(
    project: Project, label: ActionLabel, split: str, video: Video | None = None
) -> Clip:
    """A clip of a video of its own in this split, unless a video is given."""
    video = video or make_video(project, split=split)
    taken = video.clips.count()
    [clip] = make_parts(video, [(taken, taken + 10)], label=label)
    return clip


def make_pair(
    first: ActionLabel, second: ActionLabel, kind: str = "temporal", **fields: Any
) -> LabelPair:
    first, second = sorted((first, second), key=lambda label: label.pk)
    return LabelPair.objects.create(
        project=first.project, first=first, second=second,
        kind=kind, **{"similarity": 0.9, "encoder": "lexical", **fields},
    )  # fmt: skip


def modify(
    source: ActionLabel, target: ActionLabel, text: str = "show with 2 somersaults", **fields: Any
) -> Modification:
    """An accepted modification, of a pair that is decided."""
    first, second = sorted((source, target), key=lambda label: label.pk)
    pair = LabelPair.objects.filter(first=first, second=second).first() or make_pair(first, second)
    values = {"state": Modification.State.ACCEPTED, **fields}
    return Modification.objects.create(pair=pair, source=source, target=target, text=text, **values)


def make_triplet(query: Clip, modification: Modification, target: Clip, **fields: Any) -> Triplet:
    triplets, _ = TripletSet.objects.get_or_create(
        project=query.project, number=1, defaults={"state": "finished"}
    )
    composed, _ = ComposedQuery.objects.get_or_create(
        triplets=triplets,
        clip=query,
        modification=modification,
        defaults={"split": query.video.split},
    )
    return Triplet.objects.create(query=composed, target=target, **fields)
