"""POST assignments/<id>/skip/: give a clip back with a reason."""

import re

import pytest
from django.urls import reverse

from annotate.models import Assignment, AuditEvent
from tests.cast import client_of, make_clip
from tests.work import expire, fill_draft, hold, make_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(project, anna):
    return hold(anna, make_work(make_clip(project)))


def skip(person, assignment, **data):
    url = reverse("annotate:skip", args=[assignment.pk])
    data = {f"skip_{name}": value for name, value in data.items()}
    return client_of(person).post(url, data, follow=True)


def test_it_frees_the_clip_and_keeps_the_text(anna, held):
    fill_draft(held, overview="Half")
    page = skip(anna, held, reason="Too dark to see", detail="all of it\x00").content.decode()
    held.refresh_from_db()
    held.item.refresh_from_db()
    assert (held.state, held.skip_reason) == ("skipped", "Too dark to see: all of it\ufffd")
    assert held.item.open_slots == 2
    assert held.draft == {"overview": "Half"}
    assert AuditEvent.objects.get(verb="skip").after == {"reason": held.skip_reason}
    assert "Your text is kept under My work." in page


def test_the_next_clip_is_another_one(project, anna, held):
    other = make_work(make_clip(project))
    skip(anna, held, reason="Wrong category")
    client_of(anna).post(reverse("annotate:claim", args=[project.slug, "write"]))
    assert Assignment.objects.get(state="held").item == other


def test_the_page_offers_reasons_that_fit_the_work(project, anna, held):
    page = client_of(anna).get(reverse("annotate:work", args=[held.pk])).text
    assert 'value="Wrong category"' in page
    assert "Skip this clip?" in page
    check = hold(anna, make_work(make_clip(project), "dynamics"))
    page = client_of(anna).get(reverse("annotate:work", args=[check.pk])).text
    assert 'value="The video does not play"' in page
    assert 'value="Wrong category"' not in page
    assert "Skip this video?" in page


def test_it_needs_a_reason(anna, held):
    page = skip(anna, held, reason="", detail="  ").content.decode()
    assert "Say why you skip this clip" in page
    held.refresh_from_db()
    assert held.state == "held"


def test_without_scripts_it_saves_the_draft_or_shows_both_texts(anna, held):
    client, url = client_of(anna), reverse("annotate:skip", args=[held.pk])
    fill_draft(held, overview="A brown animal walks.")
    typed = {"skip_reason": "", "skip_detail": "Too <dark>", "overview": "A dog walks."}
    both = client.post(url, typed | {"base_version": str(held.draft_version + 1)})
    assert both.status_code == 409
    assert {"A dog walks.", "A brown animal walks.", "Too &lt;dark&gt;"} <= set(
        re.findall(r"[^<>\n]+", both.text)
    )
    held.refresh_from_db()
    assert (held.state, held.draft) == ("held", {"overview": "A brown animal walks."})
    client.post(url, typed | {"base_version": str(held.draft_version)})
    held.refresh_from_db()
    assert (held.state, held.draft) == ("skipped", {"overview": "A dog walks."})


def test_the_page_script_hears_where_to_go_or_what_is_missing(anna, held):
    url = reverse("annotate:skip", args=[held.pk])
    client = client_of(anna)
    refused = client.post(
        url, {"skip_reason": "", "skip_detail": " "}, content_type="application/json"
    )
    assert refused.status_code == 400
    assert "Say why you skip this clip" in refused.json()["message"]
    typed = {"skip_reason": "", "skip_detail": "Blurred"}
    heard = client.post(url, typed, content_type="application/json")
    assert heard.json() == {"next": "/p/dives/"}
    held.refresh_from_db()
    assert (held.state, held.skip_reason) == ("skipped", "Blurred")


def test_what_is_no_longer_held_is_not_skipped(anna, held):
    expire(held)
    assert "nothing to skip" in skip(anna, held, reason="Other").content.decode()
    url = reverse("annotate:skip", args=[held.pk])
    typed = {"skip_reason": "Wrong category", "skip_detail": "No dive.", "overview": "A cat."}
    without_scripts = client_of(anna).post(url, typed | {"base_version": "0"})
    assert without_scripts.status_code == 422
    assert "<option selected>Wrong category</option>" in without_scripts.text
    assert "\nNo dive.</textarea>" in without_scripts.text
    assert "nothing to skip" in without_scripts.text
    held.item.refresh_from_db()
    assert held.item.open_slots == 2


def test_work_that_was_sent_back_is_not_skipped(anna, emil, held):
    Assignment.objects.filter(pk=held.pk).update(returned_by=emil, return_comment="Which hand?")
    assert "only you can continue it" in skip(anna, held, reason="Other").content.decode()
    held.refresh_from_db()
    assert held.state == "held"


def test_who_may(anna, ben, olaf, held):
    statuses = [skip(p, held, reason="Other").status_code for p in (ben, olaf, anna)]
    assert statuses == [404, 404, 200]
