"""Gates of TF-CoVR's form: the newest finished set of triplets with all labeled clips."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotate.models import Project
from review.releases.choice import ALL, Choice
from review.releases.gates.gate import Gate, Named, Page, always
from review.releases.gates.shared import (
    AGREEMENT,
    COVERAGE,
    NAMES,
    NEAR_DUPLICATES,
    PROJECT_LICENSE,
    REPORTS,
    SHORT_CLIPS,
    is_unlicensed,
    video_licenses_gate,
)
from review.releases.models import Level
from review.releases.triplet_content import LOADER_TARGETS
from review.releases.triplet_plan import PlannedClip, TripletPlan
from review.releases.triplet_tally import NamedQuery, Tally
from review.triplets.corrections import corrections_since


@dataclass(frozen=True)
class Triplets:
    """What a release in TF-CoVR's form would freeze. `plan` is None without a finished set."""

    project: Project
    plan: TripletPlan | None
    tally: Tally
    choice: Choice = ALL

    @property
    def rows(self) -> Sequence[PlannedClip]:
        return self.plan.clips if self.plan else []

    def texts(self) -> Mapping[int, Named]:
        """Return {}: captions are not released, since a query's text is a modification."""
        return {}

    def clips(self) -> Mapping[int, Named]:
        return {clip.key: Named(clip.name, clip=clip.key) for clip in self.rows}

    def queries(self, queries: Iterable[NamedQuery]) -> list[Named]:
        keys = {clip.name: clip.key for clip in self.rows}
        return [Named(query.name, clip=keys.get(query.clip)) for query in queries]


def leaking(content: Triplets, limit: float) -> Sequence[Named]:
    splits: dict[str, set[str]] = defaultdict(set)
    for clip in content.rows:
        splits[clip.line.source_video].add(clip.line.split)
    return _plain(sorted(name for name, of_source in splits.items() if len(of_source) > 1))


def no_target(content: Triplets, limit: float) -> Sequence[Named]:
    is_empty = content.plan is not None and not content.tally.total
    return _plain([f"set {content.plan.triplets.number}"] if content.plan and is_empty else [])


def corrected_labels(content: Triplets, limit: float) -> Sequence[Named]:
    plan = content.plan
    outdated = plan is not None and corrections_since(plan.triplets)
    return _plain([f"set {plan.triplets.number}"] if plan and outdated else [])


def unverified_tests(content: Triplets, limit: float) -> Sequence[Named]:
    return content.queries(content.tally.unverified_tests)


def without_target(content: Triplets, limit: float) -> Sequence[Named]:
    return content.queries(content.tally.without_target)


def too_many_targets(content: Triplets, limit: float) -> Sequence[Named]:
    return content.queries(content.tally.too_many_targets)


def unlicensed(content: Triplets, limit: float) -> Sequence[Named]:
    clips = content.clips()
    return [clips[clip.key] for clip in content.rows if is_unlicensed(clip.license)]


def equal_labels(content: Triplets, limit: float) -> Sequence[Named]:
    groups: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for label in content.plan.labels if content.plan else []:
        groups[label.caption, label.event][label.counts_as or label.key].append(label.key)
    return _plain(
        " = ".join(key for keys in group.values() for key in keys)
        for group in groups.values()
        if len(group) > 1
    )


def _plain(names: Iterable[str]) -> list[Named]:
    return [Named(name) for name in names]


TRIPLETS = Page("review:triplets", "Triplets")
LABELS = Page("annotate:labels", "Labels")
GATES = (
    Gate(
        "split-leakage",
        "Source videos in one split each",
        "Source videos with clips in several splits",
        "Split them again and generate a new set.",
        leaking,
        page=TRIPLETS,
        fixed=always(Level.BLOCK),
    ),
    *NAMES,
    Gate(
        "no-target",
        "Queries with a target",
        "No query of the set has a target",
        "Generate a new set.",
        no_target,
        page=TRIPLETS,
        fixed=always(Level.BLOCK),
    ),
    PROJECT_LICENSE,
    video_licenses_gate(
        "Clips of videos without a known license", "Set it on the clip’s page.", unlicensed
    ),
    SHORT_CLIPS,
    NEAR_DUPLICATES,
    Gate(
        "corrected-labels",
        "Labels as when the set was generated",
        "Labels have been corrected since the set was generated",
        "Generate a new set to use them.",
        corrected_labels,
        page=TRIPLETS,
    ),
    Gate(
        "unverified-tests",
        "Test queries verified",
        "Test queries that nobody verified",
        "Have them verified under My work.",
        unverified_tests,
        page=TRIPLETS,
    ),
    Gate(
        "without-target",
        "No query left out",
        "Queries without a target, which the release leaves out",
        "Look at their verdicts, or generate a new set.",
        without_target,
        page=TRIPLETS,
    ),
    Gate(
        "loader-targets",
        "Targets that TF-CoVR’s loader reads",
        f"Queries with more than {LOADER_TARGETS} targets, of which TF-CoVR’s loader reads the "
        f"first {LOADER_TARGETS}",
        "Generate a set with fewer targets.",
        too_many_targets,
        page=TRIPLETS,
    ),
    Gate(
        "equal-labels",
        "Labels with different captions",
        "Labels with the same caption that don’t count as one",
        "Let them count as one, or correct a caption.",
        equal_labels,
        page=LABELS,
    ),
    REPORTS,
    COVERAGE,
    AGREEMENT,
)
