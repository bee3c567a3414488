"""Label pairs by similarity, fast for the 46,665 pairs of 306 labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import Floor

from annotate.models import ActionLabel, AuditEvent, Project, WorkItem
from metrics.agreement import mean_pairwise_kappa, percent_agreement
from metrics.agreement.estimate import Agreement
from review.pairs.models import LabelPair, PairVerdict

PAGE_SIZE = 50
RANGES_TO_ONE = 20
ALIKE_PER_LABEL = 5
AGREEMENT_LASTS_SECONDS = 24 * 3600
HANDED_OUT = "hand out label pairs"
UNDECIDED = "none"


def filter_pairs(project: Project, filters: Mapping[str, Any]) -> QuerySet[LabelPair]:
    """Return the pairs, most similar first. `filters`: `decision`, `domain`, and `q`, a part of a
    label.
    """
    pairs = LabelPair.objects.filter(project=project)
    if decision := filters.get("decision"):
        pairs = pairs.filter(kind="" if decision == UNDECIDED else decision)
    labels = ActionLabel.objects.filter(project=project)
    # There are few labels and many pairs, so a filter by label keys avoids two joins.
    if domain := filters.get("domain"):
        keys = list(labels.filter(domain=domain).values_list("pk", flat=True))
        pairs = pairs.filter(first__in=keys, second__in=keys)
    if q := filters.get("q"):
        found = labels.filter(Q(caption__icontains=q) | Q(key=q))
        keys = list(found.values_list("pk", flat=True))
        pairs = pairs.filter(Q(first__in=keys) | Q(second__in=keys))
    return pairs.order_by("-similarity", "id")


@dataclass(frozen=True)
class PairRow:
    """`votes`: number of votes by kind; `is_asked`: whether the pair is still handed out."""

    pair: LabelPair
    votes: list[tuple[str, int]]
    is_asked: bool


def pairs_page(
    project: Project, filters: Mapping[str, Any], number: str | None
) -> tuple[Page[int], list[PairRow]]:
    """One page of the keys of pairs, and a row for each."""
    every = filter_pairs(project, filters).values_list("pk", flat=True)
    page = Paginator(every, PAGE_SIZE).get_page(number)
    keys = list(page)
    pairs = LabelPair.objects.select_related("first", "second").in_bulk(keys)
    items = WorkItem.objects.filter(
        project=project, kind=WorkItem.Kind.PAIR, subject__in=keys
    ).values_list("subject", "state")
    asked = {subject for subject, state in items if state == WorkItem.State.OPEN}
    votes = votes_on(keys)
    return page, [PairRow(pairs[key], votes.get(key, []), key in asked) for key in keys]


def votes_on(pairs: list[int]) -> dict[int, list[tuple[str, int]]]:
    """pair -> how often people say each, where more than one has; everybody's newest counts."""
    newest = (
        PairVerdict.objects.filter(pair__in=pairs)
        .order_by()
        .values("pair", "person")
        .annotate(newest=Max("pk"))
        .values("newest")
    )
    found: dict[int, Counter[str]] = {}
    for pair, kind in PairVerdict.objects.filter(pk__in=newest).values_list("pair", "kind"):
        found.setdefault(pair, Counter())[kind] += 1
    names = dict(LabelPair.Kind.choices)
    return {
        pair: [(names[kind], number) for kind, number in counts.most_common()]
        for pair, counts in found.items()
        if counts.total() > 1
    }


def similarity_ranges(project: Project) -> dict[int, int]:
    """Return the number of pairs in each range of 0.05: 19 is 0.95 up to, but not including, 1."""
    counted = (
        LabelPair.objects.filter(project=project)
        .order_by()
        .annotate(range=Floor(F("similarity") * RANGES_TO_ONE))
        .values_list("range")
        .annotate(pairs=Count("pk"))
    )
    return {int(place): number for place, number in counted}


def usual_threshold(project: Project) -> float:
    """Return the threshold of the last hand-out, or one that gives about five pairs per label."""
    last = AuditEvent.objects.filter(
        project=project, object_type="project", object_id=project.pk, verb=HANDED_OUT
    ).first()
    if last:
        return float(last.after["least"])
    ranked = LabelPair.objects.filter(project=project).order_by("-similarity", "id")
    labels = ActionLabel.objects.filter(project=project).count()
    some = ranked.values_list("similarity", flat=True)[ALIKE_PER_LABEL * labels :][:1]
    return int(100 * next(iter(some), 0)) / 100


@dataclass(frozen=True)
class Decided:
    """How many pairs there are, are decided to be each kind, and were handed out."""

    pairs: int
    kinds: list[tuple[str, int]]
    asked: int
    done: int

    @property
    def percent(self) -> int:
        return 100 * self.done // self.asked if self.asked else 0


def decided(project: Project) -> Decided:
    kinds = dict(
        LabelPair.objects.filter(project=project)
        .order_by()
        .values_list("kind")
        .annotate(n=Count("pk"))
    )
    items = dict(
        WorkItem.objects.filter(project=project, kind=WorkItem.Kind.PAIR)
        .order_by()
        .values_list("state")
        .annotate(n=Count("pk"))
    )
    return Decided(
        pairs=sum(kinds.values()),
        kinds=[(kind.label, kinds.get(kind, 0)) for kind in LabelPair.Kind],
        asked=sum(items.values()),
        done=items.get(WorkItem.State.DONE, 0),
    )


def pair_agreement(project: Project) -> list[Agreement]:
    """Percent agreement and kappa of everybody's newest verdicts, of pairs with two or more."""
    verdicts = PairVerdict.objects.filter(pair__project=project)
    last = verdicts.aggregate(last=Max("pk"))["last"]
    if last is None:
        return []
    key = f"pair-agreement-{project.pk}-{last}"
    found: list[Agreement] | None = cache.get(key)
    if found is None:
        found = _agreement(verdicts)
        cache.set(key, found, AGREEMENT_LASTS_SECONDS)
    return found


def _agreement(verdicts: QuerySet[PairVerdict]) -> list[Agreement]:
    newest = verdicts.order_by().values("pair", "person").annotate(newest=Max("pk"))
    shared = (
        verdicts.order_by()
        .values("pair")
        .annotate(people=Count("person", distinct=True))
        .filter(people__gt=1)
    )
    labels = list(
        PairVerdict.objects.filter(pk__in=newest.values("newest"), pair__in=shared.values("pair"))
        .order_by("pair", "person")
        .values_list("person", "pair", "kind")
    )
    if not labels:
        return []
    scale = list(LabelPair.Kind.values)
    return [percent_agreement(labels, scale=scale), mean_pairwise_kappa(labels, scale=scale)]
