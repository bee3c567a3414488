"""Work that nobody can go on with is put on offer again by an admin."""

import pytest

from annotate.errors import AnnotateError
from annotate.merge.queries import merged_caption
from annotate.merge.services import send_back_write_up
from annotate.models import Assignment, AuditEvent, Membership, WorkItem
from annotate.queue.services import claim_next, offer_again, save_draft, skip
from annotate.split.services import reopen_merge
from annotate.write.queries import write_ups
from tests.cast import make_person
from tests.review.cast import complete, make_short_project, merge, open_clip, take, write

State = Assignment.State


@pytest.fixture
def project(db):
    return make_short_project()


@pytest.fixture
def clip(project):
    return open_clip(project, "dive")


@pytest.fixture
def cleo(project):
    return make_person("Cleo", project, "annotator")


def item_of(clip, kind):
    return WorkItem.objects.get(clip=clip, kind=kind)


def skip_it(project, clip, *people):
    for person in people:
        hold = take(project, person, "write", clip)
        skip(assignment_id=hold.pk, annotator=person, reason="The video is black.")


def leave(project, person):
    Membership.objects.get(project=project, user=person).delete()


def next_for(project, person, kind):
    return claim_next(membership=Membership.objects.get(project=project, user=person), kind=kind)


def test_what_everybody_skipped_is_offered_to_them_again(project, clip, anna, ben, ada):
    skip_it(project, clip, anna, ben)
    assert next_for(project, anna, "write") is None
    item = offer_again(item_id=item_of(clip, "write").pk, admin=ada)
    assert item.open_slots == 2
    assert next_for(project, anna, "write").item == item
    event = AuditEvent.objects.get(verb="offer again")
    assert event.actor == ada
    assert event.before == {
        "skipped_by": {str(anna.pk): "The video is black.", str(ben.pk): "The video is black."}
    }


def test_who_skipped_stays_barred_while_others_can_take_it(project, clip, anna, ben, ada):
    skip_it(project, clip, anna)
    with pytest.raises(AnnotateError, match="Nothing was changed"):
        offer_again(item_id=item_of(clip, "write").pk, admin=ada)
    assert next_for(project, anna, "write") is None
    assert next_for(project, ben, "write") is not None


def test_work_in_somebodys_hands_is_left_alone(project, clip, anna, ben, ada):
    write(project, clip, anna)
    take(project, ben, "write", clip)
    with pytest.raises(AnnotateError, match="Nothing was changed"):
        offer_again(item_id=item_of(clip, "write").pk, admin=ada)
    assert not AuditEvent.objects.filter(verb="offer again").exists()


def test_a_text_sent_back_to_its_author_waits_for_them_while_they_are_here(
    project, clip, anna, ben, emil, ada
):
    send_back_from_merge(project, clip, anna, ben, emil)
    with pytest.raises(AnnotateError, match="Nothing was changed"):
        offer_again(item_id=item_of(clip, "write").pk, admin=ada)


def send_back_from_merge(project, clip, anna, ben, emil):
    write(project, clip, anna, ben)
    hold = take(project, emil, "merge", clip)
    save_draft(assignment=hold, base_version=0, content={"a": "Half."})
    send_back_write_up(
        merge_assignment_id=hold.pk,
        expert=emil,
        caption_id=write_ups(clip)[0].pk,
        comment="Say where it is.",
    )


def test_the_text_of_somebody_who_left_goes_to_somebody_else(
    project, clip, anna, ben, cleo, emil, ada
):
    send_back_from_merge(project, clip, anna, ben, emil)
    leave(project, anna)
    offer_again(item_id=item_of(clip, "write").pk, admin=ada)
    assert item_of(clip, "merge").state == WorkItem.State.WAITING
    assert next_for(project, ben, "write") is None, "he has written the other one"

    write(project, clip, cleo)
    assert [caption.author for caption in write_ups(clip)] == [ben, cleo]
    hold = next_for(project, emil, "merge")
    assert (hold.item, hold.draft) == (item_of(clip, "merge"), {"a": "Half."})
    assert AuditEvent.objects.get(verb="offer again").before == {"sent_back_to": [anna.pk]}


def test_the_merge_of_an_expert_who_left_goes_to_another(project, clip, anna, ben, emil, ada):
    eva = make_person("Eva", project, "expert")
    complete(project, clip, [anna, ben], emil)
    reopen_merge(clip=clip, expert=eva, comment="Two of the sentences contradict each other.")
    leave(project, emil)
    offer_again(item_id=item_of(clip, "merge").pk, admin=ada)
    merge(project, clip, eva)
    assert merged_caption(clip).author == eva
    again = next_for(project, anna, "split")
    assert again.item.clip == clip
    assert again.draft["spatial"], "her split is as she left it"
