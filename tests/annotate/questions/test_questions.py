"""People ask about the work they hold, and others answer without learning who asked."""

import re

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from annotate.models import AuditEvent, Question, QuestionMessage, WorkItem
from annotate.questions import services
from annotate.questions.queries import answerable, own_questions, unread_answers
from tests.cast import client_of, join, make_clip, make_person, make_project
from tests.swapped_parts import send_in_place
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db
TEXT = "Is this a bear or a dog?"


def member(person, project):
    return person.memberships.get(project=project)


@pytest.fixture
def held(project, anna):
    return hold(anna, make_work(make_clip(project)))


@pytest.fixture
def question(held, anna):
    return services.ask(assignment=held, person=anna, text=TEXT).question


def texts(question):
    return [message.text for message in question.messages.all()]


def test_a_question_waits_until_it_is_answered_and_the_answer_until_it_is_read(
    project, anna, emil, question
):
    assert list(answerable(member(emil, project))) == [question]
    assert (question.is_waiting, question.is_unread) == (True, False)
    services.answer(question=question, person=emil, text="A bear.")
    question.refresh_from_db()
    assert (question.is_waiting, question.is_unread) == (False, True)
    assert list(unread_answers(anna, project)) == [question]
    services.mark_read(question=question)
    assert list(unread_answers(anna, project)) == []
    services.ask(assignment=question.assignment, person=anna, text="A black one?")
    question.refresh_from_db()
    assert (question.is_waiting, texts(question)) == (True, [TEXT, "A bear.", "A black one?"])
    verbs = AuditEvent.objects.filter(project=project).order_by("id").values_list("verb", flat=True)
    assert [verb for verb in verbs if verb in {"ask", "answer"}] == ["ask", "answer", "ask"]


def test_the_same_text_sent_twice_is_one_message(anna, emil, held, question):
    services.ask(assignment=held, person=anna, text=TEXT)
    for _ in range(2):
        services.answer(question=question, person=emil, text="A bear.")
    assert texts(question) == [TEXT, "A bear."]


def test_a_message_never_changes(question):
    with pytest.raises(DatabaseError), transaction.atomic():
        QuestionMessage.objects.update(text="Other.")


def test_nobody_reads_a_question_about_independent_work_that_they_could_still_do(
    project, anna, question
):
    both = make_person("Bo", project, "annotator", "expert")
    assert list(answerable(member(both, project))) == []
    WorkItem.objects.update(state="done")
    assert list(answerable(member(both, project))) == [question]


def test_a_question_about_work_for_one_person_may_be_answered_by_all_experts(project, anna):
    alone = hold(anna, make_work(make_clip(project), needed=1))
    question = services.ask(assignment=alone, person=anna, text=TEXT).question
    both = make_person("Bo", project, "annotator", "expert")
    assert list(answerable(member(both, project))) == [question]


def test_annotators_and_other_projects_see_none(project, anna, emil, question):
    bea = make_person("Bea", project, "annotator")
    assert list(answerable(member(bea, project))) == []
    assert list(own_questions(member(bea, project))) == []
    other = make_project("Other")
    join(other, emil, "admin")
    assert list(answerable(member(emil, other))) == []
    address = reverse("annotate:answer_question", args=[other.slug, question.pk])
    assert client_of(emil).post(address, {"text": "A bear."}).status_code == 404


def test_one_asks_beside_the_work_and_keeps_it(project, anna, held):
    client = client_of(anna)
    work = reverse("annotate:work", args=[held.pk])
    assert "An expert, a reviewer or an admin answers" in client.get(work).content.decode()
    answer = client.post(
        reverse("annotate:ask", args=[held.pk]), {"question-text": f" {TEXT}\r\n<b> "}
    )
    assert answer["Location"] == work
    page = client.get(work).content.decode()
    assert f"{TEXT}<br>&lt;b&gt;" in page
    held.refresh_from_db()
    assert held.state == "held"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (" ", "Write something first."),
        ("x" * 2001, "This is 2001 characters long. Shorten it to 2000."),
    ],
)
def test_a_question_that_cannot_be_stored_comes_back_with_the_reason(anna, held, text, error):
    answer = client_of(anna).post(reverse("annotate:ask", args=[held.pk]), {"question-text": text})
    assert (answer.status_code, Question.objects.count()) == (422, 0)
    page = answer.content.decode()
    assert error in page
    assert text.strip() in page


