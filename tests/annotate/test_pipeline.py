"""A clip from start to end by its services: write x2, merge, split, sent back, and again."""

from uuid import uuid4

import pytest

from annotate.corpus.precedence import current_caption
from annotate.corpus.services.opening import open_writing
from annotate.errors import AnnotateError, LeaseLost
from annotate.merge.queries import merged_caption
from annotate.merge.services import submit_merge
from annotate.models import Assignment, Caption, WorkItem
from annotate.queue import services as queue
from annotate.queue.content import merge_content
from annotate.queue.kinds import kinds_of
from annotate.split.pages import split_context
from annotate.split.services import reopen_merge, send_back_split, submit_split
from annotate.text.parts import PARTS
from annotate.write.services import submit_write_up
from tests.cast import make_clip
from tests.merge_work import BIKES_A, BIKES_B, all_of
from tests.split_work import texts_of

pytestmark = pytest.mark.django_db

State = Assignment.State
SPLIT = texts_of("bikes")["split"]


@pytest.fixture
def clip(project):
    clip = make_clip(project)
    open_writing(clips=[clip], writers=2)
    return clip


def claim(person, kind):
    membership = person.memberships.select_related("project", "user").get()
    return queue.claim_next(membership=membership, kind=kind)


def submit(service, assignment, content):
    assignment.refresh_from_db()
    return service(
        assignment_id=assignment.pk,
        annotator=assignment.annotator,
        key=uuid4(),
        base_version=assignment.draft_version,
        content=content,
    )


def write_and_merge(clip, anna, ben, emil):
    for person, parts in [(anna, BIKES_A), (ben, BIKES_B)]:
        submit(submit_write_up, claim(person, "write"), parts)
    merge = claim(emil, "merge")
    submit(submit_merge, merge, merge_content(all_of("a")))
    return merge


def split(person):
    held = claim(person, "split")
    submit(submit_split, held, page_content(held, **texts(SPLIT)))
    return held


def texts(split):
    return {field: split[field] for field in ("spatial", "temporal")}


def page_content(assignment, **typed):
    """What the page sends: its sentences, all given to both, and what was typed."""
    context = split_context(assignment, assignment.draft)
    content = {"merged": str(context["begun_on"])}
    for group in context["groups"]:
        for sentence in group["sentences"]:
            content[f"sentence-{sentence['number']}"] = sentence["text"]
            content[f"target-{sentence['number']}"] = sentence["target"] or "both"
    return {**content, **typed}


def state_of(clip, kind):
    return WorkItem.objects.get(clip=clip, kind=kind).state


def split_captions(clip):
    return [current_caption(clip, kind) for kind in ("spatial", "temporal")]


def test_each_step_opens_the_next(clip, anna, ben, emil):
    assert claim(emil, "merge") is None
    write_and_merge(clip, anna, ben, emil)
    assert state_of(clip, "merge") == "done"
    split(anna)
    assert [state_of(clip, kind) for kind in kinds_of(clip.project)] == ["done", "done", "done"]
    merged = merged_caption(clip)
    assert {p for c in split_captions(clip) for p in c.parents.all()} == {merged}
    assert {c.author for c in merged.parents.all()} == {anna, ben}


def test_a_split_that_is_sent_back_comes_again(clip, anna, ben, emil):
    write_and_merge(clip, anna, ben, emil)
    first = split(anna)
    send_back_split(clip=clip, expert=emil, comment="Name the tie's colour.")
    assert state_of(clip, "split") == "open"
    assert claim(ben, "split") is None  # only its author may continue it
    again = claim(anna, "split")
    assert again == first
    assert again.return_comment == "Name the tie's colour."
    assert again.draft["spatial"] == SPLIT["spatial"]
    assert split_context(again, again.draft)["is_changed"] is False
    typed = {"spatial": f"{SPLIT['spatial']} More.", "temporal": SPLIT["temporal"]}
    submit(submit_split, again, page_content(again, **typed))
    assert current_caption(clip, "spatial").text.endswith("More.")
    assert Caption.objects.filter(kind="spatial").count() == 2  # the first one stays
    assert state_of(clip, "split") == "done"


def test_a_reopened_merge_holds_the_split_and_keeps_it(clip, anna, ben, emil):
    merge = write_and_merge(clip, anna, ben, emil)
    held = claim(anna, "split")
    typed = page_content(held, spatial="Typed by Anna.", temporal="")
    queue.save_draft(assignment=held, base_version=0, content=typed)

    reopen_merge(clip=clip, expert=emil, comment="The bus is white.")
    assert state_of(clip, "split") == "waiting"
    assert claim(ben, "split") is None
    with pytest.raises(LeaseLost):
        submit(submit_split, held, page_content(held, **texts(SPLIT)))
    queue.save_draft(assignment=held, base_version=1, content=typed)

    rows = all_of("a")
    rows["misc"][0]["text"] = "The camera is perfectly still and the cuts are quick."
    assert claim(emil, "merge") == merge
    submit(submit_merge, merge, merge_content(rows))
    again = claim(anna, "split")
    assert (again, again.state) == (held, State.HELD)
    assert again.return_comment == "The merged text has changed. Your split is as you left it."
    assert again.draft["spatial"] == "Typed by Anna."

    with pytest.raises(AnnotateError, match="The merged text has changed"):
        submit(submit_split, again, {**typed, **texts(SPLIT)})  # a tab left open
    context = split_context(again, again.draft)
    assert [s["text"] for s in context["new_sentences"]] == [rows["misc"][0]["text"]]
    assert [s["number"] for s in context["undecided"]] == [context["new_sentences"][0]["number"]]
    submit(submit_split, again, page_content(again, **texts(SPLIT)))
    assert {p for c in split_captions(clip) for p in c.parents.all()} == {merged_caption(clip)}


def test_a_finished_split_is_done_again_after_a_new_merge(clip, anna, ben, emil):
    merge = write_and_merge(clip, anna, ben, emil)
    first = split(anna)
    reopen_merge(clip=clip, expert=emil, comment="The bus is white.")
    first.refresh_from_db()
    assert first.state == State.PAUSED
    rows = all_of("a")
    rows["overview"][0]["text"] = "This video shows everyday traffic in a city."
    assert claim(emil, "merge") == merge
    submit(submit_merge, merge, merge_content(rows))
    again = claim(anna, "split")
    assert again == first
    context = split_context(again, again.draft)
    assert [s["number"] for s in context["new_sentences"]] == [0]
    submit(submit_split, again, page_content(again, **texts(SPLIT)))
    again.refresh_from_db()
    assert split_context(again, again.draft)["is_changed"] is False
    assert list(current_caption(clip, "spatial").parents.all()) == [merged_caption(clip)]


def test_what_is_not_finished_is_not_sent_back(clip, anna, ben, emil):
    with pytest.raises(AnnotateError, match="no finished split"):
        send_back_split(clip=clip, expert=emil, comment="Again.")
    write_and_merge(clip, anna, ben, emil)
    split(anna)
    with pytest.raises(AnnotateError, match="Write what should change"):
        send_back_split(clip=clip, expert=emil, comment=" ")
    assert state_of(clip, "split") == "done"
    assert set(PARTS) == set(merged_caption(clip).parts)
