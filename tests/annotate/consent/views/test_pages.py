"""The pages of consent, and how work pages ask for it."""

import pytest
from django.urls import reverse

from annotate.consent.services import agree, withdraw_consent, write_consent_text
from annotate.models import Assignment, Consent, ConsentText
from tests.cast import client_of, count_queries, make_clip, make_person
from tests.swapped_parts import send_in_place
from tests.work import WRITE_UP, fill_draft, hold, make_work, post_json

pytestmark = pytest.mark.django_db
HOSTILE = "Hello <script>alert(1)</script> **you**"


def address(project, name="consent"):
    return reverse(f"annotate:{name}", args=[project.slug])


@pytest.fixture
def text(project, ada):
    return write_consent_text(
        project=project, admin=ada, text=HOSTILE, asks_again=False, base_number=0
    )


@pytest.fixture
def item(project):
    return make_work(make_clip(project))


def claim(project):
    return reverse("annotate:claim", args=[project.slug, "write"])


def test_taking_work_leads_to_the_text_and_agreeing_to_the_work(project, text, item, anna):
    client = client_of(anna)
    redirect = client.post(claim(project))
    assert redirect.url == f"{address(project)}?kind=write"
    page = client.get(redirect.url).text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; <strong>you</strong>" in page
    assert 'name="number" value="1"' in page
    assert not Assignment.objects.exists()

    answer = {"number": 1, "kind": "write", "next": ""}
    agreed = client.post(address(project, "agree_to_consent"), answer)
    assert (agreed.status_code, agreed.url) == (307, claim(project))
    taken = client.post(agreed.url, answer)
    assert taken.url == reverse("annotate:work", args=[Assignment.objects.get().pk])
    assert client.get(taken.url).status_code == 200


def test_the_address_of_held_work_leads_to_the_text_and_back(project, item, anna, text):
    held = hold(anna, item)
    work = reverse("annotate:work", args=[held.pk])
    client = client_of(anna)
    redirect = client.get(work)
    assert redirect.url.startswith(address(project))
    assert f'name="next" value="{work}"' in client.get(redirect.url).text
    agreed = client.post(address(project, "agree_to_consent"), {"number": 1, "next": work})
    assert agreed.url == work
    assert client.get(work).status_code == 200


def test_an_answer_never_leads_to_another_site(project, text, anna):
    answer = {"number": 1, "next": "https://elsewhere.example/"}
    agreed = client_of(anna).post(address(project, "agree_to_consent"), answer)
    assert agreed.url == reverse("annotate:my_work", args=[project.slug])


def test_what_is_typed_is_saved_and_submitted_while_the_text_is_asked(project, item, anna, text):
    held = hold(anna, item)
    client = client_of(anna)
    saved = post_json(client, "save_draft", held, {"base_version": 0, "content": WRITE_UP})
    assert saved.json()["version"] == 1
    assert post_json(client, "heartbeat", held, {}).status_code == 200
    body = {"key": "0f2b7b0e-2f0a-4a40-9d52-0d2f5a7a6a10", "base_version": 1, "then": "next"}
    submitted = post_json(client, "submit", held, {**body, "content": WRITE_UP})
    assert submitted.json() == {"next": f"{address(project)}?kind=write"}
    held.refresh_from_db()
    assert held.state == "submitted"
    # Submitted work can be read, since it is done.
    assert client.get(reverse("annotate:work", args=[held.pk])).status_code == 200


def test_a_plain_form_is_submitted_too(project, item, anna, text):
    held = hold(anna, item)
    form = {**WRITE_UP, "key": "0f2b7b0e-2f0a-4a40-9d52-0d2f5a7a6a10", "base_version": 0}
    answer = client_of(anna).post(reverse("annotate:submit", args=[held.pk]), form)
    assert answer.url == reverse("annotate:my_work", args=[project.slug])
    held.refresh_from_db()
    assert held.state == "submitted"


