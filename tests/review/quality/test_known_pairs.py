"""Training and gold among comparisons: pairs of captions on which the right vote is known."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.models import Assignment, Clip, WorkItem
from annotate.queue.work_kinds import WorkClosed
from review.comparisons.content import shown_on
from review.comparisons.models import (
    CaptionPair,
    SystemCaption,
    SystemPair,
    Vote,
)
from review.comparisons.pairing import votes_ahead
from review.comparisons.services import caption_pair_of, show_names
from review.errors import ReviewError
from review.pay.queries import today, unrecorded_work
from review.pay.terms import add_rate, set_currency
from review.quality.models import GivenAnswer, KnownAnswer, Pause, QualityRule, TrainingPass
from review.quality.queries import finished_sources, gold_accuracy, gold_for
from review.quality.services import add_known_answer, retire_known_answer
from review.rounds.services import end_round
from tests.api.asking import program_of
from tests.cast import client_of, make_clip, make_person
from tests.review.comparisons.comparing import make_set, next_caption_pair, vote
from tests.review.quality.known import answer, make_known_pairs, seed_for, take
from tests.review.quality.known_pairs import (
    COMPARE,
    GOLD,
    TEXTS,
    TRAINING,
    ask,
    begin,
    better,
    make_sets,
    member,
    open_gold,
    preferring,
    worse,
)


@pytest.fixture
def sets(project):
    return make_sets(project)


@pytest.fixture
def make_pairs(project, ada, rita, sets):
    """Make known pairs for these purposes, on which Rita voted for the left caption."""
    return lambda *purposes: make_known_pairs(project, ada, rita, sets, *purposes)


@pytest.fixture
def ben(project):
    return make_person("Ben", project, "reviewer")


def test_a_training_shows_the_right_vote_and_no_model(project, ada, ben, sets, make_pairs):
    right, wrong = make_pairs(TRAINING, TRAINING)
    ask(project, ada, pass_share=0.5)
    begin(project, ada, sets)
    client = client_of(ben)
    with pytest.raises(WorkClosed, match="Complete the training first: 2 of 2"):
        take(ben, project, COMPARE)
    for known_answer, preferred in ((right, better), (wrong, worse)):
        page = client.post(
            reverse("review:next_training", args=[project.slug, COMPARE]), follow=True
        )
        assert "This is training" in page.text
        assert "The round has ended" not in page.text
        assert "in this round" not in page.text
        held = Assignment.objects.select_related("item").get(annotator=ben, state="held")
        content = preferring(held, preferred(known_answer))
        key = {"key": page.context["submit_key"], "base_version": 0}
        feedback = client.post(
            reverse("annotate:submit", args=[held.pk]), {**key, **content}, follow=True
        )
        is_right = "Your answer is right" in feedback.text
        assert is_right == (preferred is better)
        assert "Right answer: Vote" in feedback.text
        assert "It says who jumps." in feedback.text
        assert not any(name in feedback.text + page.text for name in TEXTS)
    assert TrainingPass.objects.get(person=ben).right == 1
    assert not Vote.with_known_answers.filter(caption_pair__reviewer=ben).exists()
    assert take(ben, project, COMPARE).item.purpose == WorkItem.Purpose.WORK


def test_gold_is_a_vote_of_its_person(project, ada, ben, sets, make_pairs):
    [known_answer] = make_pairs(GOLD)
    ask(project, ada, gold_rate=0.5)
    round = begin(project, ada, sets)
    for side in ("left", "right"):
        # The sides are drawn; either way the answer is graded by the caption.
        with transaction.atomic():
            held = open_gold(round, known_answer, ben)
            caption_pair = caption_pair_of(held.item)
            if caption_pair.left.caption.text != (better if side == "left" else worse)(
                known_answer
            ):
                captions = caption_pair.right_id, caption_pair.left_id
                CaptionPair.with_known_answers.filter(pk=caption_pair.pk).update(
                    left=captions[0], right=captions[1]
                )
            answer(held, preferring(held, better(known_answer)))
            assert GivenAnswer.objects.get(person=ben).is_right
            assert gold_accuracy(project, ben, COMPARE).right == 1
            if side == "left":
                transaction.set_rollback(True)
    client, program = client_of(ben), program_of(ben, project)
    address = reverse("review:vote", args=[project.slug, caption_pair.pk])
    assert address in client.get(reverse("review:votes", args=[project.slug])).text
    assert "Change vote" in client.get(address).text
    [listed] = program.get("votes/").json()["results"]
    assert listed["caption_pair"] == caption_pair.pk
    put = {"outcome": "tie", "reasons": [], "remark": ""}
    changed = program.ask("put", f"votes/{caption_pair.pk}/", put)
    assert changed.status_code == 200
    assert "Your earlier votes" in client.get(address).text
    names = show_names(caption_pair=caption_pair, reviewer=ben)
    assert sorted(names) == ["Egret", "Heron"]
    assert "Final: you have seen the names." in client.get(address).text
    assert GivenAnswer.objects.get(person=ben).is_right  # the first answer counts
    assert not any(SystemPair.objects.filter(round=round).values_list("given", "decided")[0])


def test_gold_is_paid_like_a_vote(project, ada, ben, sets, make_pairs):
    [known_answer] = make_pairs(GOLD)
    set_currency(project=project, currency="EUR", admin=ada)
    add_rate(
        project=project, kind=COMPARE, per_item=Decimal("0.10"), per_hour=Decimal(0),
        pays_training=False, starts_on=today(), admin=ada,
    )  # fmt: skip
    round = begin(project, ada, sets)
    held = open_gold(round, known_answer, ben)
    answer(held, preferring(held, better(known_answer)))
    assert unrecorded_work(project).filter(annotator=ben).get() == held


def test_nobody_is_asked_about_a_known_pair_as_real_work(project, ada, ben, sets, make_pairs):
    known_answers = make_pairs(TRAINING, GOLD)
    retire_known_answer(known_answer=known_answers[0], admin=ada)
    begin(project, ada, sets)
    assert votes_ahead(member(ben, project)) == 4
    clip_ids = []
    while held := next_caption_pair(project, ben):
        clip_ids.append(held[1].clip_id)
        vote(held[0])
    assert len(clip_ids) == 4
    assert not {answer.item.clip_id for answer in known_answers} & set(clip_ids)


def test_the_number_of_waiting_items_falls_by_one_with_each_item(
    project, ada, ben, sets, make_pairs
):
    make_pairs(GOLD, GOLD)
    ask(project, ada, gold_rate=0.5)
    QualityRule.objects.update(seed=seed_for(ben, [GOLD, "work", GOLD]), gold_least=9)
    begin(project, ada, sets)
    client, page = client_of(ben), reverse("annotate:my_work", args=[project.slug])
    waiting, purposes = [], []
    while True:
        [step] = [step for step in client.get(page).context["work"] if step.kind == COMPARE]
        waiting.append(step.waiting)
        if not (held := take(ben, project, COMPARE)):
            break
        purposes.append(held.item.purpose)
        answer(held, preferring(held, TEXTS["Egret"]))
    assert purposes.count(GOLD) == 2
    assert waiting == [6, 5, 4, 3, 2, 1, 0]


def test_gold_pauses_a_person_below_the_limit(project, ada, ben, sets, make_pairs):
    answers = make_pairs(GOLD, GOLD)
    ask(project, ada, gold_rate=0.5, gold_limit=0.8, gold_least=2)
    round = begin(project, ada, sets)
    for known_answer in answers:
        held = open_gold(round, known_answer, ben)
        answer(held, preferring(held, worse(known_answer)))
    assert Pause.objects.get(person=ben).right == 0
    with pytest.raises(WorkClosed, match="paused until an admin"):
        take(ben, project, COMPARE)


def test_people_get_no_gold_that_they_know(project, ada, rita, ben, emil, sets, make_pairs):
    [known_answer] = make_pairs(GOLD)
    round = begin(project, ada, sets)
    assert not gold_for(project, rita, COMPARE)  # it is her own vote
    assert list(gold_for(project, ben, COMPARE)) == [known_answer]
    source = caption_pair_of(known_answer.item)
    same_clip = CaptionPair.objects.create(
        round=round, pair=round.pairs.get(), clip=source.clip, reviewer=emil,
        left=round.systems.all()[0].captions.get(clip=source.clip),
        right=round.systems.all()[1].captions.get(clip=source.clip),
        names_shown_at=timezone.now(),
    )  # fmt: skip
    assert not gold_for(project, emil, COMPARE)
    CaptionPair.objects.filter(pk=same_clip.pk).update(reviewer=ben, names_shown_at=None)
    assert not gold_for(project, ben, COMPARE)


def test_gold_needs_both_captions_in_the_round(project, ada, ben, emil, sets, make_pairs):
    [known_answer] = make_pairs(GOLD)
    clips = [make_clip(project) for _ in range(2)]
    others = [make_set(project, name, clips) for name in ("Ibis", "Jay")]
    round = begin(project, ada, others)
    assert not gold_for(project, ben, COMPARE)
    end_round(round=round, admin=ada)
    assert not gold_for(project, ben, COMPARE)
    round = begin(project, ada, sets)
    assert list(gold_for(project, ben, COMPARE)) == [known_answer]
    SystemCaption.objects.filter(system__round=round).update(names_its_model="Egret")
    assert not gold_for(project, ben, COMPARE)


def test_gold_waits_until_real_pairs_are_of_clips_seen_as_often(
    project, ada, ben, sets, make_pairs
):
    [known_answer] = make_pairs(GOLD)
    ask(project, ada, gold_rate=0.5)
    QualityRule.objects.update(seed=seed_for(ben, [GOLD] * 6))
    clip = known_answer.item.clip
    _, *others = Clip.objects.filter(project=project).exclude(pk=clip.pk)
    round = begin(project, ada, [*sets, make_set(project, "Ibis", [clip, *others], "A dive.")])
    ibis, egret, heron = (round.systems.get(name=name) for name in ("Ibis", "Egret", "Heron"))
    # Nobody is asked about Egret and Heron any more, so the clip without Ibis never comes.
    round.pairs.filter(first=egret, second=heron).update(given=round.votes_per_pair)
    CaptionPair.objects.create(
        round=round, pair=SystemPair.objects.get(first=egret, second=ibis), clip=clip,
        left=ibis.captions.get(clip=clip), right=egret.captions.get(clip=clip), reviewer=ben,
    )  # fmt: skip
    items = []
    while not items or items[-1].purpose != GOLD:
        held = take(ben, project, COMPARE)
        items.append(held.item)
        answer(held, preferring(held, TEXTS["Egret"]))
    assert items[-1].clip == clip
    assert {item.clip for item in items[:-1]} == set(others)
    assert len(items) == len(others) + 1


def test_a_repeat_of_gold_says_nothing_new(project, ada, ben, sets, make_pairs):
    [known_answer] = make_pairs(GOLD)
    ask(project, ada, gold_rate=0.5)
    round = begin(project, ada, sets, repeat_percent=50)
    held = open_gold(round, known_answer, ben)
    answer(held, preferring(held, better(known_answer)))
    purposes = []
    while again := next_caption_pair(project, ben):
        purposes.append(again[0].item.purpose)
        if purposes[-1] == GOLD:
            assert again[1].repeat_of == caption_pair_of(held.item)
            answer(again[0], preferring(again[0], worse(known_answer)))
        else:
            vote(again[0])
    assert purposes.count(GOLD) == 1
    assert GivenAnswer.objects.get(person=ben).is_right


def test_the_end_of_a_round_takes_back_opened_gold_alone(project, ada, ben, sets, make_pairs):
    [known_answer] = make_pairs(GOLD)
    round = begin(project, ada, sets)
    held = open_gold(round, known_answer, ben)
    end_round(round=round, admin=ada)
    held.refresh_from_db()
    assert (held.state, held.item.state) == ("expired", "cancelled")
    known_answer.item.refresh_from_db()
    assert known_answer.item.state == "open"


def test_an_admin_says_which_vote_is_right(project, ada, rita, ben, sets):
    round = begin(project, ada, sets)
    held, _ = next_caption_pair(project, rita)
    vote(held, "left", remark="Clearly.")
    client = client_of(ada)
    page = reverse("review:add_known_answer", args=[project.slug, held.pk])
    page_text = client.get(page).text
    assert all(text in page_text for text in TEXTS.values())
    listed = client.get(reverse("review:known_answer_sources", args=[project.slug, COMPARE])).text
    assert all(text in listed for text in TEXTS.values())
    assert "Left is better" in page_text
    values = {"purpose": "gold", "explanation": "", "outcome": "tie"}
    assert client.post(page, values).status_code == 302
    assert held.pk not in finished_sources(project, COMPARE).values_list("pk", flat=True)
    kind = client.get(reverse("review:quality_kind", args=[project.slug, COMPARE])).text
    assert "Both are good" in kind
    assert "Round 1 is running and can ask about 1 of 1" in kind
    known_answer = KnownAnswer.objects.get()
    gold = open_gold(round, known_answer, ben)
    answer(gold, {"outcome": "tie", "shown": shown_on(caption_pair_of(gold.item))})
    assert GivenAnswer.objects.get(person=ben).is_right
    with pytest.raises(ReviewError, match="Only for a comparison"):
        add_known_answer(
            project=project, kind="write", source_id=held.pk, purpose=TRAINING,
            explanation="", admin=ada, outcome="left",
        )  # fmt: skip
