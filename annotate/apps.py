from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    verbose_name = "Corpus and annotation"

    def ready(self) -> None:
        from annotate import checks  # noqa: F401  it registers itself
        from annotate.work_kinds import register_work  # these need the models
        from annotate.work_pages import WORK_KINDS

        register_work(*WORK_KINDS)
