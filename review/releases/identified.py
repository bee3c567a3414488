"""A release's statement on how often people identified its clips from a text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotate.models import Project
from review.frozen.records import RestoredRecord
from review.identification.computing import Pick, Share, shares_of
from review.identification.queries import picks_of
from review.verification.completeness import CompleteClip

IDENTIFIED = "identified"


def identified_of(
    project: Project, rows: Sequence[CompleteClip]
) -> dict[int, dict[str, dict[str, float]]]:
    """Return, by clip and kind of text, the picks of ended tests for exactly these texts, in the
    project or in an imported release: how many were right, how many there are, and how many
    guessing would get right."""
    captions = {key for row in rows for key in (row.caption_id, row.spatial_id, row.temporal_id)}
    by_clip: dict[int, list[Pick]] = defaultdict(list)
    for pick in (*_restored(project), *picks_of(project, only_ended=True)):
        if pick.caption in captions:
            by_clip[pick.clip].append(pick)
    return {
        clip: {
            share.kind: {
                "right": share.right,
                "picks": share.picks,
                "guessed": round(share.guessed, 6),
            }
            for share in shares_of(picks)
        }
        for clip, picks in by_clip.items()
    }


def _restored(project: Project) -> Iterator[Pick]:
    """Yield the picks of imported releases; a wrong one names no clip."""
    rows = RestoredRecord.objects.filter(project=project, file=RestoredRecord.File.PICKS)
    columns = ("caption__kind", "caption__clip", "values")
    for kind, clip, values in rows.order_by("pk").values_list(*columns).iterator():
        picked = clip if values["picked"] == values["caption"] else 0
        yield Pick(0, values["caption"], kind, "", "", clip, picked, values["options"])


def add_up(provenances: Iterable[Mapping[str, Any]]) -> list[Share]:
    """Return a share for each kind of text that people were asked about."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0])
    for provenance in provenances:
        for kind, counts in provenance.get(IDENTIFIED, {}).items():
            for place, name in enumerate(("right", "picks", "guessed")):
                sums[kind][place] += counts[name]
    return [
        Share(kind=kind, category="", right=int(right), picks=int(picks), guessed=guessed)
        for kind, (right, picks, guessed) in sorted(sums.items())
    ]


def identification_sentence(shares: Sequence[Share]) -> str:
    """Return a sentence on the questions and the share of right answers; "" if nobody was asked."""
    if not shares:
        return ""
    parts = [
        f"{share.right:,} of {share.picks:,} picks by the {name_of(share.kind)} text alone "
        f"({share.chance:.0f} % by guessing)"
        for share in shares
        if share.chance is not None
    ]
    return (
        "People who had not worked on a clip picked it among similar ones of its subcategory: "
        f"right were {' and '.join(parts)}."
    )


def name_of(kind: str) -> str:
    return "merged" if kind == "general" else kind
