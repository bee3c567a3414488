"""What people are told when something happens, and what they read of it."""

import re
from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.jobs.services.control import cancel_job
from annotate.jobs.services.ending import end_job
from annotate.merge.services import send_back_write_up
from annotate.models import Assignment, Job, JobItem, Membership, Notice, Webhook
from annotate.notices.services import choose_notices, forget_old_notices, notify
from annotate.questions import services as questions
from annotate.webhooks.services.endpoints import turn_off
from annotate.write import services as writing
from review.pay.services import correct_pay
from review.pay.terms import set_currency
from review.quality.models import Pause
from review.quality.services import end_pause
from tests.annotate.notices.noticing import tell
from tests.cast import client_of, count_queries, join, make_clip, make_project
from tests.merge_work import hold_merge
from tests.work import WRITE_UP, hold, make_work

pytestmark = pytest.mark.django_db
NOTICES = "/notices/"


def unread_notices(person) -> list[tuple[str, str]]:
    rows = Notice.objects.filter(person=person, read_at=None).order_by("id")
    return list(rows.values_list("kind", "text"))


def bell(person, address=NOTICES) -> str:
    page = client_of(person).get(address).text
    start = page.index('id="bell"')
    text = re.sub("<[^>]*>", " ", page[page.index("Notices", start) : page.index("</a>", start)])
    return " ".join(text.split())


def test_only_the_author_is_told_of_sent_back_work_until_it_is_submitted_again(
    project, anna, ben, emil
):
    clip = make_clip(project)
    merge = hold_merge(clip, emil, anna, ben)
    sent = Assignment.objects.get(annotator=anna)
    send_back_write_up(
        merge_assignment_id=merge.pk,
        expert=emil,
        caption_id=sent.captions.get().pk,
        comment="Name  the dog.",
    )
    assert unread_notices(anna) == [
        ("returned", f"Your write-up of Clip {clip.pk} was sent back to you.")
    ]
    notice = Notice.objects.get()
    assert (notice.detail, notice.address) == ("Name the dog.", f"/assignments/{sent.pk}/")
    assert "Emil" not in client_of(anna).get(NOTICES).text
    Assignment.objects.filter(pk=sent.pk).update(
        state="held", lease_expires_at=timezone.now() + timedelta(hours=1)
    )
    sent.refresh_from_db()
    writing.submit_write_up(
        assignment_id=sent.pk,
        annotator=anna,
        key=uuid4(),
        base_version=sent.draft_version,
        content=WRITE_UP,
    )
    assert unread_notices(anna) == unread_notices(ben) == []
    assert unread_notices(emil) == [("returned", f"You can continue your merge of Clip {clip.pk}.")]
    assert "Anna" not in Notice.objects.get(person=emil).detail


def test_the_asker_is_told_of_an_answer_until_they_read_it(project, anna, emil):
    held = hold(anna, make_work(make_clip(project)))
    question = questions.ask(assignment=held, person=anna, text="A bear?").question
    assert unread_notices(emil) == []
    questions.answer(question=question, person=emil, text="A dog.")
    questions.answer(question=question, person=emil, text="A small one.")
    assert unread_notices(anna) == [
        ("answered", f"Your question about {held.item.clip.short_name} was answered.")
    ]
    assert Notice.objects.get().detail == "A small one."
    questions.mark_read(question=question)
    assert unread_notices(anna) == []


def test_the_starter_of_a_job_is_told_that_it_ended_without_the_reason(project, ada):
    def start(**fields):
        return Job.objects.create(
            project=project, **{"kind": "labels", "is_planned": True, "created_by": ada, **fields}
        )

    def with_items(*states):
        job = start()
        for position, state in enumerate(states, 1):
            JobItem.objects.create(job=job, position=position, state=state)
        return job

    done, failed = start(title="Dives"), start()
    end_job(done.pk, Job.State.DONE)
    for ended in (["failed"] * 7, ["failed", "done", "skipped"]):
        end_job(with_items(*ended).pk, Job.State.DONE)
    end_job(failed.pk, Job.State.FAILED, "“A dive.” can't be read.")
    cancel_job(job=start(), admin=ada)
    end_job(start(created_by=None).pk, Job.State.DONE)
    end_job(
        start(kind="reports", lane="agreement", parameters={"follow_up": None}).pk, Job.State.DONE
    )
    assert unread_notices(ada) == [
        ("job_ended", "Compare labels: Dives is done."),
        ("job_ended", "Compare labels failed: all 7 items did."),
        ("job_ended", "Compare labels is done, but 1 of 3 items failed."),
        ("job_ended", "Compare labels failed."),
    ]
    assert set(Notice.objects.values_list("detail", flat=True)) == {""}
    pages = list(Notice.objects.values_list("address", flat=True))
    assert {client_of(ada).get(page).status_code for page in pages} == {200}


