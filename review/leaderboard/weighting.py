"""Weights of votes whose pairs were drawn with unequal probabilities."""

from __future__ import annotations

from collections.abc import Mapping


def inverse_weights(probabilities: Mapping[int, float], n_pairs: int) -> dict[int, float]:
    """Return the weight of each vote: the inverse of its pair's probability, divided by the number
    of pairs, so that a vote weighs 1 if all pairs were equally probable (Horvitz and Thompson 1952;
    Chiang and others, "Chatbot Arena", ICML 2024, equation 8). `probabilities`: by vote, above 0.
    """
    return {vote: 1 / (n_pairs * probability) for vote, probability in probabilities.items()}
