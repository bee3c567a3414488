"""Count the possible triplets of a set that stay within one source video."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotate.corpus.labels import labeled_clips, labels_as_one
from annotate.datasets.rows import source_name
from annotate.models import Project, Video
from review.modifications.models import Modification


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


def source_counts(project: Project, modifications: Iterable[Modification]) -> list[SourceCounts]:
    clips = _clips_by_source(project)
    as_one = labels_as_one(project)
    directions = [(each.source_id, as_one[each.target_id]) for each in modifications]
    return [_counts(split, clips, directions) for split in Video.Split.values]


# (label, split) -> the number of clips of each source video.
Clips = dict[tuple[int, str], Counter[str]]


def _clips_by_source(project: Project) -> Clips:
    clips: Clips = defaultdict(Counter)
    columns = ("label", "video__split", "video__cut_from", "video__original_name")
    rows = labeled_clips(project).order_by().values_list(*columns)
    for label, split, cut_from, file in rows:
        clips[label, split][source_name(cut_from, file)] += 1
    return clips


def _counts(
    split: str, clips: Clips, directions: Iterable[tuple[int, Sequence[int]]]
) -> SourceCounts:
    queries = triplets = same_source = only_same = 0
    for source, labels in directions:
        asked = clips.get((source, split))
        targets: Counter[str] = sum((clips[label, split] for label in labels), Counter())
        if not asked or not targets:
            continue
        n_asked, n_targets = asked.total(), targets.total()
        queries += n_asked
        triplets += n_asked * n_targets
        for name, number in asked.items():
            same_source += number * targets[name]
            only_same += number * (targets[name] == n_targets)
    return SourceCounts(split, queries, triplets, same_source, only_same)
