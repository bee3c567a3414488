"""People pick the clip that a text describes, without knowing whose it is."""

import pytest

from annotate.corpus.blindness import visible_captions
from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import Assignment, Caption, Membership, WorkItem
from annotate.projects.services.deactivation import deactivate_member
from annotate.queue.work_kinds import work_kind
from review.errors import ReviewError
from review.identification.computing import Confused, Share
from review.identification.models import IdentificationTest, IdentifiedClip
from review.identification.queries import could_do_more, task_of
from review.identification.report import identification_inputs
from review.identification.services import end_test, pick_again, start_test
from review.identification.work import identify_context
from tests.cast import make_cast
from tests.review.cast import make_short_project
from tests.review.identification.identifying import (
    make_complete,
    pick,
    pick_all,
    right_place,
    take,
)

WORDS = ("boat", "horse", "kettle", "ladder", "violin")


@pytest.fixture(scope="module")
def made(kept):
    project = make_short_project()
    people = make_cast(project)
    clips = [make_complete(project, people["ben"], word) for word in WORDS]
    return {"project": project, **people, "clips": clips}


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def running(project, ada, clips):
    return start_test(project=project, admin=ada, kinds=["spatial"], options=4, people=1)


def test_every_text_is_tested_among_clips_of_its_subcategory(project, ada, anna, rita, ben, clips):
    make_complete(project, ben, "kettle", subcategory="Cooking")  # too few there
    test = start_test(
        project=project, admin=ada, kinds=["spatial", "temporal"], options=4, people=1
    )
    texts = test.texts.all()
    assert {text.clip for text in texts} == set(clips)
    assert texts.count() == 10
    take(anna, project)
    assert [text.clips == [] for text in texts.order_by("group")] == [False] * 5 + [True] * 5
    pick_all(rita, project)  # of the spatial texts but one, and of one temporal text
    texts = test.texts.all()
    assert [(len(text.clips), text.clips[0] == text.clip_id) for text in texts] == [(4, True)] * 10
    assert {clip for text in texts for clip in text.clips} <= {clip.pk for clip in clips}


def test_a_test_needs_a_subcategory_with_four_complete_clips(ada, ben):
    other = make_short_project(name="Other")
    for word in WORDS[:3]:
        make_complete(other, ben, word)
    with pytest.raises(ReviewError, match="No subcategory has 4 complete clips"):
        start_test(project=other, admin=ada, kinds=["spatial"], options=4, people=1)
    assert not IdentificationTest.objects.exists()


def test_one_test_runs_at_a_time(project, ada, running):
    with pytest.raises(ReviewError, match="A test is running"):
        start_test(project=project, admin=ada, kinds=["temporal"], options=4, people=1)


def test_who_worked_on_a_clip_is_not_asked_about_it(project, anna, ben, running):
    assert take(ben, project) is None
    membership = Membership.objects.get(user=anna)
    assert could_do_more(membership) == 5
    assert pick_all(anna, project) == 5
    assert could_do_more(membership) == 0


def test_a_person_gets_one_text_of_each_clip_and_each_text_the_people_it_needs(
    project, ada, anna, rita, clips
):
    start_test(project=project, admin=ada, kinds=["spatial", "temporal"], options=4, people=1)
    assert pick_all(anna, project) == 5
    assert pick_all(rita, project) == 5
    assert IdentifiedClip.objects.values("task__text").distinct().count() == 10


def test_the_order_of_the_clips_tells_nothing(project, anna, ada, clips):
    """The right place is not always the same, and neither is that of the work's own clip."""
    places, own = set(), set()
    for _ in range(6):
        start_test(project=project, admin=ada, kinds=["spatial"], options=4, people=1)
        while assignment := take(anna, project):
            places.add(right_place(assignment))
            own.add(assignment.item.clip_id == task_of(assignment).text.clip_id)
            pick(assignment, 1)
        end_test(project=project, admin=ada)
    assert places == {1, 2, 3, 4}
    assert own == {True, False}


