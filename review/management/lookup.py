"""What the commands are told by name."""

from annotate.models import Project
from review.errors import ReviewError
from review.frozen.models import Release


def find_project(slug: str) -> Project:
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        known = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)[:20])
        raise ReviewError(
            f"There is no project {slug!r}. "
            + (f"There is: {known}." if known else "Create one with manage.py create_project.")
        )
    return project


def find_release(project: Project, version: str) -> Release:
    release = Release.objects.filter(project=project, version=version).first()
    if release is None:
        known = ", ".join(project.releases.values_list("version", flat=True)[:20])
        raise ReviewError(
            f"The project has no release {version!r}. "
            + (f"There is: {known}." if known else "Build one, or leave --release out.")
        )
    return release
