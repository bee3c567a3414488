"""Which statements a request sends, and where they depend on who asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from django.db import connection

# Where others send statements that the admin doesn't: what hides texts from those who judge them,
# and what is one's own.
BY_WHO_ASKS = {
    "annotate:answer_question",
    "annotate:clip",
    "annotate:corpus",
    "annotate:my_work",
    "annotate:questions",
    "inference:clip_scores",
    "inference:video",
    "review:activity",
    "review:add_rating_example",
    "review:annotation_table",
    "review:capst_clip",
    "review:decide_study_correction",
    "review:download_annotations",
    "review:download_triplets",
    "review:filtered_votes",
    "review:label_pairs",
    "review:new_rating_example",
    "review:rating_examples",
    "review:recall_queries",
    "review:recall_query",
    "review:release_changes",
    "review:report_file leaderboard round_id votes.csv",
    "review:report_file leaderboard round_id votes.json",
    "review:report_page leaderboard",
    "review:report_page leaderboard round_id",
    "review:study_correction",
    "review:study_corrections",
    "review:triplet_set",
    "review:verification",
    "review:verifications",
}


@contextmanager
def statements_sent() -> Iterator[set[str]]:
    """What is sent to the database, without lists and numbers, which follow what is there."""
    sent = set()

    def remember(execute, sql, params, many, context):
        if "SAVEPOINT" not in sql:
            sent.add(_shape_of(sql))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(remember):
        yield sent


@cache
def _shape_of(sql: str) -> str:
    return re.sub(r"\(%s(, ?%s)+\)", "(%s)", re.sub(r"\d+", "0", sql))
