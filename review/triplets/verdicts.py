"""Assign composed queries and their targets to people, and store their verdicts (TF-CoVR, section
3).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from annotate.audit import record_event
from annotate.errors import WorkInvalid
from annotate.models import Assignment, Clip, Project, User, Video, WorkItem
from annotate.queue.chance import priority_by_chance
from annotate.queue.content import Content
from annotate.queue.services import Submission, submits
from annotate.text.parts import Problem
from inference.queries import BATCH_SIZE
from review.modifications.queries import word_limits
from review.reports.agreement_due import agreement_changed
from review.reports.models import Report
from review.reports.results import parameters_of
from review.reports.services import recompute_later
from review.triplets.content import TripletJudgment, problems_of, read_judgment
from review.triplets.models import (
    ComposedQuery,
    TargetVerdict,
    TripletHandOut,
    TripletSet,
    TripletVerdict,
)
from review.triplets.sampling import draw_stratified

Order = TripletHandOut.Order
MAP = "map"
STRATA = ("modification__pair__kind", "modification__target__domain", "modification__target__key")
# A report stores the first ranks of each query, so a report per verdict on a larger set would fill
# the disk.
MAX_FOLLOWED = 500


@transaction.atomic
def hand_out_queries(
    *,
    triplets: TripletSet,
    split: str,
    most: int,
    people: int,
    admin: User | None,
    order: str = Order.RANDOM,
    seed: int = 0,
) -> int:
    """Assign up to `most` unassigned queries of the split, each to several people; return their
    number. Safe to repeat.

    `order`: RANDOM draws a stratified sample by the seed, in which each of these queries is equally
    likely; MAX_TARGETS takes those with the most targets, which aren't representative.
    """
    asked = WorkItem.objects.filter(
        project=triplets.project_id, kind="triplet", subject=OuterRef("pk")
    )
    queries = triplets.queries.with_target_counts().filter(~Exists(asked), split=split)
    if order == Order.RANDOM:
        rows = queries.order_by("pk").values_list("pk", "clip", *STRATA)
        free = [(tuple(stratum), (pk, clip, 0.0)) for pk, clip, *stratum in rows]
        chosen = draw_stratified(free, most, seed)
    else:
        by_targets = queries.order_by("-target_count", "pk")
        chosen = [
            (query, clip, priority_by_chance("triplet", query, usual=targets))
            for query, clip, targets in by_targets.values_list("pk", "clip", "target_count")[:most]
        ]
    items = [
        WorkItem(
            project_id=triplets.project_id,
            clip_id=clip,
            kind="triplet",
            subject=query,
            needed=people,
            open_slots=people,
            priority=priority,
        )
        for query, clip, priority in chosen
    ]
    WorkItem.objects.bulk_create(items, ignore_conflicts=True, batch_size=BATCH_SIZE)
    TripletHandOut.objects.create(
        triplets=triplets,
        split=split,
        order=order,
        seed=seed,
        people=people,
        queries=len(items),
        created_by=admin,
    )
    record_event(
        actor=admin,
        verb="hand out triplets",
        subject=triplets,
        project=triplets.project,
        after={
            "split": split, "people": people, "queries": len(items), "order": order, "seed": seed,
        },
    )  # fmt: skip
    return len(items)


def queried(item: WorkItem) -> ComposedQuery:
    """Return the composed query to verify, with its modification and labels."""
    query: ComposedQuery = ComposedQuery.objects.select_related(
        "clip__video", "clip__label", "modification__source", "modification__target"
    ).get(pk=item.subject, triplets__project=item.project_id)
    return query


def clips_to_add(query: ComposedQuery) -> QuerySet[Clip]:
    """Return the clips that could also be valid targets: those of the same split, except the
    query's own.
    """
    return Clip.objects.filter(project=query.clip.project_id, video__split=query.split).exclude(
        pk=query.clip_id
    )


@submits()
def submit_triplet_verdict(submission: Submission) -> None:
    """Store the person's verdict. Raises WorkInvalid, LeaseLost, or DraftConflict."""
    assignment = submission.assignment
    query = queried(assignment.item)
    judgment = checked_judgment(query, submission.content)
    verdict = _record(query, assignment, judgment)
    submission.complete()
    submission.record(
        after={
            "corrected": verdict.corrected,
            "wrong": sum(not is_valid for is_valid in judgment.targets.values()),
            "added": len(judgment.added),
        },
    )
    if query.split == Video.Split.TEST:
        retrieval_changed(assignment.item.project)
    agreement_changed(assignment.item.project_id)


def checked_judgment(query: ComposedQuery, content: Content) -> TripletJudgment:
    """Return the judgment of the query. Raises WorkInvalid, which says what to fix."""
    targets = list(query.targets.values_list("target", flat=True))
    judgment = read_judgment(content, targets)
    problems = problems_of(judgment, query.modification.text, word_limits(query.triplets.project))
    may_add = set(clips_to_add(query).filter(pk__in=judgment.added).values_list("pk", flat=True))
    problems += [
        Problem(
            f"added-{clip}", "A clip that you added can't be a target of this query. Remove it."
        )
        for clip in judgment.added
        if clip not in may_add
    ]
    if problems:
        raise WorkInvalid(problems)
    return judgment


@dataclass(frozen=True)
class Asked:
    """The part of the parameters of mAP@K that is read here."""

    queries: int = 0


def retrieval_changed(project: Project) -> None:
    """Recompute mAP@K if it has been computed before and the set is small."""
    reports = Report.objects.newest(project, MAP)
    queries = [parameters_of(report, Asked).queries for report in reports.defer("result")]
    if queries and max(queries) <= MAX_FOLLOWED:
        recompute_later(project.pk, MAP)


def _record(
    query: ComposedQuery, assignment: Assignment, judgment: TripletJudgment
) -> TripletVerdict:
    verdict = TripletVerdict.objects.create(
        query=query,
        person=assignment.annotator,
        assignment=assignment,
        is_right=bool(judgment.is_right),
        is_enough=bool(judgment.is_enough),
        is_needed=bool(judgment.is_needed),
        corrected=judgment.corrected,
        remark=judgment.remark,
    )
    TargetVerdict.objects.bulk_create(target_verdicts(verdict, judgment))
    return verdict


def target_verdicts(verdict: TripletVerdict, judgment: TripletJudgment) -> list[TargetVerdict]:
    """Return the unsaved verdicts on the targets, then those on the added clips."""
    return [
        *(
            TargetVerdict(verdict=verdict, clip_id=clip, is_valid=bool(is_valid))
            for clip, is_valid in judgment.targets.items()
        ),
        *(
            TargetVerdict(verdict=verdict, clip_id=clip, is_valid=True, is_added=True)
            for clip in judgment.added
        ),
    ]
