from django.contrib.staticfiles.apps import StaticFilesConfig


class StaticFiles(StaticFilesConfig):
    """Leaves out what no page loads; htmx's extensions also name files that don't exist."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext", "htm?x-4*"]
