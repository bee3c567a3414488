"""Requests that the tests answer quickly are answered as Django would."""

import copy

import pytest
from django.conf import settings as django_settings
from django.template import Context, RequestContext
from django.test import Client
from django.test.client import ClientHandler

from annotate.middleware import ContentPolicy
from tests.quick_requests import address_of_static, random_string


@pytest.mark.parametrize("context", [Context({"a": 1}), RequestContext(None, {"a": 1})])
def test_a_copy_of_a_context_is_another_with_the_same_values(context):
    made = copy.copy(context)
    assert type(made) is type(context)
    assert vars(made) | {"render_context": 0} == vars(context) | {"render_context": 0}
    made.push(b=2)
    assert (made.flatten()["b"], "b" in context) == (2, False)


def test_clients_have_the_middleware_of_their_settings(settings, db):
    first, second = ClientHandler(), ClientHandler()
    for handler in (first, second):
        handler.load_middleware()
    assert first._middleware_chain is second._middleware_chain
    assert "Content-Security-Policy" in Client().get("/accounts/sign-in/").headers
    name = f"{ContentPolicy.__module__}.{ContentPolicy.__qualname__}"
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if each != name]
    assert "Content-Security-Policy" not in Client().get("/accounts/sign-in/").headers


def test_a_static_file_has_the_address_of_its_settings(settings):
    assert address_of_static("a b.js") == "/static/a%20b.js"
    settings.STATIC_URL = "/elsewhere/"
    assert address_of_static("a b.js") == "/elsewhere/a%20b.js"


def test_a_setting_is_read_as_a_test_sets_it(settings):
    settings.NOWHERE = 3
    assert django_settings.NOWHERE == 3
    del settings.NOWHERE
    with pytest.raises(AttributeError):
        _ = django_settings.NOWHERE


def test_a_random_string_has_the_characters_that_are_allowed():
    text = random_string(3000, "abc")
    assert (len(text), set(text)) == (3000, set("abc"))
    assert random_string(32, "abc") != random_string(32, "abc")
