"""Two people judge whether a video is dynamic."""

from uuid import uuid4

import pytest
from django.db import IntegrityError

from annotate.errors import LeaseLost, WorkInvalid
from annotate.models import AuditEvent, DynamicsVerdict, WorkItem
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import make_person, make_project, make_video
from tests.hand_work import DYNAMIC, STATIC, hold_check, judge

EXCLUDED = "Two people found it not dynamic."


@pytest.fixture
def video(project):
    return make_video(project)


def excluded(video):
    video.refresh_from_db()
    return video.excluded_because


def exclusions():
    return AuditEvent.objects.filter(verb="exclude")


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (STATIC, STATIC, EXCLUDED),
        (STATIC, DYNAMIC, ""),
        (DYNAMIC, STATIC, ""),
        (DYNAMIC, DYNAMIC, ""),
    ],
)
def test_a_video_goes_only_when_both_find_it_not_dynamic(video, anna, rita, first, second, reason):
    annas_check, ritas_check = hold_check(anna, video), hold_check(rita, video)
    judge(annas_check, first)
    assert excluded(video) == ""
    judge(ritas_check, second)
    assert excluded(video) == reason
    assert exclusions().count() == bool(reason)
    assert WorkItem.objects.get().state == WorkItem.State.DONE


def test_the_exclusion_says_who_decided_it_and_what_was_there_before(video, anna, rita):
    video.excluded_because = "Fewer than 40 clips"
    video.save()
    judge(hold_check(anna, video), STATIC)
    judge(hold_check(rita, video), STATIC)
    event = exclusions().get()
    assert (event.actor, event.object_id, event.project) == (rita, video.pk, video.project)
    assert event.before == {"excluded_because": "Fewer than 40 clips"}
    assert event.after == {"excluded_because": EXCLUDED}


def test_a_verdict_is_stored_with_its_remark(video, anna):
    held = judge(hold_check(anna, video), {**STATIC, "remark": " A lecture. "})
    verdict = DynamicsVerdict.objects.get()
    assert (verdict.video, verdict.assignment) == (video, held)
    assert (verdict.is_dynamic, verdict.remark) == (False, "A lecture.")
    assert AuditEvent.objects.get(verb="submit").after == {"is_dynamic": False}


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        ({}, ["verdict"]),
        ({"verdict": "perhaps", "remark": "Hm."}, ["verdict"]),
        ({**STATIC, "remark": "x" * 501}, ["remark"]),
    ],
)
def test_what_is_missing_is_named_and_nothing_is_stored(video, anna, content, problems):
    held = hold_check(anna, video)
    with pytest.raises(WorkInvalid) as refused:
        judge(held, content)
    assert [problem.field for problem in refused.value.problems] == problems
    assert DynamicsVerdict.objects.count() == 0


def test_the_same_submit_twice_is_one_verdict(video, anna):
    held, key = hold_check(anna, video), uuid4()
    judge(held, STATIC, key=key)
    judge(held, STATIC, key=key)
    assert DynamicsVerdict.objects.count() == 1
    assert excluded(video) == ""


def test_a_submitted_verdict_cannot_be_changed(video, anna):
    held = hold_check(anna, video)
    judge(held, STATIC)
    with pytest.raises(LeaseLost):
        judge(held, DYNAMIC)
    assert [verdict.is_dynamic for verdict in DynamicsVerdict.objects.all()] == [False]
    with pytest.raises(IntegrityError):
        DynamicsVerdict.objects.update(is_dynamic=True)


def test_a_verdict_after_the_hold_has_ended_is_refused(video, anna):
    held = hold_check(anna, video)
    type(held).objects.filter(pk=held.pk).update(state="expired")
    with pytest.raises(LeaseLost):
        judge(held, STATIC)
    assert DynamicsVerdict.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_two_judges_at_once_exclude_a_video_exactly_once():
    project = make_project()
    anna, rita = make_person("Anna", project, "annotator"), make_person("Rita", project, "reviewer")
    videos = [make_video(project) for _ in range(5)]
    for video in videos:
        holds = [hold_check(person, video) for person in (anna, rita)]
        in_threads(lambda held: judge(held, STATIC), holds)
    assert [excluded(video) for video in videos] == [EXCLUDED] * 5
    assert sorted(exclusions().values_list("object_id", flat=True)) == [v.pk for v in videos]
    assert DynamicsVerdict.objects.count() == 10


@pytest.mark.django_db(transaction=True)
def test_the_same_submit_four_times_at_once_is_one_verdict():
    project = make_project()
    anna = make_person("Anna", project, "annotator")
    held, key = hold_check(anna, make_video(project)), uuid4()
    in_threads(lambda _: judge(held, DYNAMIC, key=key), range(4))
    assert DynamicsVerdict.objects.count() == 1
