"""Runs with real models: what is stored is what the model says of that very clip."""

from __future__ import annotations

import numpy as np
import pytest

from annotate.models import Caption
from inference.backends.protocols import CaptionRequest, Generation
from inference.kinds.pictures import ClipSource
from inference.loading import forget_models, load_model
from inference.models import Embedding
from inference.planning.recipes import settings_of
from inference.recipes import read_recipe
from inference.sampling import Sampling
from tests.inference.cast import make_model, make_playable_clips, run_through, start_run, states

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
FRAMES = {"kind": "middle", "count": 4}


@pytest.fixture
def clips(project, rendered_media):
    return make_playable_clips(project, rendered_media, 3)


@pytest.fixture
def models(project, qwen_folder, clip_folder, settings):
    settings.VERICAP_ALLOWED_MODELS = [str(qwen_folder), str(clip_folder)]
    small = {"min_pixels": 784, "max_pixels": 8000, "batch_size": 2, "device": "cpu"}
    yield {
        "vlm": make_model(
            project, "transformers-vlm", name="v", model_id=str(qwen_folder), parameters=small
        ),
        "clip": make_model(
            project,
            "transformers-dual",
            name="c",
            model_id=str(clip_folder),
            parameters={"device": "cpu"},
        ),
    }
    forget_models()


def test_captions_are_the_models_own(project, clips, models):
    options = {
        "prompt": "Describe it.", "system": "You see.", "use_theme": False, "sampling": FRAMES,
        "temperature": 0, "repetition_penalty": 1.3, "max_tokens": 200,
    }  # fmt: skip
    run = run_through(
        start_run(project=project, kind="caption", model=models["vlm"], options=options)
    )
    opened = load_model(settings_of(read_recipe(run.recipe).own_model))
    generation = Generation(repetition_penalty=1.3, max_tokens=200)
    expected = {}
    for clip in clips:
        frames = ClipSource.of(clip).read(Sampling.parse(FRAMES))
        request = CaptionRequest(frames, "Describe it.", "You see.")
        (expected[clip.pk],) = opened.caption([request], generation)
    assert (run.state, states(run)) == ("done", ["done"] * 3)
    assert dict(Caption.objects.values_list("clip", "text")) == expected


@pytest.mark.parametrize("name", ["vlm", "clip"])
def test_vectors_are_the_models_own(project, clips, models, name):
    run = run_through(
        start_run(project=project, kind="embed", model=models[name], options={"sampling": FRAMES})
    )
    opened = load_model(settings_of(read_recipe(run.recipe).own_model))
    assert (run.state, states(run)) == ("done", ["done"] * 3)
    for clip in clips:
        (expected,) = opened.encode_clips([ClipSource.of(clip).read(Sampling.parse(FRAMES))])
        stored = Embedding.objects.get(clip=clip)
        assert stored.dimension == opened.dimension
        assert np.abs(np.frombuffer(stored.vector, "<f4") - expected).max() < 1e-4
