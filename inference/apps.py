from django.apps import AppConfig


class InferenceConfig(AppConfig):
    name = "inference"
    verbose_name = "Models"

    def ready(self) -> None:
        from annotate.archive.kinds import register_archive_kind  # these need the models
        from inference.runs.archiving import ArchiveRun
        from inference.runs.jobs import register_run_kinds
        from inference.specs import services as specs  # noqa: F401 (what a duplicate copies)

        register_run_kinds()
        register_archive_kind(ArchiveRun())
