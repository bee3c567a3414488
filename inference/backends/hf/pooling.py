"""How a video-language model becomes an encoder: what it reads, and which of its states is the
vector.

The presets are those of published embedding models, as far as their documentation says:

- CARE: utils/model.py, EOL_PROMPTS, and models/modeling_encoders.py. It has no prompt for a
  composed query; ours is E5-V's, about a video.
- E5-V: README and retrieval.py (`llama3_template`; "desribe" is its spelling). It knows no videos.
- GME: modeling_gme_qwen2vl.py, `embed`. It knows no videos.
- VLM2Vec (V2): README and `process_input_text`; the placeholder is bare, without a chat template.
  Its prompt for a composed query is MMEB's for CIRR, about a video.
- Qwen3-VL-Embedding: src/models/qwen3_vl_embedding.py.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from inference.backends.embedding_styles import AUTO, CARE, FRAMES, MEAN
from inference.backends.hf.batches import check_frames
from inference.backends.hf.chat import Chat, Turn
from inference.backends.protocols import BackendError, ClipFrames, ComposedQuery, Frames


@dataclass(frozen=True)
class Style:
    """`text`, `image`, `video` and `composed` are the prompts of a text, a picture, a clip and a
    clip with a modification, in which {text} is the text and {kind} what is embedded. `layout`: the
    whole prompt, for a model without the chat template; `end` follows the template. `system`: the
    instruction unless another is given. `has_frames`: a clip is the mean of its frames' vectors.
    """

    text: str = "{text}"
    image: str = ""
    video: str = ""
    composed: str = "{text}"
    layout: str = ""
    end: str = ""
    system: str = ""
    has_frames: bool = False
    is_mean: bool = False


_ONE_WORD = "\nSummary above {kind} in one word:"
_LLAMA_3 = (
    "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\n{media}{text}<|eot_id|>"
    "<|start_header_id|>assistant<|end_header_id|>\n\n \n"
)
STYLES: Mapping[str, Style] = {
    CARE: Style(
        text="{text}" + _ONE_WORD,
        image=_ONE_WORD,
        video=_ONE_WORD,
        composed='\nModify this {kind} with "{text}", describe modified {kind} in one word:',
    ),
    "E5-V": Style(
        text="{text}" + _ONE_WORD + " ",
        image=_ONE_WORD + " ",
        composed='Modify this image with "{text}", desribe modified image in one word: ',
        layout=_LLAMA_3,
        has_frames=True,
    ),
    "GME": Style(system="You are a helpful assistant.", end="<|endoftext|>", has_frames=True),
    "VLM2Vec": Style(
        image=" Represent the given image.",
        video=" Represent the given video.",
        composed=" Given a {kind}, find a similar {kind} with the described changes: {text}",
        layout="{media}{text}",
    ),
    "Qwen3-VL-Embedding": Style(system="Represent the user's input."),
}


class Prompts:
    """What the model reads for each thing to embed. `options`: the parameters `embed_as`,
    `instruction`, `prompt`, `pooling` and `clip_as` of the model.
    """

    def __init__(self, chat: Chat, options: Mapping[str, Any]) -> None:
        self.chat = chat
        name = str(options.get("embed_as") or CARE)
        if name not in STYLES:
            raise BackendError(
                "bad_parameter", f"embed_as is {name!r}. Choose from: {', '.join(STYLES)}."
            )
        self.style = STYLES[name]
        self.is_care = name == CARE
        self.prompt = str(options.get("prompt") or "")
        self.system = _sentence(str(options.get("instruction") or "")) or self.style.system
        pooling = options.get("pooling") or AUTO
        self.is_mean = self.style.is_mean if pooling == AUTO else pooling == MEAN
        clip_as = options.get("clip_as") or AUTO
        self.has_frames = self.style.has_frames if clip_as == AUTO else clip_as == FRAMES

    def of_text(self, text: str) -> Turn:
        if self.style.layout and self.system:  # without a place for a system message
            text = f"{self.system} {text}"
        return self._turn(self.style.text, "sentence", text)

    def of_frame(self, frame: Frames) -> Turn:
        return self._turn(self.style.image, "image", picture=self.chat.eye.image(frame))

    def of_clip(self, clip: ClipFrames) -> Turn:
        return self._turn(self.style.video, "video", picture=self._video(clip))

    def of_query(self, query: ComposedQuery) -> Turn:
        return self._turn(self.style.composed, "video", query.text, self._video(query.clip))

    def of_frame_query(self, query: tuple[Frames, str]) -> Turn:
        frame, text = query
        return self._turn(self.style.composed, "image", text, self.chat.eye.image(frame))

    def pooled(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return (n, dimension) of states (n, tokens, dimension), padded at the left."""
        if not self.is_mean:
            return states[:, -1]
        weights = mask.to(states.dtype)[:, :, None]
        return (states * weights).sum(1) / weights.sum(1)

    def _video(self, clip: ClipFrames) -> Any:
        eye = self.chat.eye
        return (eye.slow_video if self.is_care else eye.video)(check_frames(clip))

    def _turn(self, prompt: str, kind: str, text: str = "", picture: Any = None) -> Turn:
        # The text comes last, so that braces in it stay as they are.
        written = (self.prompt or prompt).replace("{kind}", kind).replace("{text}", text)
        style = self.style
        return self.chat.turn(
            written, picture, system=self.system, layout=style.layout, end=style.end
        )


def _sentence(instruction: str) -> str:
    """Return the instruction with a mark at its end, as Qwen3-VL-Embedding's code makes sure."""
    text = instruction.strip()
    return text if not text or unicodedata.category(text[-1]).startswith("P") else f"{text}."
