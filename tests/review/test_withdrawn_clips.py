"""A withdrawn clip leaves the benchmark with everything kept, and comes back where it was."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.corpus.pieces import clips_in_benchmark
from annotate.corpus.services.exclusion import take_back_clip, withdraw_clip
from annotate.corpus.services.sign_offs import open_sign_offs
from annotate.errors import AnnotateError, LeaseLost
from annotate.models import Assignment, AuditEvent, Caption, Clip, Project, Role, SignOff, WorkItem
from annotate.queue.services import claim_next, save_draft, take_again
from annotate.signoff.services import submit_sign_off
from annotate.split.services import reopen_merge, send_back_split
from review.errors import ReviewError
from review.releases.services import build_release
from review.verification.completeness import complete_clips, progress_of
from tests.cast import client_of, make_person
from tests.review.cast import complete, make_short_project, merge, open_clip, split, take, write

WHY = "Shows nothing but a title."


@pytest.fixture
def project(db):
    return make_short_project(sign_offs=0)


@pytest.fixture
def olga(project):
    return make_person("Olga", project, Role.EXPERT)


def states(clip):
    rows = WorkItem.objects.filter(clip=clip).order_by("pk").values_list("kind", "state")
    return {str(kind): str(state) for kind, state in rows}


def withdraw(clip, admin, reason=WHY):
    withdraw_clip(clip=clip, reason=reason, admin=admin)


def next_of(person, kind):
    membership = person.memberships.select_related("project", "user").get()
    return claim_next(membership=membership, kind=kind)


def test_no_release_and_no_count_has_it(project, make_complete, ada):
    gone, kept = make_complete("gone"), make_complete("kept")
    before = build_release(project=project, version="0.1.0", admin=None)
    withdraw(gone, ada)
    assert list(complete_clips(project)) == [kept]
    assert list(clips_in_benchmark(project)) == [kept]
    progress = progress_of(project)
    assert (progress.clips, progress.complete, progress.written) == (1, 1, 1)
    after = build_release(project=project, version="0.2.0", admin=None)
    assert [clip.clip for clip in after.clips.all()] == [kept]
    assert before.clips.count() == 2, "what was released stays"
    take_back_clip(clip=gone, admin=ada)
    assert set(complete_clips(project)) == {gone, kept}
    assert Caption.objects.filter(clip=gone).count() == 5


def test_a_project_with_nothing_else_has_nothing_to_release(project, make_complete, ada):
    withdraw(make_complete("gone"), ada)
    with pytest.raises(ReviewError, match="No clip is complete"):
        build_release(project=project, version="0.1.0", admin=None)


def test_nobody_gets_its_work_and_drafts_stay(project, anna, ben, ada):
    clip = open_clip(project, "dive")
    held = take(project, anna, "write", clip)
    save_draft(assignment=held, base_version=0, content={"overview": "A diver."})
    withdraw(clip, ada)
    assert states(clip) == {"write": "waiting"}
    assert next_of(ben, "write") is None
    held.refresh_from_db()
    assert (held.state, held.draft) == (Assignment.State.EXPIRED, {"overview": "A diver."})
    with pytest.raises(LeaseLost, match="waits for now"):
        take_again(assignment_id=held.pk, annotator=anna)
    take_back_clip(clip=clip, admin=ada)
    item = WorkItem.objects.get(clip=clip)
    assert (item.state, item.open_slots) == ("open", 2)
    again = take_again(assignment_id=held.pk, annotator=anna)
    assert again.draft == {"overview": "A diver."}


@pytest.mark.parametrize("step", ["write", "merge", "split"])
def test_it_comes_back_at_the_step_where_it_was(project, anna, ben, emil, ada, step):
    clip = open_clip(project, "dive")
    if step != "write":
        write(project, clip, anna, ben)
    if step == "split":
        merge(project, clip, emil)
    before = states(clip)
    assert before[step] == "open"
    withdraw(clip, ada)
    assert states(clip) == {**before, step: "waiting"}
    take_back_clip(clip=clip, admin=ada)
    assert states(clip) == before


def test_a_step_that_waited_for_another_still_waits(project, make_complete, emil, anna, ada):
    clip = make_complete("dive")
    send_back_split(clip=clip, expert=emil, comment="Say more.")
    sent_back = Assignment.objects.get(item__clip=clip, item__kind="split")
    withdraw(clip, ada)
    sent_back.refresh_from_db()
    assert (states(clip)["split"], sent_back.state) == ("waiting", Assignment.State.PAUSED)
    assert next_of(anna, "split") is None
    take_back_clip(clip=clip, admin=ada)
    assert next_of(anna, "split") == sent_back, "only its author may go on with it"
    split(project, clip, anna)
    reopen_merge(clip=clip, expert=emil, comment="Another text, please.")
    before = states(clip)
    assert (before["merge"], before["split"]) == ("open", "waiting")
    withdraw(clip, ada)
    take_back_clip(clip=clip, admin=ada)
    assert states(clip) == before


def test_nothing_is_sent_back_while_it_is_withdrawn(project, make_complete, emil, ada):
    clip = make_complete("dive")
    withdraw(clip, ada)
    with pytest.raises(AnnotateError, match="left out of the benchmark"):
        send_back_split(clip=clip, expert=emil, comment="Say more.")
    page = client_of(emil).get(reverse("annotate:clip", args=[project.slug, clip.pk]))
    assert b"Send back" not in page.content


def test_sign_offs_stay_and_follow_the_projects_number(project, anna, ben, emil, olga, ada):
    project.sign_offs = 1
    project.save()
    clip = complete(project, open_clip(project, "dive"), [anna, ben], emil)
    hold = next_of(olga, "signoff")
    submit_sign_off(
        assignment_id=hold.pk, annotator=olga, key=uuid4(), base_version=0,
        content={"verdict": SignOff.Verdict.AGREE},
    )  # fmt: skip
    assert states(clip)["signoff"] == "done"
    withdraw(clip, ada)
    project.sign_offs = 2
    project.save()
    open_sign_offs(project)
    assert states(clip)["signoff"] == "done", "what she said stands"
    take_back_clip(clip=clip, admin=ada)
    item = WorkItem.objects.get(clip=clip, kind="signoff")
    assert (item.state, item.needed, item.open_slots) == ("open", 2, 1)


def test_the_page_withdraws_and_takes_back_and_keeps_who_and_why(project, ada, anna):
    clip = open_clip(project, "dive")
    address = reverse("annotate:clip", args=[project.slug, clip.pk])
    admin = client_of(ada)
    reply = admin.post(
        reverse("annotate:withdraw_clip", args=[project.slug, clip.pk]),
        {"reason": " <b>Only</b>  a title. "},
        follow=True,
    )
    assert reply.redirect_chain == [(address, 302)]
    clip.video.refresh_from_db()
    assert clip.video.excluded_because == "<b>Only</b> a title."
    for person in (ada, anna):
        page = client_of(person).get(address).content.decode()
        assert "&lt;b&gt;Only&lt;/b&gt; a title." in page
        assert "<b>Only" not in page
    admin.post(reverse("annotate:take_back_clip", args=[project.slug, clip.pk]))
    clip.video.refresh_from_db()
    assert clip.video.excluded_because == ""
    page = admin.get(address).content.decode()
    assert "left out, &lt;b&gt;Only&lt;/b&gt; a title." in page
    assert "taken back" in page
    events = AuditEvent.objects.filter(object_type="video", actor=ada)
    assert [event.verb for event in events] == ["include", "exclude"]
    assert "clip-withdrawal" not in client_of(anna).get(address).content.decode()


@pytest.mark.parametrize(
    ("reason", "why"),
    [(" ", "Say why the clip is withdrawn."), ("x" * 201, "at most 200 characters")],
)
def test_a_reason_is_needed_and_nothing_is_lost_without(project, ada, reason, why):
    clip = open_clip(project, "dive")
    reply = client_of(ada).post(
        reverse("annotate:withdraw_clip", args=[project.slug, clip.pk]), {"reason": reason}
    )
    assert (reply.status_code, why in reply.content.decode()) == (422, True)
    assert states(clip) == {"write": "open"}
    assert f'value="{reason.strip()}"' in reply.content.decode() or not reason.strip()


def test_it_is_withdrawn_and_taken_back_once(project, ada):
    clip = open_clip(project, "dive")
    with pytest.raises(AnnotateError, match="in the benchmark already"):
        take_back_clip(clip=clip, admin=ada)
    withdraw(clip, ada)
    with pytest.raises(AnnotateError, match=f"left out already: {WHY}"):
        withdraw(clip, ada, "Another reason.")


def test_the_videos_of_other_protocols_have_other_rules(project, ada):
    clip = open_clip(project, "dive")
    Project.objects.update(protocol="lovr")
    clip = Clip.objects.get(pk=clip.pk)
    with pytest.raises(AnnotateError, match="whose texts people write"):
        withdraw(clip, ada)
    page = client_of(ada).get(reverse("annotate:clip", args=[project.slug, clip.pk]))
    assert b"clip-withdrawal" not in page.content
