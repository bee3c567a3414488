"""Sending a write-up back from the Merge page."""

import re

import pytest
from django.urls import reverse

from annotate.models import Assignment
from tests.cast import client_of, make_clip, make_person
from tests.merge_work import all_of, hold_merge, save, write_up_of

State = Assignment.State


@pytest.fixture
def held(project, emil, anna, ben):
    return hold_merge(make_clip(project), emil, anna, ben)


def send_back(person, held, author, comment="Say which hand."):
    url = reverse("annotate:send_back", args=[held.pk, write_up_of(author, held.item.clip).pk])
    return client_of(person).post(url, {"send_back_comment": comment}, follow=True)


def writing_of(person):
    return Assignment.objects.get(annotator=person, item__kind="write")


def test_the_author_gets_it_with_the_comment(held, emil, anna):
    response = send_back(emil, held, anna)
    assert "Your merge waits here as you left it." in response.content.decode()
    writing = writing_of(anna)
    assert (writing.state, writing.return_comment) == (State.RETURNED, "Say which hand.")


def test_the_page_then_waits_and_can_be_read(held, emil, anna):
    save(held, all_of("a"))
    html = send_back(emil, held, anna).content.decode()
    assert "Waiting for the rewrite of A." in html
    assert 'id="send-back-a"' not in html
    assert 'id="send-back-b"' in html
    assert not re.search(r"<textarea class=\"writing\"(?![^>]* readonly)", html)
    assert all_of("a")["overview"][0]["text"] in html
    assert 'id="submit-only"' not in html


def test_the_other_one_can_be_sent_back_too(held, emil, anna, ben):
    send_back(emil, held, anna)
    html = send_back(emil, held, ben, "Far too thin.").content.decode()
    assert "Waiting for the rewrite of A and B." in html
    assert writing_of(ben).return_comment == "Far too thin."


def test_without_scripts_it_saves_the_draft_or_shows_both_texts(held, emil, anna):
    url = reverse("annotate:send_back", args=[held.pk, write_up_of(anna, held.item.clip).pk])
    typed = {"send_back_comment": "Say which hand.", "title": "A dive", "base_version": "7"}
    both = client_of(emil).post(url, typed)
    assert (both.status_code, writing_of(anna).state) == (409, State.SUBMITTED)
    assert "\nSay which hand.</textarea>" in both.text
    held.refresh_from_db()
    replaced = reverse("annotate:send_back", args=[held.pk, 0])
    version = {"base_version": str(held.draft_version)}
    refused = client_of(emil).post(replaced, typed | version | {"title": "A somersault"})
    assert (refused.status_code, writing_of(anna).state) == (422, State.SUBMITTED)
    assert "This write-up has been replaced by a newer one." in refused.text
    assert "\nSay which hand.</textarea>" in refused.text
    held.refresh_from_db()
    assert held.draft == {"title": "A somersault"}
    client_of(emil).post(url, typed | {"base_version": str(held.draft_version)})
    held.refresh_from_db()
    assert (held.draft, writing_of(anna).state) == ({"title": "A dive"}, State.RETURNED)


def test_an_empty_comment_says_what_is_missing(held, emil, anna):
    assert "Write what should change" in send_back(emil, held, anna, " ").text
    url = reverse("annotate:send_back", args=[held.pk, write_up_of(anna, held.item.clip).pk])
    sent = {"send_back_comment": " "}
    heard = client_of(emil).post(url, sent, content_type="application/json")
    assert (heard.status_code, heard.json()["code"]) == (400, "refused")
    assert writing_of(anna).state == State.SUBMITTED


def test_nobody_else_can(project, held, anna, ben, ada, olaf):
    fred = make_person("Fred", project, "expert")
    people = (fred, ada, ben, olaf)
    assert [send_back(p, held, anna).status_code for p in people] == [404] * 4
    assert writing_of(anna).state == State.SUBMITTED


def test_it_needs_a_post(held, emil, anna):
    url = reverse("annotate:send_back", args=[held.pk, write_up_of(anna, held.item.clip).pk])
    assert client_of(emil).get(url).status_code == 405
