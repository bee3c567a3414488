"""The training of work whose answer is a text: write, merge, split, write by hand, modify."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse

from annotate.errors import AnnotateError
from annotate.kinds import all_kinds
from annotate.merge.services import send_back_write_up
from annotate.models import Assignment, Caption, SignOff, WorkItem
from annotate.queue.content import merge_content
from annotate.queue.work_kinds import WorkClosed
from annotate.text.merging import WriteUpText, propose_rows
from annotate.write.queries import write_ups
from review.elements.models import Extraction
from review.elements.queries import lists_of
from review.elements.services import hand_out_elements
from review.errors import ReviewError
from review.modifications.models import Modification
from review.modifications.services import open_modifications
from review.quality.answering import take_training
from review.quality.grading import GRADERS
from review.quality.models import GivenAnswer, QualityRule, TrainingPass
from review.quality.services import add_known_answer, set_rule
from tests.cast import client_of, make_clip, make_person
from tests.hand_work import open_hand, write_by_hand
from tests.review.capst.capst_runs import described_clip, judge, word_overlap
from tests.review.capst.capst_runs import start as run_of
from tests.review.cast import PARTS, complete, make_short_project, open_clip
from tests.review.quality.known import RULE, answer, take
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair, modify
from tests.work import hold

TEXTS = {"spatial": "A tower is grey.", "temporal": "She turns once."}
TARGETS = ("both", "spatial", "temporal", "neither", "neither")


@pytest.fixture
def project(db):
    return make_short_project()


@pytest.fixture
def clara(project):
    """A new person, who may do every kind of work."""
    return make_person("Clara", project, "annotator", "expert", "reviewer")


@pytest.fixture
def finished(project, anna, ben, emil):
    clip = open_clip(project, "dive")
    complete(project, clip, [anna, ben], emil)
    return clip


def teach(project, ada, kind, *facts, source=None):
    """Make the finished work of this kind the training; an answer's text must meet the `facts`."""
    source = source or Assignment.objects.filter(item__kind=kind, state="submitted").first()
    known_answer = add_known_answer(
        project=project, kind=kind, source_id=source.pk, purpose="training",
        explanation="The tower matters.", facts=facts, admin=ada,
    )  # fmt: skip
    set_rule(project=project, kind=kind, admin=ada, requirements=replace(RULE, pass_share=1.0))
    project.refresh_from_db()
    return known_answer


def next_item(person, project, kind):
    membership = person.memberships.select_related("project").get(project=project)
    return take_training(membership=membership, kind=kind)


def train(person, project, kind, content):
    answer(next_item(person, project, kind), content)
    return GivenAnswer.objects.latest("pk")


def rows(clip, **replaced):
    a, b = write_ups(clip)
    proposed = propose_rows(WriteUpText(a.parts), WriteUpText(b.parts))
    for part, part_rows in proposed.items():
        for row in part_rows:
            row["text"] = replaced.get(part, row["a_text"])
    return merge_content(proposed)


def placed(*targets):
    sentences = [
        sentence
        for part in PARTS.values()
        for sentence in part.replace(". ", ".|").split("|")
    ]  # fmt: skip
    fields = {f"sentence-{place}": text for place, text in enumerate(sentences)}
    return TEXTS | fields | {f"target-{place}": target for place, target in enumerate(targets)}


def test_every_kind_of_work_has_a_training_where_the_answer_says_something_of_the_person():
    assert set(all_kinds()) - GRADERS.keys() == {"identify"}


def test_a_write_up_without_a_required_word_is_wrong_and_says_which(project, ada, clara, finished):
    teach(project, ada, "write", "tower", "not: dog", "objects: grey | gray")
    open_clip(project, "next")
    objects = "The platform is gray, and the water is blue."
    wrong = train(clara, project, "write", PARTS | {"overview": "A dive.", "objects": objects})
    assert (wrong.is_right, wrong.share) == (False, pytest.approx(2 / 3))
    page = client_of(clara).get(reverse("review:training_answer", args=[project.slug, wrong.pk]))
    assert "Your answer is not the right one" in page.text
    assert "The text must have “tower”." in page.text
    with pytest.raises(WorkClosed, match="0 of 1 answers were right"):
        take(clara, project, "write")
    assert train(clara, project, "write", PARTS).is_right
    assert take(clara, project, "write") is not None
    assert Caption.objects.filter(author=clara).count() == 0


