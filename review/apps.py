from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = "Review and releases"

    def ready(self) -> None:
        from annotate.kinds_of_work import register  # these need the models
        from annotate.models import WorkItem
        from review.rating_work import rate_context, rating_closed
        from review.services.rating import submit_rating
        from review.services.verifying import submit_verification
        from review.verification_page import verify_context

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
