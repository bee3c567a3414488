"""The results of people's judgments as examples in guidelines."""

from uuid import uuid4

import pytest

from annotate.errors import AnnotateError
from annotate.queue.work_kinds import work_kind
from review.identification.queries import task_of
from review.identification.services import end_test, start_test
from review.triplets.content import QUESTIONS
from tests.cast import make_clip
from tests.hand_work import DYNAMIC, hold_check, judge, machine_caption
from tests.review.comparisons.comparing import next_caption_pair, start_round, vote
from tests.review.identification.identifying import make_complete, pick, right_place, take
from tests.review.pairs.test_label_pairs import submit_pair_verdict
from tests.review.ratings.rating import (
    describe,
    hold_rating,
    make_examples,
    open_study,
    rate,
    train,
)
from tests.review.triplets.triplets import (
    labelled_clip,
    make_label,
    make_pair,
    make_triplet,
    modify,
)
from tests.review.verification.verifying import CAPTION, MENDED, verified
from tests.split_work import hold_split
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db


def parts(held):
    held.refresh_from_db()
    kind = work_kind(held.item.kind)
    return dict(zip(kind.example_headings, kind.example_parts(held), strict=True))


def test_a_verified_caption_has_its_tagged_sentences_and_corrections(project, anna):
    caption = verified(anna, make_clip(project), MENDED)
    [held] = anna.assignments.filter(item__kind="verify", item__subject=caption.pk)
    assert parts(held) == {
        "Caption of the model": CAPTION,
        "Sentences": "1. A man opens a door.\n→ right\n"
        "2. He wears a red cap.\n→ A, C: His cap is orange.\n"
        "3. It is a door.\n→ B, delete the sentence\n"
        "4. A dog barks.\n→ right",
        "Missing": "Before sentence 2: He climbs a rope.",
    }


def test_a_rating_has_its_caption_and_what_the_value_means(project, anna):
    make_examples(project)
    train(anna, project)
    [caption] = describe(project, 1)
    open_study(project, 1, people=1)
    held = hold_rating(anna, caption)
    rate(held, 4)
    result = parts(held)
    assert (result["Caption"], result["Rating"]) == (caption.text, "4: Minor issues")


def test_a_split_has_what_is_seen_and_what_happens(project, anna):
    held = hold_split(make_clip(project), anna)
    held.draft = {"spatial": "A man.", "temporal": "He turns."}
    held.save()
    assert parts(held) == {
        "Spatial: what is seen": "A man.",
        "Temporal: what happens": "He turns.",
    }


def test_a_dynamics_check_has_verdict_and_remark(project, anna):
    held = hold_check(anna, make_clip(project).video)
    judge(held, {**DYNAMIC, "remark": "It cuts often."})
    assert parts(held) == {"Verdict": "Dynamic.", "Remark": "It cuts often."}


def test_a_label_pair_has_both_labels_and_the_verdict(project, emil):
    first, second = make_label(project, "one turn"), make_label(project, "two turns")
    pair = make_pair(first, second)
    clip = labelled_clip(project, first, "train")
    held = hold(emil, make_work(clip, "pair", needed=1, subject=pair.pk))
    submit_pair_verdict(
        assignment_id=held.pk,
        annotator=emil,
        key=uuid4(),
        base_version=0,
        content={"kind": "temporal"},
    )
    assert parts(held) == {
        "First label": first.caption,
        "Second label": second.caption,
        "Verdict": "Temporal change.",
    }


def test_a_vote_of_a_running_round_is_no_example(project, rita):
    start_round(project, [make_clip(project)])
    held, _ = next_caption_pair(project, rita)
    vote(held)
    with pytest.raises(AnnotateError, match="still running"):
        parts(held)
    [caption_pair] = rita.caption_pairs.all()
    caption_pair.round.ended_at = "2026-01-01T00:00:00Z"
    caption_pair.round.save()
    result = parts(held)
    captions = {caption_pair.left.caption.text, caption_pair.right.caption.text}
    assert {result["Left caption"], result["Right caption"]} == captions
    assert result["Vote"]


def draft(held, **content):
    held.draft = content
    held.save(update_fields=["draft"])
    return held


def test_a_query_has_its_text_answers_and_targets(project, emil):
    source, target = make_label(project, "one turn"), make_label(project, "two turns")
    clip, other = (labelled_clip(project, label, "test") for label in (source, target))
    query = make_triplet(clip, modify(source, target), other).query
    held = hold(emil, make_work(clip, "triplet", subject=query.pk))
    answers = {"right": "yes", "enough": "no", f"target-{other.pk}": "valid", "remark": "Dark."}
    assert list(parts(draft(held, **answers)).values()) == [
        "show with 2 somersaults",
        "\n".join(f"{text} {answers.get(name, '')}" for name, text in QUESTIONS.items()),
        f"{other.name}: valid",
        "Dark.",
    ]


@pytest.mark.parametrize(
    ("content", "text"),
    [({"decision": "edit", "text": "show a pike"}, "show a pike"), ({"decision": "reject"}, "")],
)
def test_a_modification_has_both_labels_and_the_text(project, emil, content, text):
    source, target = make_label(project, "one turn"), make_label(project, "two turns")
    pair, clip = make_pair(source, target), labelled_clip(project, source, "train")
    held = hold(emil, make_work(clip, "modify", subject=pair.pk))
    result = parts(draft(held, **content, reason="Clear."))
    assert list(result.values()) == [source.caption, target.caption, text, "Clear."]


def test_a_list_of_elements_has_its_caption_and_both_lists(project, emil):
    caption = machine_caption(make_clip(project), "A man jumps.")
    held = hold(emil, make_work(caption.clip, "elements", subject=caption.pk))
    result = parts(draft(held, events="A man jumps", objects="a man"))
    assert list(result.values()) == ["A man jumps.", "A man jumps", "a man"]


def test_a_test_of_identification_gives_examples_once_it_has_ended(project, ada, anna, ben):
    for word in ("boat", "horse", "kettle", "ladder"):
        make_complete(project, ben, word)
    start_test(project=project, admin=ada, kinds=["spatial"], options=4, people=1)
    held = take(anna, project)
    with pytest.raises(AnnotateError) as refused:
        parts(held)
    assert str(refused.value) == "Nobody picked a clip here. Choose another example."
    place = right_place(held)
    pick(held, place)
    with pytest.raises(AnnotateError) as refused:
        parts(held)
    mend = "This test is still running. Take an example from an ended one."
    assert str(refused.value) == mend
    end_test(project=project, admin=ada)
    text = task_of(held).text
    assert list(parts(held).values()) == [text.caption.text, text.clip.name]
