"""Refuse a release before it is built."""

from __future__ import annotations

from annotate.models import Project
from review.errors import ReviewError
from review.releases.choice import ALL, Choice
from review.releases.content_difference import difference_of, is_identical
from review.releases.queries import content_of, latest_release
from review.releases.versions import parse_version


def refuse_identical(project: Project, *, clip_files: bool = False, choice: Choice = ALL) -> None:
    """Raise ReviewError if the last release equals what a build would freeze now."""
    previous = latest_release(project)
    if previous is None:
        return
    difference = difference_of(content_of(project, choice), previous)
    if is_identical(difference, previous, clip_files=clip_files):
        raise ReviewError(
            f"Release {previous.version} already has exactly this content. Change something first, "
            f"or use {previous.version}."
        )


def refuse_version(project: Project, text: str) -> None:
    """Raise ReviewError for an invalid version, or one that isn't later than the last release."""
    version = parse_version(text)
    previous = latest_release(project)
    if previous is None:
        return
    if previous.version == str(version) or project.releases.filter(version=str(version)).exists():
        raise ReviewError(
            f"Release {version} already exists and can't be changed. Choose a version after "
            f"{previous.version}."
        )
    last = parse_version(previous.version)
    if not last < version:
        following = last.next_version("minor")
        raise ReviewError(
            f"{version} is not higher than {previous.version}, the last release. Choose a higher "
            f"version, such as {following}."
        )
