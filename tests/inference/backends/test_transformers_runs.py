"""Runs with real models: what is stored is what the model says of that very clip."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from annotate.models import Caption
from inference.backends.protocols import CaptionRequest, Generation
from inference.kinds import scoring
from inference.kinds.pictures import ClipSource
from inference.loading import forget_models, load_model
from inference.models import Embedding, QualityScore
from inference.planning.presets import lovr_score_options
from inference.planning.recipes import settings_of
from inference.recipes import read_recipe
from inference.sampling import Sampling
from metrics.evqascore import evqascore, mean_direction
from tests.inference.cast import make_model, make_playable_clips, run_through, start_run, states

pytestmark = pytest.mark.django_db
FRAMES = {"kind": "middle", "count": 4}


@pytest.fixture
def clips(project, rendered_media):
    return make_playable_clips(project, rendered_media, 3)


@pytest.fixture
def models(project, qwen_folder, clip_folder, detector_folder, settings):
    settings.VERICAP_ALLOWED_MODELS = [*map(str, (qwen_folder, clip_folder, detector_folder))]
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
    models[name].refresh_from_db()
    weights = Path(models[name].model_id, "model.safetensors").read_bytes()
    assert models[name].weights_sha256 == sha256(weights).hexdigest()
    for clip in clips:
        (expected,) = opened.encode_clips([ClipSource.of(clip).read(Sampling.parse(FRAMES))])
        stored = Embedding.objects.get(clip=clip)
        assert stored.dimension == opened.dimension
        assert np.abs(np.frombuffer(stored.vector, "<f4") - expected).max() < 1e-4


@pytest.mark.parametrize(("threshold", "compared"), [(0.0, "regions"), (1.0, "whole frames")])
def test_a_score_compares_keywords_with_regions(
    project, clips, models, detector_folder, settings, monkeypatch, threshold, compared
):
    settings.VERICAP_MODEL_SERVERS = {"here": object()}
    make_model(project, "openai-compatible", name="n", model_id="a", parameters={"server": "here"})
    detector = make_model(
        project,
        "transformers-detector",
        name="d",
        model_id=str(detector_folder),
        parameters={"device": "cpu", "threshold": threshold},
    )

    class Namer:
        def complete(self, prompts, generation, *, system=""):
            return ["dog, red ball" for _ in prompts]

    monkeypatch.setattr(
        scoring,
        "load_model",
        lambda model: Namer() if model.backend == "openai-compatible" else load_model(model),
    )
    text = "A dog plays with a red ball."
    Caption.objects.create(
        project=project, clip=clips[0], kind="general", source="machine", text=text, word_count=7
    )
    models["vlm"].delete()
    options = lovr_score_options(project.model_specs.order_by("name"))
    run = run_through(
        start_run(project=project, kind="score", model=models["clip"], options=options.as_dict())
    )
    recipe = read_recipe(run.recipe)
    assert (run.state, recipe.detector.spec) == ("done", detector.pk)
    score = QualityScore.objects.get()
    frames = ClipSource.of(clips[0]).read(Sampling("every", step=30))
    encoder, finder = (load_model(settings_of(each)) for each in (recipe.model, recipe.detector))
    whole = encoder.encode_frames(frames)
    crops = [
        frame[top:bottom, left:right]
        for frame, boxes in zip(frames.frames, finder.find_boxes(frames), strict=True)
        for left, top, right, bottom in boxes
    ]
    words = np.stack(encoder.encode_texts(["dog", "red ball", text]))
    local = np.stack(encoder._encode_pictures(crops)) if crops else whole
    expected = evqascore(local, words[:2], mean_direction(whole), words[2])
    assert score.value == pytest.approx(expected.score, abs=1e-5)
    assert (score.details["compared"], score.details["n_frames"]) == (compared, len(local))
    assert f"every 30th frame, regions by {detector_folder}"[:60] in score.scorer_name
