"""Deactivating a member: no access, open work handed on, drafts kept, and all of it undone."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from annotate.errors import AnnotateError
from annotate.merge.services import send_back_write_up
from annotate.models import Assignment, AuditEvent, Membership, WorkItem
from annotate.projects.services.deactivation import deactivate_member, reactivate_member
from annotate.projects.services.members import accept_invitation, invite
from annotate.queue.services import claim_next, take_again
from annotate.queue.services.handing_on import HandedOn
from tests.api.asking import program_of
from tests.cast import client_of, count_queries, make_clip, make_person, make_project, session_of
from tests.review.cast import open_clip, take, write
from tests.work import fill_draft, hold, make_work, post_json


def member(person, project) -> Membership:
    return Membership.with_deactivated.select_related("project", "user").get(
        project=project, user=person
    )


def address(name, project, person):
    return reverse(f"annotate:{name}", args=[project.slug, member(person, project).pk])


def state_of(assignment):
    assignment.refresh_from_db()
    return assignment.state


def test_it_takes_away_access_and_hands_open_work_to_one_person(project, anna, ben, emil, ada):
    held = hold(ben, make_work(make_clip(project)))
    fill_draft(held, overview="Half a dive.")
    reserved = make_work(make_clip(project), reserved_for=ben)
    merging = make_work(make_clip(project), kind="merge", needed=1, reserved_for=ben)
    done_by_anna = make_work(make_clip(project), reserved_for=ben)
    hold(anna, done_by_anna)
    program, client = program_of(ben, project), client_of(ben)
    assert client.get(reverse("annotate:work", args=[held.pk])).status_code == 200

    page = client_of(ada).get(address("deactivate_member", project, ben)).content.decode()
    assert "1 open item goes to others, and 3 reserved items are offered to others." in page
    assert "1 draft is kept for Ben" in page
    assert "Half a dive" not in page
    handed_on = deactivate_member(
        membership=member(ben, project), admin=ada, to=member(anna, project)
    )

    assert handed_on == HandedOn(held=1, sent_back=0, waiting=0, reserved=3, to_person=2)
    reservations = dict(WorkItem.objects.values_list("pk", "reserved_for"))
    assert reservations == {
        held.item_id: anna.pk,
        reserved.pk: anna.pk,
        merging.pk: None,
        done_by_anna.pk: None,
    }
    assert (state_of(held), held.draft) == ("expired", {"overview": "Half a dive."})
    for name in ("my_work", "corpus"):
        assert client.get(reverse(f"annotate:{name}", args=[project.slug])).status_code == 404
    assert client.get(reverse("annotate:work", args=[held.pk])).status_code == 404
    assert (
        post_json(client, "save_draft", held, {"base_version": 1, "content": {}}).status_code == 404
    )
    assert client.post(reverse("annotate:claim", args=[project.slug, "write"])).status_code == 404
    assert program.get("/api/v1/token/").status_code == 401
    assert project.name not in client.get(reverse("annotate:projects")).content.decode()

    reactivate_member(membership=member(ben, project), admin=ada)
    assert client.get(reverse("annotate:work", args=[held.pk])).status_code == 200
    assert program.get("/api/v1/token/").status_code == 200
    assert take_again(assignment_id=held.pk, annotator=ben).state == "held"
    verbs = AuditEvent.objects.filter(object_type="membership").values_list("verb", flat=True)
    assert list(verbs) == ["reactivate", "deactivate"]


def test_what_was_sent_back_and_what_waits_goes_to_everybody(project, anna, ben, emil, ada):
    project.min_words = 1
    project.save()
    clip = open_clip(project, "dive")
    write(project, clip, anna, ben)
    merge = take(project, emil, "merge", clip)
    fill_draft(merge, text="A merge.")
    caption = clip.captions.get(author=ben)
    send_back_write_up(
        merge_assignment_id=merge.pk, caption_id=caption.pk, expert=emil, comment="Shorter."
    )
    paused = deactivate_member(membership=member(emil, project), admin=ada)
    assert (paused.waiting, state_of(merge)) == (1, "expired")
    returned = deactivate_member(membership=member(ben, project), admin=ada)
    assert returned == HandedOn(held=0, sent_back=1, waiting=0, reserved=0, to_person=0)
    carl = make_person("Carl", project, "annotator")
    work = claim_next(membership=member(carl, project), kind="write")
    assert work is not None
    assert work.item.clip_id == clip.pk
    assert clip.work_items.get(kind="merge").open_slots == 1
    assert merge.draft == {"text": "A merge."}


def test_an_account_is_signed_out_everywhere_and_back_after(project, ben, ada):
    other = make_project("Kitchens")
    Membership.objects.create(project=other, user=ben, is_annotator=True)
    held = hold(ben, make_work(make_clip(other)))
    ada.is_superuser = True
    ada.save()
    browsers, mine = [client_of(ben), client_of(ben)], client_of(ada)
    deactivate = {"to": "", "with_account": "on"}
    mine.post(address("deactivate_member", project, ben), deactivate)

    assert state_of(held) == "expired"
    ben.refresh_from_db()
    assert not ben.is_active
    signed_in = reverse("annotate:projects")
    assert [browser.get(signed_in).status_code for browser in browsers] == [302, 302]
    assert mine.get(signed_in).status_code == 200
    mine.post(address("reactivate_member", project, ben))
    ben.refresh_from_db()
    assert ben.is_active
    # The sessions have ended for good; a new sign-in works.
    assert [browser.get(signed_in).status_code for browser in browsers] == [302, 302]
    browsers[0].cookies["sessionid"] = session_of(ben)
    assert browsers[0].get(reverse("annotate:my_work", args=[project.slug])).status_code == 200


def test_it_refuses_what_would_lock_a_project_or_a_person_out(project, anna, ben, ada):
    def refusal(person, **choice):
        with pytest.raises(AnnotateError) as error:
            deactivate_member(membership=member(person, project), **{"admin": ada, **choice})
        return str(error.value)

    assert refusal(ada).startswith("You can't deactivate yourself.")
    assert refusal(ada, admin=anna).startswith("A project needs an admin.")
    outside = Membership.objects.create(project=make_project("Kitchens"), user=anna, is_admin=True)
    assert refusal(ben, to=outside).startswith("Choose another active member")
    assert refusal(ben, to=member(ben, project)).startswith("Choose another active member")
    assert refusal(ben, with_account=True) == "Only an admin of the site can change an account."
    ada.is_superuser = True
    assert refusal(anna, with_account=True).startswith("Kitchens: A project needs an admin.")
    assert Membership.with_deactivated.filter(deactivated_at__isnull=False).count() == 0

    page = client_of(ada).post(address("deactivate_member", project, ben), {"to": outside.pk})
    assert page.status_code == 422
    assert "Choose an active member of this project." in page.content.decode()
    deactivate_member(membership=member(ben, project), admin=ada)
    assert refusal(ben) == "Ben is deactivated already."
    _, token = invite(project=project, admin=ada, roles=["annotator"])
    with pytest.raises(AnnotateError, match="An admin has deactivated you"):
        accept_invitation(token=token, user=ben)


def test_by_the_api_and_the_command(project, anna, ben, ada, capsys):
    item = make_work(make_clip(project), reserved_for=ben)
    program, key = program_of(ada, project), member(ben, project).pk
    to = {"to": member(anna, project).pk}
    handed_on = program.ask("post", f"members/{key}/deactivate/", to)
    assert (handed_on.status_code, handed_on.json()["to_person"]) == (200, 1)
    item.refresh_from_db()
    assert item.reserved_for == anna
    listed = program.rows("members/?deactivated=true")
    assert [(row["id"], row["roles"]) for row in listed] == [(key, ["annotator"])]
    assert program.ask("post", f"members/{key}/reactivate/", {}).status_code == 200

    call_command("deactivate_member", project.slug, ben.email, admin=ada.email, to=anna.email)
    assert "Ben is deactivated." in capsys.readouterr().out
    with pytest.raises(CommandError, match="deactivated already"):
        call_command("deactivate_member", project.slug, ben.email, admin=ada.email)
    call_command("deactivate_member", project.slug, ben.email, admin=ada.email, undo=True)
    assert Membership.objects.filter(project=project, user=ben).exists()
    with pytest.raises(CommandError, match="not a member"):
        call_command("deactivate_member", project.slug, "x@example.org", admin=ada.email)


def test_more_open_work_takes_no_more_queries(project, ben, ada):
    counts = []
    for size in (1, 2):
        for _ in range(size):
            hold(ben, make_work(make_clip(project)))
            make_work(make_clip(project), reserved_for=ben)
        with count_queries() as count:
            page = client_of(ada).get(address("deactivate_member", project, ben))
        assert page.status_code == 200
        counts.append(int(count))
    assert counts[0] == counts[1]
    assert Assignment.objects.filter(annotator=ben, state="held").count() == 3
