"""The queue between processes, one of which dies in the middle of a submit."""

from __future__ import annotations

import json
from collections import Counter

from annotate.models import Assignment, WorkItem
from tests.annotate.queue.test_claims import run_out, work_on
from tests.cast import make_clip, make_person
from tests.services.processes import Process

PEOPLE, ITEMS = 5, 40
State = Assignment.State


ANNOTATOR = ("-m", "tests.services.work_through_queue")


def expect(process: Process, message: str) -> None:
    line = process.stdout.readline()
    assert line == f"{message}\n", line or process.errors


def begin(process: Process) -> None:
    process.stdin.write("begin\n")
    process.stdin.flush()


def finish(process: Process) -> list[int]:
    """What the process claimed and submitted."""
    printed = process.finish()
    assert process.returncode == 0, process.errors
    return json.loads(printed)


def test_each_place_is_held_once_and_a_dead_process_loses_none(project, product):
    people = [make_person(f"Writer{n}", project, "annotator") for n in range(PEOPLE)]
    video = make_clip(project).video
    for n in range(ITEMS):
        work_on(make_clip(project, video=video, start_frame=n))
    doomed = product.start(*ANNOTATOR, people[0].email, "--stop-in-submit")
    others = [product.start(*ANNOTATOR, person.email) for person in people[1:]]
    for process in (doomed, *others):
        expect(process, "ready")

    begin(doomed)
    expect(doomed, "submitting")
    for process in others:
        begin(process)
    doomed.kill()
    left = Assignment.objects.get(annotator=people[0])
    assert (left.state, left.draft) == (State.HELD, {})
    run_out(left)
    claimed = [finish(process) for process in others]

    held = Counter(item for one_person in claimed for item in one_person)
    assert len(held) == ITEMS
    assert set(held.values()) == {2}
    assert all(len(one_person) == len(set(one_person)) for one_person in claimed)
    assert Assignment.objects.filter(state=State.SUBMITTED).count() == 2 * ITEMS
    left.refresh_from_db()
    assert left.state == State.EXPIRED
    assert Assignment.objects.count() == 2 * ITEMS + 1
    finishers = Assignment.objects.filter(item=left.item_id, state=State.SUBMITTED)
    assert people[0].pk not in finishers.values_list("annotator", flat=True)
    assert WorkItem.objects.filter(state=WorkItem.State.DONE, open_slots=0).count() == ITEMS
