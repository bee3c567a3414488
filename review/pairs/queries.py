"""Label pairs by similarity, fast for the 46,665 pairs of 306 labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, F, Max, Q, QuerySet, When
from django.db.models.functions import Floor

from annotate.clips_to_do import subjects_to_do
from annotate.models import ActionLabel, Membership, Project, WorkItem
from metrics.agreement import mean_pairwise_kappa, percent_agreement
from metrics.agreement.estimate import Agreement
from review.pairs.models import LabelPair, PairHandOut, PairVerdict
from review.reports.questions import rater_key

PAGE_SIZE = 50
RANGES_TO_ONE = 20
# The pairs per label at the initial threshold; few actions exist in a second event.
ALIKE_PER_LABEL = {LabelPair.Kind.TEMPORAL.value: 5, LabelPair.Kind.EVENT.value: 1}
UNDECIDED = "none"
CONTRADICTS = "contradicts"
SAME_EVENT = Q(first__event=F("second__event"))
# The SQL version of `contradiction_of`.
CONTRADICTORY = (
    Q(kind=LabelPair.Kind.TEMPORAL) & ~SAME_EVENT | Q(kind=LabelPair.Kind.EVENT) & SAME_EVENT
) & ~(Q(first__event="") | Q(second__event=""))


def filter_pairs(membership: Membership, filters: Mapping[str, Any]) -> QuerySet[LabelPair]:
    """Return the pairs, most similar first. `filters`: `candidate`, `decision`, `domain`, `event`,
    and `q`, a part of a label. A filter by decision leaves out pairs whose decision is hidden.
    """
    project = membership.project
    pairs = LabelPair.objects.filter(project=project)
    if candidate := filters.get("candidate"):
        pairs = pairs.filter(candidate=candidate)
    if decision := filters.get("decision"):
        pairs = with_readable_decision(membership, pairs).filter(_decided_as(decision))
    labels = ActionLabel.objects.filter(project=project)
    # Labels are few and pairs many, so a filter by label keys avoids two joins.
    if domain := filters.get("domain"):
        keys = list(labels.filter(domain=domain).values_list("pk", flat=True))
        pairs = pairs.filter(first__in=keys, second__in=keys)
    if event := filters.get("event"):
        keys = list(labels.filter(event=event).values_list("pk", flat=True))
        pairs = pairs.filter(Q(first__in=keys) | Q(second__in=keys))
    if q := filters.get("q"):
        matching_labels = labels.filter(Q(caption__icontains=q) | Q(key=q))
        keys = list(matching_labels.values_list("pk", flat=True))
        pairs = pairs.filter(Q(first__in=keys) | Q(second__in=keys))
    return pairs.order_by("-similarity", "id")


def with_readable_decision(
    membership: Membership, pairs: QuerySet[LabelPair]
) -> QuerySet[LabelPair]:
    """Leave out the pairs that the person could still judge where gold is among them."""
    hidden = subjects_to_do(membership, "pair")
    return pairs if hidden is None else pairs.exclude(pk__in=hidden)


def hide_decisions(membership: Membership, pairs: Collection[LabelPair]) -> set[int]:
    """Clear the decisions that the person may not read of these few pairs, and return the keys of
    those pairs. They are not to be saved."""
    hidden = subjects_to_do(membership, "pair")
    keys = set() if hidden is None else set(hidden.filter(subject__in=[p.pk for p in pairs]))
    for pair in pairs:
        if pair.pk in keys:
            pair.kind, pair.decided_at = "", None
    return keys


def _decided_as(decision: str) -> Q:
    if decision == CONTRADICTS:
        return CONTRADICTORY
    return Q(kind="" if decision == UNDECIDED else decision)


def contradictory_pairs(project: Project) -> int:
    """Count the decisions that contradict the events of the labels."""
    return LabelPair.objects.filter(CONTRADICTORY, project=project).count()


@dataclass(frozen=True)
class PairRow:
    """`votes`: number of votes by kind; `is_asked`: whether the pair is still handed out."""

    pair: LabelPair
    votes: list[tuple[str, int]]
    is_asked: bool


def pairs_page(
    membership: Membership, filters: Mapping[str, Any], number: str | None
) -> tuple[Page[int], list[PairRow]]:
    """Return one page of the keys of pairs, and a row for each."""
    project = membership.project
    every = filter_pairs(membership, filters).values_list("pk", flat=True)
    page = Paginator(every, PAGE_SIZE).get_page(number)
    keys = list(page)
    pairs = LabelPair.objects.select_related("first", "second").in_bulk(keys)
    items = WorkItem.objects.filter(project=project, kind="pair", subject__in=keys).values_list(
        "subject", "state"
    )
    asked = {subject for subject, state in items if state == WorkItem.State.OPEN}
    asked |= (hidden := hide_decisions(membership, pairs.values()))
    votes = votes_on([key for key in keys if key not in hidden])
    return page, [PairRow(pairs[key], votes.get(key, []), key in asked) for key in keys]


def votes_on(pairs: list[int]) -> dict[int, list[tuple[str, int]]]:
    """Return pair -> how often people chose each kind, for pairs judged by several people; each
    person's newest vote counts.
    """
    newest = (
        PairVerdict.objects.filter(pair__in=pairs)
        .order_by()
        .values("pair", "person", "label")
        .annotate(newest=Max("pk"))
        .values("newest")
    )
    counts_by_pair: dict[int, Counter[str]] = {}
    for pair, kind in PairVerdict.objects.filter(pk__in=newest).values_list("pair", "kind"):
        counts_by_pair.setdefault(pair, Counter())[kind] += 1
    names = dict(LabelPair.Kind.choices)
    return {
        pair: [(names[kind], number) for kind, number in counts.most_common()]
        for pair, counts in counts_by_pair.items()
        if counts.total() > 1
    }


def similarity_ranges(project: Project, candidate: str = LabelPair.Kind.TEMPORAL) -> dict[int, int]:
    """Return the number of candidates for this change in each range of 0.05: 19 is 0.95 up to, but
    not including, 1.
    """
    counted = (
        LabelPair.objects.filter(project=project, candidate=candidate)
        .order_by()
        .annotate(range=Floor(F("similarity") * RANGES_TO_ONE))
        .values_list("range")
        .annotate(pairs=Count("pk"))
    )
    return {int(place): number for place, number in counted}


def usual_threshold(project: Project, candidate: str = LabelPair.Kind.TEMPORAL) -> float:
    """Return the threshold of the last hand-out of these candidates, or one that gives about five
    temporal changes, or one event change, per label.
    """
    last = PairHandOut.objects.filter(project=project, candidate=candidate).first()
    if last is not None:
        return last.least
    ranked = LabelPair.objects.filter(project=project, candidate=candidate)
    labels = ActionLabel.objects.filter(project=project).count()
    place = ALIKE_PER_LABEL[candidate] * labels
    at_place = ranked.order_by("-similarity", "id").values_list("similarity", flat=True)[place:][:1]
    return int(100 * next(iter(at_place), 0)) / 100


@dataclass(frozen=True)
class Decided:
    """How many pairs there are, are candidates for each change, are decided to be each kind, and
    were handed out. `outdated`: a caption or an event has changed since the pair was compared.
    """

    pairs: int
    candidates: dict[str, int]
    outdated: int
    kinds: list[tuple[str, int]]
    asked: int
    done: int

    @property
    def percent(self) -> int:
        return 100 * self.done // self.asked if self.asked else 0


def decided(project: Project) -> Decided:
    rows = (
        LabelPair.objects.filter(project=project)
        .order_by()
        .values_list("kind", "candidate", "is_outdated")
        .annotate(n=Count("pk"))
    )
    kinds: Counter[str] = Counter()
    candidates = dict.fromkeys(ALIKE_PER_LABEL, 0)
    outdated = 0
    for kind, candidate, is_outdated, number in rows:
        kinds[kind] += number
        candidates[candidate] += number
        outdated += number * is_outdated
    items = dict(
        WorkItem.objects.filter(project=project, kind="pair")
        .order_by()
        .values_list("state")
        .annotate(n=Count("pk"))
    )
    return Decided(
        pairs=kinds.total(),
        candidates=candidates,
        outdated=outdated,
        kinds=[(kind.label, kinds[kind]) for kind in LabelPair.Kind],
        asked=sum(items.values()),
        done=items.get(WorkItem.State.DONE, 0),
    )


def pair_agreement(project: Project) -> list[Agreement]:
    """Return percent agreement and kappa of everybody's newest verdicts on pairs with at least
    two.
    """
    verdicts = PairVerdict.objects.filter(pair__project=project)
    newest = verdicts.order_by().values("pair", "person", "label").annotate(newest=Max("pk"))
    imported = Case(When(label="", then=None), default="label")
    shared = (
        verdicts.order_by()
        .values("pair")
        .annotate(people=Count("person", distinct=True) + Count(imported))
        .filter(people__gt=1)
    )
    rows = (
        PairVerdict.objects.filter(pk__in=newest.values("newest"), pair__in=shared.values("pair"))
        .order_by("pair", "person", "label")
        .values_list("person", "label", "pair", "kind")
    )
    labels = [(rater_key(person, label), pair, kind) for person, label, pair, kind in rows]
    if not labels:
        return []
    scale = list(LabelPair.Kind.values)
    return [percent_agreement(labels, scale=scale), mean_pairwise_kappa(labels, scale=scale)]
