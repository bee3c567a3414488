"""Semantic versions (semver.org) of releases: MAJOR.MINOR.PATCH, or MAJOR.MINOR.PATCH-PRE."""

from __future__ import annotations

from semver import Version

from review.errors import ReviewError

MAX_LENGTH = 40
FIRST = Version(0, 1, 0)


def parse_version(text: str) -> Version:
    """Return the version that `text` names, with or without a leading v. Raises ReviewError."""
    text = text.strip()
    try:
        if len(text) > MAX_LENGTH:
            raise ValueError("too long")
        version = Version.parse(text.removeprefix("v"))
        if version.build:
            raise ValueError("versions with build metadata compare as equal")
    except ValueError as error:
        raise ReviewError(
            f"{text[:MAX_LENGTH]!r} is not a version. Write three numbers separated by dots, such "
            "as 0.1.0 or 1.0.0-rc.1."
        ) from error
    return version
