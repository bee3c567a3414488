"""Nobody is asked to write about a clip that is too short or too small for the project."""

import pytest

from annotate.corpus.clip_limits import reason_too_small, too_small
from annotate.corpus.services.opening import open_writing
from annotate.models import Assignment, Clip, WorkItem
from annotate.projects.services.projects import change_project
from tests.cast import client_of, count_queries, make_clip, make_project
from tests.work import hold


@pytest.fixture
def project(db):
    return make_project(min_clip_seconds=0.5)


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


def change(project, ada, **limits):
    change_project(project_id=project.pk, admin=ada, **limits)


def test_a_raised_limit_withdraws_write_ups_and_a_lowered_one_asks_again(project, ada, anna):
    long = make_clip(project, frames=250)
    begun, untouched = (make_clip(project, frames=50) for _ in range(2))
    open_writing(clips=[long, begun, untouched], writers=1)
    held = hold(anna, WorkItem.objects.get(clip=begun))
    Assignment.objects.filter(pk=held.pk).update(draft={"summary": "A pool."})
    change(project, ada, min_clip_seconds=5)
    assert dict(WorkItem.objects.values_list("clip", "state")) == {
        long.pk: "open",
        begun.pk: "cancelled",
    }
    held.refresh_from_db()
    assert (held.state, held.draft) == ("expired", {"summary": "A pool."})
    change(project, ada, min_clip_seconds=0.5)
    open_items = WorkItem.objects.filter(state="open")
    assert dict(open_items.values_list("clip", "open_slots")) == {
        long.pk: 1,
        begun.pk: 1,
        untouched.pk: project.writers_per_clip,
    }


def test_the_settings_say_how_many_write_ups_a_limit_withdraws(project, ada):
    open_writing(clips=[make_clip(project, frames=50)], writers=2)
    url = f"/p/{project.slug}/settings/"
    form = client_of(ada).get(url).context["form"]
    fields = {name: value for name, value in form.initial.items() if value is not None}
    fields |= {"min_clip_seconds": 5}
    refused = client_of(ada).post(url, fields)
    assert refused.status_code == 422
    assert "1 open write-up would be withdrawn" in refused.text
    assert WorkItem.objects.exists()
    client_of(ada).post(url, fields | {"accepts_withdrawal": "on"})
    assert not WorkItem.objects.exists()


def test_the_corpus_is_narrowed_to_the_clips_that_are_too_short_or_small(project, ada):
    make_clip(project)
    short, small = make_clip(project, frames=3), make_clip(project, width=63, height=320)
    page = client_of(ada).get(f"/p/{project.slug}/corpus/", {"stage": "too-small"})
    assert {row.clip.pk for row in page.context["page"].object_list} == {short.pk, small.pk}


@pytest.mark.parametrize("frames", range(6, 9))
@pytest.mark.parametrize("seconds", [0.28, 0.29, 0.281])
def test_the_database_applies_the_same_limits(project, frames, seconds):
    project.min_clip_seconds = seconds
    clip = make_clip(project, frames=frames)
    matched = Clip.objects.filter(too_small(project)).exists()
    assert matched == bool(reason_too_small(clip, project))
