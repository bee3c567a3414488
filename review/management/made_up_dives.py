"""Label and split the demo's dives, and hand out label pairs, as an admin would."""

from __future__ import annotations

from django.db import transaction

from annotate.corpus.labels import labeled_clips
from annotate.datasets.files import DatasetFile
from annotate.datasets.label_files import read_labels
from annotate.datasets.plain import read_plain
from annotate.datasets.services import import_dataset
from annotate.models import Project, User
from fixtures import demo_dives
from inference.models import ModelSpec
from inference.specs.services import add_built_in_models
from review.pairs.services import hand_out_pairs
from review.pairs.similarity import compare_labels
from review.triplets.split_plan import Shares
from review.triplets.splits import assign_splits

SHARES = Shares(train=60, validation=15, test=25)
# For the lexical encoder, labels that differ in one or two words.
MIN_SIMILARITY = 0.6
PEOPLE = 2


@transaction.atomic
def label_dives(*, project: Project, admin: User) -> None:
    """Import the clips with their labels and split the videos, unless that is done."""
    if labeled_clips(project).exists():
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


@transaction.atomic
def pair_labels(*, project: Project, admin: User) -> None:
    """Compare the labels by their words, and hand out similar pairs, unless that is done."""
    if project.label_pairs.exists():
        return
    add_built_in_models(project=project, admin=admin)
    lexical = project.model_specs.filter(backend=ModelSpec.Backend.LEXICAL)[0]
    compare_labels(project=project, model=lexical)
    hand_out_pairs(project=project, least=MIN_SIMILARITY, people=PEOPLE, admin=admin)
