"""Labelling and splitting the demo's dives, as an admin would with their files."""

from __future__ import annotations

from django.db import transaction

from annotate.datasets.files import DatasetFile
from annotate.datasets.label_files import read_labels
from annotate.datasets.plain import read_plain
from annotate.labels import labelled_clips
from annotate.models import Project, User
from annotate.services.datasets import import_dataset
from fixtures import demo_dives
from review.services.splits import assign_splits
from review.split_plan import Shares

SHARES = Shares(train=60, validation=15, test=25)


@transaction.atomic
def label_dives(*, project: Project, admin: User) -> None:
    """Bring in the clips with their labels and split the videos, unless that is done."""
    if labelled_clips(project).exists():
        return
    clips = DatasetFile("dives.json", demo_dives.annotations())
    labels = DatasetFile("labels.json", demo_dives.labels())
    import_dataset(
        project=project,
        admin=admin,
        clips=read_plain(clips),
        clips_file=clips.name,
        labels=read_labels(labels),
        labels_file=labels.name,
    )
    assign_splits(project=project, admin=admin, shares=SHARES, seed=demo_dives.SEED)
