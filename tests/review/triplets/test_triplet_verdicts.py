"""People verify composed queries and their targets."""

from uuid import uuid4

import pytest

from annotate.errors import WorkInvalid
from annotate.models import WorkItem
from annotate.queue.services import claim_next
from review.modifications.text import PAPER
from review.triplets.content import problems_of, read_judgment
from review.triplets.models import ComposedQuery, TargetVerdict, TripletSet, TripletVerdict
from review.triplets.verdicts import hand_out_queries, submit_triplet_verdict
from tests.cast import make_project
from tests.review.triplets.triplets import labelled_clip, make_label, make_triplet, modify
from tests.work import hold

pytestmark = pytest.mark.django_db
ANSWERS = {"right": "yes", "enough": "yes", "needed": "yes"}


@pytest.fixture
def labels(project):
    return make_label(project, "107b"), make_label(project, "109b")


@pytest.fixture
def query(project, labels) -> ComposedQuery:
    """A test query with two targets."""
    clip = labelled_clip(project, labels[0], "test")
    modification = modify(*labels)
    for place in range(2):
        target = labelled_clip(project, labels[1], "test")
        triplet = make_triplet(clip, modification, target, place=place)
    return triplet.query


def hand_out(query, split="test", most=10, people=1) -> int:
    return hand_out_queries(
        triplets=query.triplets,
        split=split,
        most=most,
        people=people,
        admin=None,
        order="targets",
    )


def submit(query, person, **content):
    hand_out(query)
    held = hold(person, WorkItem.objects.get(subject=query.pk))
    return submit_triplet_verdict(
        assignment_id=held.pk, annotator=person, key=uuid4(), base_version=0, content=content
    )


def all_valid(query) -> dict[str, str]:
    targets = query.targets.values_list("target", flat=True)
    return ANSWERS | {f"target-{clip}": "valid" for clip in targets}


def test_queries_with_the_most_targets_are_handed_out_first(project, labels, query, anna):
    single = labelled_clip(project, labels[1], "test")
    other = make_triplet(single, modify(labels[1], labels[0], "show 1 turn"), query.clip).query
    assert hand_out(query, most=1) == 1
    assert hand_out(query) == 1
    assert hand_out(query) == hand_out(query, split="train") == 0
    taken = claim_next(membership=anna.memberships.get(), kind="triplet")
    assert (taken.item.subject, taken.item.clip_id) == (query.pk, query.clip_id)
    assert WorkItem.objects.filter(subject=other.pk).exists()


def test_each_target_gets_its_verdict(query, anna):
    first, second = query.targets.values_list("target", flat=True)
    submit(query, anna, **all_valid(query) | {f"target-{second}": "wrong", "remark": " A pike. "})
    verdict = TripletVerdict.objects.get()
    assert (verdict.is_right, verdict.is_enough, verdict.is_needed) == (True, True, True)
    assert (verdict.person, verdict.remark, verdict.corrected) == (anna, "A pike.", "")
    assert list(verdict.targets.values_list("clip", "is_valid", "is_added")) == [
        (first, True, False),
        (second, False, False),
    ]


def test_another_valid_clip_may_be_added(project, labels, query, anna):
    more = labelled_clip(project, labels[1], "test")
    submit(query, anna, **all_valid(query), **{f"added-{more.pk}": "1"})
    added = TargetVerdict.objects.get(is_added=True)
    assert (added.clip, added.is_valid) == (more, True)


def test_a_clip_of_another_split_or_project_or_the_query_itself_can_not(
    project, labels, query, anna
):
    elsewhere = make_project("elsewhere")
    wrong = [
        labelled_clip(project, labels[1], "train"),
        labelled_clip(elsewhere, make_label(elsewhere, "1"), "test"),
        query.clip,
    ]
    content = all_valid(query) | {f"added-{clip.pk}": "1" for clip in wrong}
    with pytest.raises(WorkInvalid) as refused:
        submit(query, anna, **content)
    assert [problem.field for problem in refused.value.problems] == [
        f"added-{clip.pk}" for clip in sorted(wrong, key=lambda clip: clip.pk)
    ]
    assert TripletVerdict.objects.count() == 0


def test_a_corrected_text_is_kept(query, anna):
    better = "show with two and a half somersaults"
    submit(query, anna, **all_valid(query) | {"right": "no", "corrected": better})
    assert TripletVerdict.objects.get().corrected == better


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"right": ""}, "right"),
        ({"enough": "perhaps"}, "enough"),
        ({"needed": "no"}, "corrected"),
        ({"corrected": "turn"}, "corrected"),
        ({"corrected": f"show {'x' * 300}"}, "corrected"),
        ({"corrected": "Show with two somersaults."}, "corrected"),
        ({"remark": "x" * 501}, "remark"),
    ],
)
def test_what_is_missing_or_wrong_is_named(query, anna, change, field):
    with pytest.raises(WorkInvalid) as refused:
        submit(query, anna, **all_valid(query) | change)
    assert [problem.field for problem in refused.value.problems] == [field]


def test_the_way_out_of_an_unchanged_text_is_one(query):
    """With a "no", an empty field would be refused too."""
    targets = query.targets.values_list("target", flat=True)
    same = all_valid(query) | {"corrected": "Show with two somersaults."}
    for change, way_out in (({}, "empty the field."), ({"needed": "no"}, "all three questions.")):
        judgment = read_judgment(same | change, targets)
        (problem,) = problems_of(judgment, query.modification.text, PAPER)
        assert problem.message.endswith(way_out)


def test_that_every_target_of_a_right_text_is_wrong_takes_a_word(query, anna):
    content = dict.fromkeys(all_valid(query), "wrong") | ANSWERS
    with pytest.raises(WorkInvalid, match="say here what is wrong with the clips") as refused:
        submit(query, anna, **content)
    assert [problem.field for problem in refused.value.problems] == ["remark"]


def test_a_remark_another_clip_or_a_no_explains_why_every_target_is_wrong(query):
    targets = query.targets.values_list("target", flat=True)
    wrong = dict.fromkeys(all_valid(query), "wrong") | ANSWERS
    for change in (
        {"remark": "Both are backward dives."},
        {"added-99": "1"},
        {"enough": "no", "corrected": "show a pike"},
    ):
        assert problems_of(read_judgment(wrong | change, targets), "show 2 turns", PAPER) == []


def test_an_unjudged_target_is_named(query, anna):
    with pytest.raises(WorkInvalid, match="Target 2: say whether it is valid"):
        submit(query, anna, **dict(list(all_valid(query).items())[:-1]))


def test_the_same_submit_twice_is_one(query, anna):
    hand_out(query)
    held, key = hold(anna, WorkItem.objects.get()), uuid4()
    for _ in range(2):
        submit_triplet_verdict(
            assignment_id=held.pk,
            annotator=anna,
            key=key,
            base_version=0,
            content=all_valid(query),
        )
    assert TripletVerdict.objects.count() == 1
    assert TripletSet.objects.count() == 1
