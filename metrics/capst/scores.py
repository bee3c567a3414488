"""CapST of one model's captions: over all clips and over those of each category."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from metrics.capst.estimate import BranchScores, score_branch, share_of
from metrics.capst.judged import Sample, checked
from metrics.capst.presets import Preset, preset_of

VERSION = 1


@dataclass(frozen=True)
class CategoryScores:
    """`n_failed`: samples with a list without an answer."""

    events: BranchScores
    objects: BranchScores
    n_samples: int
    n_failed: int


@dataclass(frozen=True)
class CapST(CategoryScores):
    """Scores over all samples, and over those of each category, by name."""

    by_category: dict[str, CategoryScores]
    preset: Preset
    n_bootstrap: int
    seed: int
    version: int = VERSION


@dataclass(frozen=True)
class ClipScores:
    """The four shares of one sample, 0 to 1; None if it is left out of that mean."""

    events_recall: float | None
    events_precision: float | None
    objects_recall: float | None
    objects_precision: float | None


def capst(
    samples: Iterable[Sample],
    preset: str | Preset = "default",
    *,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> CapST:
    """Score one model's captions, one sample per clip (CaReBench, section 3.4.2, Tables 2 and 3).

    `preset`: "default", "official", or your own Preset; see `differences()`. Neutral and
    contradicted elements both count as not entailed. The result, including the intervals, doesn't
    depend on the order of the samples.

    Raises ValueError for a repeated clip, an unknown relationship or preset, and a negative
    `n_bootstrap`.
    """
    rules, samples_given = preset_of(preset), list(samples)
    checked(samples_given)
    if n_bootstrap < 0:
        raise ValueError(f"n_bootstrap is {n_bootstrap}; it can't be negative")
    groups: dict[str, list[Sample]] = {}
    for sample in samples_given:
        groups.setdefault(sample.category, []).append(sample)
    overall = _scored(samples_given, rules, n_bootstrap, seed)
    return CapST(
        events=overall.events,
        objects=overall.objects,
        n_samples=overall.n_samples,
        n_failed=overall.n_failed,
        by_category={
            name: _scored(groups[name], rules, n_bootstrap, seed) for name in sorted(groups)
        },
        preset=rules,
        n_bootstrap=n_bootstrap,
        seed=seed,
    )


def score_clip(sample: Sample, preset: str | Preset = "default") -> ClipScores:
    """Return the shares with which `sample` enters the means of `capst`. Raises ValueError as
    `capst` does.
    """
    rules = preset_of(preset)
    checked([sample])
    if rules.drop_samples and _failed(sample):
        return ClipScores(None, None, None, None)
    return ClipScores(
        events_recall=share_of(sample.events.reference, rules),
        events_precision=share_of(sample.events.predicted, rules),
        objects_recall=share_of(sample.objects.reference, rules),
        objects_precision=share_of(sample.objects.predicted, rules),
    )


def _failed(sample: Sample) -> bool:
    lists = (
        sample.events.reference,
        sample.events.predicted,
        sample.objects.reference,
        sample.objects.predicted,
    )
    return any(relations is None for relations in lists)


def _scored(
    samples: Sequence[Sample], rules: Preset, n_bootstrap: int, seed: int
) -> CategoryScores:
    failed = [_failed(sample) for sample in samples]
    dropped = [rules.drop_samples and is_failed for is_failed in failed]
    events, objects = (
        score_branch(
            [is_failed.reference for is_failed in judged],
            [is_failed.predicted for is_failed in judged],
            dropped,
            rules,
            n_bootstrap,
            seed,
        )
        for judged in (
            [is_failed.events for is_failed in samples],
            [is_failed.objects for is_failed in samples],
        )
    )
    return CategoryScores(events, objects, len(samples), sum(failed))
