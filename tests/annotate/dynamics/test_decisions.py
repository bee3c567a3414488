"""Where two people disagree, a third person judges or an admin decides."""

import pytest
from django.db import IntegrityError

from annotate.dynamics.decisions import ask_third_person, decide_dynamics
from annotate.dynamics.queries import undecided_videos
from annotate.errors import AnnotateError, LeaseLost
from annotate.models import AuditEvent, DynamicsDecision, WorkItem
from annotate.queue.services import claim_next, skip
from tests.annotate.dynamics.disputing import disagree
from tests.cast import make_person, make_video
from tests.hand_work import DYNAMIC, STATIC, hold_check, judge, machine_caption
from tests.work import hold, make_work

LEFT_OUT = "An admin decided that it is not dynamic."


@pytest.fixture
def video(project, anna, rita):
    return disagree(make_video(project), anna, rita)


@pytest.fixture
def ben(project):
    return make_person("Ben", project, "annotator")


def excluded(video):
    video.refresh_from_db()
    return video.excluded_because


def undecided(project):
    return list(undecided_videos(project))


def claimed(person, project):
    return claim_next(membership=person.memberships.get(project=project), kind="dynamics")


def test_only_a_video_about_which_two_disagree_is_undecided(project, anna, rita, video):
    judge(hold_check(anna, make_video(project)), STATIC)
    agreed = make_video(project)
    for person in (anna, rita):
        judge(hold_check(person, agreed), STATIC)
    assert undecided(project) == [video]


@pytest.mark.parametrize(
    ("third", "reason"), [(STATIC, "Two people found it not dynamic."), (DYNAMIC, "")]
)
def test_the_third_person_settles_it(project, ada, ben, video, third, reason):
    cara = make_person("Cara", project, "annotator")
    ask_third_person(video=video, person=ben, admin=ada)
    assert undecided(project) == [video]
    assert claimed(cara, project) is None
    judge(claimed(ben, project), third)
    assert (excluded(video), undecided(project)) == (reason, [])
    assert WorkItem.objects.get(kind="dynamics").state == WorkItem.State.DONE


def test_the_third_person_is_somebody_else_who_may_judge(project, ada, anna, video):
    olaf = make_person("Olaf")
    for person, why in (
        (anna, "has judged this video already"),
        (olaf, "can’t judge videos"),
        (ada, "You have read the remarks"),
    ):
        with pytest.raises(AnnotateError, match=why):
            ask_third_person(video=video, person=person, admin=ada)
    item = WorkItem.objects.get(kind="dynamics")
    assert (item.needed, item.state, item.reserved_for) == (2, WorkItem.State.DONE, None)


def test_somebody_else_is_asked_instead_of_who_skipped_it_and_back_again(project, ada, ben, video):
    cara = make_person("Cara", project, "reviewer")
    ask_third_person(video=video, person=ben, admin=ada)
    skip(assignment_id=claimed(ben, project).pk, annotator=ben, reason="Too long.")
    ask_third_person(video=video, person=cara, admin=ada)
    held = claimed(cara, project)
    ask_third_person(video=video, person=ben, admin=ada)
    with pytest.raises(LeaseLost):
        judge(held, STATIC)
    judge(claimed(ben, project), STATIC)
    item = WorkItem.objects.get(kind="dynamics")
    assert (item.needed, item.open_slots, excluded(video)) == (
        3,
        0,
        "Two people found it not dynamic.",
    )


def test_an_admin_decides_changes_it_and_takes_it_back(project, ada, video):
    decide = {"video": video, "admin": ada}
    decide_dynamics(is_dynamic=False, reason=" A slide show. ", **decide)
    assert (excluded(video), undecided(project)) == (LEFT_OUT, [])
    decide_dynamics(is_dynamic=True, reason="It has cuts.", **decide)
    assert (excluded(video), undecided(project)) == ("", [])
    decide_dynamics(is_dynamic=None, reason="Ask Ben first.", **decide)
    assert undecided(project) == [video]
    events = AuditEvent.objects.filter(verb="decide dynamics").order_by("pk")
    assert [(event.before["is_dynamic"], event.after) for event in events] == [
        (None, {"is_dynamic": False, "reason": "A slide show."}),
        (False, {"is_dynamic": True, "reason": "It has cuts."}),
        (True, {"is_dynamic": None, "reason": "Ask Ben first."}),
    ]
    with pytest.raises(IntegrityError):
        DynamicsDecision.objects.update(reason="Another.")


def test_a_decision_needs_a_reason_and_a_dispute(project, ada, anna, rita, video):
    agreed = make_video(project)
    for person in (anna, rita):
        judge(hold_check(person, agreed), DYNAMIC)
    for target, reason, why in (
        (video, "  ", "Give a reason"),
        (video, "x" * 501, "Shorten the reason"),
        (agreed, "Dull.", "no longer disagree"),
    ):
        with pytest.raises(AnnotateError, match=why):
            decide_dynamics(video=target, is_dynamic=False, reason=reason, admin=ada)
    assert not DynamicsDecision.objects.exists()


def test_a_decision_ends_the_third_check(project, ada, ben, video):
    ask_third_person(video=video, person=ben, admin=ada)
    held = claimed(ben, project)
    decide_dynamics(video=video, is_dynamic=True, reason="It has cuts.", admin=ada)
    with pytest.raises(LeaseLost):
        judge(held, STATIC)
    assert claimed(ben, project) is None
    assert excluded(video) == ""


def test_work_about_a_left_out_video_waits_and_comes_back(project, ada, ben, video):
    caption = machine_caption(video.clips.get(), "A man talks.")
    held = hold(ben, make_work(caption.clip, "verify", subject=caption.pk, needed=2))
    decide_dynamics(video=video, is_dynamic=False, reason="Dull.", admin=ada)
    held.refresh_from_db()
    item = held.item
    item.refresh_from_db()
    assert (item.state, item.open_slots, held.state) == ("waiting", 2, "expired")
    decide_dynamics(video=video, is_dynamic=True, reason="Not so dull.", admin=ada)
    item.refresh_from_db()
    assert (item.state, item.open_slots) == ("open", 2)
