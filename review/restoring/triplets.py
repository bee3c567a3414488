"""Restore a release of triplets: its labels, splits, texts, queries and verdicts, in the native
format or another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from annotate.datasets.faults import Faults
from annotate.datasets.rows import (
    Frames,
    LabeledClip,
    Seconds,
    check_label,
    check_name,
    check_source,
    read_frames,
    read_seconds,
)
from annotate.datasets.rows import LabelRow as NewLabel
from annotate.datasets.services import import_dataset
from annotate.models import ActionLabel, Project, User, Video
from inference.queries import AT_ONCE
from review.errors import ReviewError
from review.exchange.bundle import Bundle
from review.restoring.native import (
    CLIPS,
    LABELS,
    QUERIES,
    TEXTS,
    LabelRecord,
    QueryRecord,
    TextRecord,
    TripletClip,
    count_takedowns,
    read_records,
)
from review.triplets.folder_source import released_about
from review.triplets.import_file import import_set
from review.triplets.models import TripletSet
from review.triplets.source import (
    About,
    ClipRow,
    LabelRow,
    Spot,
    TextRow,
    TripletSource,
    VerdictRow,
    verdict_row,
)
from review.triplets.splits import repeat_splits
from review.triplets.tfcovr import Line

Split = Video.Split


class NativeTriplets:
    """A release in the native format, as `import_set` reads it."""

    may_correct = True

    def __init__(self, bundle: Bundle) -> None:
        self.bundle, self.name = bundle, bundle.name
        # Withdrawn queries leave gaps in the numbers.
        self.has_gaps = bool(count_takedowns(bundle))

    def clips(self) -> Iterator[ClipRow]:
        for spot, clip in read_records(self.bundle, CLIPS, TripletClip):
            yield ClipRow(spot, clip.clip, clip.label, clip.split, clip.source_video)

    def labels(self) -> Iterator[LabelRow]:
        for spot, label in read_records(self.bundle, LABELS, LabelRecord):
            yield LabelRow(spot, label.label, label.caption, label.source, label.counts_as)

    def texts(self) -> Iterator[TextRow]:
        for spot, text in read_records(self.bundle, TEXTS, TextRecord):
            ends = (text.label1, text.label2, text.kind)
            yield TextRow(spot, *ends, text.modification, text.provenance)

    def lines(self, split: str) -> Iterator[Line]:
        place = 0
        for spot, query in self._queries():
            if query.split != split:
                continue
            if query.number < place or (query.number > place and not self.has_gaps):
                raise spot.refuse(f"number is {query.number}; it must be {place} in {split}.")
            place = query.number + 1
            if len(set(query.targets)) < len(query.targets):
                raise spot.refuse("targets names a clip twice. Keep one.")
            yield Line(
                spot.file, spot.number, query.query, query.modification, tuple(query.targets),
                query.label1, query.label2,
            )  # fmt: skip

    def verdicts(self) -> Iterator[VerdictRow]:
        places: Counter[str] = Counter()
        for spot, query in self._queries():
            for verdict in query.verdicts:
                yield verdict_row(spot, query.split, places[query.split], verdict)
            places[query.split] += 1

    def about(self) -> About:
        return released_about(self.bundle)

    def _queries(self) -> Iterator[tuple[Spot, QueryRecord]]:
        return read_records(self.bundle, QUERIES, QueryRecord)

    def new_labels(self) -> list[NewLabel]:
        """Return the labels as an import of labels reads them. Raises DatasetInvalid."""
        faults = Faults(LABELS)
        labels = []
        first: dict[str, str] = {}
        for spot, label in read_records(self.bundle, LABELS, LabelRecord):
            row = f"line {spot.number}"
            check_label(faults, row, "label", label.label)
            if first.setdefault(label.label, row) != row:
                faults.add(row, "label", f"It is at {first[label.label]} already. Keep one.")
            labels.append(NewLabel(row, label.label, label.caption, label.source, label.event))
        faults.raise_any()
        return labels

    def new_clips(self) -> list[LabeledClip]:
        """Return the labeled clips as an import of clips reads them. Raises DatasetInvalid."""
        faults = Faults(CLIPS)
        clips = []
        first: dict[str, str] = {}
        for spot, clip in read_records(self.bundle, CLIPS, TripletClip):
            row = f"line {spot.number}"
            check_name(faults, row, "clip", clip.clip)
            check_source(faults, row, "source_video", clip.source_video)
            if first.setdefault(clip.clip, row) != row:
                faults.add(row, "clip", f"It is at {first[clip.clip]} already. Keep one.")
            if clip.label:
                span = _span(faults, row, clip.provenance.get("place"))
                clips.append(LabeledClip(row, clip.source_video, clip.clip, clip.label, span))
        faults.raise_any()
        return clips


def _span(faults: Faults, row: str, place: Any) -> Frames | Seconds | None:
    cells: Mapping[str, Any] = place if isinstance(place, dict) else {}
    if "first_frame" in cells:
        return read_frames(faults, row, str(cells["first_frame"]), str(cells.get("end_frame")))
    if "start" in cells:
        return read_seconds(faults, row, str(cells["start"]), str(cells.get("end")))
    return None


def restore_triplets(
    project: Project, source: TripletSource, kind: str, admin: User | None
) -> TripletSet:
    """Store a release of triplets within the transaction of the caller. A native one has its
    labels, labeled clips and splits; for the others, these must exist. Raises ReviewError or
    DatasetInvalid."""
    if project.protocol != Project.Protocol.TFCOVR:
        raise ReviewError(
            "Only a project with the protocol TF-CoVR can have triplets. "
            "Import them into such a project."
        )
    if isinstance(source, NativeTriplets):
        import_dataset(
            project=project,
            admin=admin,
            clips=source.new_clips(),
            clips_file=CLIPS,
            labels=source.new_labels(),
            labels_file=LABELS,
        )
        _count_as_one(project, source)
    rows = list(source.clips())
    if all(row.source for row in rows):
        repeat_splits(project=project, rows=rows, by=source.name, admin=admin)
    return import_set(project=project, source=source, kind=kind, admin=admin)


def _count_as_one(project: Project, source: TripletSource) -> None:
    """Let labels count as others where the project lets none do so yet."""
    labels = {label.key: label for label in ActionLabel.objects.filter(project=project)}
    if any(label.counts_as_id for label in labels.values()):
        return
    changed = []
    for row in source.labels():
        if row.counts_as:
            if row.counts_as == row.key:
                mend = "counts_as: a label can't count as itself. Name another one."
                raise row.spot.refuse(mend)
            if row.counts_as not in labels:
                ours = f"counts_as: the project has no label {row.counts_as!r}."
                raise row.spot.refuse(f"{ours} Name another one.")
            labels[row.key].counts_as = labels[row.counts_as]
            changed.append(labels[row.key])
    ActionLabel.objects.bulk_update(changed, ["counts_as"], batch_size=AT_ONCE)
