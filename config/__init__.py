import gc

# What a start loads stays, so there is no garbage to look for: `config.apps.Loaded` ends this.
gc.disable()

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
