"""A real CLIP and a real SigLIP of random weights, through the backend that a worker loads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inference.backends.protocols import BackendError, ClipFrames, ModelSettings
from tests.inference.backends import tiny_models
from tests.inference.backends.tiny_models import TEXT_LIMIT, moving_clip

TEXTS = ["A dog.", "A boy throws a ball.", "Snow", ""]


@pytest.fixture(params=["clip_model", "siglip_model"])
def encoder(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module", params=["xclip", "videoprism"])
def video_encoder(request, tmp_path_factory, one_thread):
    from inference.backends.transformers_dual import load

    folder = getattr(tiny_models, f"save_{request.param}")(tmp_path_factory.mktemp(request.param))
    return load(ModelSettings("transformers-dual", str(folder), parameters={"device": "cpu"}))


def clips() -> list[ClipFrames]:
    return [moving_clip(1, 3), moving_clip(2, 8), moving_clip(3, 5, height=90)]


def test_vectors_are_the_same_alone_and_in_a_batch(encoder):
    for encode, inputs in ((encoder.encode_clips, clips()), (encoder.encode_texts, TEXTS)):
        together = encode(inputs)
        for item, vector in zip(inputs, together, strict=True):
            assert vector.shape == (encoder.dimension,)
            assert vector.dtype == np.float32
            assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)
            assert np.abs(encode([item])[0] - vector).max() < 1e-4
        assert np.abs(together[0] - together[1]).max() > 1e-3


def test_frames_and_texts_are_what_transformers_computes(clip_model, siglip_model):
    import torch

    # SigLIP reads its filling too: that is how it was trained.
    filled = {"padding": "max_length", "return_attention_mask": False}
    for encoder, how in ((clip_model, {}), (siglip_model, filled)):
        frames = clips()[0].frames
        seen = encoder.processor(
            images=list(frames), input_data_format="channels_last", return_tensors="pt"
        )
        with torch.inference_mode():
            pictures = encoder.model.get_image_features(**seen).pooler_output
            words = encoder.tokenizer(TEXTS[0], return_tensors="pt", **how)
            text = encoder.model.get_text_features(**words).pooler_output
            both = torch.nn.functional.normalize(torch.cat([pictures, text]), dim=-1).numpy()
        assert np.abs(encoder.encode_frames(clips()[0]) - both[:3]).max() < 1e-5
        assert np.abs(encoder.encode_texts(TEXTS[:1])[0] - both[3]).max() < 1e-5


def test_a_clip_is_the_normalized_mean_of_its_frames(encoder):
    for clip, vector in zip(clips(), encoder.encode_clips(clips()), strict=True):
        mean = encoder.encode_frames(clip).mean(axis=0)
        assert np.abs(vector - mean / np.linalg.norm(mean)).max() < 1e-5


def test_clips_share_batches_of_pictures(encoder, monkeypatch):
    expected = encoder.encode_clips(clips())
    sizes = []
    compute = encoder._picture_vectors
    monkeypatch.setattr(
        encoder, "_picture_vectors", lambda batch: sizes.append(len(batch)) or compute(batch)
    )
    monkeypatch.setattr(encoder, "batch_size", 1)
    vectors = encoder.encode_clips(clips())
    assert sizes == [8, 8]
    for vector, expected_vector in zip(vectors, expected, strict=True):
        assert np.abs(vector - expected_vector).max() < 1e-5


def test_a_text_is_cut_at_the_limit(encoder):
    """A mark at either end leaves room for two letters less."""
    assert encoder.text_limit == TEXT_LIMIT
    full, longer, shorter = encoder.encode_texts(
        ["x" * (TEXT_LIMIT - 2), "x" * 400, "x" * (TEXT_LIMIT - 3)]
    )
    assert np.abs(full - longer).max() < 1e-5
    assert np.abs(full - shorter).max() > 1e-5


def test_a_long_text_can_be_read_in_windows(encoder, monkeypatch):
    """The mean of the vectors of the parts that fit between the marks, as if each were a text."""
    room = TEXT_LIMIT - 2
    parts = ["x" * room, "y" * room, "yz"]
    monkeypatch.setattr(encoder, "has_windows", True)
    vector, short = encoder.encode_texts(["".join(parts), "yz"])
    monkeypatch.setattr(encoder, "has_windows", False)
    mean = np.mean(encoder.encode_texts(parts), axis=0)
    assert np.abs(vector - mean / np.linalg.norm(mean)).max() < 1e-5
    assert np.abs(short - encoder.encode_texts(["yz"])[0]).max() < 1e-5
    assert np.abs(vector - encoder.encode_texts(["".join(parts)])[0]).max() > 1e-3


def test_a_tokenizer_in_python_gives_the_same_windows(clip_model, monkeypatch):
    fast = clip_model.tokenizer
    texts = ["", "x", "xyz" * TEXT_LIMIT]
    expected = [clip_model._windows(text) for text in texts]
    assert [len(windows) for windows in expected] == [1, 1, 4]

    class InPython:
        is_fast = False

        def __call__(self, *args, **how):
            return fast(*args, **how)

        def num_special_tokens_to_add(self):
            return 2

        def build_inputs_with_special_tokens(self, ids):
            return [fast.bos_token_id, *ids, fast.eos_token_id]

    monkeypatch.setattr(clip_model, "tokenizer", InPython())
    assert [clip_model._windows(text) for text in texts] == expected


@pytest.mark.parametrize(
    "frames",
    [
        np.zeros((0, 56, 84, 3), np.uint8),
        np.zeros((3, 56, 84), np.uint8),
        np.zeros((3, 56, 84, 3), np.float32),
    ],
)
def test_a_broken_clip_fails_alone(encoder, frames):
    first, second, third = clips()
    broken = replace(second, frames=frames)
    answers = encoder.encode_clips([first, broken, third])
    expected = encoder.encode_clips([first, third])
    assert np.abs(answers[0] - expected[0]).max() < 1e-5
    assert np.abs(answers[2] - expected[1]).max() < 1e-5
    assert isinstance(answers[1], BackendError)
    assert answers[1].code == "bad_frames"
    assert str(answers[1]).endswith("from a backup.")
    with pytest.raises(BackendError):
        encoder.encode_frames(broken)


def test_a_vector_that_is_not_finite_is_an_error(encoder):
    from inference.backends.hf.batches import unit

    for numbers in ([np.nan, 1], [np.inf, 1], [0, 0]):
        assert unit(np.array(numbers, np.float32)).code == "bad_vector"


def test_without_requests_there_are_no_answers(encoder):
    assert encoder.encode_clips([]) == []
    assert encoder.encode_texts([]) == []


def test_each_token_has_a_vector_and_the_last_is_the_texts(clip_model):
    tokens = clip_model.encode_tokens(TEXTS[1])
    ids = clip_model.tokenizer(TEXTS[1])["input_ids"]
    assert tokens.shape == (len(ids), clip_model.dimension)
    assert np.linalg.norm(tokens, axis=1) == pytest.approx(np.ones(len(ids)), abs=1e-6)
    assert np.abs(tokens[-1] - clip_model.encode_texts([TEXTS[1]])[0]).max() < 1e-5


def test_siglip_has_no_vectors_of_tokens(siglip_model):
    with pytest.raises(BackendError, match=r"Choose EVQAScore v3"):
        siglip_model.encode_tokens(TEXTS[1])


def test_a_video_encoder_sees_a_clip_as_a_whole(video_encoder):
    """With as many frames as it was trained on, in their order."""
    import torch

    encoder, [first, *_] = video_encoder, clips()
    frames = first.frames[[0, 1, 1, 2]]
    drawn = encoder._draw(list(frames))["pixel_values"]
    with torch.inference_mode():
        plain = encoder.model.get_video_features(drawn[None]).pooler_output.reshape(1, -1)
        expected = torch.nn.functional.normalize(plain, dim=-1)[0].numpy()
    together = encoder.encode_clips(clips())
    assert np.abs(together[0] - expected).max() < 1e-5
    assert together[0].shape == encoder.encode_texts(TEXTS)[0].shape == (encoder.dimension,)
    turned = replace(first, frames=first.frames[::-1])
    assert np.abs(encoder.encode_clips([turned])[0] - together[0]).max() > 1e-4
    assert encoder.encode_frames(first).shape == (3, encoder.dimension)
    broken = encoder.encode_clips([first, replace(first, frames=np.zeros((3, 3)))])
    assert np.abs(broken[0] - together[0]).max() < 1e-5
    assert broken[1].code == "bad_frames"


def test_a_class_without_a_vector_for_each_is_refused(tmp_path, one_thread):
    from inference.backends.transformers_dual import load

    folder = tiny_models.save_blip2(tmp_path / "blip2")
    with pytest.raises(BackendError, match=r" is a blip-2 model, whose class .* Choose a model su"):
        load(ModelSettings("transformers-dual", str(folder), parameters={"device": "cpu"}))


def test_the_retrieval_model_of_blip2_has_a_vector_of_each(tmp_path, one_thread):
    """Its picture's is the mean over its query tokens, which its own scores take the best of."""
    import torch
    from transformers import Blip2ForImageTextRetrieval

    from inference.backends.transformers_dual import load

    family = "Blip2ForImageTextRetrieval"
    folder = tiny_models.save_blip2(tmp_path / "blip2", family)
    encoder = load(ModelSettings("transformers-dual", str(folder), parameters={"device": "cpu"}))
    [clip, *_] = clips()
    seen = encoder._draw(list(clip.frames))["pixel_values"]
    read = encoder.tokenizer(TEXTS[:1], return_tensors="pt")
    plain = Blip2ForImageTextRetrieval.from_pretrained(folder).eval()
    with torch.inference_mode():
        both = plain(seen, read["input_ids"], read["attention_mask"])
    expected = torch.nn.functional.normalize(both.image_embeds.mean(1), dim=-1).numpy()
    assert np.abs(encoder.encode_frames(clip) - expected).max() < 1e-5
    assert np.abs(encoder.encode_texts(TEXTS[:1])[0] - both.text_embeds[0].numpy()).max() < 1e-5
    assert encoder.dimension == 20
