"""The page of all people, one's own numbers, and who is marked for a look."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
from django.urls import reverse
from django.utils import timezone

from annotate.merge.services import send_back_write_up
from annotate.models import Assignment, WorkItem
from metrics.attention import ALPHA
from review.people.numbers import Numbers, ProjectNumbers
from review.people.queries import Item, Vote, recent_items
from review.people.signs import Sign, signs_of
from review.quality.models import GivenAnswer
from review.quality.queries import Accuracy
from review.reports.services import recompute
from review.spot_checks.queries import next_item
from review.spot_checks.services import draw_spot_check, end_spot_check, judge_item
from tests.cast import client_of, count_queries, make_clip, make_person, make_video
from tests.hand_work import DYNAMIC, STATIC, hold_check, judge
from tests.review.cast import open_clip, take, write
from tests.review.comparisons.comparing import start_round
from tests.review.comparisons.rounds import cast
from tests.review.quality.known import make_known

LEFT, RIGHT = "left", "right"


def page(person, project, name="people", *args):
    return client_of(person).get(reverse(f"review:{name}", args=[project.slug, *args]))


def numbers_of(project, person, kind) -> Numbers:
    return ProjectNumbers(project).of(person.memberships.get(), kind)


def finished(person, clip, *, seconds: float, kind="rate", subject=0) -> Assignment:
    """`person` took `seconds` on the clip, all of them active, and played it while they lasted."""
    now = timezone.now()
    item, _ = WorkItem.objects.get_or_create(
        project=clip.project, clip=clip, kind=kind, subject=subject, state="done", open_slots=0
    )
    return Assignment.objects.create(
        item=item,
        annotator=person,
        state="submitted",
        lease_expires_at=now,
        claimed_at=now - timedelta(seconds=seconds),
        submitted_at=now,
        active_seconds=int(seconds),
        watched=[[0, min(clip.frames, int(25 * seconds))]],
    )


def marked(signs) -> set[tuple[Sign, int]]:
    return {(sign.sign, sign.person) for sign in signs if sign.is_marked}


def votes_of(person: int, *sides: bool) -> list[Vote]:
    return [Vote(person, side, False, False) for side in sides]


def test_few_honest_people_are_marked_and_one_who_always_chooses_left_is():
    """1,000 honest people, twenty to a project, each with 40 votes and 30 items."""
    random = np.random.default_rng(17)
    false_marks = 0
    for _ in range(50):
        votes, items = [], []
        for person in range(20):
            votes += votes_of(person, *map(bool, random.integers(0, 2, 40)))
            votes += [Vote(person, True, True, bool(random.random() < 0.2)) for _ in range(5)]
            items += [
                Item(person, "compare", float(seconds), clip, 10)
                for clip, seconds in enumerate(np.exp(random.normal(3.5, 0.6, 30)))
            ]
        honest = marked(signs_of(items, votes))
        false_marks += len({person for _, person in honest})
        planted = signs_of(items, [*votes, *votes_of(20, *[True] * 40)])
        assert (Sign.SIDE, 20) in marked(planted)
    assert false_marks <= 1000 * ALPHA


def test_somebody_who_votes_each_second_is_marked():
    honest = [Item(person, "compare", 40 + n, n, 12) for person in (1, 2) for n in range(12)]
    quick = [Item(3, "compare", 1, n, 12) for n in range(14)]
    tired = [Item(4, "compare", 2 + n % 2, n, 5) for n in range(20)]
    tired += [Item(4, "compare", 50 + n, n, 5) for n in range(60)]
    signs = signs_of([*honest, *quick, *tired], [])
    assert marked(signs) == {
        *{(Sign.QUICK, 3), (Sign.PACE, 3)},
        (Sign.OWN_PACE, 4),
    }
    unwatched = [Item(5, "compare", 40 + n, n, 12, watched=0.4) for n in range(14)]
    assert marked(signs_of([*honest, *unwatched], [])) == {(Sign.UNWATCHED, 5)}
    # Who has watched a clip once need not watch it for the next question about it.
    again = [Item(1, "compare", 1, 7, 12)] * 14
    first = Item(1, "compare", 30, 7, 12)
    [quick_sign] = [sign for sign in signs_of([*again, first], []) if sign.sign == Sign.QUICK]
    assert (quick_sign.result.count, quick_sign.result.of) == (0, 1)
    # People who merge need not watch, and a person alone has nobody to be compared with.
    merging = signs_of([Item(3, "merge", 1, n, 12) for n in range(14)], [])
    assert marked(merging) == set()
    assert [sign.sign for sign in merging] == [Sign.PACE, Sign.OWN_PACE]


def test_repeats_count_once_and_as_no_choice_of_a_side():
    answers = [Vote(1, True, True, n < 9) for n in range(10)]
    others = [Vote(2, True, True, n < 1) for n in range(20)]
    signs = signs_of([], [*votes_of(1, True, False), *answers, *others])
    of_one = {sign.sign: sign.result for sign in signs if sign.person == 1}
    assert (of_one[Sign.SIDE].count, of_one[Sign.SIDE].of) == (1, 2)
    assert (of_one[Sign.CHANGED].count, of_one[Sign.CHANGED].of) == (9, 10)
    assert marked(signs) == {(Sign.CHANGED, 1)}


def test_the_page_counts_what_each_person_did(project, anna, ben, ada, rita):
    for place in range(12):
        video = make_video(project)
        judge(hold_check(anna, video), DYNAMIC)
        judge(hold_check(ben, video), DYNAMIC if place else STATIC)
    yesterday = timezone.now() - timedelta(days=1)
    first = Assignment.objects.filter(annotator=anna).earliest("pk")
    Assignment.objects.filter(pk=first.pk).update(submitted_at=yesterday)
    Assignment.objects.filter(annotator=anna).update(active_seconds=120)
    known_answer = make_known(project, ada, [rita, ben], "gold")
    gold = Assignment.objects.create(
        item=known_answer.item,
        annotator=anna,
        state="submitted",
        lease_expires_at=yesterday,
        submitted_at=timezone.now(),
        active_seconds=120,
    )
    GivenAnswer.objects.create(
        known_answer=known_answer, person=anna, assignment=gold, content={}, is_right=True, share=1
    )
    check = draw_spot_check(project=project, kind="dynamics", per_person=30, seed=1, admin=ada)
    checked = 0
    while item := next_item(check, ada):
        checked += item.assignment.annotator == anna
        judge_item(item=item, is_right=True, remark="", reviewer=ada)
    recompute(project=project, name="agreement")

    row = numbers_of(project, anna, "dynamics")
    assert (row.finished, row.per_day[-2:], row.recently) == (13, [1, 12], 13)
    assert (round(row.minutes.median, 1), row.minutes.items) == (2, 13)
    assert (row.gold, row.spot_checks) == (Accuracy(1, 1), Accuracy(checked, checked))
    assert (row.agreed.equal, row.agreed.of) == (11, 12)
    assert (row.sent_back, row.sent_back_share, row.marks) == (0, 0, [])

    # The person sees no gold, and a spot check once it has ended.
    assert "spot check" not in page(anna, project, "own_numbers").content.decode()
    end_spot_check(check=check, admin=ada)
    text = " ".join(page(anna, project, "own_numbers").content.decode().split())
    assert f"No item was too quick. {checked} of {checked} spot checks right." in text
    assert "Gold" not in text


def test_a_mark_is_on_the_pages_of_admin_and_person(project, anna, ben, rita, ada):
    clips = [make_clip(project) for _ in range(10)]
    round = start_round(project, clips)
    for place, clip in enumerate(clips):
        for_left = cast(round, "Egret", "Heron", LEFT, rita, clip)
        cast(round, "Egret", "Heron", LEFT if place % 2 else RIGHT, ada, clip)
    cast(round, "Heron", "Egret", LEFT, rita, clips[0], repeat_of=for_left)
    for clip in clips:
        finished(rita, clip, seconds=1, kind="compare", subject=clip.pk)
        finished(ada, clip, seconds=40 + clip.pk % 7, kind="compare", subject=clip.pk)
    assert Assignment.objects.filter(annotator=rita, state="submitted").count() == 10

    observed = "10 of 10 votes for a side are for the left caption."
    for address in (
        ("people",),
        ("person", rita.memberships.get().pk),
    ):
        assert observed in page(ada, project, *address).content.decode()
    own = page(rita, project, "own_numbers").content.decode()
    assert observed in own
    assert "10 of 10 items took less time than the clip at double speed." in own
    assert "adjusted p" not in own
    marks = numbers_of(project, rita, "compare").marks
    assert [mark.key for mark in marks] == ["side", "quick", "unwatched", "pace"]
    assert numbers_of(project, ada, "compare").marks == []

    people = reverse("review:people", args=[project.slug])
    [part] = client_of(ada).get(f"{people}?kind=compare&who=marked").context["kinds"]
    assert [row.membership.user for row in part.people] == [rita]


def test_work_that_was_sent_back_counts_once(project, anna, ben, emil):

    clip = open_clip(project, "dive")
    write(project, clip, anna, ben)
    merge = take(project, emil, "merge", clip)
    caption = clip.captions.get(author=anna)
    send_back_write_up(
        merge_assignment_id=merge.pk, caption_id=caption.pk, expert=emil, comment="Shorter."
    )
    row = numbers_of(project, anna, "write")
    assert (row.finished, row.sent_back, row.submitted) == (0, 1, 1)
    assert numbers_of(project, ben, "write").sent_back_share == 0
    listed = ProjectNumbers(project).of_person(anna.memberships.get())
    assert [row.kind for row in listed] == ["write"]


def test_the_time_since_the_last_report_counts_as_far_as_one_may_claim_it(project, anna):
    for reported_before, reported in ((25, 60), (1000, 60), (3, 0)):
        work = finished(anna, make_clip(project), seconds=reported)
        Assignment.objects.filter(pk=work.pk).update(
            heartbeat_at=work.submitted_at - timedelta(seconds=reported_before)
        )
    assert sorted(item.seconds for item in recent_items(project)) == [3, 85, 180]


def test_pages_of_a_new_project_say_what_to_do(project, anna, ada):
    assert "Nobody has finished work yet" in page(ada, project).content.decode()
    assert "You have not finished work yet" in page(anna, project, "own_numbers").content.decode()


def test_more_people_take_no_more_queries(project, ada):
    counts = []
    for size in (1, 2):
        for _ in range(size):
            person = make_person(f"P{Assignment.objects.count()}", project, "reviewer")
            for _ in range(3):
                finished(person, make_clip(project), seconds=30)
        with count_queries() as count:
            assert page(ada, project).status_code == 200
        counts.append(int(count))
    assert counts[0] == counts[1]