def test_a_person_is_told_that_a_pause_ended_but_not_why_it_began(project, anna, ada):
    pause = Pause.objects.create(project=project, person=anna, kind="verify", right=0, answered=4)
    end_pause(pause=pause, admin=ada)
    end_pause(pause=pause, admin=ada)
    assert unread_notices(anna) == [("admitted", "Your work is no longer paused: Verify.")]


def test_a_correction_of_pay_and_a_webhook_that_failed(project, anna, ada):
    set_currency(project=project, currency="EUR", admin=ada)
    correct_pay(project=project, person=anna, amount=Decimal("-1.50"), reason="Twice.", admin=ada)
    assert unread_notices(anna) == [("pay", "Your pay was corrected by -1.50 EUR.")]
    webhook = Webhook.objects.create(
        project=project, address="https://x.example", site="", seed="a", created_by=ada
    )
    turn_off(webhook=webhook, admin=ada)
    assert unread_notices(ada) == []
    turn_off(webhook=webhook, admin=None, reason="It answered 500.")
    assert unread_notices(ada) == [
        ("webhook_off", "A webhook was turned off because its messages failed.")
    ]


def test_a_person_is_not_told_what_they_turned_off(project, anna, ada):
    choose_notices(person=anna, off_in_app=["pay", "returned"], off_by_mail=["pay"])
    for kind in (Notice.Kind.PAY, Notice.Kind.RETURNED, Notice.Kind.ANSWERED):
        notify(people=[anna], project=project, kind=kind, subject=ada, text="Text.", address="/")
    rows = Notice.objects.order_by("id").values_list("kind", "is_in_app", "needs_mail")
    assert list(rows) == [("returned", False, True), ("answered", True, True)]
    assert bell(anna) == "Notices 1 unread"


def test_the_bell_counts_unread_notices_of_the_persons_projects(project, anna, ben):
    other = make_project("Other")
    join(other, anna, "annotator")
    assert bell(anna) == "Notices"
    for subject in (anna, ben, project):
        tell(anna, project, subject)
    tell(anna, other, other)
    tell(ben, project, anna)
    work = reverse("annotate:my_work", args=[project.slug])
    assert bell(anna, work) == "Notices 4 unread"
    Membership.objects.filter(user=anna, project=other).update(deactivated_at=timezone.now())
    assert bell(anna, work) == "Notices 3 unread"


def test_the_page_lists_unread_and_all_and_opens_what_they_are_about(project, anna, ben):
    client = client_of(anna)
    assert "You have read everything" in client.get(NOTICES).text
    assert "No notices yet" in client.get(f"{NOTICES}?tab=all").text
    first = tell(anna, project, anna, detail="<b>Name</b> the dog.")
    tell(anna, project, ben, text="Another.")
    theirs = tell(ben, project, anna)
    page = client.get(NOTICES).text
    assert page.index("Another.") < page.index(first.text)
    assert "&lt;b&gt;Name&lt;/b&gt; the dog." in page
    opened = client.get(f"/notices/{first.pk}/")
    assert opened["Location"] == reverse("annotate:my_work", args=[project.slug])
    assert first.text not in client.get(NOTICES).text
    assert first.text in client.get(f"{NOTICES}?tab=all").text
    assert client.get(f"/notices/{theirs.pk}/").status_code == 404
    assert client.post(f"/notices/{theirs.pk}/read/").status_code == 404
    read = client.post("/notices/read/", follow=True)
    assert "1 notice marked as read." in read.text
    assert (unread_notices(anna), len(unread_notices(ben))) == ([], 1)


def test_a_list_of_any_length_takes_the_same_queries(project, anna, ben, emil):
    client = client_of(anna)
    tell(anna, project, anna)
    client.get(NOTICES)
    with count_queries() as queries_for_one:
        client.get(NOTICES)
    for subject in (ben, emil):
        tell(anna, project, subject)
    with count_queries() as queries_for_three:
        client.get(NOTICES)
    assert int(queries_for_one) == int(queries_for_three)


def checked(page) -> int:
    return len(re.findall(r'<input type="checkbox"[^>]* checked', page.text))


def test_a_person_chooses_on_a_page(anna):
    client = client_of(anna)
    address = "/notices/settings/"
    assert checked(client.get(address)) == 2 * len(Notice.Kind)
    client.post(address, {"in_app-returned": "on", "by_mail-pay": "on"})
    choices = anna.notice_choices
    kinds = set(map(str, Notice.Kind))
    assert set(choices.off_in_app) == kinds - {"returned"}
    assert set(choices.off_by_mail) == kinds - {"pay"}
    assert checked(client.get(address)) == 2
    assert client.post(address).status_code == 302  # everything off
    assert checked(client.get(address)) == 0


def test_old_notices_are_forgotten(project, anna, ben):
    tell(anna, project, anna, minutes_ago=91 * 24 * 60)
    tell(anna, project, ben, minutes_ago=89 * 24 * 60)
    assert forget_old_notices() == 1
