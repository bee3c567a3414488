"""The merge step: what is stored, who may, and what waits while a write-up is rewritten."""

from uuid import uuid4

import pytest

from annotate.errors import AnnotateError, DraftConflict, LeaseLost, WorkInvalid
from annotate.merge.pages import merge_context
from annotate.merge.services import send_back_write_up
from annotate.models import Assignment, AuditEvent, Caption, WorkItem
from annotate.queue import services as queue
from annotate.queue.content import merge_content, merge_rows
from annotate.split.services import reopen_merge
from annotate.text.merging import WriteUpText, propose_rows
from annotate.text.parts import join_parts
from tests.annotate.text.samples import ANNA, BEN
from tests.cast import join, make_clip, make_person
from tests.merge_work import (
    BIKES_A,
    BIKES_B,
    all_of,
    hold_merge,
    open_merge,
    resume_merge,
    rewrite,
    save,
    submit_merge,
    write_up_of,
)
from tests.work import expire, hold

State = Assignment.State


@pytest.fixture
def clip(project):
    return make_clip(project)


@pytest.fixture
def held(clip, emil, anna, ben):
    return hold_merge(clip, emil, anna, ben)


def send_back(held, person, comment="Say which hand."):
    return send_back_write_up(
        merge_assignment_id=held.pk,
        expert=held.annotator,
        caption_id=write_up_of(person, held.item.clip).pk,
        comment=comment,
    )


def merged():
    return Caption.objects.filter(source="merged").order_by("pk")


def test_it_stores_the_text_its_parents_and_the_origin_of_each_sentence(held, clip, anna, ben):
    rows = all_of("a")
    rows["overview"][0]["text"] = "Six shots of city traffic."
    rows["misc"][0]["text"] = BIKES_B["misc"].split(". ")[0] + "."
    submit_merge(held, merge_content(rows))
    caption = merged().get()
    assert caption.parts["objects"] == BIKES_A["objects"]
    assert caption.text == join_parts(caption.parts)
    assert list(caption.parents.order_by("pk")) == [
        write_up_of(anna, clip),
        write_up_of(ben, clip),
    ]
    origins = [(o["part"], o["origin"]) for o in caption.provenance]
    assert origins[0] == ("overview", "new")
    assert {origin for part, origin in origins if part == "actions"} == {"a"}
    assert [origin for part, origin in origins if part == "misc"] == ["b", "a", "a"]
    assert " ".join(o["text"] for o in caption.provenance) == caption.text


def test_it_stores_which_conflicts_were_looked_at(clip, emil, anna, ben):
    held = hold(emil, open_merge(clip, (anna, ANNA), (ben, BEN)))
    content = merge_content(all_of("a", ANNA, BEN))
    page = merge_context(held, content)
    first, *others = page["conflicts"]
    forged = {"looked-0123456789abcdef": "on"}
    submit_merge(held, {**content, first["name"]: "on", **forged})
    checks = merged().get().checks
    assert [check["looked"] for check in checks] == [True] + [False] * len(others)
    assert [check["kind"] for check in checks] == [c["kind"] for c in page["conflicts"]]
    assert first["a_text"] in checks[0]["message"]
    assert first["b_text"] in checks[0]["message"]


def test_the_split_opens(held, clip):
    submit_merge(held, merge_content(all_of("b")))
    assert WorkItem.objects.get(clip=clip, kind="merge").state == WorkItem.State.DONE
    split = WorkItem.objects.get(clip=clip, kind="split")
    assert (split.state, split.open_slots) == (WorkItem.State.OPEN, 1)


def test_origins_are_those_of_the_write_ups_not_of_what_the_page_says(held):
    rows = all_of("a")
    rows["overview"][0].update(a_text="Forged.", text="Forged.")
    submit_merge(held, merge_content(rows))
    assert merged().get().provenance[0]["origin"] == "new"


def test_the_same_submit_twice_is_one(held):
    key = uuid4()
    content = merge_content(all_of("a"))
    submit_merge(held, content, key=key)
    submit_merge(held, content, key=key)
    assert merged().count() == 1
    with pytest.raises(LeaseLost, match="already submitted"):
        submit_merge(held, content)


def test_a_text_that_breaks_the_rules_is_refused_by_part(held):
    rows = all_of("a")
    rows["overview"][0]["text"] = "One. Two."
    rows["misc"] = propose_rows(WriteUpText(BIKES_A), WriteUpText(BIKES_B))["misc"]
    with pytest.raises(WorkInvalid) as refused:
        submit_merge(held, merge_content(rows))
    assert [problem.field for problem in refused.value.problems] == ["overview", "misc"]
    assert merged().count() == 0


