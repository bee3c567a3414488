"""Video-language models through transformers: captions, texts and one-word embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
import torch
from transformers import (
    AutoModelForImageTextToText,
    AutoTokenizer,
    GenerationConfig,
    LogitsProcessorList,
)
from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

from inference.backends.hf.batches import (
    answer_each,
    check_frames,
    mean_of_parts,
    stacked,
    units,
)
from inference.backends.hf.chat import Chat, QwenChat, Turn
from inference.backends.hf.drawing import SeededDraw, seed_of
from inference.backends.hf.opening import device_name as device_name
from inference.backends.hf.opening import (
    open_weights,
    opening,
    origin,
    place,
    read_config,
    whole_number,
)
from inference.backends.hf.opening import weights_files as weights_files
from inference.backends.hf.pictures import Eye
from inference.backends.hf.pooling import Prompts
from inference.backends.hf.processors import open_chat
from inference.backends.protocols import (
    BackendError,
    CaptionRequest,
    ClipFrames,
    ComposedQuery,
    Generation,
    ModelSettings,
    Vectors,
)
from inference.backends.replies import answer_in

# Their frames are cut by our own Eye.
QWEN = (
    "qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe",
)  # fmt: skip
# CARE, utils/video.py and models/modeling_encoders.py: bounds of a frame.
MIN_PIXELS, MAX_PIXELS = 128 * 28 * 28, 230_400


class VideoLanguageModel:
    """A Captioner, a DualEncoder, a ComposedEncoder and a TextModel.

    A clip is passed as a video. A vector is the normalized last layer, pooled as `prompts` says.
    """

    def __init__(self, model: Any, chat: Chat, batch_size: int, prompts: Prompts) -> None:
        self.model, self.chat, self.batch_size = model, chat, batch_size
        self.prompts = prompts
        self.dimension: int = model.config.get_text_config().hidden_size
        self.text_limit = chat.limit
        stops = model.generation_config.eos_token_id
        if stops is None:
            stops = chat.tokenizer.eos_token_id
        self.stops = [stops] if isinstance(stops, int) else list(stops)
        # Other defaults of the model's file (top_k, a penalty) must not affect a run.
        model.generation_config = GenerationConfig(
            eos_token_id=self.stops, pad_token_id=self.stops[0]
        )
        # The model keeps the positions of its current batch, so only one batch at a time.
        self.lock = Lock()

    def caption(
        self, requests: Sequence[CaptionRequest], generation: Generation
    ) -> list[str | BackendError]:
        def turn(request: CaptionRequest) -> Turn:
            video = self.chat.eye.video(check_frames(request.clip))
            return self.chat.turn(
                request.prompt, video, system=request.system, answer=generation.max_tokens
            )

        return self._answer(requests, turn, generation)

    def complete(
        self, prompts: Sequence[str], generation: Generation, *, system: str = ""
    ) -> list[str | BackendError]:
        def turn(prompt: str) -> Turn:
            return self.chat.turn(prompt, system=system, answer=generation.max_tokens)

        return self._answer(prompts, turn, generation)

    def encode_frames(self, clip: ClipFrames) -> Vectors:
        return stacked(self._encode(list(check_frames(clip).frames), self.prompts.of_frame))

    def encode_clips(self, clips: Sequence[ClipFrames]) -> list[Vectors | BackendError]:
        if not self.prompts.has_frames:
            return self._encode(clips, self.prompts.of_clip)
        return mean_of_parts(
            clips,
            lambda clip: list(check_frames(clip).frames),
            lambda frames: self._encode(frames, self.prompts.of_frame),
        )

    def encode_texts(self, texts: Sequence[str]) -> list[Vectors | BackendError]:
        return self._encode(texts, self.prompts.of_text)

    def encode_composed(self, queries: Sequence[ComposedQuery]) -> list[Vectors | BackendError]:
        if not self.prompts.has_frames:
            return self._encode(queries, self.prompts.of_query)
        return mean_of_parts(
            queries,
            lambda query: [(frame, query.text) for frame in check_frames(query.clip).frames],
            lambda parts: self._encode(parts, self.prompts.of_frame_query),
        )

    def _answer(self, requests: Any, turn: Any, generation: Generation) -> list[str | BackendError]:
        return answer_each(
            requests, turn, len, lambda turns: self._generate(turns, generation),
            size=self.batch_size, shape=lambda turn: turn.shape,
        )  # fmt: skip

    def _encode(self, requests: Any, turn: Any) -> list[Vectors | BackendError]:
        if not hasattr(self.model, "model"):
            raise BackendError(
                "no_vectors",
                f"A {self.model.config.model_type} model has no layer that vectors are read from "
                "here. Choose another model as the encoder.",
            )
        return answer_each(
            requests, turn, len, self._vectors,
            size=self.batch_size, shape=lambda turn: turn.shape,
        )  # fmt: skip

    @torch.inference_mode()
    def _generate(self, turns: list[Turn], generation: Generation) -> list[str | BackendError]:
        drawing = LogitsProcessorList()
        if generation.temperature > 0:
            seeds = [self._seed(turn, generation.seed) for turn in turns]
            drawing.append(SeededDraw(generation, seeds, self.model.device))
        with self.lock:
            packed = self.chat.pack(turns, self.model.device)
            written = self.model.generate(
                **packed,
                generation_config=GenerationConfig(
                    max_new_tokens=generation.max_tokens,
                    repetition_penalty=float(generation.repetition_penalty),
                    do_sample=False,  # SeededDraw has already sampled.
                ),
                logits_processor=drawing,
            )
        answers = written[:, packed["input_ids"].shape[1] :]
        return [self.text_of(answer) for answer in answers.tolist()]

    def text_of(self, ids: list[int]) -> str | BackendError:
        """Return the generated text up to its end token."""
        end = next((place for place, token in enumerate(ids) if token in self.stops), None)
        if end is None:
            return BackendError(
                "cut_off",
                f"The model had not finished after {len(ids)} tokens. Raise max tokens, or "
                "the repetition penalty if it repeats itself.",
            )
        text: str = self.chat.tokenizer.decode(ids[:end], skip_special_tokens=True).strip()
        if not text:
            return BackendError(
                "empty", "The model answered without a text. Try another prompt or another model."
            )
        try:
            return answer_in(text)
        except BackendError as error:
            return error

    def _seed(self, turn: Turn, seed: int) -> int:
        ids = np.array(turn.ids, np.int64).tobytes()
        # Every eighth pixel distinguishes clips and is cheap to hash.
        seen = b"" if turn.picture is None else turn.picture.frames[:, ::8, ::8].tobytes()
        return seed_of(seed, ids, seen)

    @torch.inference_mode()
    def _vectors(self, turns: list[Turn]) -> list[Vectors | BackendError]:
        with self.lock:
            packed = self.chat.pack(turns, self.model.device)
            layers = self.model.model(**packed, use_cache=False)
            return units(self.prompts.pooled(layers.last_hidden_state, packed["attention_mask"]))


def load(settings: ModelSettings) -> VideoLanguageModel:
    """Return the model on its device; raises BackendError if it can't be loaded.

    Parameters: device, dtype, attention ("auto" or unset: chosen by transformers), batch_size,
    min_pixels and max_pixels (of a frame), and those of Prompts.
    """
    parameters = settings.parameters
    where = place(parameters)
    bounds = (
        whole_number(parameters, "min_pixels", MIN_PIXELS),
        whole_number(parameters, "max_pixels", MAX_PIXELS),
    )
    batch_size = whole_number(parameters, "batch_size", 8)
    with opening(settings):
        whole = read_config(settings)
        # Of a Qwen-Omni, the part that reads and writes.
        config = getattr(whole, "thinker_config", whole)
        if config.model_type not in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES:
            raise BackendError(
                "unknown_family",
                f"{settings.model_id} is a {config.model_type} model, which transformers can't ask "
                "about pictures. Serve it through openai-compatible.",
            )
        # The chat first: what is missing is known before gigabytes are read.
        chat = _chat(settings, whole, config, bounds, where.dtype)
        if parameters.get("thinking") == "off":
            chat.options["enable_thinking"] = False
        prompts = Prompts(chat, parameters)
        model = open_weights(AutoModelForImageTextToText, settings, config, where)
        return VideoLanguageModel(model, chat, batch_size, prompts)


def _chat(
    settings: ModelSettings, whole: Any, config: Any, bounds: tuple[int, int], dtype: torch.dtype
) -> Chat:
    if config.model_type not in QWEN:
        return open_chat(settings, whole, config, bounds[1], dtype)
    tokenizer = AutoTokenizer.from_pretrained(settings.model_id, **origin(settings))
    processor = Qwen2VLImageProcessorPil.from_pretrained(settings.model_id, **origin(settings))
    return QwenChat(tokenizer, Eye(processor, *bounds), config)
