"""The content of a release, by the form in which it was frozen."""

from __future__ import annotations

from collections.abc import Callable

from review.frozen.models import Release
from review.releases.writers.carebench_content import carebench_content
from review.releases.writers.lovr_content import lovr_content
from review.releases.writers.tables import Content
from review.releases.writers.tfcovr_content import tfcovr_content

CONTENTS: dict[str, Callable[[Release], Content]] = {
    Release.Format.CAREBENCH: carebench_content,
    Release.Format.LOVR: lovr_content,
    Release.Format.TFCOVR: tfcovr_content,
}


def has_content(release: Release) -> bool:
    return release.format in CONTENTS


def content_of(release: Release) -> Content:
    return CONTENTS[release.format](release)
