"""The machine's draft on the Write page, where a project wants it."""

from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.models import Caption, Project
from tests.cast import client_of, make_clip
from tests.hand_work import machine_caption
from tests.work import WRITE_UP, fill_draft, hold, make_work

pytestmark = pytest.mark.django_db

FIELD = '<input type="hidden" form="work-form" name="machine_draft" value="{}">'


@pytest.fixture
def held(project, anna):
    return hold(anna, make_work(make_clip(project)))


def text_of(person, held):
    return client_of(person).get(reverse("annotate:work", args=[held.pk])).text


def test_it_is_offered_only_where_the_project_says_so(held, anna):
    draft = machine_caption(held.item.clip, "A <b>pool</b>.")
    assert "Machine draft" not in text_of(anna, held)
    Project.objects.update(show_machine_draft=True)
    text = text_of(anna, held)
    assert "Machine draft (model text, unverified)" in text
    assert "A &lt;b&gt;pool&lt;/b&gt;." in text
    assert f'<details class="card" data-caption="{draft.pk}">' in text
    assert FIELD.format("") in text


def test_the_newest_is_shown_and_nothing_is_prefilled(held, anna):
    Project.objects.update(show_machine_draft=True)
    machine_caption(held.item.clip, "An old text.")
    machine_caption(held.item.clip, "A new text.")
    text = text_of(anna, held)
    assert "A new text." in text
    assert "An old text." not in text
    assert text.count("A new text.") == 1


def test_without_scripts_the_writer_says_that_they_read_it(held, anna):
    Project.objects.update(show_machine_draft=True)
    draft = machine_caption(held.item.clip, "A pool.")
    box = text_of(anna, held).split('id="machine-draft"')[1].split("</noscript>")[0]
    assert "I have read this draft" in box.split("<noscript>")[1]
    fields = [part.split('"')[0] for part in box.split('name="machine_draft" value="')[1:]]
    assert fields == ["", str(draft.pk)]
    form = {"key": uuid4(), "base_version": 0, "machine_draft": fields, **WRITE_UP}
    client_of(anna).post(reverse("annotate:submit", args=[held.pk]), form)
    written = Caption.objects.get(source=Caption.Source.HUMAN)
    assert written.provenance == [{"machine_draft": draft.pk}]


def test_a_clip_without_one_shows_no_block(held, anna):
    Project.objects.update(show_machine_draft=True)
    assert "machine-draft" not in text_of(anna, held)


def test_that_it_was_opened_stays_when_the_setting_is_taken_back(held, anna):
    draft = machine_caption(held.item.clip, "A pool.")
    fill_draft(held, machine_draft=str(draft.pk))
    text = text_of(anna, held)
    assert FIELD.format(draft.pk) in text
    assert "A pool." not in text
