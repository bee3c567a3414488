"""Label pairs: how alike, handed out, judged."""

import json
from pathlib import Path
from uuid import uuid4

import pytest

from annotate.errors import WorkInvalid
from annotate.models import ActionLabel, WorkItem
from annotate.queue.services import claim_next
from annotate.text.events import event_in
from inference.models import ModelSpec
from inference.specs.services import add_built_in_models
from review.errors import ReviewError
from review.pairs.models import LabelPair, PairVerdict
from review.pairs.queries import contradictory_pairs, similarity_ranges, usual_threshold
from review.pairs.services import (
    examples_of,
    hand_out_pairs,
    record_pair_verdict,
    submit_pair_verdict,
)
from review.pairs.similarity import compare_labels
from review.pairs.similarity_chart import draw_similarities
from tests.cast import make_person, make_video
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair, modify
from tests.work import hold

pytestmark = pytest.mark.django_db


@pytest.fixture
def labels(project):
    captions = [
        "Forward, 2.5 somersaults, pike",
        "Forward, 3.5 somersaults, pike",
        "(Beam) switch leap with 1 turn",
    ]
    return [make_label(project, str(n), text) for n, text in enumerate(captions)]


@pytest.fixture
def clips(project, labels):
    return [labelled_clip(project, label, "train") for label in labels]


@pytest.fixture
def lexical(project):
    add_built_in_models(project=project, admin=None)
    return project.model_specs.get(backend=ModelSpec.Backend.LEXICAL)


def hand_out(project, least=0.0, people=1, **options) -> int:
    return hand_out_pairs(project=project, least=least, people=people, admin=None, **options)


def judge(item, person, kind="temporal"):
    item.refresh_from_db()
    held = hold(person, item)
    return submit_pair_verdict(
        assignment_id=held.pk,
        annotator=person,
        key=uuid4(),
        base_version=0,
        content={"kind": kind},
    )


class TestComparing:
    def test_every_two_labels_are_compared_once(self, project, labels, lexical):
        assert compare_labels(project=project, model=lexical) == 3
        similarities = {
            (pair.first_id, pair.second_id): pair.similarity for pair in LabelPair.objects.all()
        }
        first, second, third = (label.pk for label in labels)
        assert set(similarities) == {(first, second), (first, third), (second, third)}
        assert max(similarities, key=similarities.get) == (first, second)
        assert LabelPair.objects.first().encoder == lexical.name

    def test_another_comparison_keeps_what_people_decided(self, project, labels, lexical):
        make_pair(labels[0], labels[1], "event", similarity=0.1)
        compare_labels(project=project, model=lexical)
        pair = LabelPair.objects.get(first=labels[0], second=labels[1])
        assert (pair.kind, pair.similarity > 0.1) == ("event", True)

    def test_what_can_not_be_compared_is_refused(self, project, lexical):
        draft = project.model_specs.get(backend=ModelSpec.Backend.OPENCV_DRAFT)
        with pytest.raises(ReviewError, match="can't embed texts"):
            compare_labels(project=project, model=draft)
        with pytest.raises(ReviewError, match="fewer than two labels"):
            compare_labels(project=project, model=lexical)

    def test_labels_that_share_a_caption_are_as_alike_as_can_be(self, project, lexical):
        for key in ("180", "216"):
            make_label(project, key, "Round-off on the beam")
        compare_labels(project=project, model=lexical)
        pair = LabelPair.objects.get(first__key="180", second__key="216")
        assert pair.similarity == pytest.approx(1)
        chart = draw_similarities(similarity_ranges(project), 1.0)
        assert sum(bar.pairs for bar in chart.bars) == LabelPair.objects.count()

    def test_the_label_that_has_no_vector_is_named(self, project, labels, lexical):
        make_label(project, "x", "(!)")
        with pytest.raises(ReviewError, match=r"^“\(!\)”: "):
            compare_labels(project=project, model=lexical)
        assert not LabelPair.objects.exists()


