import gc

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class StaticFiles(StaticFilesConfig):
    """Leaves out what no page loads; htmx's extensions also name files that don't exist."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext", "htm?x-4*"]


class Loaded(AppConfig):
    """The last app: from here on the garbage collector works, without what has been loaded.

    The collector would look at it again and again, even as the process ends, and take its memory
    from what a worker shares with its child processes. A start takes a fifth less processor time.
    """

    name = "config"

    def ready(self) -> None:
        gc.freeze()
        gc.enable()
