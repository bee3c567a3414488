"""Joining a panel, working its items, and how a part ends."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.consent.services import write_consent_text
from annotate.corpus.services.opening import open_dynamics_check
from annotate.errors import AnnotateError
from annotate.models import Assignment, AuditEvent, Consent, Membership, User, WorkItem
from annotate.projects.services.deactivation import deactivate_member
from annotate.queue.services.taking import resume_work
from annotate.queue.work_kinds import WorkClosed
from review.panels.joining import PanelClosed, next_step, settle
from review.panels.models import Panel, Participant
from review.panels.queries import places_taken
from review.panels.services import close_panel, renew_link
from review.quality.answering import take_training
from review.quality.models import Pause
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import client_of, count_queries, make_person, make_project, make_video
from tests.hand_work import DYNAMIC, STATIC
from tests.review.panels.panel import PERSON, join, link_of, open_panel, visit
from tests.review.quality.known import KIND, answer, ask, make_known, take
from tests.work import expire, hold

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def open_work(project, number=4):
    for _ in range(number):
        open_dynamics_check(make_video(project))


def work(participant, content=DYNAMIC):
    """The participant takes their next item and answers it."""
    step = next_step(participant=participant, membership=member(participant))
    held = Assignment.objects.get(annotator=participant.person, state="held")
    assert step.address == reverse("annotate:work", args=[held.pk])
    return answer(held, content)


def member(participant):
    return Membership.objects.select_related("project", "user").get(user=participant.person)


def own_page(client, project):
    return client.get(reverse("review:own_panel", args=[project.slug])).text


def overdue(participant):
    Participant.objects.filter(pk=participant.pk).update(
        joined_at=timezone.now() - timedelta(minutes=61)
    )
    participant.refresh_from_db()


class TestJoining:
    def test_a_person_joins_without_address_and_password(self, project, ada):
        _, token = open_panel(project, ada)
        page = Client().get(link_of(token))
        assert PERSON in page.text
        client = visit(token)
        person = Participant.objects.get().person
        assert (person.name, person.has_usable_password()) == ("Participant 1", False)
        assert person.email.endswith("@panel.invalid")
        assert member(Participant.objects.get()).roles == ["annotator"]
        assert "0 of 2" in own_page(client, project)
        assert PERSON not in str(AuditEvent.objects.values_list("before", "after"))

    @pytest.mark.both_databases
    def test_the_same_id_comes_back_to_the_same_place_from_another_device(self, project, ada):
        panel, token = open_panel(project, ada, places=1)
        visit(token)
        close_panel(panel=panel, admin=ada)
        client = visit(token)
        assert "0 of 2" in own_page(client, project)
        assert Participant.objects.count() == 1
        with pytest.raises(PanelClosed, match="closed"):
            join(token, "somebody-else")

    def test_one_id_has_one_account_in_all_panels_of_a_project(self, project, ada):
        _, first = open_panel(project, ada)
        _, second = open_panel(project, ada)
        assert join(first).person == join(second).person
        elsewhere = make_project("Elsewhere")
        _, third = open_panel(elsewhere, make_person("Eve", elsewhere, "admin"))
        assert join(third).person != join(first).person

    def test_without_an_id_in_the_link_people_type_it(self, project, ada):
        _, token = open_panel(project, ada)
        client, address = Client(), reverse("review:join_panel", args=[token])
        assert "Your participant ID" in client.get(address).text
        refused = client.post(address, {"external_id": " "})
        assert refused.status_code == 422
        assert "Type the ID that you have on the panel." in refused.text
        assert not Participant.objects.exists()
        assert client.post(address, {"external_id": "W7"}).status_code == 302

    @pytest.mark.both_databases
    def test_places_days_and_links_end(self, project, ada):
        panel, token = open_panel(project, ada, places=1)
        join(token)
        with pytest.raises(PanelClosed, match="All places"):
            join(token, "b")
        Panel.objects.update(places=2, expires_at=timezone.now())
        with pytest.raises(PanelClosed, match="closed"):
            join(token, "b")
        _, renewed = renew_link(panel=panel, admin=ada)
        assert Client().get(link_of(token)).status_code == 410
        assert Client().get(link_of(renewed)).status_code == 200
        assert join(renewed) == Participant.objects.get()

    def test_somebody_whose_access_ended_does_not_come_back(self, project, ada):
        _, token = open_panel(project, ada)
        participant = join(token)
        deactivate_member(membership=member(participant), admin=ada)
        with pytest.raises(PanelClosed, match="access to this study has ended"):
            join(token)

    def test_members_are_not_signed_in_as_somebody_else(self, project, ada, anna):
        _, token = open_panel(project, ada)
        client = client_of(anna)
        refused = client.post(link_of(token), {"external_id": PERSON})
        assert refused.status_code == 409
        assert "Sign out" in refused.text
        assert not Participant.objects.exists()
        own = client.get(reverse("review:own_panel", args=[project.slug]))
        assert own.status_code == 403

    def test_a_page_that_is_sent_too_late_says_that_all_places_are_taken(self, project, ada):
        _, token = open_panel(project, ada, places=1)
        join(token)
        late = Client().post(link_of(token, "next"), {"external_id": "next"})
        assert late.status_code == 409
        assert "All places of this study are taken." in late.text
        assert Participant.objects.count() == 1

    def test_the_consent_text_comes_first(self, project, ada):
        write_consent_text(
            project=project, admin=ada, text="We record your votes.", asks_again=True, base_number=0
        )
        _, token = open_panel(project, ada)
        assert "We record your votes." in Client().get(link_of(token)).text
        with pytest.raises(AnnotateError, match="text has changed"):
            join(token)
        old = Client().post(link_of(token), {"external_id": PERSON, "consent_number": 9})
        assert old.status_code == 422
        assert "text has changed" in old.text
        assert not User.objects.filter(name="Participant 1").exists()
        assert visit(token, consent_number=1).get(f"/p/{project.slug}/panel/").status_code == 200
        assert Consent.objects.get().person == Participant.objects.get().person

    def test_joining_is_limited_per_address(self, project, ada):
        cache.clear()
        _, token = open_panel(project, ada)
        client = Client()
        codes = [client.get(link_of("wrong" + token)).status_code for _ in range(31)]
        assert codes == [410] * 30 + [429]
        assert client.post(link_of(token), {"external_id": PERSON}).status_code == 429
        assert not Participant.objects.exists()
        cache.clear()


def test_participants_have_the_pages_of_their_study_alone(project, ada):
    _, token = open_panel(project, ada)
    client = visit(token)
    opened = {
        name: client.get(reverse(name, args=[project.slug])).status_code
        for name in ("annotate:my_work", "review:own_panel", "annotate:consent", "annotate:corpus",
                     "review:releases", "review:find", "annotate:api_tokens", "review:panels")
    }  # fmt: skip
    assert [name for name, code in opened.items() if code != 403] == list(opened)[:3]
    page = own_page(client, project)
    assert "Your study" in page
    assert reverse("annotate:corpus", args=[project.slug]) not in page
    assert client.get("/accounts/password/change/").status_code == 403


class TestWorking:
    def test_a_participant_gets_what_the_panel_offers_and_then_the_code(self, project, ada):
        open_work(project)
        _, token = open_panel(project, ada)
        client = visit(token)
        participant = Participant.objects.select_related("panel__project", "person").get()
        work(participant)
        assert "1 of 2" in own_page(client, project)
        work(participant)
        with pytest.raises(WorkClosed, match="finished your 2 items"):
            take(participant.person, project)
        left = hold(participant.person, WorkItem.objects.filter(assignments=None).first())
        expire(left)
        with pytest.raises(WorkClosed, match="Your text is kept here to read or copy"):
            resume_work(assignment_id=left.pk, person=participant.person)
        page = own_page(client, project)
        assert "DONE1" in page
        assert 'href="https://app.prolific.com/submissions/complete?cc=DONE1"' in page
        answered = client.post(reverse("review:next_of_panel", args=[project.slug]))
        assert answered.url == reverse("review:own_panel", args=[project.slug])
        participant.refresh_from_db()
        assert participant.outcome == "completed"

    def test_the_last_submit_leads_to_the_code_and_so_does_my_work(self, project, ada):
        open_work(project)
        _, token = open_panel(project, ada)
        client = visit(token)
        participant = Participant.objects.select_related("panel__project", "person").get()
        my_work, own = (
            reverse(name, args=[project.slug]) for name in ("annotate:my_work", "review:own_panel")
        )
        assert "no such work" not in client.get(my_work).text
        for target in (my_work, own):
            step = next_step(participant=participant, membership=member(participant))
            held = Assignment.objects.get(annotator=participant.person, state="held")
            sent = {"key": str(uuid4()), "base_version": 0, **DYNAMIC}
            answered = client.post(reverse("annotate:submit", args=[held.pk]), sent)
            assert (answered.url, step.reason) == (target, "")
        page = client.get(my_work).text
        assert page.count("Get your code") == 1
        assert "You have finished your 2 items." in page
        assert "no such work" not in page

    def test_a_submit_out_of_time_leads_to_the_code(self, project, ada):
        open_work(project)
        _, token = open_panel(project, ada)
        client = visit(token)
        participant = Participant.objects.select_related("panel__project", "person").get()
        next_step(participant=participant, membership=member(participant))
        overdue(participant)
        held = Assignment.objects.get(annotator=participant.person)
        sent = {"key": str(uuid4()), "base_version": 0, **DYNAMIC}
        answered = client.post(reverse("annotate:submit", args=[held.pk]), sent)
        assert "LATE3" in client.get(answered.url).text

    def test_other_kinds_of_work_are_closed(self, project, ada):
        _, token = open_panel(project, ada)
        with pytest.raises(WorkClosed, match="no such work"):
            take(join(token).person, project, "verify")

    def test_others_need_no_query_for_it(self, project, ada, anna):
        from review.panels.gate import gate

        membership = Membership.objects.select_related("project", "user").get(user=anna)
        with count_queries() as count:
            assert gate(membership, KIND) is None
        assert count == 0

    @pytest.mark.both_databases
    def test_out_of_time_gives_its_code_and_frees_the_place(self, project, ada):
        open_work(project)
        panel, token = open_panel(project, ada, places=1)
        client = visit(token)
        participant = Participant.objects.select_related("panel__project", "person").get()
        work(participant)
        overdue(participant)
        with pytest.raises(WorkClosed, match="part of this study is over"):
            take(participant.person, project)
        assert "LATE3" in own_page(client, project)
        assert join(token, "next").person.name == "Participant 2"
        participant.refresh_from_db()
        assert (participant.outcome, places_taken(panel)) == ("out_of_time", 1)

    def test_a_failed_training_screens_out(self, project, ada, anna, rita):
        make_known(project, ada, [anna, rita], "training")
        ask(project, ada, pass_share=1.0, tries=1)
        open_work(project)
        panel, token = open_panel(project, ada)
        client = visit(token)
        step = client.post(reverse("review:next_of_panel", args=[project.slug]))
        assert step.url == reverse("review:kind_training", args=[project.slug, KIND])
        client.post(reverse("review:next_training", args=[project.slug, KIND]))
        participant = Participant.objects.select_related("panel__project", "person").get()
        answer(Assignment.objects.get(annotator=participant.person), STATIC)
        training = client.get(step.url).text
        assert "Get your code" in training
        assert reverse("review:own_panel", args=[project.slug]) in training
        assert "OUT2" in own_page(client, project)
        assert settle(participant=participant).outcome == "screened_out"
        assert places_taken(panel) == 0

    def test_a_failed_training_closes_its_own_kind_alone(self, project, ada, anna, rita):
        make_known(project, ada, [anna, rita], "training")
        ask(project, ada, pass_share=1.0, tries=1)
        open_work(project)
        participant = join(open_panel(project, ada, items={"dynamics": 1, "rate": 1})[1])
        answer(take_training(membership=member(participant), kind=KIND), STATIC)
        with pytest.raises(WorkClosed, match="You have used all tries of the training"):
            take(participant.person, project)
        step = next_step(participant=participant, membership=member(participant))
        assert step.reason == "No work for you now. Look again in a few minutes."

    def test_the_items_of_one_kind_are_finished_before_the_part_is(self, project, ada):
        open_work(project)
        participant = join(open_panel(project, ada, items={"dynamics": 1, "rate": 1})[1])
        work(participant)
        with pytest.raises(WorkClosed, match="You have finished your 1 item"):
            take(participant.person, project)

    def test_a_pause_says_why_there_is_no_next_item(self, project, ada, anna, rita):
        make_known(project, ada, [anna, rita], "gold")
        ask(project, ada, gold_rate=0.1)
        open_work(project)
        client = visit(open_panel(project, ada, minutes=None)[1])
        participant = Participant.objects.get()
        Pause.objects.create(
            project=project, person=participant.person, kind=KIND, right=0, answered=2
        )
        page = client.post(reverse("review:next_of_panel", args=[project.slug]), follow=True)
        assert "paused until an admin" in page.text

    def test_consent_comes_before_the_next_item(self, project, ada):
        open_work(project)
        participant = join(open_panel(project, ada)[1])
        write_consent_text(
            project=project, admin=ada, text="We keep votes.", asks_again=True, base_number=0
        )
        step = next_step(participant=participant, membership=member(participant))
        assert step.address.startswith(reverse("annotate:consent", args=[project.slug]))

    def test_when_the_work_runs_out_the_part_is_complete_unless_nothing_was_done(
        self, project, ada
    ):
        open_work(project, 1)
        _, token = open_panel(project, ada)
        first, second = join(token), join(token, "second")
        work(first)
        client = client_of(first.person)
        onward = reverse("review:next_of_panel", args=[project.slug])
        assert onward in client.get(reverse("annotate:my_work", args=[project.slug])).text
        assert "DONE1" in client.get(client.post(onward).url).text
        first.refresh_from_db()
        assert first.outcome == "completed"
        Assignment.objects.update(state="submitted")
        from annotate.models import WorkItem

        WorkItem.objects.update(open_slots=0, state="done")
        step = next_step(participant=second, membership=member(second))
        assert "No work for you now" in step.reason
        second.refresh_from_db()
        assert second.outcome == ""


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_two_at_once_take_one_place_each_and_one_id_takes_one():
    project = make_project(protocol="lovr")
    ada = make_person("Ada", project, "admin")
    _, token = open_panel(project, ada, places=2)

    def try_to_join(external_id):
        try:
            return join(token, external_id).pk
        except PanelClosed:
            return 0

    keys = in_threads(try_to_join, ["a", "a", "b", "c", "c", "d"])
    assert Participant.objects.count() == 2
    assert {key for key in keys if key} == set(Participant.objects.values_list("pk", flat=True))
