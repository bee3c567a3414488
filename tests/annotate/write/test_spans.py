"""The times of sentences in a write-up: submitted, refused, and kept in the draft."""

import json

import pytest
from django.db import DatabaseError, transaction

from annotate.errors import WorkInvalid
from annotate.models import Caption
from tests.cast import make_clip
from tests.hand_work import write_by_hand
from tests.work import WRITE_UP, fill_draft, hold, make_work, submit_write_up


@pytest.fixture
def item(project):
    return make_work(make_clip(project))


def mark(at, start, end, text):
    return json.dumps([{"at": at, "start": start, "end": end, "text": text}])


def sentences_of(caption):
    return [
        (caption.text[s["text_start"] : s["text_end"]], s["start_frame"], s["end_frame"])
        for s in caption.spans
    ]


def test_the_caption_has_the_sentences_and_their_frames(item, anna):
    misc = "It looks like"
    times = {
        "spans-overview": mark(0, 0, 12, "A diver jumps"),
        "spans-misc": mark(WRITE_UP["misc"].index(misc), 3, 9, misc),
    }
    submit_write_up(anna, item, **times)
    assert sentences_of(Caption.objects.get()) == [
        (WRITE_UP["overview"], 0, 12),
        ("It looks like a training video.", 3, 9),
    ]


def test_spans_can_not_be_changed(item, anna):
    submit_write_up(anna, item)
    caption = Caption.objects.get()
    assert caption.spans is None
    with pytest.raises(DatabaseError), transaction.atomic():
        Caption.objects.filter(pk=caption.pk).update(spans=[])


def test_a_wrong_time_names_its_field_and_stores_nothing(item, anna):
    frames = item.clip.frames
    times = {
        "spans-actions": mark(0, 0, frames + 1, "First she steps"),
        "spans-misc": mark(0, 0, 2, "A sentence that is not there"),
    }
    with pytest.raises(WorkInvalid) as refused:
        submit_write_up(anna, item, **times)
    assert [problem.field for problem in refused.value.problems] == ["actions", "misc"]
    assert f"within the clip's {frames} frames" in refused.value.problems[0].message
    assert Caption.objects.count() == 0


def test_a_caption_by_hand_has_its_times(project, anna):
    held = hold(anna, make_work(make_clip(project), "hand", 1))
    write_by_hand(held, "A diver jumps.", times=mark(0, 2, 8, "A diver"))
    assert sentences_of(Caption.objects.get()) == [("A diver jumps.", 2, 8)]


def test_the_page_shows_hostile_times_as_text(client, item, anna):
    held = hold(anna, item)
    fill_draft(held, **{"spans-actions": '"><script>alert(1)</script>'})
    client.force_login(anna)
    page = client.get(f"/assignments/{held.pk}/").content.decode()
    assert 'name="spans-actions" value="&quot;&gt;&lt;script&gt;' in page
