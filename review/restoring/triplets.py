"""Restore a release of triplets: its labels, splits, texts, queries and verdicts."""

from __future__ import annotations

from annotate.datasets.services import import_dataset
from annotate.models import ActionLabel, Project, User
from inference.queries import AT_ONCE
from review.errors import ReviewError
from review.restoring.native import CLIPS, LABELS
from review.restoring.native_triplets import NativeTriplets
from review.triplets.import_file import import_set
from review.triplets.models import TripletSet
from review.triplets.source import TripletSource
from review.triplets.splits import repeat_splits


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
            if row.counts_as not in labels or row.counts_as == row.key:
                raise row.spot.refuse(f"counts_as: the project has no label {row.counts_as!r}.")
            labels[row.key].counts_as = labels[row.counts_as]
            changed.append(labels[row.key])
    ActionLabel.objects.bulk_update(changed, ["counts_as"], batch_size=AT_ONCE)
