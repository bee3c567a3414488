"""Look up the objects that a command's arguments name."""

from django.core.management.base import CommandError

from annotate.models import Project, User


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


def find_admin(project: Project, email: str | None) -> User | None:
    """Return the admin of the project with this address; None without one. Raises CommandError."""
    if not email:
        return None
    admin: User | None = User.objects.filter(
        email=email.strip().lower(),
        memberships__project=project,
        memberships__is_admin=True,
        memberships__deactivated_at=None,
    ).first()
    if admin is None:
        raise CommandError(f"{email} is not an admin of {project.name}.")
    return admin
