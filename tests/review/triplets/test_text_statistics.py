"""The texts of a set counted by domain and kind, and their words."""

import pytest

from review.triplets.models import TripletSet
from review.triplets.text_statistics import (
    GROUP_COLUMNS,
    directions_of,
    groups_csv,
    text_groups,
    word_counts,
    words_csv,
)
from tests.review.triplets.triplets import (
    labelled_clip,
    make_label,
    make_pair,
    make_triplet,
    modify,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def triplets(project):
    """Both directions of a pair of dives, with 2 + 1 queries, and a vault of another kind."""
    dive, other = make_label(project, "a"), make_label(project, "b")
    vault, bars = (make_label(project, key, domain="gymnastics") for key in "cd")
    make_pair(vault, bars, "event")
    for source, target, text, queries, targets in (
        (dive, other, "show with 2 twists", 2, 2),
        (other, dive, "show in pike", 1, 1),
        (vault, bars, "Show WITH 2 twists", 1, 1),
    ):
        modification = modify(source, target, text)
        clips = [labelled_clip(project, target, "test") for _ in range(targets)]
        for _ in range(queries):
            query = labelled_clip(project, source, "test")
            for clip in clips:
                make_triplet(query, modification, clip)
    return TripletSet.objects.get()


def test_each_domain_and_kind_is_counted_and_then_all(triplets):
    groups = text_groups(directions_of(triplets))
    rows = [[getattr(group, name) for name in GROUP_COLUMNS] for group in groups]
    assert rows == [
        ["diving", "Temporal change", 2, 1, 2, 3, 5, 3.5, 3, 4],
        ["gymnastics", "Event change", 1, 1, 1, 1, 1, 4.0, 4, 4],
        ["", "", 3, 2, 3, 4, 6, pytest.approx(11 / 3), 3, 4],
    ]
    assert groups_csv(triplets).splitlines()[1] == "diving,Temporal change,2,1,2,3,5,3.5,3,4"


def test_words_count_in_lower_case_once_per_different_text(triplets):
    counts = {
        row.word: (row.times, row.texts, row.queries)
        for row in word_counts(directions_of(triplets))
    }
    assert counts == {
        "show": (3, 3, 4),
        "2": (2, 2, 3),
        "twists": (2, 2, 3),
        "with": (2, 2, 3),
        "in": (1, 1, 1),
        "pike": (1, 1, 1),
    }
    assert words_csv(triplets).splitlines()[:3] == [
        "word,times,texts,queries",
        "show,3,3,4",
        "2,2,2,3",
    ]


def test_a_text_that_two_directions_share_counts_once(project):
    labels = [make_label(project, key) for key in "abc"]
    for target in labels[1:]:
        query = labelled_clip(project, labels[0], "test")
        make_triplet(
            query, modify(labels[0], target, "go go"), labelled_clip(project, target, "test")
        )
    [row] = word_counts(directions_of(TripletSet.objects.get()))
    assert (row.times, row.texts, row.queries) == (2, 1, 2)
