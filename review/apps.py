from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = "Review and releases"

    def ready(self) -> None:
        from annotate.kinds_of_work import register  # these need the models
        from annotate.models import WorkItem
        from review.services.verifying import submit_verification
        from review.verification_page import verify_context

        register(
            WorkItem.Kind.VERIFY,
            context=verify_context,
            submit=submit_verification,
            template="review/work_verify.html",
        )
