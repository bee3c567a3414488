"""A browser that asks for /favicon.ico gets the site's mark, whoever asks."""

from django.contrib.staticfiles import finders

from tests.cast import client_of


def test_a_visitor_is_led_to_the_mark():
    response = client_of(None).get("/favicon.ico")
    assert (response.status_code, response.headers["Location"]) == (302, "/static/img/mark.svg")


def test_the_mark_is_there():
    assert finders.find("img/mark.svg") is not None
