"""The open work of models, in the order of the project's protocol. Reads no caption."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from annotate.models import Project
from annotate.models.jobs import ACTIVE
from inference import words
from inference.models import InferenceRun
from inference.planning.embedding_needs import embedding_needs
from inference.planning.lovr_needs import Scoring, lovr_needs, scoring_of
from inference.planning.need import Need
from inference.recipes import try_stated

Kind = InferenceRun.Kind


def needs_of(project: Project, scoring: Scoring | None = None) -> list[Need]:
    """Return the runs that the protocol needs, in order, embedding last. None can start while what
    it works on is still being made. A constant number of queries.
    """
    chain: list[Need] = []
    if "caption" in project.pipeline.keys:
        needs = lovr_needs(project, scoring_of(project) if scoring is None else scoring)
        chain = [need for need in needs if need.kind in project.pipeline.keys]
    embedding = embedding_needs(project)
    active = _active_runs(project, {need.key for need in [*chain, *embedding]})
    chain = _in_order([replace(need, run=active.get(need.key)) for need in chain])
    embedding = [replace(need, run=active.get(need.key)) for need in embedding]
    return [*chain, *(_once_final(chain, need) for need in embedding)]


def next_need(needs: Sequence[Need]) -> Need | None:
    """Return the first that can start, one that the protocol can do without last."""
    due = [need for need in needs if need.is_due]
    return next((need for need in due if not need.is_optional), due[0] if due else None)


def _active_runs(project: Project, keys: set[str]) -> dict[str, int]:
    """Return the newest active run for each need, by its key."""
    runs = InferenceRun.objects.filter(project=project, state__in=ACTIVE).order_by("pk")
    active = {}
    for run in runs.only("kind", "recipe"):
        active[key_of_run(run, keys)] = run.pk
    return active


def key_of_run(run: InferenceRun, keys: Collection[str]) -> str:
    """Return the key of the need that the run works for."""
    of = f"{run.kind}-{try_stated(run.recipe).of}"
    return of if of in keys else run.kind


def _in_order(chain: Sequence[Need]) -> list[Need]:
    """Let each need wait for the first required one before it that isn't finished."""
    return [_after(chain[:place], need) for place, need in enumerate(chain)]


def _after(before: Sequence[Need], need: Need) -> Need:
    """Let the need wait for the first required one of `before` that isn't finished."""
    first = next((each for each in before if each.is_unfinished and not each.is_optional), None)
    if need.waits_for or first is None:
        return need
    label = words.KINDS[first.kind].label
    waits = f"{label} run {first.run} is in progress." if first.run else f"{label} comes first."
    return replace(need, waits_for=waits)


def _once_final(chain: Sequence[Need], need: Need) -> Need:
    """Let an embed run wait until what it embeds is final: clips until the videos are cut, and
    captions as long as fusing them would wait.
    """
    if need.options.get("of") == "clips":
        return _after([each for each in chain if each.kind == Kind.SEGMENT], need)
    fuse = next((each for each in chain if each.kind == Kind.FUSE), None)
    return replace(need, waits_for=need.waits_for or (fuse.waits_for if fuse else ""))
