"""Generate triplets: all clips of one label with all of the other (TF-CoVR, section 3)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from annotate.audit import record_event
from annotate.jobs.services.starting import start_job
from annotate.models import Project, User, Video
from annotate.models.jobs import Job
from annotate.stored_json import as_json
from review.errors import ReviewError
from review.modifications.models import Modification
from review.triplets.caps import Caps, draw_triplets
from review.triplets.models import ComposedQuery, Triplet, TripletSet
from review.triplets.possible import (
    LabeledClips,
    clips_by_label,
    text_clashes,
    usable_modifications,
)
from review.triplets.sampling import draw_stratified
from review.triplets.train_plan import plan_train

Split = Video.Split
State = TripletSet.State

GENERATE_TRIPLETS = "triplets"
MAX_TARGETS = 100
# Rows in memory at a time; a label can have thousands of clips.
ROW_BATCH_SIZE = 2_000


@dataclass(frozen=True)
class SetParameters:
    """`set` is the key of the TripletSet that the job generates."""

    set: int


@transaction.atomic
def start_triplet_set(
    *,
    project: Project,
    seed: int,
    most_targets: int,
    admin: User | None,
    other_sources: str = TripletSet.OtherSources.TEST,
    test_queries: int = 0,
    caps: Caps | None = None,
) -> TripletSet:
    """Have a worker generate the triplets of the accepted modifications. Raises ReviewError."""
    caps = caps or Caps()
    if not 1 <= most_targets <= MAX_TARGETS:
        raise ReviewError(f"Choose a maximum of 1 to {MAX_TARGETS} targets per query.")
    project = Project.objects.lock(project.pk)
    if TripletSet.objects.filter(project=project, state=State.RUNNING).exists():
        raise ReviewError("Triplets are being generated now. Wait until they are finished.")
    refuse_incomplete(project, usable_modifications(project))
    last = TripletSet.objects.filter(project=project).aggregate(last=Max("number"))["last"]
    triplets = TripletSet.objects.create(
        project=project,
        number=(last or 0) + 1,
        seed=seed,
        most_targets=most_targets,
        other_sources=other_sources,
        test_queries=test_queries,
        most_per_query=caps.per_query,
        most_per_direction=caps.per_direction,
        train_triplets=caps.triplets,
        created_by=admin,
    )
    record_event(
        actor=admin,
        verb="generate triplets",
        subject=triplets,
        project=project,
        after={
            "seed": seed, "most_targets": most_targets, "other_sources": other_sources,
            "test_queries": test_queries, "caps": asdict(caps),
        },
    )  # fmt: skip
    start_job(
        Job(
            project=project,
            kind=GENERATE_TRIPLETS,
            title=f"Set {triplets.number}",
            parameters=as_json(SetParameters(triplets.pk)),
            created_by=admin,
        )
    )
    return triplets


def refuse_incomplete(project: Project, modifications: Sequence[Modification]) -> None:
    """Raise ReviewError, which says what to fix before triplets can be generated from these usable
    modifications.
    """
    if not modifications:
        raise ReviewError("No modification is accepted yet. Judge label pairs and their texts.")
    unsplit = project.videos.filter(split="", clips__label__isnull=False).distinct().count()
    if unsplit:
        raise ReviewError(
            f"{unsplit} source {'video is' if unsplit == 1 else 'videos are'} not in a split. "
            "Split the videos first, so that all clips of a video are in one split."
        )
    if clashes := text_clashes(modifications):
        sentences = " ".join(clash.sentence for clash in clashes)
        raise ReviewError(f"{sentences} Change the texts, so that each query has one meaning.")


def generate(*, triplets: TripletSet) -> TripletSet:
    """Store the triplets that are not stored yet. Safe to repeat; after a killed worker it
    continues with the unfinished modifications. Of two workers at once, the second waits and then
    has nothing to do.
    """
    clips = clips_by_label(triplets.project)
    usable = usable_modifications(triplets.project)
    drawn = _draw(triplets, usable, clips)
    left = [modification for modification in usable if modification.pk > triplets.done_up_to]
    for step in _in_steps(left, clips):
        if not _store(triplets, step, clips, drawn):
            break
    TripletSet.objects.filter(pk=triplets.pk, state=State.RUNNING).update(
        state=State.FINISHED, finished_at=timezone.now()
    )
    triplets.refresh_from_db()
    return triplets


def _in_steps(
    modifications: Iterable[Modification], clips: LabeledClips
) -> Iterator[list[Modification]]:
    """Yield batches of modifications to store together: one transaction each would take most of the
    time.
    """
    step: list[Modification] = []
    rows = 0
    for modification in modifications:
        step.append(modification)
        rows += sum(
            len(clips.queries(modification, split)) * len(clips.targets(modification, split))
            for split in Split.values
        )
        if rows >= ROW_BATCH_SIZE:
            yield step
            step, rows = [], 0
    if step:
        yield step


@dataclass(frozen=True)
class Drawn:
    """`test`: the test queries to create, each a modification and a clip; `train`: the number of
    train triplets of each modification. None: all.
    """

    test: set[tuple[int, int]] | None
    train: dict[int, int] | None


def _draw(
    triplets: TripletSet, modifications: Sequence[Modification], clips: LabeledClips
) -> Drawn:
    is_apart = triplets.keeps_sources_apart(Split.TRAIN)
    plan = plan_train(clips, modifications, triplets.caps, is_apart=is_apart, seed=triplets.seed)
    return Drawn(
        test=_test_queries(triplets, modifications, clips) if triplets.test_queries else None,
        train=plan.kept if triplets.caps != Caps() else None,
    )


def _test_queries(
    triplets: TripletSet, modifications: Iterable[Modification], clips: LabeledClips
) -> set[tuple[int, int]]:
    """Draw the set's number of test queries, spread over kinds, domains and labels."""
    rows = [
        (
            (modification.pair.kind, modification.target.domain, modification.target.key),
            (modification.pk, clip),
        )
        for modification in modifications
        for clip, _ in clips.asked(
            modification, Split.TEST, is_apart=triplets.keeps_sources_apart(Split.TEST)
        )
    ]
    return set(draw_stratified(rows, triplets.test_queries, triplets.seed))


