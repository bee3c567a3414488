"""How an answer is compared with the known one, and which known answers and rules are refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from annotate.errors import WorkInvalid
from annotate.models import WorkItem
from review.errors import ReviewError
from review.quality.answering import take_training
from review.quality.grader import Grade
from review.quality.grading import GRADERS
from review.quality.models import KnownAnswer, QualityRule
from review.quality.services import (
    add_known_answer,
    move_known_answer,
    retire_known_answer,
    set_rule,
    train_again,
)
from review.triplets.models import ComposedQuery
from tests.cast import client_of
from tests.review.quality.known import KIND, RULE, ask, make_known
from tests.review.triplets.triplets import labelled_clip, make_label, make_triplet, modify
from tests.work import make_work

pytestmark = pytest.mark.django_db
NO_KIND = "This kind of work can't have training or gold."
NO_GOLD = "This work takes too long for a hidden check, so it has no gold."
ALL_RIGHT = {"right": "yes", "enough": "yes", "needed": "yes"}


@pytest.mark.parametrize(
    ("kind", "expected", "answer", "grade"),
    [
        ("rate", {"value": "3"}, {"value": "4"}, Grade(is_right=True, share=0.8)),
        ("rate", {"value": "3"}, {"value": "5"}, Grade(is_right=False, share=0.6)),
        ("pair", {"kind": "event"}, {"kind": "event"}, Grade(is_right=True, share=1.0)),
        ("pair", {"kind": "event"}, {"kind": "reject"}, Grade(is_right=False, share=0.0)),
    ],
)
def test_a_rating_and_a_label_pair(kind, expected, answer, grade):
    assert GRADERS[kind].grade(WorkItem(kind=kind), expected, answer, []) == grade


@pytest.fixture
def on_query(project) -> WorkItem:
    """Work on a query with two targets."""
    source, target = make_label(project, "1"), make_label(project, "2")
    clip, change = labelled_clip(project, source, "test"), modify(source, target)
    for place in range(2):
        make_triplet(clip, change, labelled_clip(project, target, "test"), place=place)
    return make_work(clip, "triplet", subject=ComposedQuery.objects.get().pk)


@pytest.mark.parametrize(
    ("verdicts", "changed", "grade"),
    [
        (("valid", "valid"), {}, Grade(is_right=True, share=1.0)),
        (("valid", "wrong"), {}, Grade(is_right=False, share=2 / 3)),
        (("wrong", "wrong"), {"enough": "no", "corrected": "show a pike"},
         Grade(is_right=False, share=0.0)),
    ],
)  # fmt: skip
def test_a_query(on_query, verdicts, changed, grade):
    query = ComposedQuery.objects.get(pk=on_query.subject)
    targets = [f"target-{key}" for key in query.targets.values_list("target", flat=True)]
    expected = ALL_RIGHT | dict.fromkeys(targets, "valid")
    answer = ALL_RIGHT | dict(zip(targets, verdicts, strict=True)) | changed
    GRADERS["triplet"].check(on_query, answer)
    assert GRADERS["triplet"].grade(on_query, expected, answer, []) == grade


@pytest.mark.parametrize(
    ("kind", "content", "problem"),
    [
        ("rate", {"value": "six"}, "Choose one of the six, from 0 to 5."),
        ("pair", {"kind": "other"}, "Choose temporal change, event change or reject."),
        ("hand", {"text": " "}, "Write what the clip shows."),
    ],
)
def test_an_incomplete_answer_is_refused(kind, content, problem):
    with pytest.raises(WorkInvalid) as refused:
        GRADERS[kind].check(WorkItem(kind=kind), content)
    assert [each.message for each in refused.value.problems] == [problem]


def test_a_write_up_below_the_number_of_words_is_refused(project):
    project.min_words = 5
    item = WorkItem(kind="write", project=project)
    with pytest.raises(WorkInvalid) as refused:
        GRADERS["write"].check(item, {"spatial": "A pool.", "temporal": "She dives."})
    assert [each.field for each in refused.value.problems]


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        ("identify", {}, NO_KIND),
        ("write", {"gold_rate": 0.1}, NO_GOLD),
    ],
)
def test_each_rule_that_is_refused(project, ada, kind, values, message):
    with pytest.raises(ReviewError) as refused:
        set_rule(project=project, kind=kind, admin=ada, requirements=replace(RULE, **values))
    assert str(refused.value) == message
    assert not QualityRule.objects.exists()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"kind": "identify"}, NO_KIND),
        ({"purpose": "work"}, NO_KIND),
        ({"kind": "write", "purpose": "gold"}, NO_GOLD),
        ({"kind": "rate"},
         "Ratings have their own training. Add an example on Training examples."),
        ({"outcome": "left"}, "Only for a comparison can you say which vote is right."),
        ({"facts": ["dive"]}, "Only texts can be checked for words."),
    ],
)  # fmt: skip
def test_each_known_answer_that_is_refused(project, ada, anna, rita, values, message):
    gold = make_known(project, ada, [anna, rita], "gold")
    retire_known_answer(known_answer=gold, admin=ada)
    usual: dict[str, Any] = {
        "kind": KIND, "purpose": "training", "explanation": "It moves.",
        "source_id": gold.source_id,
    }  # fmt: skip
    with pytest.raises(ReviewError) as refused:
        add_known_answer(project=project, admin=ada, **usual | values)
    assert str(refused.value) == message
    assert not KnownAnswer.objects.filter(is_used=True).exists()


def test_a_removed_answer_is_removed_once_and_has_no_place(project, ada, anna, rita):
    item = make_known(project, ada, [anna, rita], "training")
    for _ in range(2):
        retire_known_answer(known_answer=item, admin=ada)
    item.refresh_from_db()
    assert item.item.state == WorkItem.State.DONE
    for direction, message in (
        ("up", "This answer is no longer used. Reload the page."),
        ("left", "Move it up or down."),
    ):
        with pytest.raises(ReviewError) as refused:
            move_known_answer(known_answer=item, direction=direction, admin=ada)
        assert str(refused.value) == message


def test_work_without_a_training_has_none_to_repeat_or_take(project, ada, ben):
    with pytest.raises(ReviewError) as refused:
        train_again(project=project, kind=KIND, admin=ada)
    assert str(refused.value) == "This kind of work begins without a training."
    membership = ben.memberships.select_related("project").get()
    assert take_training(membership=membership, kind=KIND) is None


def test_the_page_tells_an_admin_that_everybody_trains_again(project, ada, anna, rita):
    make_known(project, ada, [anna, rita], "training")
    ask(project, ada, pass_share=0.5)
    address = reverse("review:train_again", args=[project.slug, KIND])
    page = client_of(ada).post(address, follow=True)
    assert "Everybody must pass the training again before their next work." in page.text
    assert QualityRule.objects.get().retrain_after is not None
