"""The contexts of the pages of imports."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.http import QueryDict

from annotate.corpus.clip_names import safe_stem
from annotate.corpus.conversions import conversions_in
from annotate.corpus.near_duplicates import lookalikes
from annotate.imports.queries import (
    batches_of,
    first_clips,
    later_imports,
    rows_of,
    summary_of,
    waits_for_worker,
)
from annotate.imports.services import is_refused, may_retry
from annotate.jobs.progress import progress_of
from annotate.jobs.workers import last_beats
from annotate.models import Clip, ImportBatch, ImportItem, Membership

BATCHES_PER_PAGE = 50
ROWS_PER_PAGE = 50
Context = dict[str, Any]


class ImportRow(NamedTuple):
    """`clip`: the first of the file's video. `taken`: the name that the file would have given it,
    if another clip had it. `lookalike`: the name of a similar video of the project, while the pair
    is unsettled. `conversions`: what the import changed. `replaced_by`: the import that brought
    a refused file again."""

    item: ImportItem
    may_retry: bool
    may_dismiss: bool
    clip: Clip | None
    taken: str
    lookalike: str | None
    conversions: list[str]
    replaced_by: int | None


def imports_context(membership: Membership, page: str | None) -> Context:
    project = membership.project
    return {
        "membership": membership,
        "project": project,
        "silence": last_beats().silence_in("media") if waits_for_worker(project) else None,
        "page": Paginator(batches_of(project), BATCHES_PER_PAGE).get_page(page),
    }


def rows_context(membership: Membership, batch: ImportBatch, query: QueryDict) -> Context:
    """Return the context of an import's rows. `uploaded=1` omits files that are being uploaded."""
    only_uploaded = query.get("uploaded") == "1"
    items, summary = rows_of(batch, only_uploaded=only_uploaded), summary_of(batch)
    page = Paginator(items, ROWS_PER_PAGE).get_page(query.get("page"))
    videos = {item.video_id for item in page if item.video_id}
    clip_of = first_clips(batch.project, videos)
    alike = lookalikes(batch.project, videos)
    converted = conversions_in(batch.project) if videos else {}
    refused = [item for item in page if is_refused(item)]
    later = later_imports(batch.project, refused) if refused else {}
    rows = [
        ImportRow(
            item,
            may_retry(item),
            is_refused(item) and item.pk not in later,
            clip_of.get(item.video_id or 0),
            _taken_name(item, clip_of.get(item.video_id or 0)),
            alike.get(item.video_id or 0),
            list(converted.get(item.video_id or 0, {}).values()),
            later.get(item.pk),
        )
        for item in page
    ]
    return {
        "membership": membership,
        "project": membership.project,
        "batch": batch,
        "page": page,
        "rows": rows,
        "summary": summary,
        "finished": sum(
            summary[key] for key in ("done", "copies", "refused", "dismissed", "replaced")
        ),
        "only_uploaded": only_uploaded,
        "is_abandoned": bool(summary["waiting"]) and progress_of([batch])[batch.pk].is_abandoned,
        "silence": last_beats().silence_in("media") if summary["waiting"] else None,
    }


def _taken_name(item: ImportItem, clip: Clip | None) -> str:
    if item.video is None or clip is None or clip.frames != item.video.frames:
        return ""
    name = safe_stem(item.name)
    return name if clip.name != name else ""
