"""The kinds of work of this app: what is behind each, and what My work says of it."""

from __future__ import annotations

from annotate.content import Content
from annotate.kinds_of_work import fields, register, why_nothing
from annotate.models import WorkItem
from review.comparisons.pairing import prepare_matchups, votes_ahead
from review.comparisons.services import submit_vote
from review.comparisons.work import compare_context, comparison_names
from review.elements.services import submit_elements
from review.elements.work import elements_context, elements_names
from review.modifications.services import submit_modification
from review.modifications.work import modify_context
from review.pairs.names import direction_names, pair_names
from review.pairs.services import submit_pair_verdict
from review.pairs.work import pair_context
from review.ratings.services import submit_rating
from review.ratings.work import rate_context, rating_closed
from review.triplets.verdicts import submit_triplet_verdict
from review.triplets.work import triplet_context
from review.verification.queueing import kept_for_studies
from review.verification.services import submit_verification
from review.verification.work import verify_context

Kind = WorkItem.Kind

PAIR_VERDICTS = {"temporal": "Temporal change.", "event": "Event change.", "reject": "Rejected."}


def register_kinds() -> None:
    register(
        Kind.VERIFY,
        context=verify_context,
        submit=submit_verification,
        template="review/verification/work_verify.html",
        texts=_verified_so_far,
        outlives=kept_for_studies,
        nothing=why_nothing(
            "A model’s caption comes here when an admin hands it out. None is ready now.",
            "Every such caption is verified, or somebody is at it.",
            "You have verified, or skipped, every caption that waits.",
        ),
    )
    register(
        Kind.RATE,
        context=rate_context,
        submit=submit_rating,
        template="review/ratings/work_rate.html",
        closed=rating_closed,
        texts=fields("value", "remark"),
        nothing=why_nothing(
            "Captions come here when an admin starts a study of ratings. None runs now.",
            "Every caption of the study is rated, or somebody is at it.",
            "You have rated or skipped every caption that waits, or worked on its clip yourself.",
        ),
    )
    register(
        Kind.PAIR,
        context=pair_context,
        submit=submit_pair_verdict,
        template="review/pairs/work_pair.html",
        names=pair_names,
        texts=lambda draft: [PAIR_VERDICTS.get(draft.get("kind", ""), "")],
        nothing=why_nothing(
            "Two labels that are much alike come here when an admin hands them out. None waits "
            "now.",
            "Every such pair is judged, or somebody is at it.",
            "You have judged, or skipped, every pair that waits.",
        ),
    )
    register(
        Kind.MODIFY,
        context=modify_context,
        submit=submit_modification,
        template="review/modifications/work_modify.html",
        names=direction_names,
        texts=fields("text", "reason"),
        nothing=why_nothing(
            "A pair of labels comes here once it is decided what differs. None is ready now.",
            "Every such pair has its texts, or somebody is at them.",
            "You have written, or skipped, every text that waits.",
        ),
    )
    register(
        Kind.TRIPLET,
        context=triplet_context,
        submit=submit_triplet_verdict,
        template="review/triplets/work_triplet.html",
        texts=_judged_so_far,
        nothing=why_nothing(
            "A query comes here when an admin hands it out. None waits now.",
            "Every such query is verified, or somebody is at it.",
            "You have verified, or skipped, every query that waits.",
        ),
    )
    register(
        Kind.COMPARE,
        context=compare_context,
        submit=submit_vote,
        template="review/comparisons/work_compare.html",
        names=comparison_names,
        ahead=votes_ahead,
        prepare=prepare_matchups,
        texts=fields("remark"),
        nothing=why_nothing(
            "Pairs of captions come here when an admin starts a round of comparisons. None runs "
            "now.",
            "The round has all the votes that it wants from you.",
            "The round has all the votes that it wants from you.",
        ),
    )
    register(
        Kind.ELEMENTS,
        context=elements_context,
        submit=submit_elements,
        template="review/elements/work_elements.html",
        names=elements_names,
        texts=fields("events", "objects"),
        nothing=why_nothing(
            "What a model found in a caption comes here when an admin hands it out. None waits "
            "now.",
            "Every such caption is checked, or somebody is at it.",
            "You have checked, or skipped, every caption that waits.",
        ),
    )


def _verified_so_far(draft: Content) -> list[str]:
    decided = sum(bool(value) for name, value in draft.items() if name.startswith("verdict-"))
    written = [
        value
        for name, value in draft.items()
        if name.startswith("correction-")
        or (name.startswith("missing-") and name.endswith("-text"))
    ]
    return [f"{decided} decided.", *written] if decided or any(written) else []


def _judged_so_far(draft: Content) -> list[str]:
    decided = sum(bool(value) for name, value in draft.items() if name.startswith("target-"))
    said = [f"Targets decided: {decided}."] if decided else []
    return [*said, draft.get("corrected", ""), draft.get("remark", "")]
