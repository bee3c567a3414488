import gc

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class StaticFiles(StaticFilesConfig):
    """Leaves out what no page loads; htmx's extensions also name files that don't exist."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext", "htm?x-4*"]


class Loaded(AppConfig):
    """The last app: it turns the garbage collector on again, without the objects loaded so far.

    The collector would check them again and again, even as the process ends, and so copy memory
    that a worker shares with its child processes. A start takes a fifth less processor time.
    """

    name = "config"

    def ready(self) -> None:
        gc.freeze()
        gc.enable()
