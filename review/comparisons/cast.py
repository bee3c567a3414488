"""A vote as ratings are computed from it, and the reasons why some don't count."""

from __future__ import annotations

from typing import NamedTuple

# While a round runs, votes count in steps of this size, because a number that changes with a single
# vote would reveal to its reviewer which model wrote which caption.
VOTE_BATCH_SIZE = 10
CHANGED, NAMES_MODEL, REPEAT, BOTH_BAD = "changed", "names_model", "repeat", "both_bad"
EXCLUDED = "excluded"
WHY = {
    EXCLUDED: "The video of the clip is left out of the project.",
    CHANGED: "The reviewer changed this vote; the newer one takes its place.",
    NAMES_MODEL: "A caption names its model, by the check of the round or by the reviewer.",
    REPEAT: "The reviewer had judged these two captions before.",
    BOTH_BAD: "Both captions are bad, and the round leaves such votes out.",
}
# In files: a vote that would count, but isn't in a complete step of a running round.
WAITING = "waiting"


class Cast(NamedTuple):
    """A vote. `left` and `right` are keys of systems; `why` is empty for one that counts."""

    key: int
    left: int
    right: int
    outcome: str
    rater: str
    clip: int
    category: str
    why: str
