"""The results of people's judgments as examples in guidelines."""

from uuid import uuid4

import pytest

from annotate.errors import AnnotateError
from annotate.queue.work_kinds import work_kind
from tests.cast import make_clip
from tests.hand_work import DYNAMIC, hold_check, judge
from tests.review.comparisons.comparing import next_caption_pair, start_round, vote
from tests.review.pairs.test_label_pairs import submit_pair_verdict
from tests.review.ratings.rating import (
    describe,
    hold_rating,
    make_examples,
    open_study,
    rate,
    train,
)
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair
from tests.review.verification.verifying import CAPTION, MENDED, verified
from tests.split_work import hold_split
from tests.work import hold, make_work

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


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


@pytest.mark.both_databases
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
