"""Store the captions of a release, with their parents, lists and scores."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from annotate.bulk import in_batches
from annotate.corpus.precedence import current_keys
from annotate.corpus.services.precedence import settle_captions
from annotate.corpus.services.storing import link_parents, store_captions
from annotate.models import Caption, CaptionRank, Project, User, WorkItem
from annotate.text.words import count_words
from inference.models import (
    Elsewhere,
    InferenceRun,
    ModelSpec,
    QualityScore,
    RunItem,
    RunParameters,
)
from inference.planning.options import ScoreOptions
from inference.planning.recipes import hash_of, item_key, make_recipe
from inference.queries import AT_ONCE
from inference.recipes import as_json
from inference.registry import Backend
from metrics.capst import DEFAULT
from review.elements.models import Extraction
from review.exchange.bundle import Bundle
from review.published.storing import set_categories
from review.releases.pseudonyms import RELEASE
from review.restoring.captions import PART_OF, CaptionPlan
from review.restoring.native import (
    CAPTIONS,
    SCORES,
    CaptionRecord,
    ScoreRecord,
    read_records,
)
from review.restoring.records import restore_records

Kind = Caption.Kind
Source = Caption.Source
Because = CaptionRank.Because


def restore_captions(
    project: Project, bundle: Bundle, plan: CaptionPlan, release: str, admin: User | None
) -> tuple[int, int]:
    """Store what was planned, within the transaction of the caller. Return the number of captions
    and of judgments."""
    keys: dict[int, int] = {}
    released: list[int] = []
    merged_from = {
        parent
        for caption in plan.slim.values()
        if caption.source == Source.MERGED
        for parent in caption.parents
    }
    records = (
        record
        for _, record in read_records(bundle, CAPTIONS, CaptionRecord)
        if record.id in plan.clip_of
    )
    for batch in in_batches(records):
        stored = _store(project, batch, plan, release)
        keys |= {record.id: caption.pk for record, caption in zip(batch, stored, strict=True)}
        _link(batch, keys)
        write_ups = [
            caption
            for record, caption in zip(batch, stored, strict=True)
            if record.id in merged_from and record.source == Source.HUMAN.value
        ]
        settle_captions(write_ups, Because.WRITE_UP)
        final = [c for record, c in zip(batch, stored, strict=True) if record.is_released]
        settle_captions(final)
        released += [caption.pk for caption in final]
    _choose(released)
    _store_lists(plan, keys, release)
    set_categories(
        project,
        {facts.clip: (facts.category, facts.subcategory) for facts in plan.clips if facts.category},
    )
    _withdraw_writing(plan)
    _store_scores(project, bundle, plan, keys, release, admin)
    return len(keys), restore_records(project, bundle, plan, keys, release)


def _store(
    project: Project,
    batch: Sequence[CaptionRecord],
    plan: CaptionPlan,
    release: str,
) -> Sequence[Caption]:
    return store_captions(
        project.pk,
        [
            Caption(
                project=project,
                clip_id=plan.clip_of[record.id],
                kind=record.kind,
                source=record.source,
                text=record.text,
                parts=record.parts,
                spans=record.stored_spans(),
                word_count=count_words(record.text),
                provenance=[_origin(record, release)],
            )
            for record in batch
        ],
    )


def _origin(record: CaptionRecord, release: str) -> dict[str, str]:
    origin = {"model": record.model, "data_set": record.data_set, "label": record.author}
    return {name: value for name, value in origin.items() if value} | {RELEASE: release}


def _link(batch: Sequence[CaptionRecord], keys: dict[int, int]) -> None:
    link_parents(
        (keys[record.id], keys[parent])
        for record in batch
        for parent in record.parents
        if parent in keys
    )


def _choose(released: Sequence[int]) -> None:
    """Make those captions current that were current in the release for an unstated reason."""
    for keys in in_batches(released):
        batch = set(keys)
        CaptionRank.objects.bulk_create(
            [
                CaptionRank(caption_id=key, is_chosen=True)
                for key in sorted(batch - current_keys(batch))
            ]
        )


def _store_lists(plan: CaptionPlan, keys: dict[int, int], release: str) -> None:
    Extraction.objects.bulk_create(
        [
            Extraction(
                caption_id=keys[facts.captions[PART_OF[kind]]],
                kind=kind,
                elements=elements,
                most_elements=DEFAULT.most_elements,
                method=f"imported from {release}"[:200],
            )
            for facts in plan.clips
            for kind, elements in facts.lists.items()
        ],
        batch_size=AT_ONCE,
    )


def _withdraw_writing(plan: CaptionPlan) -> None:
    for clips in in_batches(facts.clip for facts in plan.clips if Kind.GENERAL in facts.captions):
        writing = WorkItem.objects.filter(clip__in=clips, kind=WorkItem.Kind.WRITE)
        writing.filter(assignments=None).delete()


def _store_scores(
    project: Project,
    bundle: Bundle,
    plan: CaptionPlan,
    keys: dict[int, int],
    release: str,
    admin: User | None,
) -> None:
    """Store the scores of each scorer as a finished run that was made elsewhere."""
    if SCORES not in bundle:
        return
    runs: dict[str, InferenceRun] = {}
    rows = (
        score for _, score in read_records(bundle, SCORES, ScoreRecord) if score.caption in keys
    )
    for batch in in_batches(rows):
        for score in batch:
            if score.scorer not in runs:
                runs[score.scorer] = _scoring_run(project, score, release, admin)
        items = RunItem.objects.bulk_create(
            [
                RunItem(
                    run=runs[score.scorer],
                    caption_id=keys[score.caption],
                    position=score.caption,
                    key=item_key(runs[score.scorer].recipe_hash, keys[score.caption]),
                    state=RunItem.State.DONE,
                    note=f"{score.value:z.3f}",
                    finished_at=runs[score.scorer].finished_at,
                )
                for score in batch
            ]
        )
        QualityScore.objects.bulk_create(
            [
                QualityScore(
                    project=project,
                    item=item,
                    caption_id=keys[score.caption],
                    clip_id=plan.clip_of[score.caption],
                    scorer=score.scorer,
                    scorer_name=score.scorer_name,
                    value=score.value,
                )
                for item, score in zip(items, batch, strict=True)
            ]
        )
    for run in runs.values():
        number = run.items.count()
        run.total, run.counts = number, {RunItem.State.DONE.value: number}
        run.save(update_fields=["total", "counts"])


def _scoring_run(
    project: Project, score: ScoreRecord, release: str, admin: User | None
) -> InferenceRun:
    name = f"Scores of {release}"[:80]
    model, _ = ModelSpec.objects.get_or_create(
        project=project, name=name, defaults={"backend": Backend.ELSEWHERE, "model_id": name}
    )
    more = {"keyword_model": None, "until": None, "scorer": score.scorer, RELEASE: release}
    recipe = as_json(make_recipe("score", ScoreOptions(), model=model)) | more
    now = timezone.now()
    return InferenceRun.objects.create(
        project=project,
        kind=InferenceRun.Kind.SCORE,
        title=score.scorer_name[:200],
        model=model,
        recipe=recipe,
        recipe_hash=hash_of(recipe),
        parameters=as_json(RunParameters(elsewhere=Elsewhere(release, score.scorer, ""))),
        state=InferenceRun.State.DONE,
        is_planned=True,
        created_by=admin,
        created_at=now,
        finished_at=now,
    )
