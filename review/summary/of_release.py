"""Select the reports made from exactly a release's content: its clips and their captions.

A report counts only if the keys of its captions and clips are those of the release. Votes and
triplets belong to no release.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Count, Q, QuerySet

from annotate.models import Caption
from inference.queries import current_captions_of
from review.capst.models import CapstItem
from review.capst.results import CAPST
from review.captions.references import references_digest
from review.captions.report import OVERLAP
from review.frozen.models import Release, ReleasedClip
from review.reports.models import Report
from review.reports.stored import AnyStored
from review.retrieval.models import ImportedVector
from review.retrieval.report_rebias import REBIAS
from review.retrieval.results import RECALL, StoredVectors
from review.summary.computing import Gaps
from review.summary.loading import Loaded, made_of, unified_of

Kind = Caption.Kind
FIELDS: Mapping[str, str] = {
    Kind.GENERAL: "caption",
    Kind.SPATIAL: "spatial_caption",
    Kind.TEMPORAL: "temporal_caption",
}


def reports_of_release(release: Release, loaded: Loaded) -> set[int]:
    """Return the keys of the loaded reports that belong to the release, in a constant number of
    queries.
    """
    clips = ReleasedClip.objects.filter(release=release)
    captions = {
        kind: dict(clips.values_list("clip", field).order_by()) for kind, field in FIELDS.items()
    }
    is_current = all(
        dict(current_captions_of(release.project, kind).values_list("clip", "pk")) == released
        for kind, released in captions.items()
    )
    files = _by_files(release, loaded, clips)
    if is_current:
        files |= _by_vectors(release, loaded)
    files |= _by_judgment(release, loaded, clips)
    digests = {kind: references_digest(dict(sorted(of.items()))) for kind, of in captions.items()}
    files |= {
        stored.report.pk
        for stored in loaded.of(OVERLAP)
        if digests.get(stored.parameters.kind) == stored.parameters.references
    }
    return files | _made_of_these(loaded, files, is_current)


def _of_vectors(loaded: Loaded) -> list[StoredVectors]:
    return [*loaded.of(RECALL), *loaded.of(REBIAS)]


def _is_whole(stored: StoredVectors, release: Release) -> bool:
    """Return whether a report of vectors has as many clips, and captions of each of its kinds, as
    the release. Whole videos are in no release.
    """
    used = stored.parameters
    counts = (used.clips, used.general, used.spatial, used.temporal)
    return used.full_video is None and all(n in (None, release.clip_count) for n in counts)


def _by_vectors(release: Release, loaded: Loaded) -> set[int]:
    """Select reports of runs' vectors if the current captions are those of the release, since a
    current report uses these.
    """
    return {
        vector.report.pk
        for vector in _of_vectors(loaded)
        if vector.about is None
        and vector.report.pk not in loaded.old
        and _is_whole(vector, release)
    }


def _by_files(release: Release, loaded: Loaded, clips: QuerySet[ReleasedClip]) -> set[int]:
    """Select reports of vectors from files, which never change; all vectors must be
    of the release.
    """
    stored = [vector for vector in _of_vectors(loaded) if vector.about is not None]
    released = Q(caption=None) & Q(clip__in=clips.values("clip"))
    for field in FIELDS.values():
        released |= Q(caption__in=clips.values(field))
    rows = ImportedVector.objects.filter(
        vector_set__in={result.about for result in stored}
    ).order_by()
    counts = rows.values_list("vector_set").annotate(n=Count("pk"), of=Count("pk", filter=released))
    whole = {key for key, n, of in counts if n == of}
    return {
        result.report.pk
        for result in stored
        if result.about in whole and _is_whole(result, release)
    }


def _by_judgment(release: Release, loaded: Loaded, clips: QuerySet[ReleasedClip]) -> set[int]:
    """Select CapST reports; the human captions that their runs keep for each clip must be the
    release's.
    """
    by_run = {result.numbers.run: result for result in loaded.of(CAPST)}
    general = clips.values("caption")
    split = Q(events_reference__in=clips.values("temporal_caption")) & Q(
        objects_reference__in=clips.values("spatial_caption")
    )
    whole = Q(events_reference__in=general) & Q(objects_reference__in=general)
    items = CapstItem.objects.filter(run__in=list(by_run)).order_by()
    counts = items.values_list("run").annotate(n=Count("pk"), of=Count("pk", filter=split | whole))
    of_release = {run for run, n, of in counts if n == of == release.clip_count}
    return {result.report.pk for run, result in by_run.items() if run in of_release}


def _made_of_these(loaded: Loaded, report_keys: Iterable[int], is_current: bool) -> set[int]:
    """Select the unified scores and gaps computed only from these reports, or from others of the
    same labels. Gaps also use the words of the current captions.
    """
    kept = set(report_keys)
    sources: list[AnyStored] = [*loaded.of(RECALL), *loaded.of(CAPST)]
    hashes = {
        (source.report.name, source.report.subject, source.report.inputs_hash)
        for source in sources
        if source.report.pk in kept
    }
    used = {
        unified.report.pk: made_of(unified.numbers)
        for unified in unified_of(loaded)
        if not isinstance(unified.numbers, Gaps)
        or (is_current and unified.report.pk not in loaded.old)
    }
    rows = Report.objects.filter(pk__in=set().union(*used.values()))
    same = {
        key
        for key, *labels in rows.order_by().values_list("pk", "name", "subject", "inputs_hash")
        if tuple(labels) in hashes
    }
    return {key for key, keys in used.items() if keys and keys <= same}
