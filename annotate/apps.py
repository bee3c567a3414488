from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    verbose_name = "Corpus and annotation"

    def ready(self) -> None:
        """Register the work that people do; its classes need the models."""
        from annotate import checks  # noqa: F401  it registers itself
        from annotate.dynamics.work import Dynamics
        from annotate.handwrite.work import HandWriting
        from annotate.merge.work import Merge
        from annotate.queue.work_kinds import register_work
        from annotate.split.work import Split
        from annotate.write.work import WriteUp

        register_work(WriteUp(), Merge(), Split(), Dynamics(), HandWriting())