@transaction.atomic
def _store(
    triplets: TripletSet,
    modifications: list[Modification],
    clips: LabeledClips,
    drawn: Drawn,
) -> bool:
    """Store all triplets of the modifications, or none; return False if the set is no longer being
    generated.
    """
    locked = TripletSet.objects.select_for_update(of=("self",)).get(pk=triplets.pk)
    if locked.state != State.RUNNING:
        return False
    due = [modification for modification in modifications if modification.pk > locked.done_up_to]
    if due:
        stored = store_queries(
            query for modification in due for query in _queries(locked, modification, clips, drawn)
        )
        TripletSet.objects.filter(pk=triplets.pk).update(
            done_up_to=due[-1].pk, triplet_count=F("triplet_count") + stored
        )
    return True


def store_queries(rows: Iterable[tuple[ComposedQuery, Sequence[int]]]) -> int:
    """Insert composed queries with their targets, the primary one first; return the number of
    triplets.

    Call it inside a transaction. The database refuses a query that crosses splits.
    """
    stored = 0
    for batch in _in_batches(rows):
        queries = ComposedQuery.objects.bulk_create([query for query, _ in batch])
        triplets = [
            Triplet(query=query, target_id=target, place=place)
            for query, (_, targets) in zip(queries, batch, strict=True)
            for place, target in enumerate(targets)
        ]
        Triplet.objects.bulk_create(triplets, batch_size=ROW_BATCH_SIZE)
        stored += len(triplets)
    return stored


def _queries(
    triplets: TripletSet, modification: Modification, clips: LabeledClips, drawn: Drawn
) -> Iterator[tuple[ComposedQuery, Sequence[int]]]:
    """Yield each clip of the source label with its targets: in train all clips of the target label,
    or those that the caps leave; in validation and test at most `most_targets`. The seed draws.
    """
    key = modification.pk
    for split in Split.values:
        is_apart = triplets.keeps_sources_apart(split)
        drawn_queries: Iterable[tuple[int, Sequence[int]]] = clips.asked(
            modification, split, is_apart=is_apart
        )
        if split == Split.TRAIN and drawn.train is not None:
            chance = random.Random(f"train {triplets.seed} {key}")
            drawn_queries = draw_triplets(
                list(drawn_queries), drawn.train[key], triplets.most_per_query, chance
            )
        for clip, targets in drawn_queries:
            if split == Split.TEST and drawn.test is not None and (key, clip) not in drawn.test:
                continue
            chosen = targets
            if split != Split.TRAIN and len(targets) > triplets.most_targets:
                chance = random.Random(f"{triplets.seed} {key} {clip}")
                chosen = chance.sample(targets, triplets.most_targets)
            yield (
                ComposedQuery(
                    triplets=triplets, split=split, clip_id=clip, modification=modification
                ),
                chosen,
            )


def _in_batches(
    queries: Iterable[tuple[ComposedQuery, Sequence[int]]],
) -> Iterator[list[tuple[ComposedQuery, Sequence[int]]]]:
    batch: list[tuple[ComposedQuery, Sequence[int]]] = []
    rows = 0
    for query, targets in queries:
        batch.append((query, targets))
        rows += 1 + len(targets)
        if rows >= ROW_BATCH_SIZE:
            yield batch
            batch, rows = [], 0
    if batch:
        yield batch
