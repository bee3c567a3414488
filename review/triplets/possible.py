"""Which composed queries the labeled clips and the accepted modifications make possible."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from annotate.corpus.labels import labeled_clips, labels_as_one
from annotate.datasets.rows import source_name
from annotate.models import Project
from review.modifications.models import Modification
from review.modifications.text import plain_form

# A clip and its source video.
SourcedClip = tuple[int, str]


@dataclass(frozen=True)
class LabeledClips:
    """`by_label`: the clips of each (label, split), by key. `as_one`: the labels that count as one
    with a label, itself included.
    """

    by_label: Mapping[tuple[int, str], Sequence[SourcedClip]]
    as_one: Mapping[int, Sequence[int]]

    def queries(self, modification: Modification, split: str) -> Sequence[SourcedClip]:
        return self.by_label.get((modification.source_id, split), ())

    def targets(self, modification: Modification, split: str) -> list[SourcedClip]:
        return [
            clip
            for label in self.as_one[modification.target_id]
            for clip in self.by_label.get((label, split), ())
        ]

    def asked(
        self, modification: Modification, split: str, *, is_apart: bool
    ) -> Iterator[tuple[int, list[int]]]:
        """Yield each clip of the source label that can be a query, with all its possible targets.
        `is_apart`: targets are from other source videos only.
        """
        targets = self.targets(modification, split)
        for clip, source in self.queries(modification, split):
            possible = [key for key, name in targets if not (is_apart and name == source)]
            if possible:
                yield clip, possible

    def count_targets(self, modification: Modification, split: str, *, is_apart: bool) -> list[int]:
        """Return the number of possible targets of each query of `asked`, without listing them."""
        targets = Counter(source for _, source in self.targets(modification, split))
        total = targets.total()
        numbers = (
            total - (targets[source] if is_apart else 0)
            for _, source in self.queries(modification, split)
        )
        return [number for number in numbers if number]


def clips_by_label(project: Project) -> LabeledClips:
    by_label: dict[tuple[int, str], list[SourcedClip]] = defaultdict(list)
    columns = ("label", "video__split", "pk", "video__cut_from", "video__original_name")
    rows = labeled_clips(project).order_by("pk").values_list(*columns)
    for label, split, clip, cut_from, file in rows:
        by_label[label, split].append((clip, source_name(cut_from, file)))
    return LabeledClips(by_label, labels_as_one(project))


def accepted_modifications(project: Project) -> QuerySet[Modification]:
    """Return the accepted modifications of pairs that aren't rejected, by key."""
    return Modification.objects.filter(
        pair__project=project,
        state=Modification.State.ACCEPTED,
        pair__kind__in=["temporal", "event"],
    ).order_by("pk")


def usable_modifications(project: Project) -> list[Modification]:
    """Return the accepted modifications, each with its pair and labels, by key.

    Of texts that read the same and lead from one label to labels that count as one, only the first
    is used; a text between labels that count as one isn't.
    """
    first_of = {label: group[0] for label, group in labels_as_one(project).items()}
    seen: set[tuple[int, str, int]] = set()
    usable = []
    for modification in accepted_modifications(project).select_related("pair", "source", "target"):
        source, target = modification.source_id, first_of[modification.target_id]
        query = (source, plain_form(modification.text), target)
        if first_of[source] != target and query not in seen:
            seen.add(query)
            usable.append(modification)
    return usable


@dataclass(frozen=True)
class TextClash:
    """Texts that read the same and lead from one label to several that don't count as one."""

    texts: list[Modification]

    @property
    def sentence(self) -> str:
        first = self.texts[0]
        targets = [text.target.key for text in self.texts]
        return (
            f"“{first.text}” leads from {first.source.key} to "
            f"{', '.join(targets[:-1])} and {targets[-1]}."
        )


def text_clashes(modifications: Iterable[Modification]) -> list[TextClash]:
    """Return all clashes of usable modifications, in the order of their first texts."""
    same: dict[tuple[int, str], list[Modification]] = defaultdict(list)
    for modification in modifications:
        same[modification.source_id, plain_form(modification.text)].append(modification)
    return [TextClash(texts) for texts in same.values() if len(texts) > 1]
