"""Comparisons, kept in the cache by the texts themselves: comparing two takes up to 0.1 s."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from django.core.cache import cache

from review.coach.comparing import Comparison, compare_texts
from review.coach.queries import OwnText

KEPT_SECONDS = 30 * 24 * 3600
# Raise it when texts are compared differently.
VERSION = 1


def comparisons_of(texts: Sequence[OwnText]) -> list[Comparison]:
    """Return the comparison of each text with its final text."""
    keys = [_key(text.own.text, text.final.text) for text in texts]
    kept: dict[str, Comparison] = cache.get_many(keys)
    new = {
        key: compare_texts(text.own.text, text.final.text)
        for key, text in zip(keys, texts, strict=True)
        if key not in kept
    }
    if new:
        cache.set_many(new, KEPT_SECONDS)
    return [kept[key] if key in kept else new[key] for key in keys]


def _key(own: str, final: str) -> str:
    digests = "-".join(sha256(text.encode()).hexdigest() for text in (own, final))
    return f"coach-{VERSION}-{digests}"
