"""No triplet ever crosses from one split to another: the database itself refuses it."""

import pytest
from django.db import DatabaseError, transaction

from review.triplets.models import ComposedQuery, Triplet, TripletSet
from tests.review.triplets.triplets import labelled_clip, make_label, make_triplet, modify

pytestmark = pytest.mark.django_db


@pytest.fixture
def labels(project):
    return make_label(project, "107b"), make_label(project, "109b")


def test_a_triplet_within_a_split_is_stored(project, labels):
    query, target = (labelled_clip(project, label, "train") for label in labels)
    assert make_triplet(query, modify(*labels), target).target == target


@pytest.mark.parametrize("split", ["test", "validation", ""])
def test_a_target_in_another_split_is_refused(project, labels, split):
    query = labelled_clip(project, labels[0], "train")
    target = labelled_clip(project, labels[1], split)
    modification = modify(*labels)
    make_triplet(query, modification, labelled_clip(project, labels[1], "train"))
    with pytest.raises(DatabaseError, match="in another split"), transaction.atomic():
        make_triplet(query, modification, target)
    with pytest.raises(DatabaseError, match="in another split"), transaction.atomic():
        Triplet.objects.bulk_create([Triplet(query=ComposedQuery.objects.get(), target=target)])
    assert Triplet.objects.count() == 1


def test_a_query_in_another_split_than_its_clip_is_refused(project, labels):
    clip = labelled_clip(project, labels[0], "train")
    triplets = TripletSet.objects.create(project=project, number=1)
    with pytest.raises(DatabaseError, match="in another split"), transaction.atomic():
        ComposedQuery.objects.create(
            triplets=triplets, clip=clip, modification=modify(*labels), split="test"
        )
