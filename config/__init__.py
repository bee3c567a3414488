import gc

# Objects loaded at the start stay, so there is no garbage to collect until `config.apps.Loaded`.
gc.disable()

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
