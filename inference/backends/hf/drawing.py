"""Samples tokens so that a text depends on its own request and seed, not on its batch."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import torch
from transformers import LogitsProcessor
from transformers.generation.logits_process import TopPLogitsWarper

from inference.backends.protocols import Generation


class SeededDraw(LogitsProcessor):
    """Turns the greedy choice into a sample from softmax(scores / temperature) within `top_p`.

    The Gumbel-max trick: the largest of score + Gumbel noise is distributed as the softmax. Every
    row has its own random numbers, so that a run resumed with other batches writes the same texts;
    `torch.multinomial` would sample for the whole batch at once.
    """

    def __init__(self, generation: Generation, seeds: Sequence[int], device: torch.device) -> None:
        self.temperature = generation.temperature
        self.nucleus = TopPLogitsWarper(generation.top_p)
        self.rows = [torch.Generator(device).manual_seed(seed) for seed in seeds]

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        scores = self.nucleus(input_ids, scores.float() / self.temperature)
        noise = torch.empty_like(scores)
        for row, generator in zip(noise, self.rows, strict=True):
            row.exponential_(generator=generator)
        return scores - noise.clamp_min(1e-30).log()


def seed_of(seed: int, *parts: bytes) -> int:
    """Return the seed of a request, from the run's seed and the request's content."""
    digest = hashlib.sha256(str(seed).encode())
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return int.from_bytes(digest.digest()[:8], "big") >> 1
