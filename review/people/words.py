"""Signs of missing attention in words."""

from __future__ import annotations

from annotate.queue.finished import in_words
from metrics.attention import FAST_Z, Outlier, Pace
from review.people.signs import LAST, Sign, SignOf

NAMES = {
    Sign.SIDE: "One side",
    Sign.CHANGED: "Changed votes",
    Sign.QUICK: "Quick items",
    Sign.UNWATCHED: "Unwatched clips",
    Sign.PACE: "Pace against others",
    Sign.OWN_PACE: "Pace against own",
}
_COUNTED = {
    Sign.SIDE: "{count} of {of} votes for a side are for the left caption.",
    Sign.CHANGED: "{count} of {of} repeated votes have another outcome than the first vote.",
    Sign.QUICK: "{count} of {of} items took less time than the clip at double speed.",
    Sign.UNWATCHED: "{count} of {of} items were finished with less than half of the clip watched.",
}
_COMPARED = {
    Sign.PACE: "Median {median} over {own} items; that of others is {of} over {compared}.",
    Sign.OWN_PACE: "Median {median} over the last {own} items; {of} over the {compared} before.",
}


def observed(sign: SignOf) -> str:
    """Return the observation in a sentence."""
    result = sign.result
    if isinstance(result, Outlier):
        return _COUNTED[sign.sign].format(count=result.count, of=result.of)
    if result.z is None or result.own_median is None or result.compared_median is None:
        return ""
    return _COMPARED[sign.sign].format(
        own=result.n_own,
        compared=result.n_compared,
        median=_time(result.own_median),
        of=_time(result.compared_median),
    )


def tested(sign: SignOf) -> str:
    """Return the test's numbers, or the reason why they are missing."""
    result = sign.result
    if isinstance(result, Pace):
        return result.reason if result.z is None else f"z = {_signed(result.z)}"
    if result.p is None or result.adjusted is None:
        return result.reason
    if sign.tested == 1:
        return f"p {_p(result.p)}"
    return f"p {_p(result.p)}, adjusted p {_p(result.adjusted)} over {sign.tested} people"


def rules() -> list[tuple[str, str]]:
    """Return the name and the rule of each sign."""
    z = _signed(FAST_Z)
    return [
        (NAMES[Sign.SIDE], "Votes for one side that chance doesn’t explain: adjusted p < 0.05."),
        (NAMES[Sign.CHANGED], "More changed repeats than the others: adjusted p < 0.05."),
        (
            NAMES[Sign.QUICK],
            "More quick items than one in ten, which is usual: adjusted p < 0.05.",
        ),
        (
            NAMES[Sign.UNWATCHED],
            "Less than half of the clip watched in more than one in ten items: adjusted p < 0.05.",
        ),
        (NAMES[Sign.PACE], f"Much faster than all others: z of {z} or below."),
        (
            NAMES[Sign.OWN_PACE],
            f"The last {LAST} items are much faster than the earlier ones: z of {z} or below.",
        ),
    ]


def _p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"= {p:.4f}"


def _signed(number: float) -> str:
    return f"{number:z.1f}".replace("-", "−")


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else in_words(round(seconds))
