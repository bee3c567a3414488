"""The script that lets work pages open without a network."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.cast import client_of, make_clip
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db


def test_the_service_worker_is_served_above_all_work_pages_and_never_kept_by_a_cache(client):
    address = reverse("annotate:service_worker")
    answer = client.get(address)
    assert answer.headers["Content-Type"] == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    scope = address.rpartition("/")[0] + "/"
    assert reverse("annotate:work", args=[1]).startswith(scope)
    assert b"addEventListener" in answer.content


def test_a_page_says_whose_it_is(project, anna):
    work = hold(anna, make_work(make_clip(project)))
    marker = '<meta name="person" content="{}">'
    page = client_of(anna).get(reverse("annotate:work", args=[work.pk])).text
    assert marker.format(anna.pk) in page
    assert marker.format("") in client_of(None).get("/accounts/sign-in/").text
