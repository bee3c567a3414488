from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"
    verbose_name = "Corpus and annotation"

    def ready(self) -> None:
        from annotate import checks  # noqa: F401  it registers itself
        from annotate.work_pages import register_kinds  # it needs the models

        register_kinds()
