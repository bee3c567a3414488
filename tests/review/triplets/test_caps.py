"""Limits of the train split, drawn evenly over directions, and the concentration they leave."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.triplets.caps import Caps, balance, draw_triplets, share_of_largest
from review.triplets.concentration import concentration_of
from review.triplets.models import Triplet
from review.triplets.possible import clips_by_label, usable_modifications
from review.triplets.sets import generate, start_triplet_set
from review.triplets.train_plan import plan_train
from tests.review.triplets.triplets import labelled_clip, make_label, modify


class TestBalance:
    @pytest.mark.parametrize(
        ("size", "kept"),
        [
            (0, {1: 2, 2: 30, 3: 100}),
            (200, {1: 2, 2: 30, 3: 100}),
            (62, {1: 2, 2: 30, 3: 30}),
            (22, {1: 2, 2: 10, 3: 10}),
            (3, {1: 1, 2: 1, 3: 1}),
        ],
    )
    def test_small_directions_are_used_up_and_large_ones_cut_to_one_level(self, size, kept):
        assert balance({1: 2, 2: 30, 3: 100}, size, seed=0) == kept

    @given(st.dictionaries(st.integers(), st.integers(0, 50), min_size=1), st.integers(1, 300))
    def test_the_size_is_met_and_no_direction_could_give_to_a_smaller_one(self, possible, size):
        kept = balance(possible, size, seed=3)
        assert sum(kept.values()) == min(size, sum(possible.values()))
        cut = [kept[key] for key in possible if kept[key] < possible[key]]
        assert all(kept[key] <= possible[key] for key in possible)
        assert not cut or max(kept.values()) - min(cut) <= 1

    def test_the_seed_draws_who_gets_what_is_left_over(self):
        drawn = {tuple(balance(dict.fromkeys(range(9), 5), 10, seed).values()) for seed in range(9)}
        assert len(drawn) > 1


class TestDrawing:
    QUERIES = [(1, [11, 12, 13]), (2, [21, 22]), (3, [31])]

    @pytest.mark.parametrize(("number", "per_query"), [(6, 0), (4, 0), (4, 2), (1, 1), (0, 0)])
    def test_it_takes_as_many_as_asked_of_queries_within_their_limit(self, number, per_query):
        drawn = list(draw_triplets(self.QUERIES, number, per_query, Random(1)))
        possible = dict(self.QUERIES)
        assert sum(len(targets) for _, targets in drawn) == number
        for clip, targets in drawn:
            assert 0 < len(targets) == len(set(targets)) <= (per_query or 3)
            assert set(targets) <= set(possible[clip])

    def test_each_triplet_is_equally_likely(self):
        counts = dict.fromkeys((11, 12, 13, 21, 22, 31), 0)
        for seed in range(600):
            for _, targets in draw_triplets(self.QUERIES, 2, 0, Random(seed)):
                for target in targets:
                    counts[target] += 1
        assert sum(counts.values()) == 1200
        assert all(150 < number < 250 for number in counts.values())


def test_the_share_of_the_ten_largest():
    assert share_of_largest([5] * 10 + [1] * 50) == 0.5
    assert share_of_largest([3]) == 1
    assert share_of_largest([]) is None


@pytest.mark.django_db
class TestSets:
    @pytest.fixture
    def texts(self, project):
        """Two directions in train, of 12 and of 4 possible triplets, and one test query."""
        labels = [make_label(project, key) for key in ("107b", "109b", "307c")]
        for label, number in zip(labels, (4, 3, 1), strict=True):
            for _ in range(number):
                labelled_clip(project, label, "train")
        for label in labels[:2]:
            labelled_clip(project, label, "test")
        return [modify(labels[0], labels[1]), modify(labels[0], labels[2], "show it inward")]

    def make(self, project, caps, seed=0):
        made = start_triplet_set(project=project, seed=seed, most_targets=10, admin=None, caps=caps)
        return generate(triplets=made)

    def numbers(self, made, texts) -> list[int]:
        rows = Triplet.objects.filter(query__triplets=made, query__split="train")
        return [rows.filter(query__modification=text).count() for text in texts]

    @pytest.mark.parametrize(
        ("caps", "numbers"),
        [
            (Caps(), [12, 4]),
            (Caps(per_query=2), [8, 4]),
            (Caps(per_direction=5), [5, 4]),
            (Caps(triplets=8), [4, 4]),
            (Caps(per_query=1, per_direction=3, triplets=5), None),
        ],
    )
    def test_the_plan_is_what_a_set_gets(self, project, texts, caps, numbers):
        plan = plan_train(
            clips_by_label(project), usable_modifications(project), caps, is_apart=False, seed=0
        )
        made = self.make(project, caps)
        stored = self.numbers(made, texts)
        assert stored == [plan.kept[text.pk] for text in texts]
        assert sum(stored) == plan.steps[-1].triplets
        assert stored == numbers or (numbers is None and sum(stored) == 5)
        # Test is as without limits.
        assert made.triplet_count == sum(stored) + 1

    def test_the_same_seed_draws_the_same(self, project, texts):
        drawn = [
            set(Triplet.objects.filter(query__triplets=made).values_list("query__clip", "target"))
            for made in (self.make(project, Caps(triplets=6), seed) for seed in (1, 1, 2))
        ]
        assert drawn[0] == drawn[1] != drawn[2]

    def test_the_plan_says_what_each_limit_leaves_out(self, project, texts):
        plan = plan_train(
            clips_by_label(project),
            usable_modifications(project),
            Caps(per_query=2, triplets=6),
            is_apart=False,
            seed=0,
        )
        assert [(step.triplets, step.left_out) for step in plan.steps] == [(16, 0), (12, 4), (6, 6)]

    def test_a_set_tells_its_concentration(self, project, texts):
        parts, figure = concentration_of(self.make(project, Caps()))
        assert [(part.split, part.directions, part.triplets, part.most) for part in parts] == [
            ("train", 2, 16, 12), ("test", 1, 1, 1),
        ]  # fmt: skip
        assert [row[1:] for row in figure.rows] == [("75.0 %", 12), ("25.0 %", 4)]
