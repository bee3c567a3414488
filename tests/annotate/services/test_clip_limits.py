"""Nobody is asked to write about a clip that is too short or too small for the project."""

import pytest

from annotate.models import WorkItem
from annotate.services.stages import open_writing
from tests.cast import client_of, count_queries, make_clip


@pytest.mark.parametrize(
    ("facts", "is_asked_for"),
    [
        ({"frames": 12}, False),
        ({"frames": 13}, True),
        ({"width": 63, "height": 320}, False),
        ({"width": 320, "height": 64}, True),
    ],
)
def test_a_clip_under_a_limit_is_not_asked_for(project, facts, is_asked_for):
    open_writing(clips=[make_clip(project, **facts)], writers=2)
    assert WorkItem.objects.exists() == is_asked_for


def test_the_limits_are_the_project_s(project):
    project.min_clip_seconds = 11
    project.save()
    clip = make_clip(project)
    open_writing(clips=[clip], writers=2)
    assert not WorkItem.objects.exists()
    project.min_clip_seconds = 10
    project.save()
    clip.refresh_from_db()
    open_writing(clips=[clip], writers=2)
    assert WorkItem.objects.exists()


def test_many_clips_are_checked_in_few_queries(project):
    counts = []
    for number in (1, 3):
        clips = [make_clip(project) for _ in range(number)]
        reloaded = type(clips[0]).objects.filter(pk__in=[clip.pk for clip in clips])
        with count_queries() as count:
            open_writing(clips=reloaded.iterator(), writers=1)
        counts.append(int(count))
    assert counts[0] == counts[1]


def test_a_clip_that_is_there_is_marked(project, ada):
    clip = make_clip(project, frames=3)
    page = client_of(ada).get(f"/p/{project.slug}/corpus/").text
    assert "Too short or small" in page
    page = client_of(ada).get(f"/p/{project.slug}/clips/{clip.pk}/").text
    assert "too short or too small to be written about" in page
    assert "0.12 s long; the project&#x27;s clips have 0.5 s." in page
