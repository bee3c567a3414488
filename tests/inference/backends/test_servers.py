"""Which model servers there are: read from the environment, and their keys shown to nobody."""

from __future__ import annotations

import json
import os
from runpy import run_path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment
from config.environment import Secret
from inference.backends import servers
from inference.backends.protocols import BackendError

KEY = "sk-loopback-4f1d9a"
SERVERS = "VERICAP_MODEL_SERVERS"


@pytest.fixture
def read(monkeypatch):
    """What the environment of these variables gives."""
    for variable in [name for name in os.environ if name.startswith("VERICAP_MODEL_")]:
        monkeypatch.delenv(variable)

    def read(**variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return environment.model_servers(SERVERS, "VERICAP_MODEL_KEY_")

    return read


def test_there_are_no_servers_unless_some_are_named(read):
    assert read() == {}


def test_each_server_has_its_own_url_and_key(read):
    entries = read(
        VERICAP_MODEL_SERVERS="vllm=http://127.0.0.1:8001/v1, my-host2=https://[::1]:8/v1/",
        VERICAP_MODEL_KEY_MY_HOST2=f"{KEY}\n",
    )
    assert {name: (entry["url"], entry["key"].reveal()) for name, entry in entries.items()} == {
        "vllm": ("http://127.0.0.1:8001/v1", ""),
        "my-host2": ("https://[::1]:8/v1", KEY),
    }


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("vllm", "entry 1, is not name=url"),
        ("vllm=", "entry 1, is not name=url"),
        ("a=http://h/v1,=http://h", "entry 2, is not name=url"),
        ("vLLM=http://h/v1", "entry 1, is not name=url"),
        ("1st=http://h/v1", "entry 1, is not name=url"),
        ("my_host=http://h/v1", "entry 1, is not name=url"),
        ("http://user:hush@h/v1?a=b", "entry 1, is not name=url"),
        ("a=http://h/v1,a=http://g/v1", "has a twice"),
        ("a=ftp://h/v1", "the URL of a, can't be read"),
        ("a=127.0.0.1:8001/v1", "the URL of a, can't be read"),
        ("a=http:///v1", "the URL of a, can't be read"),
        ("a=http://h:hush/v1", "the URL of a, can't be read"),
        ("a=http://h:0/v1", "the URL of a, can't be read"),
        ("a=http://[::1/v1", "the URL of a, can't be read"),
        ("a=http://h/\tv1", "the URL of a, can't be read"),
        ("a=http://user:hush@h/v1", "the URL of a, holds a user or a password"),
        ("a=http://hush@h/v1", "the URL of a, holds a user or a password"),
        ("a=http://h/v1?key=hush", "the URL of a, has a ?, a # or a space"),
        ("a=http://h/v1#hush", "the URL of a, has a ?, a # or a space"),
        ("a=http://h/v 1", "the URL of a, has a ?, a # or a space"),
    ],
)
def test_a_bad_list_is_refused_without_repeating_it(read, value, complaint):
    with pytest.raises(ImproperlyConfigured) as caught:
        read(VERICAP_MODEL_SERVERS=value)
    assert complaint in str(caught.value)
    assert str(caught.value).startswith(SERVERS)
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    "key", ["two words", "a\nb", "schlüssel", "a\x00b".replace("\x00", "\x7f")]
)
def test_a_key_that_no_header_can_hold_is_refused_without_repeating_it(read, key):
    with pytest.raises(ImproperlyConfigured) as caught:
        read(VERICAP_MODEL_SERVERS="a=http://h/v1", VERICAP_MODEL_KEY_A=key)
    assert str(caught.value).startswith("VERICAP_MODEL_KEY_A holds a space")
    assert key not in str(caught.value)


def test_a_key_of_no_server_is_refused(read):
    with pytest.raises(ImproperlyConfigured, match="VERICAP_MODEL_KEY_B is a key without a server"):
        read(VERICAP_MODEL_SERVERS="a=http://h/v1", VERICAP_MODEL_KEY_B=KEY)


def test_a_key_that_looks_like_a_variable_is_itself_and_not_logged(read, caplog):
    caplog.set_level("DEBUG")
    caplog.set_level("DEBUG", logger="environ.environ")
    entries = read(VERICAP_MODEL_SERVERS="a=http://h/v1", VERICAP_MODEL_KEY_A=f"${KEY}")
    assert entries["a"]["key"].reveal() == f"${KEY}"
    assert SERVERS in caplog.text
    assert KEY not in caplog.text


def test_a_secret_shows_itself_in_no_writing():
    secret = Secret(KEY)
    texts = [repr(secret), str(secret), f"{secret}", "%s" % secret, repr({"key": secret})]  # noqa: UP031
    assert [text for text in texts if KEY in text] == []
    with pytest.raises(TypeError, match="not JSON serializable"):
        json.dumps({"key": secret})


def test_the_settings_do_not_show_a_key(read):
    read(**{SERVERS: "a=http://h.example/v1", "VERICAP_MODEL_KEY_A": KEY})
    settings = run_path("config/settings/base.py")
    printed = "".join(repr(value) for name, value in settings.items() if name.isupper())
    assert "http://h.example/v1" in printed
    assert KEY not in printed


def test_a_server_is_looked_up_by_name_and_hides_its_key(settings):
    settings.VERICAP_MODEL_SERVERS = {"a": {"url": "http://h/v1", "key": Secret(KEY)}}
    server = servers.server("a")
    assert (server.name, server.url, server.key) == ("a", "http://h/v1", KEY)
    assert repr(server) == "ModelServer(name='a', url='http://h/v1')"


@pytest.mark.django_db
def test_an_unknown_server_is_refused_with_those_there_are(settings):
    nothing = {"url": "http://h/v1", "key": Secret("")}
    settings.VERICAP_MODEL_SERVERS = {"vllm": nothing, "hosted": nothing}
    with pytest.raises(BackendError) as caught:
        servers.server("other")
    assert caught.value.code == "unknown_server"
    assert str(caught.value).startswith(
        "There is no model server named 'other' here, only: hosted, vllm. Choose another"
    )
