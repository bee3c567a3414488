"""That a writer had opened a machine's draft is kept with what they wrote."""

import pytest

from annotate.models import Caption
from tests.cast import make_clip
from tests.hand_work import machine_caption
from tests.work import make_work, submit_write_up

pytestmark = pytest.mark.django_db


def provenance_of(person, clip, **content):
    submit_write_up(person, make_work(clip, needed=1), **content)
    return Caption.objects.get(source=Caption.Source.HUMAN).provenance


def test_an_opened_draft_is_named(project, anna):
    clip = make_clip(project)
    draft = machine_caption(clip, "A pool.")
    assert provenance_of(anna, clip, machine_draft=str(draft.pk)) == [{"machine_draft": draft.pk}]


def test_a_draft_that_was_not_opened_is_not(project, anna):
    clip = make_clip(project)
    machine_caption(clip, "A pool.")
    assert provenance_of(anna, clip, machine_draft="") == []


@pytest.mark.parametrize("draft_key", ["elsewhere", "human", "x", "9" * 30, "-1"])
def test_what_is_no_machine_caption_of_the_clip_is_not_named(project, anna, draft_key):
    clip = make_clip(project)
    elsewhere = machine_caption(make_clip(project), "Another clip.")
    draft_key = str(elsewhere.pk) if draft_key == "elsewhere" else draft_key
    assert provenance_of(anna, clip, machine_draft=draft_key) == []
