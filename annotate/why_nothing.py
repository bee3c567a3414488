"""What My work says of a kind of work when somebody would like to go on and can't."""

from __future__ import annotations

from annotate.models import Membership, WorkItem

Kind = WorkItem.Kind

# What to say when there is no such work at all, none that is free, and none for this person.
WHY_NOTHING = {
    Kind.DYNAMICS: (
        "A video comes here once it is cut into clips. None is ready now.",
        "Every video has been judged twice, or somebody is at it.",
        "You have judged, or skipped, every video that waits.",
    ),
    Kind.HAND: (
        "A clip comes here when no model described it well enough. None is ready now.",
        "Every such clip is written, or somebody is at it.",
        "You have written, or skipped, every clip that waits.",
    ),
    Kind.VERIFY: (
        "A model’s caption comes here when an admin hands it out. None is ready now.",
        "Every such caption is verified, or somebody is at it.",
        "You have verified, or skipped, every caption that waits.",
    ),
    Kind.RATE: (
        "Captions come here when an admin starts a study of ratings. None runs now.",
        "Every caption of the study is rated, or somebody is at it.",
        "You have rated or skipped every caption that waits, or worked on its clip yourself.",
    ),
    Kind.PAIR: (
        "Two labels that are much alike come here when an admin hands them out. None waits now.",
        "Every such pair is judged, or somebody is at it.",
        "You have judged, or skipped, every pair that waits.",
    ),
    Kind.MODIFY: (
        "A pair of labels comes here once it is decided what differs. None is ready now.",
        "Every such pair has its texts, or somebody is at them.",
        "You have written, or skipped, every text that waits.",
    ),
    Kind.TRIPLET: (
        "A query comes here when an admin hands it out. None waits now.",
        "Every such query is verified, or somebody is at it.",
        "You have verified, or skipped, every query that waits.",
    ),
    Kind.COMPARE: (
        "Pairs of captions come here when an admin starts a round of comparisons. None runs now.",
        "The round has all the votes that it wants from you.",
        "The round has all the votes that it wants from you.",
    ),
    Kind.ELEMENTS: (
        "What a model found in a caption comes here when an admin hands it out. None waits now.",
        "Every such caption is checked, or somebody is at it.",
        "You have checked, or skipped, every caption that waits.",
    ),
}


def why_nothing_waits(kind: str, membership: Membership, totals: dict[str, dict[str, int]]) -> str:
    """A sentence for somebody who would like to go on and can't."""
    here = totals.get(kind, {"all": 0, "free": 0})
    if kind in WHY_NOTHING:
        none_yet, none_free, none_for_you = WHY_NOTHING[Kind(kind)]
        return none_for_you if here["free"] else none_free if here["all"] else none_yet
    writing = totals.get(Kind.WRITE, {"all": 0, "done": 0})
    if kind == Kind.WRITE:
        if not here["all"]:
            return "No clips have been imported yet."
        if not here["free"]:
            writers = "two writers" if membership.project.writers_per_clip == 2 else "a writer"
            return f"All clips have {writers}."
        return "You have written, or skipped, every clip that still needs a writer."
    if here["free"]:
        if kind == Kind.MERGE:
            return "You wrote or skipped the clips that wait, so another expert merges them."
        return "You have split, or skipped, every clip that waits."
    if writing["all"] and here["all"] == writing["all"]:
        return f"Every clip is {'merged' if kind == Kind.MERGE else 'split'}, or somebody is at it."
    before = "its write-ups are in" if kind == Kind.MERGE else "it is merged"
    return f"A clip comes here once {before}. None is ready now."
