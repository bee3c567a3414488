"""The page on which an accepted modification is changed or withdrawn."""

import pytest
from django.urls import reverse

from review.modifications.models import Modification
from tests.cast import client_of
from tests.review.triplets.triplets import make_label, modify

pytestmark = pytest.mark.django_db
HOSTILE = "show <b>two</b> turns"


@pytest.fixture
def labels(project):
    return [make_label(project, key) for key in ("107b", "109b", "307c")]


@pytest.fixture
def accepted(labels):
    return modify(labels[0], labels[1], HOSTILE)


def url(name, modification) -> str:
    return reverse(f"review:{name}", args=[modification.pair.project.slug, modification.pk])


def listed(person, project, **query) -> str:
    page = reverse("review:modifications", args=[project.slug])
    return client_of(person).get(page, query).text


def test_experts_and_admins_are_led_there_from_the_list(project, accepted, emil, rita):
    assert url("modification", accepted) in listed(emil, project)
    assert url("modification", accepted) not in listed(rita, project)


def test_the_list_is_narrowed_to_certain_texts(project, labels, accepted, emil):
    modify(labels[1], labels[0], "show one less")
    page = listed(emil, project, text=[accepted.pk, "x"])
    assert ("show one less" in page, "Showing the selected texts only" in page) == (False, True)


def test_a_text_is_changed(accepted, emil):
    client = client_of(emil)
    assert "&lt;b&gt;two&lt;/b&gt;" in client.get(url("modification", accepted)).text
    response = client.post(url("change_modification", accepted), {"text": "show three turns"})
    assert response.status_code == 302
    assert Modification.objects.get(state="accepted").text == "show three turns"
    assert "is not in use" in client.get(url("modification", accepted)).text


@pytest.mark.parametrize("text", ["", "turn", HOSTILE])
def test_a_refused_text_comes_back_as_typed(accepted, emil, text):
    response = client_of(emil).post(url("change_modification", accepted), {"text": text})
    assert (response.status_code, response.context["form"]["text"].value()) == (422, text)
    assert Modification.objects.get().state == "accepted"


def test_a_text_is_withdrawn_once(accepted, ada):
    client = client_of(ada)
    client.post(url("withdraw_modification", accepted))
    assert Modification.objects.get().state == "rejected"
    response = client.post(url("withdraw_modification", accepted), follow=True)
    assert "no longer in use" in response.text
