import pytest

from annotate.models import WorkItem
from inference.queries import BATCH_SIZE
from review.errors import ReviewError
from review.verification.queueing import open_verifications
from tests.cast import make_clip, make_project
from tests.hand_work import machine_caption
from tests.review.verification.verifying import ALL_OK, CAPTION, MENDED, open_verification, verify
from tests.work import hold

pytestmark = pytest.mark.django_db


@pytest.fixture
def clip(project):
    return make_clip(project)


@pytest.fixture
def caption(clip):
    return machine_caption(clip, CAPTION)


def test_it_is_safe_to_repeat_and_may_ask_for_more_people(caption, anna):
    open_verification(caption)
    item = open_verification(caption)
    assert (item.needed, item.open_slots, item.subject) == (1, 1, caption.pk)
    verify(hold(anna, item), caption, ALL_OK)
    item = open_verification(caption, 3)
    assert (item.needed, item.open_slots, item.state) == (3, 2, "open")
    assert open_verification(caption, 1).needed == 3


def test_a_higher_priority_takes_the_place_of_a_lower_one(caption):
    assert [open_verification(caption, priority=p).priority for p in (2, 5, 1)] == [2, 5, 5]


def test_several_captions_of_a_clip_are_verified(caption, clip):
    newer = machine_caption(clip, "Another text.")
    opened = open_verifications(project=clip.project, priorities={caption.pk: 0, newer.pk: 1})
    assert set(opened) == {caption.pk, newer.pk}
    assert list(WorkItem.objects.order_by("priority").values_list("subject", flat=True)) == [
        caption.pk,
        newer.pk,
    ]


def test_more_than_one_statement_can_name_are_opened(clip):
    captions = [machine_caption(clip, "A dog.") for _ in range(BATCH_SIZE + 1)]
    opened = open_verifications(
        project=clip.project, priorities={caption.pk: 0 for caption in captions}
    )
    assert len(opened) == WorkItem.objects.count() == BATCH_SIZE + 1


def test_a_persons_caption_an_empty_one_and_a_strangers_are_refused(caption, clip, anna):
    verify(hold(anna, open_verification(caption)), caption, MENDED)
    elsewhere = machine_caption(make_clip(make_project("elsewhere")), CAPTION)
    for refused in (clip.captions.get(source="corrected"), elsewhere):
        with pytest.raises(ReviewError, match="Only machine captions can be verified"):
            open_verifications(project=clip.project, priorities={refused.pk: 0})
    with pytest.raises(ReviewError, match="has no sentence to verify"):
        open_verification(machine_caption(clip, " \n"))
    assert WorkItem.objects.count() == 1
