"""Requests to a video-language model as token ids, and batches of them as tensors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from inference.backends.hf.pictures import Eye, Picture, PlainEye
from inference.backends.protocols import BackendError


@dataclass(frozen=True)
class Turn:
    """What the model reads before it answers. `inputs`: what a processor made of the picture.
    `shape`: the same for requests that can share a batch.
    """

    ids: tuple[int, ...]
    picture: Picture | None = None
    inputs: Mapping[str, torch.Tensor] = field(default_factory=dict)
    shape: tuple[tuple[int, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.ids)


class Chat(ABC):
    """Writes turns by the model's chat template, and packs them for the model.

    `limit` is how many tokens the model reads at most, `marks` the tokens that steer it.
    """

    eye: Eye | PlainEye

    def __init__(self, tokenizer: Any, config: Any) -> None:
        self.tokenizer = tokenizer
        self.limit = config.get_text_config().max_position_embeddings
        # What the chat template is told, such as not to let the model think.
        self.options: dict[str, Any] = {}
        self.marks = [
            mark.content for mark in tokenizer.added_tokens_decoder.values() if mark.special
        ]

    def turn(
        self,
        text: str,
        picture: Picture | None = None,
        *,
        system: str = "",
        answer: int = 0,
        layout: str = "",
        end: str = "",
    ) -> Turn:
        """Return the turn with `picture` and `text`, with room for an answer of `answer` tokens.
        `layout`: the whole prompt with {media} and {text}, instead of the chat template; `end`
        follows the template.
        """
        for mark in self.marks:
            if mark in text or mark in system:
                raise BackendError(
                    "bad_text", f"The text holds {mark}, which steers this model. Remove it."
                )
        written = self.written(text, picture, system=system, layout=layout, end=end)
        turn = self.read(written, picture)
        if len(turn) + answer > self.limit:
            raise BackendError(
                "too_long",
                f"The request takes {len(turn)} tokens and its answer up to {answer}, but the "
                f"model reads {self.limit}. Sample fewer frames, lower max_pixels or shorten the "
                "text.",
            )
        return turn

    def written(
        self, text: str, picture: Picture | None, *, system: str = "", layout: str = "", end: str
    ) -> str:
        """Return the whole prompt, with placeholders for the picture."""
        if layout:
            return layout.replace("{media}", self.mark(picture)).replace("{text}", text)
        return self.by_template(text, picture, system) + end

    @abstractmethod
    def by_template(self, text: str, picture: Picture | None, system: str) -> str:
        """Return the prompt by the chat template, with placeholders for the picture."""

    @abstractmethod
    def mark(self, picture: Picture | None) -> str:
        """Return the placeholders of the picture, without the chat template."""

    @abstractmethod
    def read(self, written: str, picture: Picture | None) -> Turn:
        """Return the prompt as the model reads it."""

    @abstractmethod
    def pack(self, turns: Sequence[Turn], device: torch.device) -> dict[str, torch.Tensor]:
        """Return the model's input. The turns must all have a video, or all an image, or all
        nothing.
        """


def padded(turns: Sequence[Turn], device: torch.device) -> dict[str, torch.Tensor]:
    """Return ids and mask, padded at the left, so that the last position of every row is the last
    of its prompt.
    """
    longest = max(len(turn) for turn in turns)
    # A row is padded with its own first token. The padding is masked, but the repetition
    # penalty looks at all ids, so the padding must not add a new one.
    rows = [[turn.ids[0]] * (longest - len(turn)) + list(turn.ids) for turn in turns]
    ids = torch.tensor(rows, device=device)
    gaps = torch.tensor([longest - len(turn) for turn in turns], device=device)
    mask = (torch.arange(longest, device=device) >= gaps[:, None]).long()
    return {"input_ids": ids, "attention_mask": mask}


class QwenChat(Chat):
    """The Qwen-VL models, whose frames are cut here: the same with and without torchvision."""

    def __init__(self, tokenizer: Any, eye: Eye, config: Any) -> None:
        super().__init__(tokenizer, config)
        self.eye: Eye = eye
        self.image_id, self.video_id = config.image_token_id, config.video_token_id
        self.knows_time = config.model_type == "qwen2_5_vl"
        self.writes_times = config.model_type.startswith("qwen3")
        self.config = config

    def by_template(self, text: str, picture: Picture | None, system: str) -> str:
        content: Any = text
        if picture is not None:
            media = "video" if picture.is_video else "image"
            content = [{"type": media}, {"type": "text", "text": text}]
        roles = [{"role": "system", "content": system}] if system else []
        chat: str = self.tokenizer.apply_chat_template(
            [*roles, {"role": "user", "content": content}],
            tokenize=False,
            add_generation_prompt=True,
            **self.options,
        )
        return chat

    def mark(self, picture: Picture | None) -> str:
        if picture is None:
            return ""
        mark: str = self.tokenizer.convert_ids_to_tokens(
            self.video_id if picture.is_video else self.image_id
        )
        return mark

    def read(self, written: str, picture: Picture | None) -> Turn:
        ids = self._ids(written)
        if picture is not None:
            ids = self._make_room(ids, picture)
        return Turn(tuple(ids), picture)

    def _ids(self, written: str) -> list[int]:
        ids: list[int] = self.tokenizer(written, add_special_tokens=False)["input_ids"]
        return ids

    def _make_room(self, ids: list[int], picture: Picture) -> list[int]:
        """Repeat the picture's placeholder once for each of its tokens."""
        mark = self.video_id if picture.is_video else self.image_id
        if ids.count(mark) != 1:
            raise BackendError(
                "bad_template",
                f"The model's chat template has {ids.count(mark)} places for a "
                f"{'video' if picture.is_video else 'picture'} instead of one. Check that the "
                "tokenizer belongs to the model.",
            )
        place = ids.index(mark)
        room = [mark] * self.eye.tokens(picture)
        if picture.is_video and self.writes_times:
            room = self._timed(room[: len(room) // len(picture.times)], picture.times)
        return [*ids[:place], *room, *ids[place + 1 :]]

    def _timed(self, step: list[int], times: Sequence[float]) -> list[int]:
        """Return each time step after its second, like Qwen3VLProcessor.replace_video_token."""
        edges = self.config.vision_start_token_id, self.config.vision_end_token_id
        step = [edges[0], *step, edges[1]]
        return [token for time in times for token in (*self._ids(f"<{time:.1f} seconds>"), *step)]

    def pack(self, turns: Sequence[Turn], device: torch.device) -> dict[str, torch.Tensor]:
        packed = padded(turns, device)
        pictures = [turn.picture for turn in turns if turn.picture is not None]
        return packed | self._pack_pictures(packed["input_ids"], pictures) if pictures else packed

    def _pack_pictures(self, ids: torch.Tensor, pictures: list[Picture]) -> dict[str, torch.Tensor]:
        cut = [torch.from_numpy(self.eye.patches(picture)).to(ids.device) for picture in pictures]
        pixels = self.eye.normalize(torch.cat(cut))
        grids = torch.tensor([picture.grid for picture in pictures], device=ids.device)
        kinds = (ids == self.image_id).long() + 2 * (ids == self.video_id).long()
        if not pictures[0].is_video:
            return {"pixel_values": pixels, "image_grid_thw": grids, "mm_token_type_ids": kinds}
        packed = {"pixel_values_videos": pixels, "video_grid_thw": grids}
        if self.knows_time:
            seconds = [picture.seconds for picture in pictures]
            packed["second_per_grid_ts"] = torch.tensor(seconds, device=ids.device)
        return packed | {"mm_token_type_ids": kinds}
