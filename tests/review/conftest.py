"""A project with short texts, and clips that are complete and have files."""

import pytest

from review.comparisons import queries
from review.leaderboard import report as leaderboard
from tests.review.cast import complete, make_short_project, open_clip


@pytest.fixture
def project(shared):
    return shared.get("project") or make_short_project()


@pytest.fixture
def make_complete(project, anna, ben, emil, make_playable_clip):
    """A function that makes a complete clip with a real playback file."""

    def make(name="dive", **fields):
        clip = open_clip(project, name, make=make_playable_clip, **fields)
        return complete(project, clip, [anna, ben], emil)

    return make


@pytest.fixture
def counted_one_by_one(monkeypatch):
    """As if no step were needed: a few votes of a running round give numbers."""
    for module in (queries, leaderboard):
        monkeypatch.setattr(module, "VOTE_BATCH_SIZE", 1)
