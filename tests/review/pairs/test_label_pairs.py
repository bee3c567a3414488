"""Label pairs: how alike, handed out, judged."""

from uuid import uuid4

import pytest

from annotate.errors import WorkInvalid
from annotate.models import WorkItem
from annotate.queue.services import claim_next
from inference.models import ModelSpec
from inference.specs.services import add_built_in_models
from review.errors import ReviewError
from review.pairs.models import LabelPair, PairVerdict
from review.pairs.queries import similarity_ranges
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


def hand_out(project, least=0.0, people=1) -> int:
    return hand_out_pairs(project=project, least=least, people=people, admin=None)


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
        found = {
            (pair.first_id, pair.second_id): pair.similarity for pair in LabelPair.objects.all()
        }
        first, second, third = (label.pk for label in labels)
        assert set(found) == {(first, second), (first, third), (second, third)}
        assert max(found, key=found.get) == (first, second)
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

    def test_who_thinks_again_adds_a_verdict_and_the_newest_counts(self, project, pair, emil):
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
