"""A caption written by hand after the models have failed."""

from uuid import uuid4

import pytest

from annotate.errors import LeaseLost, WorkInvalid
from annotate.models import AuditEvent, Caption, WorkItem
from annotate.write.queries import write_ups
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import make_clip, make_person, make_project
from tests.hand_work import attempt, machine_caption, open_hand, write_by_hand
from tests.work import hold, make_work, submit_write_up

TEXT = "A diver in red trunks jumps from the tower and turns twice."


@pytest.fixture
def clip(project):
    return make_clip(project)


def by_hand():
    return Caption.objects.get(source=Caption.Source.HUMAN)


def test_it_becomes_a_caption_that_descends_from_every_attempt(clip, anna):
    tried = [machine_caption(clip, f"Attempt {number}.") for number in range(3)]
    item = open_hand(clip, *map(attempt, tried), attempt(None, None, reason="It said nothing."))
    held = write_by_hand(hold(anna, item), f"  {TEXT}\n")
    caption = by_hand()
    assert (caption.text, caption.kind, caption.word_count) == (TEXT, "general", 12)
    assert (caption.author, caption.assignment, caption.clip) == (anna, held, clip)
    assert list(caption.parents.order_by("pk")) == tried
    event = AuditEvent.objects.get(verb="submit")
    assert (event.actor, event.object_id) == (anna, held.pk)
    assert WorkItem.objects.get().state == WorkItem.State.DONE


def test_an_attempt_that_is_another_clips_is_no_parent(project, clip, anna):
    elsewhere = machine_caption(make_clip(project), "Another clip.")
    wrong = [attempt(None) | {"caption": key} for key in (elsewhere.pk, "1 OR 1=1", 10**9)]
    write_by_hand(hold(anna, open_hand(clip, *wrong)), TEXT)
    assert by_hand().parents.count() == 0


def test_work_without_any_context_can_be_written(clip, anna):
    write_by_hand(hold(anna, make_work(clip, "hand", 1)), TEXT)
    assert by_hand().parents.count() == 0


@pytest.mark.parametrize("text", ["", " \n ", "🙂 — …"])
def test_a_text_without_words_is_refused(clip, anna, text):
    held = hold(anna, open_hand(clip))
    with pytest.raises(WorkInvalid) as refused:
        write_by_hand(held, text)
    [problem] = refused.value.problems
    assert problem.field == "text"
    assert problem.message == "The caption has no words; write what the clip shows."
    assert Caption.objects.count() == 0


def test_one_word_is_enough_whatever_the_projects_limits(clip, anna):
    write_by_hand(hold(anna, open_hand(clip)), "Fog.")
    assert by_hand().word_count == 1


def test_the_same_submit_twice_is_one_caption_and_another_is_refused(clip, anna):
    held, key = hold(anna, open_hand(clip)), uuid4()
    write_by_hand(held, TEXT, key=key)
    write_by_hand(held, TEXT, key=key)
    with pytest.raises(LeaseLost):
        write_by_hand(held, "Something else.")
    assert by_hand().text == TEXT


def test_it_is_no_write_up_for_a_merge(project, clip, anna, ben):
    write_by_hand(hold(anna, open_hand(clip)), TEXT)
    submit_write_up(ben, make_work(clip, needed=1))
    assert [caption.author for caption in write_ups(clip)] == [ben]


@pytest.mark.django_db(transaction=True)
def test_the_same_submit_four_times_at_once_is_one_caption():
    project = make_project()
    anna = make_person("Anna", project, "annotator")
    clip = make_clip(project)
    tried = machine_caption(clip, "A pool.")
    held, key = hold(anna, open_hand(clip, attempt(tried))), uuid4()
    in_threads(lambda _: write_by_hand(held, TEXT, key=key), range(4))
    assert by_hand().parents.get() == tried
