"""The release pages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.paginator import Paginator
from django.db.models import F, Prefetch
from django.utils import timezone

from annotate.jobs.queries import latest_job
from annotate.jobs.workers import last_beats
from annotate.models import Membership
from annotate.models.jobs import Job
from review.frozen.models import Release
from review.frozen.query_models import ReleasedQuery
from review.proof.files import proof_hash
from review.releases.archives import archive_state, archive_states
from review.releases.content import signature, size_in_words
from review.releases.formats import ReleaseFormat, formats_of
from review.releases.hashes import hashes_of
from review.releases.models import ReleaseArchive
from review.releases.queries import has_content, listed_rows
from review.releases.scenes import scene_clips
from review.releases.services import BUILD_RELEASE
from review.releases.statements import add_up, count_signed
from review.releases.statistics import (
    listed_queries,
    query_counts,
    query_figures,
    release_statistics,
)
from review.statistics.files import COUNTED
from review.statistics.rows import figures_of, level_rows, words_rows

Context = dict[str, Any]
PER_PAGE = 50
# how long pages announce a new release
JUST_BUILT = timedelta(hours=1)


def releases_context(membership: Membership) -> Context:
    """Return the releases so far. How much the next one would hold is counted on its own page: in
    a large project that takes seconds.
    """
    project = membership.project
    content = project.pipeline.release.content
    has_triplets, has_scenes = content == "triplets", content == "scenes"
    return {
        "has_scenes": has_scenes,
        "has_triplets": has_triplets,
        "triplet_sets": list(project.triplet_sets.order_by("-number")) if has_triplets else [],
        "has_content": scene_clips(project).exists() if has_scenes else has_content(project),
        "releases": list(
            project.releases.order_by("-id").prefetch_related(
                Prefetch("archives", ReleaseArchive.objects.filter(format=F("release__format")))
            )
        ),
        **build_context(membership),
    }


def build_context(membership: Membership) -> Context:
    """Return the last build: in progress, failed or canceled, or done a short time ago."""
    project = membership.project
    job = latest_job(project.pk, BUILD_RELEASE)
    is_building = job is not None and job.is_active
    is_built = job is not None and job.state == Job.State.DONE
    return {
        "build": job,
        "built": job if job and is_built and _is_recent(job) else None,
        "project": project,
        "membership": membership,
        "building": None if job is None or job.state == Job.State.DONE else job,
        "build_step": job.job_items.first() if job and is_building else None,
        "is_building": is_building,
        "silence": last_beats().silence_in(job.queue) if job and is_building else None,
    }


def _is_recent(job: Job) -> bool:
    return job.finished_at is not None and timezone.now() - job.finished_at < JUST_BUILT


def archive_context(
    membership: Membership, release: Release, release_format: ReleaseFormat
) -> Context:
    state = archive_state(release, release_format)
    return {
        "membership": membership,
        "project": release.project,
        "release": release,
        "hashes": hashes_of(release),
        "state": state,
        "silence": last_beats().silence_in(state.job.queue)
        if state.is_active and state.job
        else None,
    }


def release_context(membership: Membership, release: Release, page: str | None) -> Context:
    statistics = release_statistics(release)
    formats = [
        entry for entry in formats_of(release) if membership.is_admin or not entry.for_admins
    ]
    states = archive_states(release, formats)
    active = [state.job for state in states if state.is_active and state.job]
    has_scenes = release.format == Release.Format.LOVR
    clips = release.clips.order_by()
    provenances = [] if has_scenes else list(clips.values_list("provenance", flat=True))
    page_of_rows = Paginator(listed_rows(release), PER_PAGE).get_page(page)
    is_tfcovr = release.format == Release.Format.TFCOVR
    reads_reports = membership.is_reviewer or membership.is_expert or membership.is_admin
    return {
        "project": release.project,
        "membership": membership,
        "release": release,
        "page": page_of_rows,
        # The reports of a release compare with its spatial and temporal captions.
        "has_metrics": reads_reports and release.format == Release.Format.CAREBENCH,
        "archives": states,
        "silence": last_beats().silence_in(active[0].queue) if active else None,
        "signature": signature(release),
        "proof_hash": proof_hash(release),
        "hashes": hashes_of(release),
        "video_count": release.videos.count() if has_scenes else None,
        "whole_captions": sum(
            sum(captions.words.values()) for captions in statistics.videos.captions
        ),
        "identification": add_up(provenances),
        "signed_off": count_signed(provenances),
        "levels": level_rows(statistics),
        "words": words_rows(statistics),
        "figures": [*figures_of(statistics), *(query_figures(release) if is_tfcovr else [])],
        "size": size_in_words(release),
        "query_counts": query_counts(release) if is_tfcovr else [],
        "queries": listed_queries(
            release, [row for row in page_of_rows if isinstance(row, ReleasedQuery)]
        ),
        "statistics_files": (("csv", "CSV"), ("tex", "LaTeX"), ("json", "JSON")),
        "counted": COUNTED,
    }
