"""Semantic versions (semver.org) of releases: MAJOR.MINOR.PATCH, or MAJOR.MINOR.PATCH-PRE."""

from __future__ import annotations

import re
from dataclasses import dataclass

from review.errors import ReviewError

_NUMBER = r"(0|[1-9]\d{0,8})"
_IDENTIFIER = r"(?:0|[1-9]\d{0,8}|\d*[a-zA-Z-][0-9a-zA-Z-]*)"
_VERSION = re.compile(
    rf"v?{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_IDENTIFIER}(?:\.{_IDENTIFIER})*))?", re.ASCII
)
LONGEST = 40


@dataclass(frozen=True)
class Version:
    major: int
    minor: int
    patch: int
    pre: tuple[str, ...] = ()

    def __str__(self) -> str:
        plain = f"{self.major}.{self.minor}.{self.patch}"
        return f"{plain}-{'.'.join(self.pre)}" if self.pre else plain

    def __lt__(self, other: Version) -> bool:
        return self._precedence < other._precedence

    @property
    def _precedence(self) -> tuple[object, ...]:
        # 1.0.0-rc.1 comes before 1.0.0; among identifiers, numbers before words.
        identifiers = tuple(
            (0, int(part), "") if part.isdigit() else (1, 0, part) for part in self.pre
        )
        return (self.major, self.minor, self.patch, not self.pre, identifiers)

    def next_minor(self) -> Version:
        return Version(self.major, self.minor + (not self.pre), 0)

    def next_patch(self) -> Version:
        return Version(self.major, self.minor, self.patch + (not self.pre))


FIRST = Version(0, 1, 0)


def parse_version(text: str) -> Version:
    """The version that `text` names, with or without a leading v. Raises ReviewError."""
    found = _VERSION.fullmatch(text.strip())
    if found is None or len(text.strip()) > LONGEST:
        raise ReviewError(
            f"{text.strip()[:LONGEST]!r} is not a version. Write three numbers with dots, "
            "such as 0.1.0 or 1.0.0-rc.1."
        )
    major, minor, patch, pre = found.groups()
    return Version(int(major), int(minor), int(patch), tuple(pre.split(".")) if pre else ())
