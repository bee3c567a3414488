from django.apps import AppConfig


class InferenceConfig(AppConfig):
    name = "inference"
    verbose_name = "Models"

    def ready(self) -> None:
        from inference.runs.jobs import register_run_kinds  # it needs the models

        register_run_kinds()
