"""Segmenting while people claim, and two videos at once, on whichever database the tests run."""

from __future__ import annotations

import pytest
from django.db import transaction

from annotate.models import Assignment, Clip, Membership, Video
from annotate.queue.services import claim_next
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import make_person, make_project, make_video
from tests.inference.segmented import segment

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = 6
FINE = [n * 20 for n in range(12)]
COARSE = [0, 50, 150]


def test_no_clip_goes_from_under_somebody_who_has_just_taken_it():
    project = make_project(protocol="carebench", writers_per_clip=1)
    people = [make_person(f"Writer{n}", project, "annotator") for n in range(PEOPLE)]
    video = make_video(project)
    with transaction.atomic():
        segment(video, FINE)

    def work(person):
        if person is None:
            with transaction.atomic():
                segment(Video.objects.get(pk=video.pk), COARSE, threshold=50)
            return None
        membership = Membership.objects.select_related("project", "user").get(user=person)
        return claim_next(membership=membership, kind="write")

    answers = in_threads(work, [*people, None])
    # A claim passes over rows that the segmentation has locked, so some may ask once more.
    answers += [
        work(person) for person, assignment in zip(people, answers, strict=False) if not assignment
    ]
    claimed = [assignment.pk for assignment in answers if assignment]

    assert len(claimed) >= len(COARSE)
    assert set(Assignment.objects.values_list("pk", flat=True)) == set(claimed)
    coarse = {(0, 50), (50, 150), (150, 250), (0, 250)}
    there = set(video.clips.values_list("start_frame", "end_frame"))
    held = set(
        Clip.objects.filter(work_items__assignments__isnull=False).values_list(
            "start_frame", "end_frame"
        )
    )
    assert there == coarse | held


def test_two_videos_of_one_name_get_clips_of_different_names():
    project = make_project(protocol="lovr")
    videos = [
        make_video(project, original_name=name) for name in ("walk.mp4", "walk-Scene-001.mp4")
    ]

    def work(video):
        with transaction.atomic():
            segment(Video.objects.get(pk=video.pk), COARSE)

    in_threads(work, videos)
    names = list(Clip.objects.filter(project=project).values_list("name", flat=True))
    assert (len(names), len(set(names))) == (8, 8)
    assert {"walk-Scene-001", "walk-Scene-001-2", "walk-Scene-001-Scene-001"} <= set(names)