def test_a_late_submit_changes_nothing(held):
    expire(held)
    with pytest.raises(LeaseLost):
        submit_merge(held, merge_content(all_of("a")))
    assert merged().count() == 0


def test_a_submit_of_an_older_draft_is_refused(held):
    save(held, all_of("a"))
    with pytest.raises(DraftConflict):
        submit_merge(held, merge_content(all_of("b")), base_version=0)
    assert merged().count() == 0


def test_nobody_merges_their_own(project, clip, anna, ben):
    anna.memberships.update(is_expert=True)
    open_merge(clip, (anna, BIKES_A), (ben, BIKES_B))
    membership = anna.memberships.select_related("project", "user").get()
    assert queue.claim_next(membership=membership, kind="merge") is None
    fred = make_person("Fred")
    assert queue.claim_next(membership=join(project, fred, "expert"), kind="merge") is not None


def test_sending_back_keeps_the_merge_and_its_draft(held, anna, emil):
    save(held, all_of("a"))
    send_back(held, anna)
    held.refresh_from_db()
    assert (held.state, held.item.state) == (State.PAUSED, WorkItem.State.WAITING)
    assert merge_rows(held.draft)["overview"][0]["text"] == BIKES_A["overview"]
    writing = Assignment.objects.get(annotator=anna, item__kind="write")
    assert (writing.state, writing.return_comment) == (State.RETURNED, "Say which hand.")
    assert AuditEvent.objects.get(verb="send back").actor == emil


def test_both_can_be_sent_back_and_the_merge_waits_for_both(held, clip, anna, ben):
    send_back(held, anna)
    send_back(held, ben, "Much too thin.")
    rewrite(anna, clip)
    held.refresh_from_db()
    assert held.state == State.PAUSED
    rewrite(ben, clip)
    held.refresh_from_db()
    assert held.state == State.RETURNED


def test_one_is_not_sent_back_twice(held, anna):
    send_back(held, anna)
    with pytest.raises(AnnotateError, match="already been sent back"):
        send_back(held, anna)


@pytest.mark.parametrize("comment", ["", "  \n"])
def test_sending_back_needs_a_comment(held, anna, comment):
    with pytest.raises(AnnotateError, match="Write what should change"):
        send_back(held, anna, comment)
    held.refresh_from_db()
    assert held.state == State.HELD


def test_a_write_up_of_another_clip_can_not_be_sent_back(project, held, anna, ben):
    other = make_clip(project)
    open_merge(other, (anna, BIKES_A), (ben, BIKES_B))
    with pytest.raises(AnnotateError, match="replaced by a newer one"):
        send_back_write_up(
            merge_assignment_id=held.pk,
            expert=held.annotator,
            caption_id=write_up_of(anna, other).pk,
            comment="Wrong clip.",
        )
    assert Assignment.objects.filter(state=State.RETURNED).count() == 0


def test_after_the_rewrite_the_merge_descends_from_the_new_text(held, clip, anna, ben):
    save(held, all_of("a"))
    first = write_up_of(anna, clip)
    send_back(held, anna)
    second = rewrite(anna, clip, overview="Traffic and bicycles in a city, in six short shots.")
    assert list(second.parents.all()) == [first]
    resume_merge(held)
    submit_merge(held, held.draft)
    caption = merged().get()
    assert list(caption.parents.order_by("pk")) == [write_up_of(ben, clip), second]
    assert caption.parts["overview"] == BIKES_A["overview"]
    assert caption.provenance[0]["origin"] == "edited"


def test_a_merge_opened_again_starts_from_the_earlier_one(held, clip, emil, ada):
    submit_merge(held, merge_content(all_of("a")))
    reopen_merge(clip=clip, expert=ada, comment="The bus is white.")
    resume_merge(held)
    rows = merge_rows(held.draft)
    assert rows["objects"][0]["text"] == all_of("a")["objects"][0]["text"]
    rows["overview"][0]["text"] = BIKES_B["overview"]
    submit_merge(held, merge_content(rows))
    first, second = merged()
    assert (first.parts["overview"], second.parts["overview"]) == (
        BIKES_A["overview"],
        BIKES_B["overview"],
    )
    assert second.parents.count() == 2


def test_with_one_writer_the_merge_is_a_review(project, clip, anna, emil):
    held = hold(emil, open_merge(clip, (anna, BIKES_A)))
    submit_merge(held, merge_content(all_of("a", b={})))
    caption = merged().get()
    assert caption.parts == BIKES_A
    assert {origin["origin"] for origin in caption.provenance} == {"a"}
    assert list(caption.parents.all()) == [write_up_of(anna, clip)]