def test_without_scripts_asking_saves_the_draft_or_shows_both_texts(anna, held):
    client, ask = client_of(anna), reverse("annotate:ask", args=[held.pk])
    typed = {"question-text": TEXT, "base_version": "0", "overview": "A brown animal walks."}
    client.post(ask, typed)
    held.refresh_from_db()
    assert (held.draft, held.draft_version) == ({"overview": "A brown animal walks."}, 1)
    stale = client.post(ask, typed | {"question-text": "A dog?", "overview": "A dog walks."})
    assert stale.status_code == 409
    assert {"A dog walks.", "A brown animal walks."} <= set(re.findall(r"[^<>\n]+", stale.text))
    assert texts(Question.objects.get()) == [TEXT, "A dog?"]


def test_those_who_answer_do_not_learn_who_asked(project, anna, emil, question):
    client = client_of(emil)
    page = client.get(reverse("annotate:questions", args=[project.slug])).content.decode()
    assert TEXT in page
    assert "Anna" not in page
    address = reverse("annotate:answer_question", args=[project.slug, question.pk])
    refused = client.post(address, {"text": ""})
    assert refused.status_code == 422
    assert "Write something first." in refused.content.decode()
    assert client.post(address, {"text": "A bear."}).status_code == 302
    page = client.get(reverse("annotate:questions", args=[project.slug]), {"tab": "answered"})
    assert "A bear." in page.content.decode()


def test_an_answer_stays_on_the_page_where_it_was_typed(project, anna, emil, question, monkeypatch):
    monkeypatch.setattr("annotate.questions.pages.A_PAGE", 1)
    latest = hold(anna, make_work(make_clip(project)))
    second = services.ask(assignment=latest, person=anna, text="Which hand?").question
    address = reverse("annotate:answer_question", args=[project.slug, second.pk])
    client = client_of(emil)
    refused = client.post(address, {"text": " "})
    assert (refused.context["tab"], refused.context["page"].number) == ("waiting", 2)
    assert "Write something first." in refused.text
    answered = client.post(address, {"text": "The left one."}, follow=True)
    assert [listed for listed, _ in answered.context["questions"]] == [question]


def test_my_work_tells_the_asker_and_those_who_may_answer(project, anna, emil, question):
    my_work = reverse("annotate:my_work", args=[project.slug])
    assert "1 question from annotators" in " ".join(
        client_of(emil).get(my_work).content.decode().split()
    )
    services.answer(question=question, person=emil, text="A bear.")
    client = client_of(anna)
    assert "A bear." in client.get(my_work).content.decode()
    read = reverse("annotate:read_answer", args=[project.slug, question.pk])
    assert "A bear." not in send_in_place(client, my_work, read).text


def test_an_answer_is_read_where_it_is_shown(project, anna, emil, question):
    client = client_of(anna)
    read = reverse("annotate:read_answer", args=[project.slug, question.pk])
    own = reverse("annotate:questions", args=[project.slug]) + "?tab=mine"
    work = reverse("annotate:work", args=[question.assignment_id])
    for name, page in (("questions", own), ("work", work)):
        services.answer(question=question, person=emil, text=f"A bear, on {name}.")
        assert "Mark as read" not in send_in_place(client, page, read, {"page": name}).text
        assert client.post(read, {"page": name}).url == page


def test_without_scripts_marking_an_answer_as_read_saves_the_draft_or_shows_both_texts(
    project, anna, emil, held, question
):
    services.answer(question=question, person=emil, text="A bear.")
    read = reverse("annotate:read_answer", args=[project.slug, question.pk])
    typed = {"page": "work", "base_version": "0", "overview": "A bear walks."}
    assert client_of(anna).post(read, typed).status_code == 302
    held.refresh_from_db()
    assert held.draft == {"overview": "A bear walks."}
    both = client_of(anna).post(read, typed | {"overview": "A dog walks."})
    assert both.status_code == 409
    assert {"A dog walks.", "A bear walks."} <= set(re.findall(r"[^<>\n]+", both.text))


def test_the_list_asks_the_database_as_often_for_three_as_for_one(
    project, anna, emil, question, django_assert_num_queries
):
    client = client_of(emil)
    address = reverse("annotate:questions", args=[project.slug])
    client.get(address)
    with django_assert_num_queries(10) as queries:
        client.get(address)
    for _ in range(2):
        more = hold(anna, make_work(make_clip(project)))
        services.ask(assignment=more, person=anna, text=TEXT)
    with django_assert_num_queries(len(queries)):
        client.get(address)
