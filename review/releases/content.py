"""Content hash, signature and size of a release, in every format."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from review.exchange.files import sum_lines
from review.frozen.models import Release
from review.releases.triplet_tally import frozen_facts

SUMS = "SHA256SUMS"


def content_hash(files: Iterable[tuple[str, str]]) -> str:
    """Return the hash of a release: the SHA-256 of its `SHA256SUMS`, without version or date."""
    digest = hashlib.sha256()
    for line in sum_lines(files):
        digest.update(line.encode())
    return digest.hexdigest()


def signature(release: Release) -> str:
    """Return one line that identifies this content, to quote with all numbers computed from it."""
    simulated = "|simulated" if release.project.is_simulated else ""
    return (
        f"vericap{simulated}|project:{release.project.slug}|version:{release.version}"
        f"|clips:{release.clip_count}|format:{release.format}|sha256:{release.content_hash}"
    )


def size_in_words(release: Release) -> str:
    """Return the size of a release, such as “473 queries on 120 clips”."""
    clips = f"{release.clip_count:,} clip{'' if release.clip_count == 1 else 's'}"
    facts = frozen_facts(release)
    if facts is None:
        return clips
    queries = sum(facts.queries.values())
    return f"{queries:,} quer{'y' if queries == 1 else 'ies'} on {clips}"


def license_text(
    release: Release, videos: Iterable[tuple[str, Mapping[str, Any]]], texts: str = "Captions"
) -> str:
    """Return `LICENSE.txt` for the texts and videos, given as (file name, provenance)."""
    by_license: dict[str, list[str]] = {}
    for file_name, provenance in videos:
        by_license.setdefault(provenance["licence"] or "not stated", []).append(file_name)
    lines = [f"{texts}: {release.license or 'no license stated'}", "", "Videos:"]
    for name, file_names in sorted(by_license.items()):
        lines += ["", name, *(f"  {file_name}" for file_name in file_names)]
    return "\n".join(lines) + "\n"
