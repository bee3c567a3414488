"""What the queries of the next release in TF-CoVR's form amount to, and what to check first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.models import Project
from review.releases.checks import NO_LICENCE, Check
from review.releases.file_names import clashing_names, is_safe
from review.releases.triplet_content import LOADER_TARGETS, SPLITS, JudgedQuery, LabelLine, Split
from review.releases.triplet_plan import PlannedClip, TripletPlan
from review.triplets.corrections import corrections_since
from review.triplets.rows import ComposedRow

NO_SET = "No set of triplets is finished yet. Generate one on the page Triplets."


@dataclass
class Tally:
    """`queries` and `triplets` by split; `verified`: queries that people judged, by split. The
    lists name queries. `contents`: name -> what tells one version of a query from another."""

    queries: Counter[str] = field(default_factory=Counter)
    triplets: Counter[str] = field(default_factory=Counter)
    verified: Counter[str] = field(default_factory=Counter)
    without_target: list[str] = field(default_factory=list)
    unverified_tests: list[str] = field(default_factory=list)
    too_many_targets: list[str] = field(default_factory=list)
    contents: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.queries.total()

    @property
    def splits(self) -> list[tuple[str, int, int, int]]:
        """Return (split, queries, verified queries, triplets) of each split."""
        return [
            (split.label, self.queries[split], self.verified[split], self.triplets[split])
            for split in Split
        ]


def tally_queries(plan: TripletPlan, *, has_contents: bool = False) -> Tally:
    """Read all queries once, in batches. `has_contents`: with the content of each, to compare."""
    tally = Tally()
    for split in SPLITS:
        for generated, query in plan.judged(split):
            name = query_name(generated)
            if query is None:
                tally.without_target.append(name)
                continue
            targets = len(query.row.targets)
            tally.queries[split] += 1
            tally.triplets[split] += targets
            tally.verified[split] += bool(query.verdicts)
            if has_contents:
                tally.contents[name] = content_of(query)
            if split == Split.TEST and not query.verdicts:
                tally.unverified_tests.append(name)
            if split != Split.TRAIN and targets > LOADER_TARGETS:
                tally.too_many_targets.append(name)
    return tally


def query_name(row: ComposedRow) -> str:
    return f"{row.clip}, {row.source} to {row.target}"


def content_of(query: JudgedQuery) -> int:
    """Return a number that differs if the query's content does; it compares within one process."""
    verdicts = tuple(_frozen(verdict) for verdict in query.verdicts)
    return hash((query.split, query.row.text, query.row.targets, query.row.kind, verdicts))


def _frozen(verdict: Mapping[str, Any]) -> tuple[object, ...]:
    return tuple(
        (name, tuple(value) if isinstance(value, list) else value)
        for name, value in sorted(verdict.items())
    )


def triplet_checks(project: Project, plan: TripletPlan, tally: Tally) -> list[Check]:
    """Return what must be fixed before a build, and what is worth a look."""
    clips = plan.clips
    checks = [
        Check(message, tuple(names), blocks=True)
        for message, names in [
            ("Source videos with clips in several splits (split them again)", _leaking(clips)),
            (
                "With the same file name (rename one of them)",
                clashing_names(clip.name for clip in clips),
            ),
            (
                "With characters that a file name can't have (rename the clips)",
                [clip.name for clip in clips if not is_safe(clip.name)],
            ),
        ]
        if names
    ]
    if not tally.total:
        checks.append(Check("No query of the set has a target.", blocks=True))
    if corrections_since(plan.triplets):
        message = f"Labels have been corrected since set {plan.triplets.number} was generated."
        checks.append(Check(f"{message} Generate a new set to use them."))
    if not project.licence.strip():
        checks.append(Check("The project has no license. Set one under Settings."))
    unlicensed = [clip.name for clip in clips if clip.licence.strip().casefold() in NO_LICENCE]
    checks += [
        Check(message, tuple(names))
        for message, names in [
            ("Test queries that nobody verified", tally.unverified_tests),
            (
                "Queries without a target, which the release leaves out",
                tally.without_target,
            ),
            (
                f"Queries with more than {LOADER_TARGETS} targets, of which TF-CoVR’s loader reads "
                f"the first {LOADER_TARGETS}",
                tally.too_many_targets,
            ),
            ("Clips of videos without a known license", unlicensed),
            ("Labels with the same caption that don’t count as one", _equal_labels(plan.labels)),
        ]
        if names
    ]
    return checks


def _leaking(clips: Iterable[PlannedClip]) -> list[str]:
    splits: dict[str, set[str]] = defaultdict(set)
    for clip in clips:
        splits[clip.line.source_video].add(clip.line.split)
    return sorted(name for name, of_source in splits.items() if len(of_source) > 1)


def _equal_labels(labels: Sequence[LabelLine]) -> list[str]:
    groups: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for label in labels:
        groups[label.caption, label.event][label.counts_as or label.key].append(label.key)
    return [
        " = ".join(key for keys in group.values() for key in keys)
        for group in groups.values()
        if len(group) > 1
    ]
