"""What a worker does with a registered server: its key, the guard, and several addresses."""

from __future__ import annotations

import time

import pytest
from django.core.management import call_command

from inference.backends import servers
from inference.backends.protocols import BackendError, Generation, ModelSettings
from inference.loading import forget_models, load_model
from inference.models import RegisteredServer
from tests.inference.backends.loopback import KEY, fails, says

pytestmark = pytest.mark.django_db


@pytest.fixture
def ask():
    """Load the model as a worker does, and ask it so many questions."""
    forget_models()

    def ask(questions=1, **parameters):
        parameters = {"server": "hosted", "tries": 1, **parameters}
        model = load_model(ModelSettings("openai-compatible", "m", "", parameters))
        return model.complete(["?"] * questions, Generation())

    yield ask
    forget_models()


def test_a_change_takes_effect_without_a_restart(register, ask, loopback, second):
    row = register(loopback.url)
    assert ask() == ["A dog runs."]
    assert loopback.received[0].headers["authorization"] == f"Bearer {KEY}"
    RegisteredServer.objects.update(urls=second.url, encrypted_key="")
    assert ask() == ["A dog runs."]
    assert "authorization" not in second.received[0].headers
    RegisteredServer.objects.update(is_active=False)
    with pytest.raises(BackendError, match="There is no model server named 'hosted' here"):
        ask()
    assert KEY not in row.encrypted_key


def test_a_key_is_read_under_a_former_secret_alone(register, settings):
    register("https://h.example/v1")
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another" * 9
    assert servers.server("hosted").key == KEY
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(BackendError) as caught:
        servers.server("hosted")
    assert caught.value.code == "key_unreadable"
    assert str(caught.value).startswith(
        "The key of hosted can't be read: it was stored under another SECRET_KEY."
    )


def test_the_guard_refuses_a_private_address_when_it_connects(register, ask, loopback, settings):
    register(loopback.url)
    settings.VERICAP_MODEL_HOSTS = {"names": frozenset(), "networks": ()}
    [error] = ask()
    assert (error.code, loopback.received) == ("unreachable", [])
    assert "127.0.0.1 is not a public host" in str(error)


def test_the_faster_of_two_addresses_answers_more(register, ask, loopback, second):
    def slowly(received, out):
        time.sleep(0.15)
        says("A dog runs.")(received, out)

    loopback.answers = [slowly]
    register(loopback.url, second.url.replace("/v1", "/other"))
    assert ask(12, parallel=2) == ["A dog runs."] * 12
    # While the slow one has a request, the fast one takes the rest.
    assert 1 <= len(loopback.received) < len(second.received)
    assert len(loopback.received) + len(second.received) == 12
    assert {request.path for request in second.received} == {"/other/chat/completions"}


def test_a_busy_or_unreachable_address_rests(register, ask, loopback, second):
    loopback.answers = [fails(429, "full", "Retry-After: 60"), says("late")]
    register("http://127.0.0.1:9/v1", loopback.url, second.url)
    assert ask(5, parallel=1) == ["A dog runs."] * 5
    assert (len(loopback.received), len(second.received)) == (1, 5)
    second.answers = [fails(503)]
    [error] = ask(parallel=1)
    assert error.code == "server_failed"


def test_a_worker_sends_no_more_at_once_than_the_server_takes(register, loopback):
    register(loopback.url, parallel=3)
    settings = ModelSettings("openai-compatible", "m", "", {"server": "hosted", "parallel": 8})
    assert load_model(settings).options.parallel == 3


def test_a_rotated_key_needs_the_former_secret_no_more(register, settings, capsys):
    register("https://h.example/v1")
    register("https://h.example/v1", name="broken")
    RegisteredServer.objects.filter(name="broken").update(encrypted_key="gAAAA")
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another" * 9
    with pytest.raises(SystemExit):
        call_command("rotate_server_keys")
    out, err = capsys.readouterr()
    assert out == "1 key encrypted again.\n"
    assert err.startswith("The key of broken can't be read")
    settings.SECRET_KEY_FALLBACKS = []
    assert servers.server("hosted").key == KEY
