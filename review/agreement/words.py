"""The Agreement page's words for tasks, their questions, answers and measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from annotate.templatetags.components import floatformat
from review.pairs.models import LabelPair
from review.ratings.scale import DEFINITIONS
from review.reports.few import FEW

YES_NO = {"yes": "Yes", "no": "No"}
FOUND = {"yes": "Found", "no": "Not found"}


@dataclass(frozen=True)
class QuestionWords:
    """`unit` and `units`: the judged unit, as in "1 sentence", "2 sentences". `item` and `items`:
    what the unit is a part of, if any.
    """

    title: str
    unit: str
    units: str
    answers: Mapping[Any, str] = field(default_factory=dict)
    item: str = ""
    items: str = ""


@dataclass(frozen=True)
class TaskWords:
    """`row`, `rows`: what people submit. `read`: how to read the numbers. `mend`: how to have two
    people judge the same. `link`: the page of the labels: a URL name, a text, and the key of a page
    of reports.
    """

    title: str
    row: str
    rows: str
    read: str
    mend: str
    questions: Mapping[str, QuestionWords]
    link: tuple[str, str] | tuple[str, str, str] = ("", "")


def _sentence(title: str) -> QuestionWords:
    return QuestionWords(title, "sentence", "sentences", FOUND)


def _query(title: str) -> QuestionWords:
    return QuestionWords(title, "query", "queries", YES_NO)


TASKS = {
    "sentences": TaskWords(
        "Sentence types",
        "verification",
        "verifications",
        "Each sentence is treated as independent, although sentences of one caption are related. "
        "The true intervals are therefore at least as wide.",
        "Start a threshold study: it asks several people about the same captions.",
        {
            "types": QuestionWords(
                "All types of a sentence",
                "sentence",
                "sentences",
                item="caption",
                items="captions",
            ),
            "A": _sentence("A: the text is wrong"),
            "B": _sentence("B: redundant"),
            "C": _sentence("C: something is missing"),
            "D": _sentence("D: off topic"),
            "missing": QuestionWords("Missing segment in a gap", "gap", "gaps", FOUND),
        },
        ("review:verifications", "Verifications"),
    ),
    "theme": TaskWords(
        "Theme",
        "verification",
        "verifications",
        "People judge whether the whole caption stays on the topic of the video.",
        "Start a threshold study: it asks several people about the same captions.",
        {
            "theme": QuestionWords(
                "Theme of a caption",
                "caption",
                "captions",
                {"fits": "Fits", "off": "Off topic"},
            )
        },
        ("review:verifications", "Verifications"),
    ),
    "ratings": TaskWords(
        "Ratings from 0 to 5",
        "rating",
        "ratings",
        "Ratings are ordered: 4 and 5 differ a little, 0 and 5 a lot. The share of equal labels "
        "ignores this.",
        "Start a study of ratings that asks two or more people about each caption.",
        {
            "rating": QuestionWords(
                "Rating of a caption",
                "caption",
                "captions",
                {
                    definition.value: f"{definition.value}: {definition.name}"
                    for definition in DEFINITIONS
                },
            )
        },
        ("review:report_page", "Ratings", "ratings"),
    ),
    "dynamics": TaskWords(
        "Dynamics",
        "verdict",
        "verdicts",
        "Two people judge each video, but not always the same two. The mean over pairs of people "
        "leaves out pairs whose kappa is undefined.",
        "Have a second person judge the videos.",
        {
            "dynamics": QuestionWords(
                "Whether a video is dynamic",
                "video",
                "videos",
                {"dynamic": "Dynamic", "static": "Static"},
            )
        },
    ),
    "pairs": TaskWords(
        "Label pairs",
        "verdict",
        "verdicts",
        "Each person’s newest verdict on a pair counts.",
        "Hand out pairs to two or more people.",
        {
            "kind": QuestionWords(
                "Kind of change",
                "label pair",
                "label pairs",
                {kind.value: kind.label for kind in LabelPair.Kind},
            )
        },
        ("review:label_pairs", "Label pairs"),
    ),
    "triplets": TaskWords(
        "Triplets",
        "verdict",
        "verdicts",
        "Targets that a person added are left out, because nobody else was asked about them.",
        "Hand out the queries of a set to two or more people.",
        {
            "targets": QuestionWords(
                "Whether a clip is a target",
                "target",
                "targets",
                {"valid": "Valid", "wrong": "Wrong"},
                "query",
                "queries",
            ),
            "right": _query("The modification is right"),
            "enough": _query("It is enough"),
            "needed": _query("All of it is needed"),
        },
        ("review:triplets", "Triplets"),
    ),
    "comparisons": TaskWords(
        "Comparisons",
        "vote",
        "votes",
        "A vote counts for the caption, whichever side it was on. A repeat shows a person the "
        "same captions again with the sides swapped. It counts only for consistency. Without a "
        "bias to one side, the left wins about half of the decided votes.",
        "Have two or more people compare the same clips.",
        {
            "outcome": QuestionWords(
                "Which caption is better",
                "pair of captions",
                "pairs of captions",
                {
                    "first": "First model of the pair",
                    "second": "Second model of the pair",
                    "tie": "Both are good",
                    "both_bad": "Both are bad",
                },
            )
        },
    ),
}
SHARES = {
    "repeats": "Repeats with the same outcome",
    "left": "Decided votes for the left side",
}

# Krippendorff (2004), Reliability in content analysis: rely on 0.800 and more, draw tentative
# conclusions from 0.667 on.
RELIABLE, TENTATIVE = 0.8, 0.667
# With fewer, one more label can move alpha across a bound. Items need the same number as intervals
# (`FEW`), because the units of one item depend on each other.
MIN_UNITS, MIN_ITEMS = 30, FEW


def small_sample(words: QuestionWords, n_units: int, n_items: int) -> str:
    """Return what is missing for a verdict; "" if nothing is. `n_units`, `n_items`: judged by
    several people."""
    counts = [(n_units, MIN_UNITS, words.unit, words.units)]
    if words.item:
        counts.append((n_items, MIN_ITEMS, words.item, words.items))
    missing = [
        f"{least - number} more {unit if least - number == 1 else units}"
        for number, least, unit, units in counts
        if number < least
    ]
    if not missing:
        return ""
    sample = " of ".join(
        f"{number} {unit if number == 1 else units}" for number, _, unit, units in counts
    )
    needed = " of ".join(f"{least} {units}" for _, least, _, units in counts)
    return (
        f"Too few for a verdict: several people judged {sample}, and a verdict needs at least "
        f"{needed}. Missing: {' and '.join(missing)}."
    )


def verdict_on(value: float | None, low: float | None, too_few: str = "") -> str:
    """Return the interpretation of an alpha by Krippendorff's bounds; "" without one. `too_few`:
    what is missing for a verdict, returned instead.
    """
    if value is None:
        return ""
    if too_few:
        return too_few
    alpha = floatformat(value, 2)  # round like the table
    if value < TENTATIVE:
        return (
            f"Alpha is {alpha}, below 0.667: too low for conclusions from these labels. See below "
            "who differs, and make the guidelines clearer."
        )
    if value < RELIABLE:
        return f"Alpha is {alpha}, between 0.667 and 0.8: enough for tentative conclusions."
    if low is None or low < RELIABLE:
        return (
            f"Alpha is {alpha}, at least 0.8 as reliable labels have, but it could be lower for "
            "other units. Judge more to be sure."
        )
    return f"Alpha is {alpha}, and its whole interval is at least 0.8: the labels are reliable."


def measure_name(measure: str, distance: str, n_raters: int) -> str:
    mean = ", mean over pairs of people" if n_raters > 2 else ""
    if measure == "percent_agreement":
        return "Equal labels"
    if measure == "krippendorff_alpha":
        return f"Krippendorff’s alpha, {distance}"
    return f"Weighted kappa, {distance}{mean}" if distance != "nominal" else f"Cohen’s kappa{mean}"
