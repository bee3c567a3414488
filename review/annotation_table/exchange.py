"""Imports LoVR's annotation table (docs/formats.md) as verifications."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Caption, Clip, Project, User
from annotate.text.words import count_words
from review.annotation_table.csv_format import group_faults
from review.annotation_table.marks import Marks
from review.annotation_table.reading import (
    Annotation,
    TableInvalid,
    already_stored,
    read_annotations,
    stored_keys,
)
from review.errors import ReviewError
from review.reports.agreement_due import agreement_changed
from review.reports.services import recompute_later
from review.studies.models import Study
from review.verification.models import Verification
from review.verification.recording import Judged, record_verifications

BATCH_SIZE = 500


def import_annotations(
    *, project: Project, lines: Iterable[str], marks: Marks
) -> list[Verification]:
    """Import the table, all or nothing."""
    annotations = read_annotations(project=project, lines=lines, marks=marks)
    return store_annotations(project=project, annotations=annotations, actor=None)


@transaction.atomic
def store_annotations(
    *, project: Project, annotations: Sequence[Annotation], actor: User | None
) -> list[Verification]:
    """Store a verification for each annotation, with its corrected caption.

    A caption is the clip's machine or imported caption with this text, or is created. Stores
    everything or nothing: raises TableInvalid if some were stored since they were read, and
    ReviewError if a clip was removed.
    """
    # One import at a time, because two imports of a table would not see each other's rows. The key
    # isn't locked, because other rows stored in the meantime refer to it.
    Project.objects.lock(project.pk)
    taken = stored_keys(project)
    if faults := [already_stored(each) for each in annotations if each.key in taken]:
        raise TableInvalid(group_faults(faults))
    clips = set(Clip.objects.filter(project=project).values_list("pk", flat=True))
    if any(each.clip_id not in clips for each in annotations):
        raise ReviewError("Clips were removed from the project meanwhile. Import the table again.")
    stored = [
        verification
        for start in range(0, len(annotations), BATCH_SIZE)
        for verification in _store(project, annotations[start : start + BATCH_SIZE])
    ]
    record_event(
        actor=actor,
        verb="import_annotations",
        subject=project,
        project=project,
        after={"verifications": len(stored)},
    )
    if Study.objects.filter(project=project, kind=Study.Kind.THRESHOLD).exists():
        recompute_later(project.pk, "threshold")
    if stored:
        agreement_changed(project.pk)
    return stored


def _store(project: Project, batch: Sequence[Annotation]) -> list[Verification]:
    captions = _captions(project, batch)
    return record_verifications(
        [
            Judged(
                captions[each.clip_id, each.kind, each.text],
                each.judgment,
                label=each.label,
                sentences=each.sentences,
            )
            for each in batch
        ]
    )


def _captions(project: Project, batch: Sequence[Annotation]) -> dict[tuple[int, str, str], Caption]:
    """Return the captions by clip, kind and text: the newest of each, or a new one."""
    there = Caption.objects.filter(
        project=project,
        clip__in={each.clip_id for each in batch},
        source__in=[Caption.Source.MACHINE, Caption.Source.IMPORTED],
    ).order_by("pk")
    captions = {(caption.clip_id, caption.kind, caption.text): caption for caption in there}
    new = {
        (each.clip_id, each.kind, each.text): Caption(
            project=project,
            clip_id=each.clip_id,
            kind=each.kind,
            source=Caption.Source.IMPORTED,
            text=each.text,
            word_count=count_words(each.text),
        )
        for each in batch
        if (each.clip_id, each.kind, each.text) not in captions
    }
    Caption.objects.bulk_create(new.values())
    return captions | new
