"""Which caption is current, whatever comes first: runs, corrections, hand-writing, a choice."""

from __future__ import annotations

from itertools import count

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.corpus.precedence import current_caption, current_captions
from annotate.corpus.services.precedence import make_current, settle_captions
from annotate.models import Caption, CaptionRank, Clip, User
from review.verification.judgment import Judgment, Verdict
from review.verification.recording import record_verification, sentences_of
from tests.cast import make_clip, make_person
from tests.hand_work import machine_caption, open_hand, write_by_hand
from tests.work import hold

pytestmark = pytest.mark.django_db

TEXT = "A man opens a door."
KEPT = Judgment((Verdict(frozenset()),), (), fits_theme=True)
numbers = count(1)


def caption_run(clip: Clip, because: str = "") -> Caption:
    caption = machine_caption(clip, TEXT)
    settle_captions([caption], because)
    return caption


def correct(caption: Caption, person: User) -> Caption:
    verdict = Verdict(frozenset("A"), correction=f"A woman opens door {next(numbers)}.")
    judgment = Judgment((verdict,) * len(sentences_of(caption.text)), (), fits_theme=True)
    made = record_verification(caption=caption, judgment=judgment, reviewer=person).corrected
    assert made is not None
    return made


def leave_as_it_is(caption: Caption, person: User) -> None:
    record_verification(caption=caption, judgment=KEPT, reviewer=person)


def write(clip: Clip, number: int) -> Caption:
    person = make_person(f"Writer {number}", clip.project, "annotator")
    item = open_hand(clip)
    item.refresh_from_db()
    written = write_by_hand(hold(person, item), "A man by a door.")
    return written.captions.get()


@settings(max_examples=20)
@given(
    events=st.lists(
        st.tuples(
            st.sampled_from(["run", "refined", "correct", "keep", "write", "choose"]),
            st.integers(0, 5),
        ),
        min_size=2,
        max_size=9,
    )
)
def test_no_order_of_events_lets_a_lower_caption_replace_a_higher_one(events):
    with transaction.atomic():
        play(events)
        transaction.set_rollback(True)


def play(events: list[tuple[str, int]]) -> None:
    clip = Clip.objects.get(name="the-clip")
    ada = User.objects.get(name="Ada")
    machine = [caption_run(clip)]
    current = machine[0]
    rank = 1
    late: set[int] = set()
    is_chosen = False
    for number, (event, place) in enumerate(events):
        which = machine[place % len(machine)]
        if event == "run":
            machine.append(new := caption_run(clip))
            if rank == 1 and not is_chosen:
                current = new
        elif event == "refined":
            machine.append(new := caption_run(clip, CaptionRank.Because.REFINED))
            if rank <= 2 and not is_chosen:
                current, rank = new, 2
        elif event == "keep":
            person = make_person(f"Keeper {number}", clip.project, "annotator")
            leave_as_it_is(which, person)
            if which == current:
                rank = max(rank, 2)
        elif event == "correct":
            person = make_person(f"Corrector {number}", clip.project, "annotator")
            new = correct(which, person)
            if which == current:
                current, rank = new, 3
            else:
                late.add(new.pk)
        elif event == "write":
            current, rank = write(clip, number), 4
        elif which != current:
            make_current(caption_id=which.pk, clip=clip, admin=ada)
            current, is_chosen = which, True
        assert current_caption(clip) == current, (number, event)
        assert [each.pk for each in current_captions(Clip.objects.filter(pk=clip.pk))] == [
            current.pk
        ]
        assert current.pk not in late


@pytest.fixture(autouse=True)
def stage(project):
    make_clip(project, original_name="the-clip.mp4")
    make_person("Ada", project, "admin")
