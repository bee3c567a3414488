"""Store what a file of human captions has for a project, as planned."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from django.utils import timezone

from annotate.bulk import in_batches, insert_rows, new_keys
from annotate.corpus.services.precedence import settle_captions
from annotate.corpus.services.storing import link_parents
from annotate.models import Caption, Project, Video, WorkItem
from annotate.text.words import count_words
from metrics.capst import DEFAULT, OFFICIAL
from review.elements.models import Extraction
from review.published.clip_texts import (
    Categories,
    ClipTexts,
    captions_of_list,
    videos_without_category,
)
from review.published.models import HumanImport, PublishedCaption
from review.published.plan import Plan

Kind = Caption.Kind
COLUMNS = ("id", "clip_id", "kind", "text", "word_count", "spans")
PART_KINDS = (Kind.SPATIAL, Kind.TEMPORAL)
StoredCaption = tuple[int, int, str]  # (key, clip, kind)


def store_plan(human_import: HumanImport, plan: Plan) -> None:
    """Store the captions, with what belongs to each, and withdraw the work that they replace."""
    new = iter(new_keys(Caption, plan.preview.captions))
    stored: list[StoredCaption] = []
    parents: list[tuple[int, int]] = []

    def rows() -> Iterator[tuple[int, int, str, str, int, str | None]]:
        for clip_texts in plan.texts:
            clip, first = clip_texts.clip, 0
            for kind, text, spans in clip_texts.captions():
                key = next(new)
                if first and clip_texts.content.texts:
                    parents.append((key, first))
                first = first or key
                stored.append((key, clip, kind))
                yield key, clip, kind, text, count_words(text), json.dumps(spans) if spans else None

    same = {
        "project_id": human_import.project_id,
        "source": Caption.Source.PUBLISHED,
        "provenance": [{"data_set": human_import.name}],
        "created_at": timezone.now(),
    }
    insert_rows(Caption, COLUMNS, rows(), same)
    link_parents(parents)
    published = ((key,) for key, _, _ in stored)
    insert_rows(PublishedCaption, ("caption_id",), published, {"human_import_id": human_import.pk})
    by_kind = {(clip, kind): key for key, clip, kind in stored}
    for batch in in_batches(texts for texts in plan.texts if texts.content.lists):
        Extraction.objects.bulk_create(
            extraction for texts in batch for extraction in _lists(human_import, texts, by_kind)
        )
    _withdraw_replaced(human_import.project_id, stored)
    described = {texts.clip for texts in plan.texts if texts.content.texts}
    untouched = WorkItem.objects.filter(
        project=human_import.project_id, kind="write", assignments=None
    ).values_list("pk", "clip")
    for keys in in_batches(key for key, clip in untouched if clip in described):
        WorkItem.objects.filter(pk__in=keys, assignments=None).delete()


def _withdraw_replaced(project: int, stored: Sequence[StoredCaption]) -> None:
    """Withdraw the work about captions that these replace, of the clips that have open work."""
    open_work = WorkItem.objects.filter(project=project, state=WorkItem.State.OPEN).order_by()
    clips = set(open_work.values_list("clip", flat=True))
    new = [row for row in stored if row[1] in clips and row[2] != Kind.REFERENCE]
    for batch in in_batches(new):
        keys = [key for key, _, _ in batch]
        settle_captions(list(Caption.objects.defer("text").filter(pk__in=keys)))


def _lists(
    human_import: HumanImport, texts: ClipTexts, by_kind: Mapping[tuple[int, str], int]
) -> Iterator[Extraction]:
    """Yield a clip's events and objects: for CapST's official preset with the full caption, for the
    default preset with the temporal or spatial caption."""
    for kind, elements in texts.content.lists.items():
        for of_kind in captions_of_list(texts, kind):
            preset = DEFAULT if of_kind in PART_KINDS else OFFICIAL
            yield Extraction(
                caption_id=by_kind[texts.clip, of_kind],
                kind=kind,
                elements=elements,
                most_elements=preset.most_elements,
                method=f"imported from {human_import.name}"[:200],
            )


def set_categories(project: Project, of_clip: Categories) -> None:
    """Set the categories of videos that have none; what people have set stays. `of_clip`: clip ->
    category and subcategory."""
    categories = videos_without_category(project, of_clip)
    videos = [
        Video(pk=video, category=category, subcategory=subcategory)
        for video, (category, subcategory) in categories.items()
    ]
    Video.objects.bulk_update(videos, ["category", "subcategory"], batch_size=500)
