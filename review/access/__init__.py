"""The only way a view of this app gets an object. The rules are those of annotate.access."""

from annotate.access import member
from review.access.members import admin, judge, prompt_keeper, rater, trainer, voter
from review.capst.access import administered_capst_run, capst_item, capst_run
from review.comparisons.access import (
    administered_round,
    caption_set,
    comparison_round,
    leaderboard_report,
    own_vote,
    votes_of_round,
)
from review.ratings.access import (
    example_caption,
    kept_example,
    own_rating,
    rating_study,
    threshold_study,
    training_example,
)
from review.releases.access import judged_release, release, release_format
from review.reports.access import (
    any_report,
    recall_report,
    retrieval_query,
    retrieval_report,
    vector_set,
)
from review.triplets.access import (
    administered_set,
    modification,
    modification_run,
    modify_item,
    own_modification,
    own_pair_verdict,
    triplet_set,
)
from review.verification.access import own_elements, proposed_correction, verification, work_item

__all__ = [
    "admin",
    "administered_capst_run",
    "administered_round",
    "administered_set",
    "any_report",
    "capst_item",
    "capst_run",
    "caption_set",
    "comparison_round",
    "example_caption",
    "judge",
    "judged_release",
    "kept_example",
    "leaderboard_report",
    "member",
    "modification",
    "modification_run",
    "modify_item",
    "own_elements",
    "own_modification",
    "own_pair_verdict",
    "own_rating",
    "own_vote",
    "prompt_keeper",
    "proposed_correction",
    "rater",
    "rating_study",
    "recall_report",
    "release",
    "release_format",
    "retrieval_query",
    "retrieval_report",
    "threshold_study",
    "trainer",
    "training_example",
    "triplet_set",
    "vector_set",
    "verification",
    "voter",
    "votes_of_round",
    "work_item",
]
