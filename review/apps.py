from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = "Review and releases"

    def ready(self) -> None:
        from annotate.blindness import register_blindness  # these need the models
        from review.comparisons.blindness import could_compare
        from review.work_pages import register_kinds

        register_kinds()
        register_blindness(could_compare)
