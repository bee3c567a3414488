"""Runs on small real clips with a captioner whose replies the test decides."""

from __future__ import annotations

import pytest

from inference.backends.protocols import BackendError
from tests.inference.cast import make_model, make_playable_clips


class Scripted:
    """A captioner that says what its clip's length is, or what a test tells it to say."""

    def __init__(self):
        self.batches: list[list[int]] = []
        self.replies: dict[int, object] = {}
        self.before_reply = lambda: None

    def caption(self, requests, generation):
        lengths = [request.clip.length for request in requests]
        self.batches.append(lengths)
        self.before_reply()
        replies = [self.replies.get(n, f"A clip of {n} frames.") for n in lengths]
        for reply in replies:
            if isinstance(reply, Exception) and not isinstance(reply, BackendError):
                raise reply
        return replies


@pytest.fixture
def captioner(monkeypatch):
    scripted = Scripted()
    monkeypatch.setattr("inference.kinds.caption.load_model", lambda settings: scripted)
    return scripted


@pytest.fixture
def draft_model(project):
    return make_model(project)


@pytest.fixture
def clips(project, rendered_media):
    """Five clips of 10 frames each."""
    return make_playable_clips(project, rendered_media, 5)
