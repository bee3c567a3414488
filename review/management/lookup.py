"""What the commands are told by name."""

from annotate.models import Project
from review.errors import ReviewError


def find_project(slug: str) -> Project:
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        known = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)[:20])
        raise ReviewError(
            f"There is no project {slug!r}. "
            + (f"There is: {known}." if known else "Create one with manage.py create_project.")
        )
    return project
