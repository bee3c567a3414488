from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = "Review and releases"

    def ready(self) -> None:
        from annotate.blindness import register_blindness
        from annotate.kinds_of_work import register  # these need the models
        from annotate.models import WorkItem
        from review.comparisons.blindness import could_compare
        from review.comparisons.work_page import compare_context, comparison_names
        from review.elements.work_page import elements_context, elements_names
        from review.modifications.work_page import modify_context
        from review.pairs.names import direction_names, pair_names
        from review.pairs.work_page import pair_context
        from review.ratings.work import rate_context, rating_closed
        from review.services.elements import submit_elements
        from review.services.label_pairs import submit_pair_verdict
        from review.services.matchups import prepare_matchups, votes_ahead
        from review.services.modifications import submit_modification
        from review.services.rating import submit_rating
        from review.services.triplet_verdicts import submit_triplet_verdict
        from review.services.verifying import submit_verification
        from review.services.voting import submit_vote
        from review.triplets.work_page import triplet_context
        from review.verification.work_page import verify_context

        register(
            WorkItem.Kind.VERIFY,
            context=verify_context,
            submit=submit_verification,
            template="review/work_verify.html",
        )
        register(
            WorkItem.Kind.RATE,
            context=rate_context,
            submit=submit_rating,
            template="review/work_rate.html",
            closed=rating_closed,
        )
        register(
            WorkItem.Kind.PAIR,
            context=pair_context,
            submit=submit_pair_verdict,
            template="review/work_pair.html",
            names=pair_names,
        )
        register(
            WorkItem.Kind.MODIFY,
            context=modify_context,
            submit=submit_modification,
            template="review/work_modify.html",
            names=direction_names,
        )
        register(
            WorkItem.Kind.TRIPLET,
            context=triplet_context,
            submit=submit_triplet_verdict,
            template="review/work_triplet.html",
        )
        register(
            WorkItem.Kind.COMPARE,
            context=compare_context,
            submit=submit_vote,
            template="review/work_compare.html",
            names=comparison_names,
            ahead=votes_ahead,
            prepare=prepare_matchups,
        )
        register(
            WorkItem.Kind.ELEMENTS,
            context=elements_context,
            submit=submit_elements,
            template="review/work_elements.html",
            names=elements_names,
        )
        register_blindness(could_compare)
