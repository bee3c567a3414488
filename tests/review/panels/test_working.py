"""Working the items of a panel, and how a part ends."""

from __future__ import annotations

import csv
import io
from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.consent.services import write_consent_text
from annotate.models import Assignment, Membership, WorkItem
from annotate.queue.services import skip
from annotate.queue.services.taking import resume_work
from annotate.queue.work_kinds import WorkClosed
from review.panels.joining import next_step, settle
from review.panels.models import Panel, Participant
from review.panels.pages import approvals_csv
from review.panels.queries import counted_panels, places_taken
from review.quality.answering import take_training
from review.quality.models import Pause
from tests.cast import client_of, count_queries
from tests.hand_work import DYNAMIC, STATIC
from tests.review.panels.panel import (
    join,
    member,
    open_panel,
    open_work,
    overdue,
    own_page,
    visit,
    work,
)
from tests.review.quality.known import KIND, answer, ask, make_known, take
from tests.work import expire, hold

pytestmark = pytest.mark.django_db


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
        assert (participant.outcome, places_taken(panel)) == ("out_of_time", 0)

    def test_invented_ids_fill_no_place(self, project, ada):
        """A place is taken by finished work. Who begins first has it; the others get a code."""
        open_work(project, 5)
        panel, token = open_panel(project, ada, places=1, minutes=None)
        invented = [join(token, f"invented-{number}") for number in range(3)]
        for participant in invented[:2]:
            next_step(participant=participant, membership=member(participant))
        assert (places_taken(panel), counted_panels(project)[0].taken) == (0, 0)
        honest = join(token)
        work(honest)
        assert (places_taken(panel), counted_panels(project)[0].taken) == (1, 1)
        ends = []
        for participant in (honest, *invented[1:]):
            next_step(participant=participant, membership=member(participant))
            ends.append(settle(participant=participant).outcome)
        assert ends == ["", "", "no_work"]  # the second holds an item, the third never began

    def test_skipped_work_is_not_finished_work(self, project, ada):
        open_work(project, 12)
        panel, token = open_panel(project, ada, items={"dynamics": 12})
        client = visit(token)
        participant = Participant.objects.select_related("panel__project", "person").get()
        work(participant)
        for _ in range(11):
            next_step(participant=participant, membership=member(participant))
            held = Assignment.objects.get(annotator=participant.person, state="held")
            skip(assignment_id=held.pk, annotator=participant.person, reason="Too dark to see")
        client.post(reverse("review:next_of_panel", args=[project.slug]))
        page = own_page(client, project)
        assert ("DONE1" in page, "PART4" in page) == (False, True)
        assert "1 of 12 items\n      finished and 11 skipped" in page
        text = "".join(approvals_csv(panel))
        [row] = csv.DictReader(io.StringIO(text))
        read = [row[name] for name in ("outcome", "code", "items", "skipped")]
        assert read == ["unfinished", "PART4", "1", "11"]
        assert places_taken(panel) == 0
        Panel.objects.update(unfinished_code="")
        page = own_page(client, project)
        assert "There is no code for this." in page
        assert "Return to the panel" not in page

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
        next_step(participant=participant, membership=member(participant))
        assert settle(participant=participant).outcome == "screened_out"

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

    def test_people_for_whom_no_work_is_left_get_a_code_that_says_so(self, project, ada):
        open_work(project, 1)
        _, token = open_panel(project, ada)
        first, second = join(token), join(token, "second")
        work(first)
        client = client_of(first.person)
        onward = reverse("review:next_of_panel", args=[project.slug])
        assert onward in client.get(reverse("annotate:my_work", args=[project.slug])).text
        assert "NONE5" in client.get(client.post(onward).url).text
        WorkItem.objects.update(open_slots=0, state="done")
        step = next_step(participant=second, membership=member(second))
        assert step == ("", "")
        for participant in (first, second):
            participant.refresh_from_db()
            assert participant.outcome == "no_work"
        Panel.objects.update(no_work_code="")
        assert "DONE1" in own_page(client_of(second.person), project)
