"""The queue under real concurrency, on whichever database the tests run."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotate.errors import DraftConflict, LeaseLost
from annotate.models import Assignment, Membership, WorkItem
from annotate.queue import services as queue
from tests.annotate.queue.test_claims import claim, run_out, work_on
from tests.cast import make_clip, make_person, make_project
from tests.work import let_pass

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = 50
ITEMS = 100
SLOTS = 200


def in_threads(work, arguments):
    """Runs `work` once per argument, all at the same moment, and closes each connection."""
    barrier = threading.Barrier(len(arguments))

    def run(argument):
        barrier.wait()
        try:
            return work(argument)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(arguments)) as pool:
        return list(pool.map(run, arguments))


def test_fifty_annotators_claim_two_hundred_slots_each_held_once():
    project = make_project()
    people = [make_person(f"Writer{n}", project, "annotator") for n in range(PEOPLE)]
    video = make_clip(project).video
    for n in range(ITEMS):
        work_on(make_clip(project, video=video, start_frame=n % 100, end_frame=101 + n // 100))

    def work_through_the_queue(person):
        membership = Membership.objects.select_related("project", "user").get(user=person)
        claimed = []
        while assignment := queue.claim_next(membership=membership, kind="write"):
            claimed.append(assignment.item_id)
            key = uuid4()
            with transaction.atomic():
                locked, _ = queue.lock_for_submit(
                    assignment_id=assignment.pk, annotator=person, key=key, base_version=0
                )
                queue.complete(locked, key=key, content={"overview": person.name})
        return claimed

    claimed = in_threads(work_through_the_queue, people)
    # A claim passes over an item that another is just taking; asking again finds its other slot.
    left = WorkItem.objects.filter(open_slots__gt=0)
    claimed += [work_through_the_queue(person) for person in people if left.exists()]

    held = Counter(item for one_person in claimed for item in one_person)
    assert sum(held.values()) == SLOTS
    assert set(held.values()) == {2}
    assert all(len(one_person) == len(set(one_person)) for one_person in claimed)
    assert Assignment.objects.filter(state=Assignment.State.SUBMITTED).count() == SLOTS
    assert WorkItem.objects.filter(state=WorkItem.State.DONE, open_slots=0).count() == ITEMS


def test_many_claims_at_once_after_a_mass_expiry_free_each_slot_once():
    project = make_project()
    people = [make_person(f"Writer{n}", project, "annotator") for n in range(20)]
    items = [work_on(make_clip(project), needed=1) for _ in range(20)]
    lost = [claim(person, project) for person in people]
    for assignment in lost:
        run_out(assignment)
    fresh = [make_person(f"Fresh{n}", project, "annotator") for n in range(20)]

    taken = in_threads(lambda person: claim(person, project), fresh)

    got = [assignment.item_id for assignment in taken if assignment is not None]
    assert len(got) == len(set(got))
    # A claim passes over leases that another is just taking back; asking again finds them.
    for person, assignment in zip(fresh, taken, strict=True):
        if assignment is None:
            assert claim(person, project) is not None
    assert all(
        not item.open_slots for item in WorkItem.objects.filter(pk__in=[i.pk for i in items])
    )


def test_one_submit_sent_by_many_tabs_is_one_submit():
    project = make_project()
    anna = make_person("Anna", project, "annotator")
    work_on(make_clip(project), needed=1)
    hold = claim(anna, project)
    key = uuid4()

    def submit(_):
        with transaction.atomic():
            assignment, repeated = queue.lock_for_submit(
                assignment_id=hold.pk, annotator=anna, key=key, base_version=0
            )
            if not repeated:
                queue.complete(assignment, key=key, content={"overview": "once"})
            return repeated

    assert sorted(in_threads(submit, range(8))) == [False] + [True] * 7
    hold.refresh_from_db()
    assert hold.draft_version == 1


def test_two_writers_who_submit_at_once_complete_the_item():
    project = make_project()
    people = [make_person(name, project, "annotator") for name in ("Anna", "Ben")]
    item = work_on(make_clip(project))
    holds = [claim(person, project) for person in people]

    def submit(hold):
        key = uuid4()
        with transaction.atomic():
            locked, _ = queue.lock_for_submit(
                assignment_id=hold.pk, annotator=hold.annotator, key=key, base_version=0
            )
            return queue.complete(locked, key=key, content={})

    assert sorted(in_threads(submit, holds)) == [False, True]
    item.refresh_from_db()
    assert item.state == WorkItem.State.DONE


def test_a_save_that_races_with_another_tab_never_overwrites_it():
    project = make_project()
    anna = make_person("Anna", project, "annotator")
    work_on(make_clip(project), needed=1)
    hold = claim(anna, project)

    def save(text):
        try:
            queue.save_draft(assignment=hold, base_version=0, content={"misc": text})
        except DraftConflict as conflict:
            return conflict.assignment.draft["misc"]
        return text

    answers = in_threads(save, [f"tab {n}" for n in range(8)])
    hold.refresh_from_db()
    assert set(answers) == {hold.draft["misc"]}


def test_a_lease_that_expires_in_the_middle_of_a_draft():
    project = make_project()
    anna, ben = (make_person(name, project, "annotator") for name in ("Anna", "Ben"))
    work_on(make_clip(project), needed=1)
    hold = claim(anna, project)
    queue.save_draft(assignment=hold, base_version=0, content={"misc": "half a sen"})
    run_out(hold)

    def late_submit():
        with transaction.atomic():
            queue.lock_for_submit(
                assignment_id=hold.pk, annotator=anna, key=uuid4(), base_version=1
            )

    def race(person):
        if person == ben:
            return claim(ben, project)
        with pytest.raises(LeaseLost, match="can't be submitted and nothing was changed"):
            late_submit()
        return None

    taken = in_threads(race, [anna, ben])[1] or claim(ben, project)
    hold.refresh_from_db()
    assert taken.draft == {}
    assert (hold.state, hold.draft) == (Assignment.State.EXPIRED, {"misc": "half a sen"})


def test_many_tabs_of_one_person_take_as_many_places_as_they_hold():
    project = make_project()
    anna = make_person("Anna", project, "annotator")
    for _ in range(3):
        work_on(make_clip(project))

    in_threads(lambda _: claim(anna, project), range(12))

    for item in WorkItem.objects.all():
        assert item.needed - item.open_slots == item.assignments.count()


def test_heartbeats_at_once_count_the_time_that_has_passed_once():
    project = make_project()
    anna = make_person("Anna", project, "annotator")
    work_on(make_clip(project))
    held = claim(anna, project)
    let_pass(held, 60)
    rows = Assignment.objects.select_related("item__clip", "item__project")
    beats = [rows.get(pk=held.pk) for _ in range(12)]

    in_threads(
        lambda stale: queue.beat(assignment=stale, active_seconds=60, watched=[[0, 20]]), beats
    )

    held.refresh_from_db()
    assert 60 <= held.active_seconds <= 70  # and the seconds that the test itself takes
    assert held.watched == [[0, 20]]
    assert held.lease_expires_at > timezone.now()
