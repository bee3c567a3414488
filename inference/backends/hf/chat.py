"""Requests to a Qwen-VL model as token ids, and batches of them as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from inference.backends.hf.pictures import Eye, Picture
from inference.backends.protocols import BackendError


@dataclass(frozen=True)
class Turn:
    """What the model reads before it answers."""

    ids: tuple[int, ...]
    picture: Picture | None = None

    def __len__(self) -> int:
        return len(self.ids)


class Chat:
    """Writes turns by the tokenizer's chat template, and packs them for the model.

    `limit` is how many tokens the model reads at most.
    """

    def __init__(self, tokenizer: Any, eye: Eye, config: Any) -> None:
        self.tokenizer, self.eye = tokenizer, eye
        self.image_id, self.video_id = config.image_token_id, config.video_token_id
        self.limit = config.get_text_config().max_position_embeddings
        self.knows_time = config.model_type == "qwen2_5_vl"
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
        ids = self.tokenizer(written, add_special_tokens=False)["input_ids"]
        if picture is not None:
            ids = self._make_room(ids, picture)
        if len(ids) + answer > self.limit:
            raise BackendError(
                "too_long",
                f"The request takes {len(ids)} tokens and its answer up to {answer}, but the model "
                f"reads {self.limit}. Sample fewer frames, lower max_pixels or shorten the text.",
            )
        return Turn(tuple(ids), picture)

    def written(
        self, text: str, picture: Picture | None, *, system: str = "", layout: str = "", end: str
    ) -> str:
        """Return the whole prompt, with one placeholder for the picture."""
        if layout:
            return layout.replace("{media}", self._mark(picture)).replace("{text}", text)
        content: Any = text
        if picture is not None:
            media = "video" if picture.is_video else "image"
            content = [{"type": media}, {"type": "text", "text": text}]
        roles = [{"role": "system", "content": system}] if system else []
        chat: str = self.tokenizer.apply_chat_template(
            [*roles, {"role": "user", "content": content}],
            tokenize=False,
            add_generation_prompt=True,
        )
        return chat + end

    def _mark(self, picture: Picture | None) -> str:
        if picture is None:
            return ""
        mark: str = self.tokenizer.convert_ids_to_tokens(
            self.video_id if picture.is_video else self.image_id
        )
        return mark

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
        return [*ids[:place], *[mark] * self.eye.tokens(picture), *ids[place + 1 :]]

    def pack(self, turns: Sequence[Turn], device: torch.device) -> dict[str, torch.Tensor]:
        """Return the model's input. The turns must all have a video, or all an image, or all
        nothing.

        Padded at the left, so that the last position of every row is the last of its prompt.
        """
        longest = max(len(turn) for turn in turns)
        # A row is padded with its own first token. The padding is masked, but the repetition
        # penalty looks at all ids, so the padding must not add a new one.
        rows = [[turn.ids[0]] * (longest - len(turn)) + list(turn.ids) for turn in turns]
        ids = torch.tensor(rows, device=device)
        gaps = torch.tensor([longest - len(turn) for turn in turns], device=device)
        mask = (torch.arange(longest, device=device) >= gaps[:, None]).long()
        packed = {"input_ids": ids, "attention_mask": mask}
        pictures = [turn.picture for turn in turns if turn.picture is not None]
        return packed | self._pack_pictures(ids, pictures) if pictures else packed

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
