"""Source videos are split whole, and not any more once there are triplets."""

import pytest

from annotate.models import AuditEvent, Video
from review.errors import ReviewError
from review.triplets.models import SplitOrigin, TripletSet
from review.triplets.split_plan import Shares
from review.triplets.splits import assign_splits, preview_splits
from tests.cast import count_queries, make_project, make_video
from tests.review.triplets.triplets import labelled_clip, make_label

SHARES = Shares(60, 20, 20)


@pytest.fixture
def project(db):
    return make_project(protocol="tfcovr")


@pytest.fixture
def labels(project):
    """Two labels in each of five videos, a third in one only."""
    first, second, third = (make_label(project, key) for key in ("1", "2", "3"))
    for _ in range(5):
        video = make_video(project)
        labelled_clip(project, first, "", video)
        labelled_clip(project, second, "", video)
    labelled_clip(project, third, "", video)
    return first, second, third


def stored(project) -> list[str]:
    return list(project.videos.order_by("pk").values_list("split", flat=True))


def test_the_preview_is_what_is_stored(project, labels, ada):
    preview = preview_splits(project=project, shares=SHARES, seed=1)
    assert stored(project) == [""] * 5
    assign_splits(project=project, admin=ada, shares=SHARES, seed=1)
    assert [(count.split, count.sources) for count in preview.counts] == [
        (split, stored(project).count(split)) for split in Video.Split
    ]
    assert (preview.in_both, preview.alone) == (2, 1)
    assert [label.key for label in preview.without_test] == ["3"]
    assert preview.without_train == []
    event = AuditEvent.objects.get(verb="split videos")
    assert (event.actor, event.after["seed"]) == (ada, 1)


def test_the_last_split_is_kept_with_how_it_was_made(project, labels, ada):
    assign_splits(project=project, admin=ada, shares=SHARES, seed=1)
    rest = Shares(SHARES.train + SHARES.validation, 0, SHARES.test)
    assign_splits(project=project, admin=None, shares=rest, seed=2, min_sources=2)
    origin = SplitOrigin.objects.get(project=project)
    shares = Shares(origin.train_percent, origin.validation_percent, origin.test_percent)
    assert (shares, origin.seed, origin.min_sources) == (rest, 2, 2)
    assert (origin.files, origin.created_by) == ([], None)


def test_videos_without_labeled_clips_have_no_split(project, labels):
    bare = make_video(project, split="test")
    assign_splits(project=project, admin=None, shares=SHARES, seed=0)
    bare.refresh_from_db()
    assert bare.split == ""


def test_files_of_one_long_video_stay_together(project):
    label = make_label(project, "1")
    for source in ("rio", "rio", "oslo", "oslo", "riga", "riga"):
        labelled_clip(project, label, "", make_video(project, cut_from=source))
    assign_splits(project=project, admin=None, shares=SHARES, seed=0)
    pairs = set(project.videos.values_list("cut_from", "split"))
    assert len(pairs) == 3
    assert {split for _, split in pairs} == set(Video.Split)


def test_it_can_be_split_again_until_there_are_triplets(project, labels):
    assign_splits(project=project, admin=None, shares=SHARES, seed=0)
    assign_splits(project=project, admin=None, shares=Shares(100, 0, 0), seed=0)
    assert set(stored(project)) == {"train"}
    TripletSet.objects.create(project=project, number=1, state="finished")
    with pytest.raises(ReviewError, match="triplets were made from it on"):
        assign_splits(project=project, admin=None, shares=SHARES, seed=0)
    assert set(stored(project)) == {"train"}


def test_too_few_source_videos_are_refused(project):
    labelled_clip(project, make_label(project, "1"), "")
    with pytest.raises(ReviewError, match=r"labeled clips: 1\. 3 splits need"):
        preview_splits(project=project, shares=SHARES, seed=0)


def test_another_project_keeps_its_split(project, labels):
    other = make_video(make_project("Other"), split="test")
    assign_splits(project=project, admin=None, shares=SHARES, seed=0)
    other.refresh_from_db()
    assert other.split == "test"


def test_a_preview_needs_two_statements(project, labels):
    with count_queries() as count:
        preview_splits(project=project, shares=SHARES, seed=0)
    assert count == 2
