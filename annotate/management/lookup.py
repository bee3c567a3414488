"""Find what the arguments of a command name."""

from django.core.management.base import CommandError

from annotate.models import Project


def find_project(slug: str) -> Project:
    """Return the project. Raises CommandError, which lists the short names to choose from."""
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        slugs = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)[:20])
        raise CommandError(
            f"There is no project {slug!r}. "
            + (f"Choose one of: {slugs}." if slugs else "Create one with manage.py create_project.")
        )
    return project
