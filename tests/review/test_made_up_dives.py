"""The demo's dives are labelled, split and paired once."""

import pytest

from annotate.corpus.labels import labeled_clips
from annotate.models import AuditEvent, Video, WorkItem
from fixtures import demo_dives
from review.management.made_up_dives import label_dives, pair_labels
from tests.cast import make_project, make_video

pytestmark = pytest.mark.one_database


@pytest.fixture
def project(db):
    """The six competitions, at their length but without pictures."""
    project = make_project(protocol="tfcovr")
    sources, plan = demo_dives.season()
    for source in sources:
        frames = max(clip.end for clip in plan if clip.source == source.competition)
        make_video(project, original_name=f"{source.competition}.mp4", frames=frames)
    return project


def test_they_are_labelled_and_split_so_that_labels_are_in_train_and_test(project, ada):
    label_dives(project=project, admin=ada)
    clips = labeled_clips(project)
    assert clips.count() == len(demo_dives.season()[1])
    of = {
        split: set(clips.filter(video__split=split).values_list("label__key", flat=True))
        for split in Video.Split
    }
    assert all(of.values())
    assert len(of[Video.Split.TRAIN] & of[Video.Split.TEST]) >= 10


def test_a_second_time_changes_nothing(project, ada):
    label_dives(project=project, admin=ada)
    before = AuditEvent.objects.count()
    project.videos.update(split="train")
    label_dives(project=project, admin=ada)
    assert AuditEvent.objects.count() == before
    assert set(project.videos.values_list("split", flat=True)) == {"train"}


@pytest.mark.both_databases
def test_labels_that_differ_in_a_word_or_two_wait_for_a_person(project, ada):
    label_dives(project=project, admin=ada)
    for _ in range(2):
        pair_labels(project=project, admin=ada)
    assert project.label_pairs.count() == 12 * 11 / 2
    pair_items = WorkItem.objects.filter(project=project, kind=WorkItem.Kind.PAIR)
    alike = project.label_pairs.in_bulk(pair_items.values_list("subject", flat=True)).values()
    assert 10 <= len(alike) <= 40
    for pair in alike:
        assert {*pair.first.caption.split()} & {*pair.second.caption.split()}
