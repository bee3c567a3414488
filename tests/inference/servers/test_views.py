"""The pages of model servers, which only superusers may use."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotate.models import AuditEvent
from config.environment import Secret
from inference.models import ModelSpec, RegisteredServer, ServedModel
from tests.cast import client_of
from tests.inference.backends.loopback import KEY
from tests.open_addresses import OF_SUPERUSERS

pytestmark = pytest.mark.django_db
FIELDS = {
    "name": "hosted",
    "kind": "openai-compatible",
    "urls": "https://api.example.org/v1/",
    "key": KEY,
    "parallel": "8",
}
POSTED = ("prices", "use", "delete", "test")


@pytest.fixture
def root(ada):
    ada.is_superuser = True
    ada.save()
    return client_of(ada)


@pytest.fixture
def hosted(root):
    root.post("/servers/new/", FIELDS)
    return RegisteredServer.objects.get()


@pytest.mark.parametrize("name", sorted(OF_SUPERUSERS))
def test_they_are_shut_to_all_but_superusers(name, ada, root, register, client):
    row = register("https://h.example/v1")
    url = reverse(
        name, args=[] if name in {"inference:servers", "inference:new_server"} else [row.pk]
    )
    verb = "post" if url.strip("/").split("/")[-1] in POSTED else "get"
    assert getattr(client, verb)(url)["Location"].startswith("/accounts/sign-in/")
    assert getattr(root, verb)(url).status_code in {200, 302, 422}
    ada.is_superuser = False
    ada.save()
    assert getattr(client_of(ada), verb)(url).status_code == 403


def test_a_key_is_stored_encrypted_and_never_shown(root, hosted):
    assert hosted.urls == "https://api.example.org/v1"
    assert KEY not in str(list(RegisteredServer.objects.values()))
    root.post(f"/servers/{hosted.pk}/", {"urls": hosted.urls, "parallel": "4", "key": ""})
    pages = [root.get(url).text for url in ("/servers/", f"/servers/{hosted.pk}/")]
    refused = root.post("/servers/new/", FIELDS | {"name": "9"})
    assert refused.status_code == 422
    assert [text for text in [*pages, refused.text] if KEY in text] == []
    assert "A key is stored. Leave this empty to keep it." in pages[1]
    events = list(AuditEvent.objects.order_by("pk").values("verb", "after"))
    assert [event["verb"] for event in events] == ["add model server", "change model server"]
    assert events[1]["after"]["has_key"] is True
    assert KEY not in str(events)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": "vllm"}, "There is already a server named vllm. Choose another name."),
        ({"name": "hosted"}, "There is already a server named hosted. Choose another name."),
        ({"name": "My host"}, "Use a-z, 0-9 and -, with a letter first."),
        ({"urls": "https://10.0.0.5/v1"}, "10.0.0.5 is not a public host. Ask the person who runs"),
        ({"urls": "http://api.example.org/v1"}, "The address must begin with https://."),
        ({"urls": "https://user:hush@h.example/v1"}, "The address has a user or a password."),
        ({"urls": "https://h.example/v1?a=b"}, "End the address after its path"),
        ({"key": "two words"}, "A key has no spaces"),
        ({"parallel": "65"}, "less than or equal to 64"),
    ],
)
def test_a_wrong_field_says_what_to_do(root, hosted, settings, fields, sentence):
    settings.VERICAP_MODEL_SERVERS = {"vllm": {"url": "http://h/v1", "key": Secret("")}}
    response = root.post("/servers/new/", FIELDS | {"name": "new"} | fields)
    assert response.status_code == 422
    assert sentence in response.text
    assert RegisteredServer.objects.count() == 1


def test_a_private_host_is_allowed_by_its_setting_alone(root):
    root.post("/servers/new/", FIELDS | {"urls": "http://127.0.0.1:8001/v1"})
    assert RegisteredServer.objects.get().urls == "http://127.0.0.1:8001/v1"


def test_a_stored_key_goes_to_no_new_host(root, hosted):
    page = f"/servers/{hosted.pk}/"
    moved = {"urls": "https://other.example/v1", "parallel": "8", "key": ""}
    response = root.post(page, moved)
    assert "The address has a new host. Enter the key again, or remove it." in response.text
    assert root.post(page, moved | {"removes_key": "on"}).status_code == 302
    hosted.refresh_from_db()
    assert (hosted.urls, hosted.encrypted_key) == ("https://other.example/v1", "")


def test_models_have_prices(root, hosted):
    rows = {
        "form-TOTAL_FORMS": "3",
        "form-INITIAL_FORMS": "0",
        "form-0-model_id": "gpt",
        "form-0-input_price": "0.25",
        "form-1-input_price": "3",
    }
    page = f"/servers/{hosted.pk}/prices/"
    assert "Enter the model&#x27;s id, too." in root.post(page, rows).content.decode()
    assert root.post(page, rows | {"form-1-model_id": "gpt-large"}).status_code == 302
    stored = ServedModel.objects.values_list("model_id", "input_price", "output_price")
    assert [(name, str(first), last) for name, first, last in stored] == [
        ("gpt", "0.250000", None),
        ("gpt-large", "3.000000", None),
    ]
    assert 'value="0.25"' in root.get(f"/servers/{hosted.pk}/").text


def test_admins_choose_it_while_it_is_on_and_it_is_not_deleted_while_a_model_is_on_it(
    project, root, hosted
):
    form = "/p/dives/models/new/?backend=openai-compatible"
    fields = {"name": "GPT", "model_id": "gpt", "parameter_server": "hosted"}
    ServedModel.objects.create(server=hosted, model_id="gpt")
    text = root.get(form).text
    assert '<option value="hosted">' in text
    assert '<option value="gpt">hosted</option>' in text
    assert "hosted" not in root.get(form.replace("openai-compatible", "http-protocol")).text
    assert root.post(form, fields).status_code == 302
    response = root.post(f"/servers/{hosted.pk}/delete/", follow=True)
    assert "1 model is on hosted, and results keep its name." in response.text
    root.post(f"/servers/{hosted.pk}/use/", {"in_use": "0"})
    assert '<option value="hosted">' not in root.get(form).text
    ModelSpec.objects.all().delete()
    root.post(f"/servers/{hosted.pk}/delete/")
    assert not RegisteredServer.objects.exists()


def test_the_list_shows_those_of_the_environment_without_keys(
    root, settings, register, django_assert_num_queries
):
    settings.VERICAP_MODEL_SERVERS = {"vllm": {"url": "http://h:8001/v1", "key": Secret(KEY)}}
    register("https://h.example/v1")
    with django_assert_num_queries(4):
        text = root.get("/servers/").text
    assert "http://h:8001/v1" in text
    assert KEY not in text
    register("https://h.example/v1", name="a")
    with django_assert_num_queries(4):
        root.get("/servers/")
