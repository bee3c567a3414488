"""Explain why nobody can write, merge or split now: each step waits for the previous one."""

from __future__ import annotations

from annotate.queue.work_kinds import Totals


def nothing_to_write(totals: Totals) -> str:
    here = totals.get("write", {"all": 0, "free": 0})
    if not here["all"]:
        return "No clips have been imported yet."
    if not here["free"]:
        return "No clip waits for another writer now."
    return "You have written, or skipped, every clip that still needs a writer."


def nothing_to_merge(totals: Totals) -> str:
    if totals.get("merge", {"free": 0})["free"]:
        return "You wrote or skipped the clips that wait, so another expert must merge them."
    if _all_are_at("merge", totals):
        return "No clip waits for another expert to merge it now."
    return "Clips appear here once their write-ups are submitted."


def nothing_to_split(totals: Totals) -> str:
    if totals.get("split", {"free": 0})["free"]:
        return "You have split, or skipped, every clip that waits."
    if _all_are_at("split", totals):
        return "No clip waits for another person to split it now."
    return "Clips appear here once they are merged."


def _all_are_at(kind: str, totals: Totals) -> bool:
    written, here = (totals.get(step, {"all": 0})["all"] for step in ("write", kind))
    return written > 0 and here == written
