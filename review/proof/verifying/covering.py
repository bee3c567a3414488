"""How many of the clips of a release a report is about."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from review.proof.verifying.facts import TEXTS
from review.proof.verifying.tables import ReportInputs


def covered_clips(inputs: ReportInputs, released: Collection[int]) -> int | None:
    """Return how many of the released clips a report on CapST or Recall@K covers; None for another
    report, and for one on whole videos."""
    if inputs.report.report == "capst":
        lists = ("events_reference", "events_predicted", "objects_reference", "objects_predicted")
        rows = inputs.values("judgments", clip=int, **dict.fromkeys(lists, Any))
        return len({clip for clip, *judged in rows if None not in judged} & set(released))
    if inputs.report.report != "recall" or "clips" not in inputs:
        return None
    clips = set(released)
    for part in ("clips", *TEXTS):
        if part in inputs:
            clips &= set(inputs.column(part, clip=int))
    return len(clips)


def coverage(inputs: ReportInputs, released: Collection[int]) -> str:
    """Return such as "5 of 6 clips" for a report on fewer clips than the release has."""
    covered = covered_clips(inputs, released)
    return "" if covered in (None, len(released)) else f"{covered:,} of {len(released):,} clips"
