from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = "Review and releases"

    def ready(self) -> None:
        from annotate.kinds_of_work import register  # these need the models
        from annotate.models import WorkItem
        from review.modifications.work_page import modify_context
        from review.pairs.names import direction_names, pair_names
        from review.pairs.work_page import pair_context
        from review.ratings.work import rate_context, rating_closed
        from review.services.label_pairs import submit_pair_verdict
        from review.services.modifications import submit_modification
        from review.services.rating import submit_rating
        from review.services.triplet_verdicts import submit_triplet_verdict
        from review.services.verifying import submit_verification
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