def test_a_write_up_without_facts_is_compared_by_the_person_alone(project, ada, clara, finished):
    teach(project, ada, "write")
    given_answer = train(clara, project, "write", PARTS | {"overview": "Something else."})
    assert given_answer.is_right
    page = client_of(clara).get(
        reverse("review:training_answer", args=[project.slug, given_answer.pk])
    )
    assert "Your text and the known one" in page.text


def test_a_merge_in_training_stores_nothing_and_sends_nothing_back(project, ada, clara, finished):
    teach(project, ada, "merge", "objects: blue")
    captions = Caption.objects.count()
    membership = clara.memberships.select_related("project").get()
    held = take_training(membership=membership, kind="merge")
    page = client_of(clara).get(reverse("annotate:work", args=[held.pk]))
    assert "This is training" in page.text
    assert "Send back" not in page.text
    [first, _] = write_ups(finished)
    with pytest.raises(AnnotateError, match="This is training"):
        send_back_write_up(
            merge_assignment_id=held.pk, expert=clara, caption_id=first.pk, comment="Shorter."
        )
    answer(held, rows(finished, objects="The tower is grey."))
    assert not GivenAnswer.objects.get().is_right
    assert train(clara, project, "merge", rows(finished)).is_right
    assert Caption.objects.count() == captions


def test_a_split_is_right_if_it_places_most_sentences_alike(project, ada, anna, emil, ben, clara):
    clip = open_clip(project, "dive")
    complete(project, clip, [anna, ben], emil)
    source = Assignment.objects.get(item__kind="split")
    source.draft |= placed(*TARGETS)
    source.save()
    teach(project, ada, "split", "not spatial: turns", source=source)
    results = [
        train(clara, project, "split", content).is_right
        for content in (
            placed("both", "both", "temporal", "neither", "both"),
            placed(*TARGETS) | {"spatial": "She turns by a tower."},
        )
    ]
    assert results == [False, False]
    with pytest.raises(ReviewError, match="used all your tries"):
        train(clara, project, "split", placed(*TARGETS))
    dora = make_person("Dora", project, "annotator")
    given_answer = train(dora, project, "split", placed(*TARGETS[:4], "both"))
    assert (given_answer.is_right, given_answer.share) == (True, pytest.approx(5 / 6))
    assert TrainingPass.objects.get().person == dora


def test_sign_offs_are_trained_by_their_verdict(ada, anna, ben, emil, clara, project):
    project.sign_offs = 1
    project.save()
    fred = make_person("Fred", project, "expert")
    complete(project, open_clip(project, "dive"), [anna, ben], emil)
    held = take(fred, project, "signoff")
    answer(held, {"verdict": "agree"})
    teach(project, ada, "signoff")
    given_answer = train(clara, project, "signoff", {"verdict": "merge", "comment": "Wrong color."})
    assert not given_answer.is_right
    assert SignOff.objects.count() == 1
    assert Assignment.objects.filter(state="returned").count() == 0
    assert train(clara, project, "signoff", {"verdict": "agree"}).is_right


def test_a_caption_by_hand_is_checked_for_its_words(project, ada, anna, clara):
    held = hold(anna, open_hand(make_clip(project)))
    write_by_hand(held, "A red car turns left.")
    teach(project, ada, "hand", "car | vehicle", "left")
    assert not train(clara, project, "hand", {"text": "A car turns right."}).is_right
    assert train(clara, project, "hand", {"text": "A vehicle turned left."}).is_right


