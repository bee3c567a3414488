"""Which votes of a round count for its ratings, in what order, and why the others don't.

Votes are in the order of the first vote on each pair (its time, then its key), so a changed vote
keeps its position. The first of WHY that applies is the reason why a vote doesn't count.
"""

from __future__ import annotations

from django.db.models import QuerySet

from review.comparisons.cast import BOTH_BAD, CHANGED, EXCLUDED, NAMES_MODEL, REPEAT, Cast
from review.comparisons.models import Round, Vote
from review.reports.questions import rater_key


def cast_in(round: Round, votes: QuerySet[Vote]) -> list[Cast]:
    """Return the `votes` of the round, each after the one that it changes."""
    rows = votes.filter(caption_pair__round=round).values_list(
        "pk",
        "created_at",
        "corrects",
        "outcome",
        "reasons",
        "caption_pair",
        "caption_pair__repeat_of",
        "caption_pair__reviewer",
        "caption_pair__label",
        "caption_pair__pair",
        "caption_pair__clip",
        "caption_pair__clip__video__category",
        "caption_pair__clip__video__excluded_because",
        "caption_pair__clip__excluded_because",
        "caption_pair__left__system",
        "caption_pair__right__system",
        "caption_pair__left__names_its_model",
        "caption_pair__right__names_its_model",
    )
    # Sorted in Python, because the database would sort by columns of several tables.
    stored = sorted(rows.order_by(), key=lambda row: row[0])
    first = {row[5]: (row[1], row[0]) for row in stored if row[2] is None}
    changed = {row[2] for row in stored}
    stored.sort(key=lambda row: (first[row[5]], row[0]))
    judged: set[tuple[str, int, int]] = set()
    cast = []
    for row in stored:
        key, _, _, outcome, reasons, _, repeats, reviewer, label, pair, clip = row[:11]
        category, of_video, of_clip, left, right, left_names, right_names = row[11:]
        rater = rater_key(reviewer, label)
        if of_video or of_clip:
            why = EXCLUDED
        elif key in changed:
            why = CHANGED
        elif left_names or right_names or Vote.Reason.NAMES_MODEL in reasons:
            why = NAMES_MODEL
        elif repeats is not None or (rater, pair, clip) in judged:
            why = REPEAT
        elif outcome == Vote.Outcome.BOTH_BAD and not round.both_bad_is_tie:
            why = BOTH_BAD
        else:
            why = ""
        if not why:
            judged.add((rater, pair, clip))
        cast.append(Cast(key, left, right, outcome, rater, clip, category, why))
    return cast
