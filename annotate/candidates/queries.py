"""Candidates by state, and what their subcategories still need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotate.corpus.balance import quota_verdict
from annotate.corpus.pieces import clips_in_benchmark
from annotate.models import AuditEvent, Candidate, Project

State = Candidate.State
WITHDRAWN = "withdrawn"
IS_WITHDRAWN = Q(state=State.SELECTED) & Q(cut__isnull=False) & ~Q(cut__excluded_because="")
TABS = {
    State.UNDECIDED.value: "Undecided",
    State.SELECTED.value: "Selected",
    State.REJECTED.value: "Rejected",
    WITHDRAWN: "Left out",
}


@dataclass(frozen=True)
class Need:
    """A subcategory: its candidates and its `clips` of the benchmark, including those being cut.
    `missing`: clips needed to reach the quota. `verdict`: few, within or many.
    """

    category: str
    subcategory: str
    clips: int
    undecided: int
    rejected: int
    missing: int
    verdict: str


def in_tab(project: Project, tab: str) -> QuerySet[Candidate]:
    candidates = Candidate.objects.filter(project=project)
    if tab == WITHDRAWN:
        return candidates.filter(IS_WITHDRAWN)
    candidates = candidates.filter(state=tab)
    return candidates.exclude(IS_WITHDRAWN) if tab == State.SELECTED else candidates


def keys_among(project: Project, keys: Sequence[int]) -> list[int]:
    """Return those of the keys that candidates of the project have."""
    candidates = Candidate.objects.filter(project=project, pk__in=keys)
    return list(candidates.values_list("pk", flat=True))


def candidate_of(project: Project, key: int) -> Candidate | None:
    candidates = Candidate.objects.select_related("video", "cut")
    return candidates.filter(project=project, pk=key).first()


def tab_counts(project: Project) -> dict[str, int]:
    counts = dict(
        Candidate.objects.filter(project=project)
        .order_by()
        .values_list("state")
        .annotate(times=Count("pk"))
    )
    withdrawn = in_tab(project, WITHDRAWN).count()
    counts[State.SELECTED] = counts.get(State.SELECTED, 0) - withdrawn
    return {tab: counts.get(tab, 0) for tab in TABS} | {WITHDRAWN: withdrawn}


def needs_of(project: Project) -> list[Need]:
    """Return the subcategories that have candidates, sorted by missing clips, most first."""
    states: dict[tuple[str, str], Counter[str]] = {}
    rows = (
        Candidate.objects.filter(project=project)
        .order_by()
        .values_list("category", "subcategory", "state")
        .annotate(times=Count("pk"), uncut=Count("pk", filter=Q(cut=None)))
    )
    for category, subcategory, state, times, uncut in rows:
        counts = states.setdefault((category, subcategory), Counter())
        counts[state] += times
        counts["uncut"] += uncut if state == State.SELECTED else 0
    clips = _clips_by_subcategory(project)
    needs = []
    for (category, subcategory), counts in states.items():
        number = clips[category, subcategory] + counts["uncut"]
        needs.append(
            Need(
                category=category,
                subcategory=subcategory,
                clips=number,
                undecided=counts[State.UNDECIDED],
                rejected=counts[State.REJECTED],
                missing=max(0, project.quota_min - number),
                verdict=quota_verdict(project, number),
            )
        )
    return sorted(needs, key=lambda need: (-need.missing, need.category, need.subcategory))


def _clips_by_subcategory(project: Project) -> Counter[tuple[str, str]]:
    rows = (
        clips_in_benchmark(project)
        .order_by()
        .values_list("video__category", "video__subcategory")
        .annotate(times=Count("pk"))
    )
    return Counter({(category, subcategory): times for category, subcategory, times in rows})


def next_undecided(project: Project, after: Candidate | None = None) -> Candidate | None:
    """Return the next undecided candidate: of the same subcategory, else of the one that lacks the
    most clips.
    """
    undecided = in_tab(project, State.UNDECIDED).select_related("video").order_by("pk")
    if after is not None:
        same = undecided.filter(category=after.category, subcategory=after.subcategory)
        following = same.filter(pk__gt=after.pk).first() or same.exclude(pk=after.pk).first()
        if following:
            return following
    for need in needs_of(project):
        if need.undecided:
            of_need = undecided.filter(category=need.category, subcategory=need.subcategory)
            if following := of_need.exclude(pk__in=[after.pk] if after else []).first():
                return following
    return None


def decision_history(candidate: Candidate) -> list[AuditEvent]:
    """Return every decision about the candidate and its clip, newest first, with their actors."""
    of_clip = Q(object_type="video", object_id=candidate.cut_id, verb__in=["exclude", "include"])
    of_candidate = Q(object_type="candidate", object_id=candidate.pk)
    events = AuditEvent.objects.filter(of_candidate | of_clip if candidate.cut_id else of_candidate)
    return list(events.select_related("actor").order_by("-pk"))