def test_a_modification_is_about_the_text_that_was_proposed_then(project, ada, emil, clara):
    first, second = make_label(project, "a", "2.5 turns"), make_label(project, "b", "3.5 turns")
    for label in (first, second):
        labelled_clip(project, label, "train")
    pair = make_pair(first, second)
    open_modifications(pair)
    item = WorkItem.objects.get(kind="modify", clip__label=first)
    proposal = modify(first, second, "do one more turn", state="waiting")
    accept = {"decision": "accept", "proposal": str(proposal.pk)}
    answer(hold(emil, item), accept)
    teach(project, ada, "modify", "more | extra")
    membership = clara.memberships.select_related("project").get()
    held = take_training(membership=membership, kind="modify")
    page = client_of(clara).get(reverse("annotate:work", args=[held.pk]))
    assert "do one more turn" in page.text
    answer(held, accept | {"decision": "reject", "reason": "No pair."})
    assert not GivenAnswer.objects.get().is_right
    assert train(clara, project, "modify", accept).is_right
    assert Modification.objects.get().state == "accepted"


def test_facts_that_the_known_text_does_not_meet_are_refused(project, ada, finished):
    source = Assignment.objects.filter(item__kind="write").first()
    address = reverse("review:add_known_answer", args=[project.slug, source.pk])
    typed = {"purpose": "training", "explanation": "So.", "facts": "tower\nnot: grey"}
    refused = client_of(ada).post(address, typed)
    assert refused.status_code == 422
    assert "The text must not have “grey”." in refused.text
    assert "not: grey" in refused.text
    assert client_of(ada).post(address, typed | {"facts": "tower"}).status_code == 302
    page = client_of(ada).get(reverse("review:quality_kind", args=[project.slug, "write"]))
    assert "tower" in page.text


def test_texts_have_no_gold(project, ada, finished):
    source = Assignment.objects.filter(item__kind="write").first()
    with pytest.raises(ReviewError, match="too long for a hidden check"):
        add_known_answer(
            project=project, kind="write", source_id=source.pk, purpose="gold",
            explanation="", admin=ada,
        )  # fmt: skip


def test_the_rules_of_texts_ask_about_the_training_alone(project, ada, finished):
    source = Assignment.objects.filter(item__kind="write").first()
    client = client_of(ada)
    address = reverse("review:add_known_answer", args=[project.slug, source.pk])
    assert "gold doesn" not in client.get(address).text
    client.post(address, {"purpose": "training", "explanation": "So."})
    rules = reverse("review:quality_kind", args=[project.slug, "write"])
    page = client.get(rules).text
    assert "pass_percent" in page
    assert "gold_percent" not in page
    assert client.post(rules, {"pass_percent": 80, "tries": 2}).status_code == 302
    rule = QualityRule.objects.get(kind="write")
    assert (rule.pass_share, rule.tries, rule.gold_rate) == (0.8, 2, 0)


def test_a_training_of_elements_shows_the_lists_as_the_model_found_them(project, ada, anna, clara):
    described_clip(project)
    judge(run=run_of(project, None, word_overlap(project)))
    hand_out_elements(project=project, preset="default", admin=ada)
    item = WorkItem.objects.get(kind="elements", subject=Caption.objects.get(kind="temporal").pk)
    before = lists_of(Caption.objects.get(pk=item.subject))
    corrected = {**dict.fromkeys(before, "A woman slices a tomato")}
    keys = {f"{kind}_list": str(extraction.pk) for kind, extraction in before.items()}
    answer(hold(anna, item), {**corrected, **keys})
    known_answer = teach(project, ada, "elements", "events: slices", "not events: knife")
    held = next_item(clara, project, "elements")
    page = client_of(clara).get(reverse("annotate:work", args=[held.pk]))
    fields = {row["kind"]: (row["key"], row["typed"]) for row in page.context["lists"]}
    assert fields == {
        kind: (extraction.pk, "\n".join(extraction.elements)) for kind, extraction in before.items()
    }
    extractions = Extraction.objects.count()
    answer(held, {**dict.fromkeys(before, "A woman takes a knife"), **keys})
    given_answer = GivenAnswer.objects.get(known_answer=known_answer)
    assert (given_answer.is_right, given_answer.share) == (False, 0)
    assert Extraction.objects.count() == extractions
    address = reverse("review:training_answer", args=[project.slug, given_answer.pk])
    assert "Right answer: Events" in client_of(clara).get(address).text
