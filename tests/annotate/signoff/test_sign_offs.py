"""Experts who have not worked on a clip's texts sign them off, or send one back."""

from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction

from annotate.corpus.services.precedence import make_current
from annotate.errors import AnnotateError, LeaseLost, WorkInvalid
from annotate.models import Assignment, Caption, SignOff, WorkItem
from annotate.projects.services.projects import change_project
from annotate.queue.chance import priority_by_chance
from annotate.queue.services import claim_next, claimable_by
from annotate.signoff.services import submit_sign_off
from annotate.split.services import send_back_split
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import make_person
from tests.review.cast import complete, make_short_project, merge, open_clip, split

State = WorkItem.State
AGREE = {"verdict": "agree"}


@pytest.fixture
def project(db):
    return make_short_project(sign_offs=2)


@pytest.fixture
def experts(project):
    return [make_person(name, project, "expert") for name in ("Eva", "Enzo")]


@pytest.fixture
def clip(project, anna, ben, emil):
    return complete(project, open_clip(project, "dive"), [anna, ben], emil)


def take(person):
    membership = person.memberships.select_related("project", "user").get()
    return claim_next(membership=membership, kind="signoff")


def say(assignment, content, **changes):
    return submit_sign_off(
        **{
            "assignment_id": assignment.pk,
            "annotator": assignment.annotator,
            "key": uuid4(),
            "base_version": assignment.draft_version,
            "content": content,
            **changes,
        }
    )


def items(clip):
    return list(
        WorkItem.objects.filter(clip=clip, kind="signoff")
        .order_by("pk")
        .values_list("state", "needed", "open_slots")
    )


def claimable(person, project):
    return claimable_by(person, project, "signoff").count()


def test_a_split_clip_waits_for_two_experts_who_did_not_work_on_it(
    project, clip, anna, emil, experts
):
    anna.memberships.update(is_expert=True)  # she wrote and split it
    assert [claimable(person, project) for person in (anna, emil, *experts)] == [0, 0, 1, 1]
    item = WorkItem.objects.get(kind="signoff")
    assert item.priority == priority_by_chance("signoff", item.subject)
    for expert in experts:
        say(take(expert), AGREE)
    assert items(clip) == [(State.DONE, 2, 0)]
    texts = {row.texts for row in SignOff.objects.all()}
    [row] = texts
    assert [row.general.source, row.spatial.kind, row.temporal.kind] == [
        "merged",
        "spatial",
        "temporal",
    ]


def test_nothing_opens_in_a_project_without_sign_offs(anna, ben, emil, project):
    project.sign_offs = 0
    project.save()
    clip = complete(project, open_clip(project, "dive"), [anna, ben], emil)
    assert items(clip) == []


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ({}, ["verdict"]),
        ({"verdict": "perhaps"}, ["verdict"]),
        ({"verdict": "split", "comment": " "}, ["comment"]),
        ({"verdict": "agree", "comment": "x" * 2001}, ["comment"]),
    ],
)
def test_what_is_missing_is_named_and_nothing_is_stored(clip, experts, content, fields):
    held = take(experts[0])
    with pytest.raises(WorkInvalid) as refused:
        say(held, content)
    assert [problem.field for problem in refused.value.problems] == fields
    assert not SignOff.objects.exists()


def test_a_split_sent_back_opens_for_its_author_and_ends_the_work_on_these_texts(
    clip, anna, experts
):
    agreed, other = experts
    say(take(agreed), AGREE)
    say(take(other), {"verdict": "split", "comment": "The cap is red."})
    back = Assignment.objects.get(item__clip=clip, item__kind="split")
    assert (back.state, back.annotator, back.return_comment) == (
        Assignment.State.RETURNED,
        anna,
        "The cap is red.",
    )
    assert items(clip) == [(State.CANCELLED, 2, 0)]


def test_new_texts_need_new_sign_offs_from_the_same_experts_too(project, clip, anna, experts):
    for expert in experts:
        say(take(expert), AGREE)
    send_back_split(clip=clip, expert=experts[0], comment="Once more.")
    split(project, clip, anna, spatial="A diver on a grey tower.")
    assert items(clip) == [(State.CANCELLED, 2, 0), (State.OPEN, 2, 2)]
    assert claimable(experts[0], project) == 1


def test_a_merge_sent_back_waits_for_the_new_merge_and_its_split(
    project, clip, anna, emil, experts
):
    say(take(experts[0]), {"verdict": "merge", "comment": "She turns twice."})
    merge(project, clip, emil)
    assert claimable(experts[1], project) == 0
    split(project, clip, anna)
    assert claimable(experts[1], project) == 1


def test_an_expert_loses_texts_that_another_expert_sends_back(clip, experts):
    first, second = (take(expert) for expert in experts)
    say(first, {"verdict": "split", "comment": "The cap is red."})
    with pytest.raises(LeaseLost):
        say(second, AGREE)
    assert SignOff.objects.count() == 1


def test_the_author_must_be_able_to_get_the_text_back(clip, experts):
    held = take(experts[0])
    Assignment.objects.filter(item__kind="split").update(state=Assignment.State.RETURNED)
    with pytest.raises(AnnotateError, match="no finished split"):
        say(held, {"verdict": "split", "comment": "The cap is red."})
    assert not SignOff.objects.exists()


def test_another_current_text_voids_the_sign_offs_and_the_former_restores_them(
    project, clip, anna, experts, ada
):
    for expert in experts:
        say(take(expert), AGREE)
    old = Caption.objects.get(clip=clip, kind="spatial")
    send_back_split(clip=clip, expert=experts[0], comment="Once more.")
    split(project, clip, anna)
    temporal = Caption.objects.filter(clip=clip, kind="temporal").earliest("pk")
    for caption in (old, temporal):
        make_current(caption_id=caption.pk, clip=clip, admin=ada)
    assert [state for state, *_ in items(clip)].count(State.DONE) == 1
    assert not WorkItem.objects.filter(clip=clip, kind="signoff", state=State.OPEN).exists()


@pytest.mark.parametrize(
    ("number", "expected"),
    [(0, (State.CANCELLED, 2, 1)), (1, (State.DONE, 1, 0)), (2, (State.OPEN, 2, 1))],
)
def test_a_change_of_the_number_applies_to_all_clips(project, clip, experts, ada, number, expected):
    say(take(experts[0]), AGREE)
    change_project(project_id=project.pk, admin=ada, sign_offs=number)
    assert items(clip) == [expected]


def test_a_sign_off_can_never_change(clip, experts):
    say(take(experts[0]), AGREE)
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        SignOff.objects.update(verdict="split")


@pytest.mark.django_db(transaction=True)
def test_of_two_experts_at_once_who_send_back_one_does():
    project = make_short_project(sign_offs=2)
    people = [make_person(name, project, "annotator") for name in ("Anna", "Ben")]
    emil, *experts = (make_person(name, project, "expert") for name in ("Emil", "Eva", "Enzo"))
    clip = complete(project, open_clip(project, "dive"), people, emil)

    def send_back(held):
        try:
            say(held, {"verdict": "split", "comment": "Once more."})
        except LeaseLost:
            return 0
        return 1

    assert sum(in_threads(send_back, [take(expert) for expert in experts])) == 1
    assert items(clip)[0][0] == State.CANCELLED
