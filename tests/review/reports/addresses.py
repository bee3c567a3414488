"""Addresses of the pages of reports."""

from django.urls import reverse

from annotate.models import Project
from review.reports.page import PAGES

VIEWS = {"": "report_page", "live": "report_live", "recompute": "recompute_report"}


def address(name: str, project: Project, *others: object) -> str:
    """The page of reports of this key; after a colon follows a view of VIEWS or a file of it. Or
    the page of another name."""
    page, _, part = name.partition(":")
    if page not in PAGES:
        return reverse(f"review:{name}", args=[project.slug, *others])
    if part in VIEWS:
        return reverse(f"review:{VIEWS[part]}", args=[project.slug, page, *others])
    return reverse("review:report_file", args=[project.slug, page, *others, part])