class TestEvents:
    @pytest.fixture
    def turns(self, project) -> list[ActionLabel]:
        rows = [("beam", "Balance Beam", 1), ("floor", "Floor Exercise", 1),
                ("half", "Balance Beam", 0.5), ("dive", "", 2)]  # fmt: skip
        return [
            make_label(project, key, f"({event}) leap with {turn} turn", event=event)
            for key, event, turn in rows
        ]

    def test_the_same_action_in_another_event_is_as_alike_as_can_be(self, project, turns, lexical):
        compare_labels(project=project, model=lexical)
        pairs = {
            (pair.first.key, pair.second.key): pair
            for pair in LabelPair.objects.select_related("first", "second")
        }
        assert {keys for keys, pair in pairs.items() if pair.candidate == "event"} == {
            ("beam", "floor"), ("floor", "half"),
        }  # fmt: skip
        assert pairs["beam", "floor"].similarity == pytest.approx(1)
        # Of one event, and where an event is unknown, the whole captions count.
        assert pairs["beam", "half"].similarity < 1

    def test_comparing_again_brings_old_pairs_up_to_date(self, project, turns, lexical):
        make_pair(turns[0], turns[1], "", candidate="temporal", is_outdated=True)
        compare_labels(project=project, model=lexical)
        pair = LabelPair.objects.get(first=turns[0], second=turns[1])
        assert (pair.candidate, pair.is_outdated) == ("event", False)

    def test_each_change_has_a_threshold_of_its_own(self, project, turns):
        for label in turns:
            labelled_clip(project, label, "train")
        across = make_pair(turns[0], turns[1], "", similarity=0.7, candidate="event")
        make_pair(turns[0], turns[2], "", similarity=0.8)
        assert hand_out(project, least=0.9) == 0
        assert usual_threshold(project) == 0.9
        assert usual_threshold(project, "event") == 0
        assert hand_out(project, least=0.6, candidate="event") == 1
        assert WorkItem.objects.get().subject == across.pk
        assert usual_threshold(project, "event") == 0.6
        assert usual_threshold(project) == 0.9

    @pytest.mark.parametrize(
        ("kind", "second", "notice"),
        [
            ("temporal", 1, "The labels have different events: Balance Beam and Floor Exercise."),
            ("event", 2, "Both labels have the event Balance Beam."),
            ("temporal", 2, ""),
            ("event", 1, ""),
            ("reject", 1, ""),
            ("temporal", 3, ""),
            ("event", 3, ""),
        ],
    )
    def test_a_decision_against_the_events_is_noticed(self, project, turns, kind, second, notice):
        pair = make_pair(turns[0], turns[second], kind)
        assert pair.contradiction == notice
        assert contradictory_pairs(project) == bool(notice)

    def test_the_real_labels_have_their_event_changes_on_top(self, project, lexical):
        """Without events their median rank is 1,463 of 46,665 by this encoder."""
        for row in json.loads(Path("fixtures/tfcovr_labels.json").read_text()):
            caption = row["caption"]
            make_label(project, row["label"], caption, row["source"], event_in(caption))
        assert compare_labels(project=project, model=lexical) == 46_665
        ranked = LabelPair.objects.filter(candidate="event").select_related("first", "second")
        exact = [
            rank
            for rank, pair in enumerate(ranked.order_by("-similarity", "id"), 1)
            if pair.first.action == pair.second.action
        ]
        assert (len(exact), exact[20], ranked.count()) == (41, 21, 24_333)


class TestHandingOut:
    def test_the_most_alike_come_first(self, project, labels, clips, emil):
        pairs = [
            make_pair(labels[0], labels[1], "", similarity=0.5),
            make_pair(labels[0], labels[2], "", similarity=0.9),
            make_pair(labels[1], labels[2], "", similarity=0.2),
        ]
        assert hand_out(project, least=0.3) == 2
        taken = claim_next(membership=emil.memberships.get(), kind="pair")
        assert (taken.item.subject, taken.item.clip) == (pairs[1].pk, clips[0])

    def test_it_is_safe_to_repeat(self, project, labels, clips):
        make_pair(labels[0], labels[1], "")
        assert [hand_out(project), hand_out(project)] == [1, 0]

    def test_decided_pairs_and_labels_without_clips_are_left_out(self, project, labels):
        labelled_clip(project, labels[0], "train")
        make_pair(labels[0], labels[1], "")
        make_pair(labels[0], labels[2], "event")
        assert hand_out(project) == 0


class TestJudging:
    @pytest.fixture
    def pair(self, labels, clips):
        return make_pair(labels[0], labels[1], "")

    def item(self, project, people=1) -> WorkItem:
        hand_out(project, people=people)
        return WorkItem.objects.get()

    def test_one_person_decides(self, project, pair, emil):
        judge(self.item(project), emil, "event")
        pair.refresh_from_db()
        assert (pair.kind, pair.decided_at is not None) == ("event", True)

    def test_most_votes_decide_once_all_are_in(self, project, pair, emil, rita):
        eva = make_person("Eva", project, "expert")
        item = self.item(project, people=3)
        kinds = []
        for person, kind in [(emil, "event"), (rita, "reject"), (eva, "event")]:
            judge(item, person, kind)
            pair.refresh_from_db()
            kinds.append(pair.kind)
        assert kinds == ["", "", "event"]

    def test_a_draw_asks_one_more(self, project, pair, emil, rita):
        item = self.item(project, people=2)
        judge(item, emil, "event")
        judge(item, rita, "temporal")
        item.refresh_from_db()
        assert (item.needed, item.open_slots, item.state) == (3, 1, "open")
        judge(item, make_person("Eva", project, "expert"), "temporal")
        pair.refresh_from_db()
        assert pair.kind == "temporal"

    def test_a_changed_mind_adds_a_verdict_and_the_newest_counts(self, project, pair, emil):
        done = judge(self.item(project), emil, "event")
        record_pair_verdict(assignment=done, kind="reject")
        pair.refresh_from_db()
        assert pair.kind == "reject"
        assert list(PairVerdict.objects.values_list("kind", flat=True)) == ["event", "reject"]

    def test_a_pair_with_texts_stays_as_decided(self, project, pair, labels, emil):
        done = judge(self.item(project), emil, "event")
        modify(labels[0], labels[1])
        with pytest.raises(ReviewError, match="its decision is final"):
            record_pair_verdict(assignment=done, kind="reject")

    @pytest.mark.parametrize("kind", ["", "maybe", "TEMPORAL"])
    def test_anything_else_is_refused(self, project, pair, emil, kind):
        with pytest.raises(WorkInvalid, match="Choose temporal change"):
            judge(self.item(project), emil, kind)
        assert PairVerdict.objects.count() == 0


def test_examples_are_of_different_videos_first(project, labels):
    video = make_video(project)
    same = [labelled_clip(project, labels[0], "", video) for _ in range(3)]
    other = labelled_clip(project, labels[0], "train")
    pair = make_pair(labels[0], labels[1])
    first, second = examples_of(pair, 3)
    assert first == [same[0], other, same[1]]
    assert second == []