@pytest.mark.parametrize("typed", ["", "0", "5", "x", "²", "-1", "999"])
def test_a_pick_is_one_of_the_clips(project, anna, running, typed):
    assignment = take(anna, project)
    with pytest.raises(WorkInvalid):
        pick(assignment, typed)
    assert not IdentifiedClip.objects.exists()


def test_a_changed_pick_counts_until_the_test_ends(project, ada, anna, running):
    assignment = take(anna, project)
    right = right_place(assignment)
    pick(assignment, right % 4 + 1)
    assignment.refresh_from_db()
    pick_again(assignment=assignment, typed=str(right))
    [inputs] = identification_inputs(project)
    [share] = inputs.compute().kinds
    assert (share.right, share.picks) == (1, 1)
    end_test(project=project, admin=ada)
    with pytest.raises(ReviewError, match="ended"):
        pick_again(assignment=assignment, typed="1")


def test_a_changed_pick_is_one_of_the_clips_of_submitted_work(project, anna, running):
    held = take(anna, project)
    no_text = "This text no longer exists. Skip it and tell an admin."
    for typed, message in (("1", no_text), ("9", "Pick the clip that the text describes.")):
        with pytest.raises(ReviewError) as refused:
            pick_again(assignment=held, typed=typed)
        assert str(refused.value) == message
        if not IdentifiedClip.objects.exists():
            held = pick(held, 2)
    assert IdentifiedClip.objects.count() == 1


def test_work_whose_text_is_gone_says_so(project, anna, running):
    held = take(anna, project)
    WorkItem.objects.filter(pk=held.item_id).update(subject=0)
    with pytest.raises(AnnotateError) as refused:
        pick(held, 1)
    assert str(refused.value) == "This text no longer exists. Skip it and tell an admin."
    assert "no_task" in identify_context(held, {})
    with pytest.raises(AnnotateError):
        work_kind("identify").task(held)


def test_the_end_takes_open_work_back(project, ada, anna, running):
    assignment = take(anna, project)
    end_test(project=project, admin=ada)
    assignment.refresh_from_db()
    assert assignment.state == Assignment.State.EXPIRED
    assert WorkItem.objects.get(pk=assignment.item_id).state == WorkItem.State.CANCELLED
    assert take(anna, project) is None


def test_texts_of_the_test_are_hidden_from_those_who_may_be_asked_until_it_ends(
    project, ada, anna, ben, running
):
    caption = Caption.objects.filter(kind="general").first()

    def may_read(person):
        membership = Membership.objects.get(user=person)
        return caption in visible_captions(membership)

    assert [may_read(person) for person in (anna, ben, ada)] == [False, True, True]
    end_test(project=project, admin=ada)
    assert may_read(anna)


def test_the_report_counts_shares_by_hand(project, anna, running):
    pick_all(anna, project, wrong=2)
    [inputs] = identification_inputs(project)
    result = inputs.compute()
    assert list(result.kinds) == [Share("spatial", "", right=3, picks=5, guessed=1.25)]
    assert list(result.categories) == [Share("spatial", "Sports", 3, 5, 1.25)]
    assert (result.texts, result.answered, result.confused_pairs) == (5, 5, 2)
    assert all(isinstance(pair, Confused) and pair.clip != pair.picked for pair in result.confused)
    [share] = result.kinds
    assert (share.percent, share.chance) == (60, 25)
    assert share.interval is None  # fewer than ten picks
    low, high = Share("spatial", "", right=6, picks=10, guessed=2.5).interval
    assert (round(low, 1), round(high, 1)) == (31.3, 83.2)


def test_the_text_of_a_deactivated_person_goes_to_somebody_else(project, ada, anna, rita, running):
    held = take(anna, project)
    reviewer = Membership.objects.get(user=rita)
    assert could_do_more(reviewer) == 4
    member = Membership.objects.select_related("project", "user").get(user=anna)
    deactivate_member(membership=member, admin=ada)
    assert could_do_more(reviewer) == 5
    held.item.refresh_from_db()
    assert (held.item.state, held.item.open_slots) == (WorkItem.State.CANCELLED, 1)
    assert pick_all(rita, project) == 5
