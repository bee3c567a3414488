"""The queue between processes, one of which dies in the middle of a submit."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotate.models import Assignment, WorkItem
from tests.annotate.queue.test_claims import run_out, work_on
from tests.cast import make_clip, make_person

ROOT = Path(__file__).parents[2]
PATIENCE = 120  # for a busy machine
PEOPLE, ITEMS = 5, 40
State = Assignment.State


@pytest.fixture
def start(environment) -> Iterator[Callable[..., subprocess.Popen]]:
    """A function that starts the process of one annotator."""
    started = []

    def start_one(*arguments: str) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.services.work_through_queue", *arguments],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start_one
    for process in started:
        process.kill()
        process.communicate()


def expect(process: subprocess.Popen, said: str) -> None:
    line = process.stdout.readline()
    assert line == f"{said}\n", line or process.stderr.read()


def begin(process: subprocess.Popen) -> None:
    process.stdin.write("begin\n")
    process.stdin.flush()


def finish(process: subprocess.Popen) -> list[int]:
    """What the process claimed and submitted."""
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    return json.loads(out)


def test_each_place_is_held_once_and_a_dead_process_loses_none(project, start):
    people = [make_person(f"Writer{n}", project, "annotator") for n in range(PEOPLE)]
    video = make_clip(project).video
    for n in range(ITEMS):
        work_on(make_clip(project, video=video, start_frame=n))
    doomed = start(people[0].email, "--stop-in-submit")
    others = [start(person.email) for person in people[1:]]
    for process in (doomed, *others):
        expect(process, "ready")

    begin(doomed)
    expect(doomed, "submitting")
    for process in others:
        begin(process)
    doomed.kill()
    doomed.wait(PATIENCE)
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
