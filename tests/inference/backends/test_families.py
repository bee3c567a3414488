"""Families of video-language models with random weights, through the backend of a worker."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from inference.backends.protocols import (
    BackendError,
    CaptionRequest,
    ClipFrames,
    ComposedQuery,
    Generation,
    ModelSettings,
)
from tests.inference.backends.conftest import SMALL
from tests.inference.backends.tiny_families import TINY, save_family
from tests.inference.backends.tiny_models import moving_clip

# Of processors with NumPy 2.
pytestmark = pytest.mark.filterwarnings("ignore:__array:DeprecationWarning")
NEED_TORCHVISION = {"molmo2"}
# Their own videos, which torchvision reads, have no times.
TIMELESS = {"internvl", "llava_next_video", "llava_onevision", "minicpmv4_6"}
# The text before or after the frame at 5 s, or before the step of the frames at 0 and 5 s.
TIMES = {
    "qwen3_vl": "<2.5 seconds><|vision_start|><|video_pad|>",
    "qwen3_5": "<2.5 seconds><|vision_start|><|video_pad|>",
    "internvl": "Frame2 (5.0 seconds): <img>",
    "llava_onevision": "<5.0 seconds><image>",
    "llava_next": "<5.0 seconds><image>",
    "llava_next_video": "<5.0 seconds><image>",
    "smolvlm": "Frame from 00:05:<fake_token_around_image>",
    "video_llama_3": "Time 5.0s:<image>",
    "glm46v": "<|end_of_image|>5.0 seconds",
    "gemma3": "<5.0 seconds>\n\n<start_of_image>",
    "gemma4": "00:05 <|image>",
    "minicpmv4_6": "<5.0 seconds><image_start>",
    "qwen2_5_omni": "<5.0 seconds><|vision_bos|>",
}


def settings_of(folder, **parameters) -> ModelSettings:
    return ModelSettings("transformers-vlm", str(folder), parameters={**SMALL, **parameters})


def family_of(model) -> str:
    return model.model.config.model_type.removesuffix("_thinker")


def requests() -> list[CaptionRequest]:
    return [
        CaptionRequest(moving_clip(1, frames=3), "Describe the video in detail."),
        CaptionRequest(moving_clip(2, frames=5), "What happens?", system="You watch videos."),
        CaptionRequest(moving_clip(3, frames=3, width=112), "Describe it."),
    ]


@pytest.fixture(scope="module", params=sorted(TINY.keys() - NEED_TORCHVISION))
def model(request, tmp_path_factory, one_thread):
    from inference.backends.transformers_vlm import load

    return load(settings_of(save_family(tmp_path_factory.mktemp("family"), request.param)))


@pytest.fixture
def ended(model, monkeypatch):
    """The model, the text that it writes for the first request, and that text's tokens: a token
    that it writes after some others ends its texts.
    """
    import torch
    from transformers import GenerationConfig

    first = requests()[0]
    turn = model.chat.turn(first.prompt, model.chat.eye.video(first.clip))
    endless = GenerationConfig(max_new_tokens=12, do_sample=False)
    with torch.inference_mode(), monkeypatch.context() as patched:
        patched.setattr(model.model.generation_config, "eos_token_id", None)
        packed = model.chat.pack([turn], model.model.device)
        written = model.model.generate(**packed, generation_config=endless)[0, len(turn) :].tolist()
    length = max(written.index(token) for token in written)
    stop = written[length]
    monkeypatch.setattr(model, "stops", [stop])
    monkeypatch.setattr(model.model, "generation_config",
                        GenerationConfig(eos_token_id=[stop], pad_token_id=stop))  # fmt: skip
    text = model.chat.tokenizer.decode(written[:length], skip_special_tokens=True).strip()
    return model, text, length


def test_a_caption_ends_with_its_token_and_is_the_same_alone_and_in_a_batch(ended):
    model, text, length = ended
    generation = Generation(max_tokens=12)
    together = model.caption(requests(), generation)
    assert str(together[0]) == text or together[0].code == "empty"
    alone = [model.caption([request], generation)[0] for request in requests()]
    assert [str(answer) for answer in together] == [str(answer) for answer in alone]
    codes = {answer.code for answer in together if isinstance(answer, BackendError)}
    assert codes <= {"cut_off", "empty"}
    if length:
        (cut,) = model.caption(requests()[:1], Generation(max_tokens=length))
        assert cut.code == "cut_off"


def test_vectors_depend_on_frames_and_times_and_not_on_the_batch(model):
    clips = [request.clip for request in requests()]
    together = model.encode_clips(clips)
    for clip, vector in zip(clips, together, strict=True):
        assert np.abs(model.encode_clips([clip])[0] - vector).max() < 1e-4
    first = clips[0]
    others = [replace(first, frames=255 - first.frames)]
    if not (getattr(model.chat, "sees_videos", False) and family_of(model) in TIMELESS):
        others.append(replace(first, fps=0.25))
    for other in others:
        assert np.abs(model.encode_clips([other])[0] - together[0]).max() > 1e-3
    assert model.encode_frames(first).shape == (3, model.dimension)
    queries = [ComposedQuery(first, "It is longer."), ComposedQuery(clips[1], "No.")]
    for query, vector in zip(queries, model.encode_composed(queries), strict=True):
        assert np.abs(model.encode_composed([query])[0] - vector).max() < 1e-4
    assert all(isinstance(vector, np.ndarray) for vector in model.encode_texts(["A dog.", "No."]))


def test_each_frame_has_its_time_and_prompts_end_at_the_right(model):
    import torch

    family = family_of(model)
    slow = ClipFrames(moving_clip(1, frames=3).frames, (0, 5, 10), 15, 1.0)
    turns = [model.chat.turn("Describe it.", model.chat.eye.video(slow)),
             model.chat.turn("Say what you see.", model.chat.eye.video(slow))]  # fmt: skip
    bare = model.chat.turn("Say.", model.chat.eye.video(slow), layout="{media}{text}")
    assert len(bare) < len(turns[0])
    if not getattr(model.chat, "sees_videos", False):
        assert TIMES[family] in model.chat.tokenizer.decode(turns[0].ids)
        assert TIMES[family].split("<")[0] in model.chat.tokenizer.decode(bare.ids)
    packed = model.chat.pack(turns, torch.device("cpu"))
    for turn, ids, mask in zip(turns, packed["input_ids"], packed["attention_mask"], strict=True):
        assert ids[-len(turn) :].tolist() == list(turn.ids)
        assert (int(mask.sum()), mask[-1]) == (len(turn), 1)


def test_a_text_that_steers_a_family_is_refused(model):
    for mark in TINY[family_of(model)].marks.values():
        (answer,) = model.encode_texts([f"A {mark} dog."])
        assert answer.code == "bad_text"


def test_qwen3_vl_reads_times_as_its_processor_writes_them(tmp_path, one_thread):
    from transformers.video_utils import VideoMetadata

    from inference.backends.hf.opening import read_config
    from inference.backends.hf.processors import _pictures_only
    from inference.backends.transformers_vlm import load

    settings = settings_of(save_family(tmp_path, "qwen3_vl"))
    chat = load(settings).chat
    clip = moving_clip(2, frames=5)
    picture = chat.eye.video(clip)
    metadata = VideoMetadata(clip.length, fps=clip.fps, frames_indices=list(clip.numbers))
    library = _pictures_only(settings, read_config(settings)).replace_video_token(
        {"video_grid_thw": np.array([picture.grid]), "video_metadata": [metadata]}, 0
    )
    assert library in chat.tokenizer.decode(chat.turn("Say.", picture).ids)


@pytest.mark.parametrize("family", ["molmo2", "internvl"])
def test_a_model_that_cant_be_shown_a_clip_is_refused_by_name(family, tmp_path, one_thread):
    from transformers.utils import is_torchvision_available

    from inference.backends.transformers_vlm import load

    folder = save_family(tmp_path / "model", family)
    if family in NEED_TORCHVISION:
        if is_torchvision_available():
            pytest.skip("torchvision is here")
        reason = "torchvision"
    else:
        (folder / "chat_template.jinja").unlink()
        reason = "chat template"
    with pytest.raises(BackendError) as refused:
        load(settings_of(folder))
    assert refused.value.code == "not_runnable"
    assert str(refused.value).startswith(f"{folder} is a {family} model, whose processor")
    assert reason in str(refused.value)


def test_code_of_a_familys_processor_is_never_run(tmp_path, one_thread):
    from inference.backends.transformers_vlm import load

    folder = save_family(tmp_path / "coded", "smolvlm")
    ran = tmp_path / "ran"
    (folder / "own.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Own: pass\n")
    for file in ("processor_config", "preprocessor_config", "tokenizer_config"):
        path = folder / f"{file}.json"
        names = ("AutoProcessor", "AutoImageProcessor", "AutoVideoProcessor", "AutoTokenizer")
        own = dict.fromkeys(names, "own.Own") | {"AutoTokenizer": ["own.Own", None]}
        path.write_text(json.dumps(json.loads(path.read_text()) | {"auto_map": own}))
    load(settings_of(folder))  # By the classes of the library.
    assert not ran.exists()
