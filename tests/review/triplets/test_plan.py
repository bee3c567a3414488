"""Which source video goes into which split."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.models import Video
from review.triplets.split_plan import Shares, Source, fill, plan_splits

TRAIN, VALIDATION, TEST = Video.Split
USUAL = Shares(60, 20, 20)


def source(name: str, **clips: int) -> Source:
    return Source(name, (), Counter({int(label[1:]): n for label, n in clips.items()}))


def labels_in(sources, plan, split) -> set[int]:
    return {label for source in sources if plan[source.name] == split for label in source.labels}


def test_test_gets_the_video_whose_labels_others_have_too():
    sources = [
        source("alone", l1=4, l2=4),
        source("common", l3=4, l4=4),
        source("like-common", l3=4, l4=4),
        source("other", l3=8, l5=4),
    ]
    plan = plan_splits(sources, Shares(75, 0, 25), seed=0)
    assert plan["alone"] == TRAIN
    assert labels_in(sources, plan, TEST) == {3, 4}
    assert labels_in(sources, plan, TRAIN) == {1, 2, 3, 4, 5}


def test_each_split_comes_near_its_share():
    sources = [source(f"v{n}", **{f"l{n % 7}": 5, f"l{n % 5}": 5}) for n in range(50)]
    plan = plan_splits(sources, USUAL, seed=3)
    clips = Counter()
    for video in sources:
        clips[plan[video.name]] += video.clips
    total = sum(clips.values())
    assert clips[TEST] / total == pytest.approx(0.2, abs=0.02)
    assert clips[VALIDATION] / total == pytest.approx(0.2, abs=0.02)
    assert labels_in(sources, plan, TEST) == labels_in(sources, plan, TRAIN)


def test_a_split_without_a_share_gets_nothing_and_one_with_a_share_something():
    sources = [source("a", l1=1), source("b", l1=100), source("c", l1=1)]
    assert set(plan_splits(sources, Shares(100, 0, 0), 0).values()) == {TRAIN}
    assert set(plan_splits(sources, Shares(98, 1, 1), 0).values()) == set(Video.Split)


def test_the_seed_decides_between_equals_and_the_order_does_not():
    sources = [source(f"v{n}", l1=1) for n in range(20)]
    plans = [plan_splits(sources, USUAL, seed) for seed in range(5)]
    assert len({tuple(plan[s.name] for s in sources) for plan in plans}) > 1
    assert plan_splits(sources[::-1], USUAL, 4) == plans[4]


@given(
    st.lists(
        st.dictionaries(st.integers(1, 8), st.integers(1, 20), min_size=1), min_size=3, max_size=12
    ),
    st.integers(0, 5),
)
def test_every_source_has_one_split_and_each_split_a_source(labels, seed):
    sources = [Source(f"v{n}", (n,), Counter(counts)) for n, counts in enumerate(labels)]
    plan = plan_splits(sources, USUAL, seed)
    assert set(plan) == {source.name for source in sources}
    assert set(plan.values()) == set(Video.Split)


def test_each_split_has_at_least_so_many_sources():
    sources = [source(f"v{n}", l1=100 if n < 2 else 1) for n in range(8)]
    plan = plan_splits(sources, Shares(90, 5, 5), seed=0, min_sources=2)
    assert min(Counter(plan.values()).values()) >= 2
    assert set(plan.values()) == set(Video.Split)


def plainly(sources, share, keep, least):
    """Make the same choice by computing what every source adds at each step."""
    taken, free = [], list(sources)
    target = sum(video.clips for video in sources) * share / 100
    while target and len(free) > keep:
        clips = sum(video.clips for video in taken)
        fitting = [video for video in free if clips + video.clips / 2 <= target]
        if not fitting and len(taken) >= least:
            break
        left = Counter(label for video in free for label in video.labels)
        covered = {label for video in taken for label in video.labels}
        added = [
            sum(-1 if left[label] == 1 else label not in covered for label in video.labels)
            for video in fitting or free
        ]
        taken.append((fitting or free)[added.index(max(added))])
        free.remove(taken[-1])
    return taken


COUNTS = st.dictionaries(st.integers(1, 8), st.integers(1, 9), min_size=1, max_size=4)


@given(st.lists(COUNTS, min_size=2, max_size=20), st.integers(0, 60), st.integers(1, 3))
def test_it_chooses_what_the_plain_rule_chooses(counts, share, least):
    sources = [Source(f"v{n}", (), Counter(labels)) for n, labels in enumerate(counts)]
    target = sum(video.clips for video in sources) * share / 100
    assert fill(sources, target, least, least) == plainly(sources, share, least, least)