def test_taking_again_leads_to_the_text(project, item, anna, text):
    held = hold(anna, item)
    fill_draft(held, overview="A diver")
    Assignment.objects.update(state="expired")
    again = client_of(anna).post(reverse("annotate:take_again", args=[held.pk]), follow=True)
    assert again.redirect_chain[-1][0].startswith(address(project))
    held.refresh_from_db()
    assert held.draft == {"overview": "A diver"}


def test_a_changed_text_is_read_again(project, text, ada, anna):
    write_consent_text(project=project, admin=ada, text="New.", asks_again=True, base_number=1)
    page = client_of(anna).post(
        address(project, "agree_to_consent"), {"number": 1, "kind": "write"}
    )
    assert page.status_code == 409
    assert "Read it again" in page.text
    assert 'name="number" value="2"' in page.text
    assert 'name="kind" value="write"' in page.text
    assert client_of(anna).post(address(project, "agree_to_consent"), {}).status_code == 409


def test_a_person_sees_downloads_and_withdraws_theirs(project, text, anna, ada):
    agree(project=project, person=anna, number=1)
    client = client_of(anna)
    assert "You agreed to version 1" in client.get(address(project)).text
    assert "What you agreed to" in client.get(reverse("annotate:my_work", args=[project.slug])).text
    record = client.get(address(project, "download_consent"))
    assert record["Content-Type"] == "text/plain; charset=utf-8"
    assert "Agreed to version 1" in record.text
    assert HOSTILE in record.text
    consent, withdraw = address(project), address(project, "withdraw_consent")
    page = send_in_place(client, consent, withdraw)
    assert page.redirect_chain == [(consent, 302)]
    assert "You withdrew on" in page.text
    assert client.post(withdraw).url == consent
    assert "Withdrew from version 1" in client.get(address(project, "download_consent")).text
    overview = reverse("review:activity", args=[project.slug])
    assert "Anna withdrew their consent" in client_of(ada).get(overview).text
    assert "withdrew" not in client_of(make_person("Rita", project, "reviewer")).get(overview).text


def test_my_work_says_what_is_asked(project, text, anna):
    my_work = reverse("annotate:my_work", args=[project.slug])
    assert "read the project’s consent text" in client_of(anna).get(my_work).text
    agree(project=project, person=anna, number=1)
    assert "read the project’s consent text" not in client_of(anna).get(my_work).text


def test_a_project_without_a_text_says_so(project, anna, ada):
    assert "asks for no consent" in client_of(anna).get(address(project)).text
    assert "Write a text" in client_of(ada).get(address(project)).text


def test_an_admin_writes_versions_and_sees_who_agreed(project, anna, ada):
    client, url = client_of(ada), address(project, "consent_text")
    assert "A text to begin with" in client.get(url).text
    saved = client.post(url, {"text": "One.\r\n\r\nTwo.", "base_number": 0})
    assert saved.url == url
    assert ConsentText.objects.get().text == "One.\n\nTwo."
    agree(project=project, person=anna, number=1)
    page = client.get(url).text
    assert "Version 1" in page
    assert "1 member must still agree" in page
    client.post(url, {"text": "Three.", "base_number": 1, "asks_again": "on"})
    assert "Agreed to an earlier version" in client.get(url).text


def test_a_refused_version_keeps_what_was_typed(project, text, ada):
    page = client_of(ada).post(
        address(project, "consent_text"), {"text": "My own words", "base_number": 0}
    )
    assert page.status_code == 422
    assert "My own words" in page.text
    assert "alert(1)" in page.text
    assert ConsentText.objects.count() == 1


def test_the_list_of_people_costs_the_same_queries_for_one_and_three(project, text, anna, ada):
    client, url = client_of(ada), address(project, "consent_text")

    def queries():
        with count_queries() as count:
            client.get(url)
        return int(count)

    agree(project=project, person=anna, number=1)
    queries()
    first = queries()
    for name in ("Cara", "Dora"):
        agree(project=project, person=make_person(name, project, "annotator"), number=1)
    withdraw_consent(project=project, person=anna)
    assert queries() == first
    assert Consent.objects.count() == 4
