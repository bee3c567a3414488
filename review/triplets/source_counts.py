"""Count the possible triplets of a set that stay within one source video."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.models import Video
from review.modifications.models import Modification
from review.triplets.possible import LabeledClips


@dataclass(frozen=True)
class SourceCounts:
    """The counts of one split, before a limit of targets. `same_source`: triplets whose target is
    from the query clip's source video. `only_same`: queries without any other target.
    """

    split: str
    queries: int
    triplets: int
    same_source: int
    only_same: int


def source_counts(clips: LabeledClips, modifications: Sequence[Modification]) -> list[SourceCounts]:
    return [_counts(split, clips, modifications) for split in Video.Split.values]


def _counts(split: str, clips: LabeledClips, modifications: Sequence[Modification]) -> SourceCounts:
    queries = triplets = same_source = only_same = 0
    for modification in modifications:
        query_counts = Counter(source for _, source in clips.queries(modification, split))
        targets = Counter(source for _, source in clips.targets(modification, split))
        if not query_counts or not targets:
            continue
        n_asked, n_targets = query_counts.total(), targets.total()
        queries += n_asked
        triplets += n_asked * n_targets
        for name, number in query_counts.items():
            same_source += number * targets[name]
            only_same += number * (targets[name] == n_targets)
    return SourceCounts(split, queries, triplets, same_source, only_same)
