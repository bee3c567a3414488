"""Real clips, and an encoder whose space the tests can work out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from annotate.models import Caption
from annotate.text.words import count_words
from inference.backends.protocols import BackendError
from inference.devices import processor_name
from tests.inference.cast import make_model, make_playable_clips


class HandMade:
    """A dual encoder of 4 numbers: a text that says "good" lies near the pictures, others don't."""

    dimension = 4
    picture = np.array([1, 0, 0, 0], dtype=np.float32)
    good = np.array([0.6, 0.8, 0, 0], dtype=np.float32)
    bad = np.array([0.1, 0, np.sqrt(0.99), 0], dtype=np.float32)

    def encode_frames(self, clip):
        return np.tile(self.picture, (len(clip.frames), 1))

    def encode_clips(self, clips):
        return [self.picture for _ in clips]

    def encode_texts(self, texts):
        return [
            BackendError("no_words", "There is no word.") if not text.strip()
            else self.good if "good" in text else self.bad
            for text in texts
        ]  # fmt: skip


@pytest.fixture
def load(monkeypatch):
    """What each backend loads as, whichever kind asks for it, on this machine's processor."""
    models = {"lexical": HandMade()}

    def load_model(settings):
        return models[settings.backend]

    for kind in ("theme", "caption", "embed", "scoring", "refine", "fuse"):
        monkeypatch.setattr(f"inference.kinds.{kind}.load_model", load_model)
    # Asking the backends themselves would load torch.
    monkeypatch.setattr("inference.kinds.devices.device_of", lambda settings: processor_name())
    return models


@pytest.fixture
def encoder(project):
    return make_model(project, "lexical")


@pytest.fixture
def clips(project, rendered_media):
    return make_playable_clips(project, rendered_media, 2)


@pytest.fixture
def write(project):
    """A function that stores a machine caption of a clip."""

    def make(clip, text, **fields):
        values = {"kind": "general", "source": "machine", **fields}
        return Caption.objects.create(
            project=clip.project, clip=clip, text=text, word_count=count_words(text), **values
        )

    return make
