from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = "Review and releases"

    def ready(self) -> None:
        from annotate.blindness import register_blindness  # these need the models
        from annotate.jobs.kinds import register_job_kind
        from review.comparisons.blindness import hide_compared_captions
        from review.modifications.services import follow_pair
        from review.pairs.decisions import follow_decisions
        from review.pairs.jobs import CompareLabels
        from review.ratings.blindness import hide_captions_to_rate
        from review.report_kinds import register_reports
        from review.verification.blindness import hide_corrections, hide_scores_to_verify
        from review.work_pages import register_kinds

        register_kinds()
        register_job_kind(CompareLabels())
        register_reports()
        follow_decisions(follow_pair)
        register_blindness(hide_compared_captions)
        register_blindness(hide_captions_to_rate)
        register_blindness(hide_corrections)
        register_blindness(hide_scores_to_verify, only_scores=True)
